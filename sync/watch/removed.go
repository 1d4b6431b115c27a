package watch

import (
	"errors"
	"io/fs"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// Removed gathers what changes take out of the vault's memory, and adds it to the
// file of what the person removed, where only salted hashes are kept. Whoever
// saves it holds the vault's lock.
type Removed struct {
	set     *vault.Forgotten
	path    vault.Path
	old     vault.Hash // of the file as it was read
	before  int
	changes []change
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
	r.before = r.set.Len()
	return r, nil
}

// Change takes note of a file's bytes before and after; nil is no file. What
// stands in any of the files that were named after it is not lost.
func (r *Removed) Change(p vault.Path, before, after []byte) {
	r.changes = append(r.changes, change{p, before, after})
}

// Add takes note of texts that were removed.
func (r *Removed) Add(texts ...string) { r.set.Add(texts...) }

// Save writes the file with write where anything is new, and returns it for a
// commit, and how many texts are new.
func (r *Removed) Save(write func(vault.Path, vault.Hash, []byte) error) (history.File, int, error) {
	r.set.Add(lost(r.changes)...)
	n := r.set.Len() - r.before
	if n == 0 {
		return history.File{}, 0, nil
	}
	data := r.set.Bytes()
	if err := write(r.path, r.old, data); err != nil {
		return history.File{}, 0, err
	}
	return history.File{Path: r.path, Hash: vault.HashOf(data)}, n, nil
}
