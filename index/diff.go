package index

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// A difference is what a look at a source found against the manifest.
type difference struct {
	changes []Change
	same    int // notes that are what the manifest says

	stamp store.Stamp // of the store it was compared with
	sum   uint64      // of what was walked
}

// diff walks the manifest and the entries, both in the order of paths, side by
// side.
//
// Most looks find nothing changed, and reading a manifest of thousands of notes to
// learn that takes longer than walking their folders. So what a walk saw that found
// nothing is kept as one number with the store's generation, and where both are the
// same again the manifest is not read.
func diff(ctx context.Context, st store.Store, src Source, entries []vault.Entry) (d difference, err error) {
	removed := func(n store.Note) { d.changes = append(d.changes, Change{Path: vault.Path(n.Path), Removed: true}) }
	present := func(e vault.Entry, known *store.Note) {
		read := func() ([]byte, error) { return src.Read(e.Path) }
		d.changes = append(d.changes, Change{Path: e.Path, Size: e.Size, ModTime: e.ModTime, Read: read, known: known})
	}
	d.sum = sumOf(entries)
	i := 0
	err = st.View(ctx, func(r store.Reader) error {
		if d.stamp = r.Stamp(); d.stamp.Walked == d.sum {
			d.same, i = len(entries), len(entries)
			return nil
		}
		return r.Manifest(ctx, func(n store.Note) error {
			for ; i < len(entries) && string(entries[i].Path) < n.Path; i++ {
				present(entries[i], nil)
			}
			switch {
			case i == len(entries) || string(entries[i].Path) != n.Path:
				removed(n)
			case n.MTime != 0 && n.Size == entries[i].Size && n.MTime == entries[i].ModTime.UnixNano():
				d.same++
				i++
			default:
				present(entries[i], &n)
				i++
			}
			return nil
		})
	})
	for ; err == nil && i < len(entries); i++ {
		present(entries[i], nil)
	}
	return d, err
}

// keep keeps what was walked where it was all that the manifest says. What cannot be
// kept costs the next look its time and nothing else.
func (d difference) keep(ctx context.Context, st store.Store) {
	if len(d.changes) == 0 && d.same > 0 && d.stamp.Walked != d.sum {
		_ = st.Walked(ctx, d.stamp.Generation, d.sum)
	}
}

// sumOf is a number of all that diff compares of the entries, never 0.
func sumOf(entries []vault.Entry) uint64 {
	const atOnce = 4 << 10
	h := sha256.New()
	buf := make([]byte, 0, 2*atOnce)
	le := binary.LittleEndian
	for _, e := range entries {
		buf = le.AppendUint32(buf, uint32(len(e.Path)))
		buf = append(buf, e.Path...)
		buf = le.AppendUint64(buf, uint64(e.Size))
		buf = le.AppendUint64(buf, uint64(e.ModTime.UnixNano()))
		if len(buf) >= atOnce {
			h.Write(buf)
			buf = buf[:0]
		}
	}
	h.Write(buf)
	return max(le.Uint64(h.Sum(nil)), 1)
}
