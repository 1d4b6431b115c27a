package history

import (
	"context"
	"fmt"

	"github.com/memsync/memsync/vault"
)

// A View is the vault as it was at one commit. It reads what it is asked for and
// holds nothing.
type View struct {
	// Commit is the one that the view shows.
	Commit Commit

	r *Repo
}

// At returns the vault at a revision, as Resolve understands it.
func (r *Repo) At(ctx context.Context, rev string) (*View, error) {
	id, err := r.Resolve(ctx, rev)
	if err != nil {
		return nil, err
	}
	c, err := r.objects.commit(id)
	if err != nil {
		return nil, err
	}
	return &View{c, r}, nil
}

// A Blob is a file of a View: the content is named by ID, so two files, at
// whatever commits, have the same content exactly when they have the same ID.
type Blob struct {
	Path vault.Path
	ID   ID
	Size int64 // in bytes
}

// Files lists the regular files of the vault, sorted by path.
func (v *View) Files(ctx context.Context) ([]Blob, error) {
	var files []Blob
	for l, err := range v.r.objects.leaves(v.Commit.tree, v.r.prefix) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		p, ok := v.r.inVault(l.path)
		if !ok || !l.mode.regular() {
			continue
		}
		size, err := v.r.objects.size(l.id)
		if err != nil {
			return nil, err
		}
		files = append(files, Blob{p, l.id, size})
	}
	return files, nil
}

// Read returns a file's bytes as git has them. Where the revision has no such
// file the error wraps ErrNotFound.
func (v *View) Read(p vault.Path) ([]byte, error) {
	return v.r.readAt(v.Commit, p)
}

func (r *Repo) readAt(c Commit, p vault.Path) ([]byte, error) {
	e, ok, err := r.objects.lookup(c.tree, r.tracked(p))
	if err != nil {
		return nil, err
	}
	if !ok || !e.mode.regular() {
		return nil, fmt.Errorf("%s at %s: %w", p, c.ID.Short(), ErrNotFound)
	}
	return r.objects.read(kindBlob, e.id)
}

// ReadBlob returns content by its ID, as Files and Versions give it.
func (r *Repo) ReadBlob(id ID) ([]byte, error) { return r.objects.read(kindBlob, id) }
