package index

import (
	"context"

	"github.com/memsync/memsync/index/store"
)

// Warm reads what a search keeps in memory, for a process that has something else
// to do before it asks. It changes nothing: what cannot be read is met again, and
// said, by the search.
func (x *Index) Warm(ctx context.Context) {
	_, _, _ = x.useOnce(ctx, func(st store.Store) error {
		return st.View(ctx, func(r store.Reader) error {
			_, err := x.snapshotOf(ctx, st, r)
			return err
		})
	})
}
