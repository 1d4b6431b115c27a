package watch

import (
	"errors"
	"io/fs"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// Removed gathers what changes take out of the vault's memory, and adds it to the
// file of what the person removed, where only salted hashes are kept. What they
// put back is taken off it: a claim that stands in a ledger again, in the same
// words, is remembered again, as after a save that was seen half done. Whoever
// saves it holds the vault's lock.
type Removed struct {
	set              *vault.Forgotten
	path             vault.Path
	old              vault.Hash // of the file as it was read
	changes          []change
	added, withdrawn int
	undone           bool
}

// OpenRemoved reads what was removed so far.
func OpenRemoved(v *vault.Vault) (*Removed, error) {
	r := &Removed{path: v.Layout().Forgotten(), old: vault.NoFile}
	raw, err := v.Read(r.path)
	switch {
	case err == nil:
		r.old, r.set = vault.HashOf(raw), vault.ParseForgotten(raw)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if r.set == nil || !r.set.HasSalt() {
		if r.set, err = vault.NewForgotten(nil); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Change takes note of a file's bytes before and after; nil is no file. What
// stands in any of the files that were named after it is not lost.
func (r *Removed) Change(p vault.Path, before, after []byte) {
	r.changes = append(r.changes, change{path: p, before: before, after: after})
}

// Undo takes back what a change of the file itself made of before.
func (r *Removed) Undo(before, after []byte) {
	was, is := vault.ParseForgotten(before), vault.ParseForgotten(after)
	if r.old == vault.NoFile && r.set.Len() == 0 && was.HasSalt() && !is.HasSalt() {
		r.set, r.undone = was, true // it was deleted, with its salt
		return
	}
	r.undone = r.set.Undo(was, is) || r.undone
}

// Add takes note of texts that were removed.
func (r *Removed) Add(texts ...string) {
	before := r.set.Len()
	r.set.Add(texts...)
	r.added += r.set.Len() - before
}

// putBack takes off what was removed and stands again. The quotes of a claim go
// with its text, and never alone: they may prove another one that was removed.
func (r *Removed) putBack(stand []memory) {
	before := r.set.Len()
	for _, m := range stand {
		if r.set.Has(m[0]) {
			r.set.Remove(m...)
		}
	}
	r.withdrawn += before - r.set.Len()
}

// Save writes the file with write where it changes, and returns it for a commit,
// and how many texts were added or taken off; its path is empty where it stays.
func (r *Removed) Save(write func(vault.Path, vault.Hash, []byte) error) (history.File, int, error) {
	r.Add(lost(r.changes)...)
	r.putBack(standing(r.changes))
	n := r.added + r.withdrawn
	data := r.set.Bytes()
	if n == 0 && !r.undone || vault.HashOf(data) == r.old {
		return history.File{}, 0, nil
	}
	if err := write(r.path, r.old, data); err != nil {
		return history.File{}, 0, err
	}
	return history.File{Path: r.path, Hash: vault.HashOf(data)}, n, nil
}
