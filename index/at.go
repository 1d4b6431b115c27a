package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// keptRevisions is how many indexes of revisions are kept for the next question.
const keptRevisions = 4

var revisionName = lazyregexp.New(`^[0-9a-f]{7,64}$`)

// At returns an index of the notes as they were at a commit, named by its full
// hash. It is built from src where it is not there from before, with the vectors
// that are known already, and is the caller's to close. It is never updated: a
// commit does not change.
func (x *Index) At(ctx context.Context, commit string, src Source) (*Index, error) {
	if !revisionName.MatchString(commit) {
		return nil, fmt.Errorf("index: %q is not the hash of a commit", commit)
	}
	root := filepath.Join(x.dir, "at")
	dir := filepath.Join(root, commit)
	cfg := x.cfg
	cfg.Fresh = nil
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := x.buildAt(ctx, root, dir, cfg, src); err != nil {
			return nil, fmt.Errorf("index at %.10s: %w", commit, err)
		}
	}
	if now := x.cfg.Now(); !now.IsZero() {
		_ = os.Chtimes(dir, now, now) // what was asked for last is kept longest
	}
	at, err := Open(ctx, dir, x.e, cfg)
	if err != nil {
		return nil, err
	}
	// It may have been built with another model, or found damaged.
	status, err := at.Status(ctx)
	var report Report
	if err == nil && status.Notes == 0 {
		report, err = at.Sync(ctx, undated{src})
	} else if err == nil {
		report, err = at.CatchUp(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, at.Close())
	}
	at.tell(status.Remarks...)
	at.tell(report.Notes...)
	x.forgetRevisions(root, commit)
	return at, nil
}

// buildAt builds an index in a folder of its own and then gives it its name, so
// that no half-built one is ever found.
func (x *Index) buildAt(ctx context.Context, root, dir string, cfg Config, src Source) error {
	if err := os.MkdirAll(root, 0o700); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp(root, ".building-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	x.copyInto(ctx, tmp)
	at, err := Open(ctx, tmp, x.e, cfg)
	if err != nil {
		return err
	}
	_, err = at.Sync(ctx, undated{src})
	if err = errors.Join(err, at.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp, dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// undated is a source whose notes are told apart by their content alone: the copy
// knows the times of files, and a commit's is another thing.
type undated struct{ Source }

func (u undated) Walk(ctx context.Context) ([]vault.Entry, []vault.Skipped, error) {
	entries, skipped, err := u.Source.Walk(ctx)
	entries = slices.Clone(entries)
	for i := range entries {
		entries[i].ModTime = time.Time{}
	}
	return entries, skipped, err
}

// copyInto begins the index of a revision as a copy of the one in use: most notes
// are the same in both, and what is the same need not be cut and written again.
// Where that fails it is built from nothing.
func (x *Index) copyInto(ctx context.Context, dir string) {
	path := filepath.Join(dir, firstStore)
	err := x.use(ctx, func(st store.Store) error {
		s, ok := st.(interface {
			Copy(ctx context.Context, path string) error
		})
		if !ok {
			return errors.ErrUnsupported
		}
		return s.Copy(ctx, path)
	})
	if err != nil {
		_ = os.Remove(path)
	}
}

// forgetRevisions deletes the indexes of revisions beyond the kept ones, those
// first that were not asked for longest.
func (x *Index) forgetRevisions(root, keep string) {
	entries, _ := os.ReadDir(root)
	type old struct {
		name string
		used time.Time
	}
	var list []old
	for _, e := range entries {
		if info, err := e.Info(); err == nil && revisionName.MatchString(e.Name()) && e.Name() != keep {
			list = append(list, old{e.Name(), info.ModTime()})
		}
	}
	slices.SortFunc(list, func(a, b old) int { return cmp.Or(b.used.Compare(a.used), cmp.Compare(a.name, b.name)) })
	for _, o := range list[min(keptRevisions-1, len(list)):] {
		_ = os.RemoveAll(filepath.Join(root, o.name))
	}
}
