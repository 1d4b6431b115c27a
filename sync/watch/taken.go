package watch

import (
	"bytes"
	"errors"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// takenBack is the vault as it was at commits that the person took back.
type takenBack []*takenView

type takenView struct {
	id   history.ID
	view *history.View
	held bool // a file stands on disk as it did there
}

// maxTaken bounds how many of them are remembered.
const maxTaken = 10

// has reports whether a file stood there as it is now; nil is a file that is gone.
func (t takenBack) has(p vault.Path, raw []byte) bool {
	found := false
	for _, one := range t {
		was, err := one.view.Read(p)
		if raw == nil && errors.Is(err, history.ErrNotFound) || raw != nil && err == nil && bytes.Equal(was, raw) {
			one.held, found = true, true
		}
	}
	return found
}

// released forgets what was taken back once it holds nothing any more and the
// person has committed since: they have decided by then. All dirty files have
// been looked at.
func (e *Edits) released(taken takenBack) error {
	seen := e.readSeen()
	if !seen.Decided && !e.cfg.Asked || len(taken) == 0 {
		return nil
	}
	seen.Taken = nil
	for _, one := range taken {
		if one.held {
			seen.Taken = append(seen.Taken, one.id)
		}
	}
	seen.Decided = len(seen.Taken) > 0
	return e.writeSeen(seen)
}
