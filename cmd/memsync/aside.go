package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// unwritable returns the error of a place that cannot be written, nil where err is
// another trouble: a full or read-only disk, a quota, files of somebody else's. A
// question needs no such place to be answered.
func unwritable(err error) *fs.PathError {
	var at *fs.PathError
	if !errors.As(err, &at) {
		return nil
	}
	for _, why := range []error{syscall.ENOSPC, syscall.EROFS, syscall.EDQUOT, fs.ErrPermission} {
		if errors.Is(at.Err, why) {
			return at
		}
	}
	return nil
}

// indexFile is a file that an index cannot do without: the store, the journal of
// what is not in it yet, and the name of the store in use.
var indexFile = lazyregexp.New(`^(CURRENT|index-[0-9]+\.db(-wal)?)$`)

// openAside opens a copy of the vault's index in the temporary folder, where the
// index itself cannot be written, and one that is empty where there is none. It is
// deleted when it is closed. Vectors that are not in it are made anew.
func (a *app) openAside(ctx context.Context, s *session) (_ *openedIndex, err error) {
	dir, err := os.MkdirTemp("", "memsync-index-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	from := filepath.Join(s.places.Cache, "index")
	files, err := os.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, f := range files {
		if !indexFile.MatchString(f.Name()) {
			continue
		}
		if err := copyFile(filepath.Join(dir, f.Name()), filepath.Join(from, f.Name())); err != nil {
			return nil, err
		}
	}
	x, err := a.openIndexIn(ctx, s, dir, filepath.Join(dir, "vectors.db"))
	if err != nil {
		return nil, err
	}
	return &openedIndex{Index: x, dir: dir}, nil
}

func copyFile(to, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// openAnyhow opens the vault's index, or, where it cannot be written, which why
// says, a copy.
func (a *app) openAnyhow(ctx context.Context, s *session) (x *openedIndex, why *fs.PathError, err error) {
	if x, err = a.openIndex(ctx, s); err == nil {
		return x, nil, nil
	}
	if why = unwritable(err); why == nil {
		return nil, nil, err
	}
	if x, err = a.openAside(ctx, s); unwritable(err) != nil {
		x, err = a.openFrozen(ctx, s)
	}
	return x, why, err
}

// openFrozen opens the vault's index as it lies there.
func (a *app) openFrozen(ctx context.Context, s *session) (*openedIndex, error) {
	x, err := a.openIndexAs(ctx, s, filepath.Join(s.places.Cache, "index"), index.Config{Frozen: true})
	if err != nil {
		return nil, err
	}
	return &openedIndex{Index: x}, nil
}

// readAside is openToRead where the index cannot be written: the answer says so.
func (a *app) readAside(ctx context.Context, s *session, r *reader, at string, why *fs.PathError) error {
	if r.openedIndex != nil {
		_ = r.Close() // what cannot be written may not close well either
		r.openedIndex = nil
	}
	x, err := a.openAside(ctx, s)
	if unwritable(err) != nil {
		return a.readFrozen(ctx, s, r, at, why)
	}
	if err != nil {
		return fmt.Errorf("%w, nor can a copy of the index be made: %w", why, err)
	}
	r.openedIndex = x
	r.notes = []string{fmt.Sprintf("this was answered from a copy of the index, since its place cannot be written (%v)", why)}
	if at != "" {
		return a.goBack(ctx, s, r, at)
	}
	report, err := x.Sync(ctx, s.vault)
	r.notes = append(r.notes, report.Notes...)
	if full := unwritable(err); full != nil {
		return errors.Join(x.Close(), a.readFrozen(ctx, s, r, at, full))
	}
	return err
}

// readFrozen is openToRead where nothing can be written anywhere: the answer is
// that of the index as it lies there.
func (a *app) readFrozen(ctx context.Context, s *session, r *reader, at string, why *fs.PathError) error {
	r.openedIndex, r.notes = nil, nil
	if at != "" {
		return why // an index of another time would have to be made
	}
	x, err := a.openFrozen(ctx, s)
	if err != nil {
		return fmt.Errorf("%w, nor can the index be read as it is: %w", why, err)
	}
	r.openedIndex = x
	behind, err := x.Behind(ctx, s.vault)
	r.fresh = behind == 0
	r.notes = []string{fmt.Sprintf("the index cannot be brought in step (%v)", why)}
	if !r.fresh {
		r.notes[0] += fmt.Sprintf("; %s may be missing from this answer", output.Count(behind, "note that changed", "notes that changed"))
	}
	return err
}
