package history

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/vault"
)

// A Version is a file as one commit left it.
type Version struct {
	Commit Commit     `json:"commit"`
	Path   vault.Path `json:"path"` // what the file was called then
	ID     ID         `json:"id"`   // its content; zero where the commit deleted it
	// Moved says that the commit gave the file this name and left its content.
	Moved bool `json:"moved,omitempty"`
}

// Versions lists what commits made of a file, the newest first. A file that was
// renamed is followed under its older name: one with the same content that the commit
// took away, or a note with the same id.
func (r *Repo) Versions(ctx context.Context, p vault.Path) ([]Version, error) {
	var found []Version
	err := r.eachVersion(ctx, p, func(v Version) (bool, error) {
		found = append(found, v)
		return true, nil
	})
	return found, err
}

// LastBy returns the file's content in the newest commit by an author that changed
// it, with that commit and the name that the file had in it. With MachineEmail that is
// what memsync last wrote, the base on which to merge the person's edits with memsync's
// next. A commit that only gave the file another name made nothing of it. Where the
// author never wrote the file, or deleted it last, the error wraps ErrNotFound.
func (r *Repo) LastBy(ctx context.Context, p vault.Path, email string) ([]byte, Version, error) {
	var last Version
	err := r.eachVersion(ctx, p, func(v Version) (bool, error) {
		if v.Moved || !strings.EqualFold(v.Commit.Author.Email, email) {
			return true, nil
		}
		last = v
		return false, nil
	})
	if err != nil {
		return nil, Version{}, err
	}
	if last.ID.IsZero() {
		return nil, Version{}, fmt.Errorf("%s by %s: %w", p, email, ErrNotFound)
	}
	content, err := r.objects.read(kindBlob, last.ID)
	return content, last, err
}

// eachVersion visits the versions of a file until visit says false.
func (r *Repo) eachVersion(ctx context.Context, p vault.Path, visit func(Version) (bool, error)) error {
	_, from, err := r.head()
	if err != nil {
		return err
	}
	name, more := r.tracked(p), true
	for more && !from.IsZero() {
		w, err := r.walker(from, name)
		if err != nil {
			return err
		}
		from = ID{}
		err = w.each(ctx, func(c Commit) (bool, error) {
			e, _, err := r.objects.lookup(c.tree, name)
			if err != nil {
				return false, err
			}
			path, _ := r.inVault(name)
			v := Version{Commit: c, Path: path}
			if e.mode.regular() {
				v.ID = e.id
			}
			gone, err := r.goneWith(c, name, e)
			if err != nil {
				return false, err
			}
			was := sameBytes(e, gone)
			v.Moved = was.path != ""
			if more, err = visit(v); !more || err != nil {
				return false, err
			}
			if was.path == "" {
				if was, err = r.sameNote(name, e, gone); err != nil {
					return false, err
				}
			}
			if was.path != "" {
				from, name = c.Parents[0], was.path
				return false, nil
			}
			return true, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// goneWith are the files that a commit took away, where it created one of that name:
// what the file may have been before.
func (r *Repo) goneWith(c Commit, name string, e entry) ([]delta, error) {
	if len(c.Parents) != 1 || !e.mode.regular() {
		return nil, nil
	}
	before, err := r.parentTree(c)
	if err != nil || before.IsZero() {
		return nil, err
	}
	if _, there, err := r.objects.lookup(before, name); there || err != nil {
		return nil, err
	}
	return r.objects.gone.get(c.ID, func() ([]delta, error) {
		deltas, err := r.objects.compare(before, c.tree, r.prefix)
		return slices.DeleteFunc(deltas, func(d delta) bool { return d.after.mode != 0 || !d.before.mode.regular() }), err
	})
}

// sameBytes is the file with the same content among files that a commit took away; its
// path is "" for none.
func sameBytes(e entry, gone []delta) (was delta) {
	if i := slices.IndexFunc(gone, func(d delta) bool { return d.before.id == e.id }); i >= 0 {
		return gone[i]
	}
	return was
}

// mostRenamed bounds how many notes are read to find the one that a note was before: a
// commit that takes away more is no rename.
const mostRenamed = 100

// sameNote is the note with the same id among files that a commit took away; its path
// is "" for none.
func (r *Repo) sameNote(name string, e entry, gone []delta) (was delta, err error) {
	if len(gone) == 0 || len(gone) > mostRenamed || !vault.Path(name).IsNote() {
		return was, nil
	}
	id := func(name string, e entry) (string, error) {
		raw, err := r.objects.read(kindBlob, e.id)
		return vault.Parse(vault.Path(name), raw).ID(), err
	}
	want, err := id(name, e)
	if err != nil || want == "" {
		return was, err
	}
	for _, d := range gone {
		if !vault.Path(d.path).IsNote() {
			continue
		}
		if got, err := id(d.path, d.before); err != nil {
			return was, err
		} else if got == want {
			return d, nil
		}
	}
	return was, nil
}
