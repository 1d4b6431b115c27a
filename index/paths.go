package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// A PathSource is a tree in which single notes can be looked at; *vault.Vault is
// one.
type PathSource interface {
	Read(p vault.Path) ([]byte, error)
	// Stat describes a file without following symbolic links.
	Stat(p vault.Path) (fs.FileInfo, error)
	Ignored(p vault.Path, isDir bool) bool
}

// SyncPaths brings the index in step with the named notes of a source as they
// are: new, changed, unchanged or gone. It is what Sync would do for them, at
// the price of these notes and not of the whole tree, and like Sync it may be
// told of a note that did not change.
func (x *Index) SyncPaths(ctx context.Context, src PathSource, paths []vault.Path) (Report, error) {
	began := x.cfg.Now()
	var report Report
	err := x.use(ctx, func(st store.Store) error {
		report = Report{}
		changes, err := x.lookAt(ctx, st, src, paths, &report)
		if err != nil || len(changes) == 0 {
			return err
		}
		unchanged := report.Unchanged
		report, err = x.update(ctx, st, slices.Values(changes), len(changes))
		report.Unchanged += unchanged
		return err
	})
	if err != nil {
		return report, fmt.Errorf("index: %w", err)
	}
	report.Took = x.cfg.Now().Sub(began)
	return report, nil
}

// lookAt compares the named notes with the manifest.
func (x *Index) lookAt(ctx context.Context, st store.Store, src PathSource, paths []vault.Path, report *Report) ([]Change, error) {
	var changes []Change
	err := st.View(ctx, func(r store.Reader) error {
		for _, p := range paths {
			known, err := noteAt(ctx, r, p)
			if err != nil {
				return err
			}
			info, err := src.Stat(p)
			switch {
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				report.Problems = append(report.Problems, Problem{string(p), err.Error()})
			case err != nil || !info.Mode().IsRegular() || !p.IsNote() || ignored(src, p):
				if known != nil {
					changes = append(changes, Change{Path: p, Removed: true})
				}
			case known != nil && known.MTime != 0 && known.Size == info.Size() && known.MTime == info.ModTime().UnixNano():
				report.Unchanged++
			default:
				read := func() ([]byte, error) { return src.Read(p) }
				changes = append(changes, Change{Path: p, Size: info.Size(), ModTime: info.ModTime(), Read: read, known: known})
			}
		}
		return nil
	})
	return changes, err
}

func noteAt(ctx context.Context, r store.Reader, p vault.Path) (*store.Note, error) {
	notes, err := r.Find(ctx, string(p))
	for _, n := range notes {
		if n.Path == string(p) {
			return &n, err
		}
	}
	return nil, err
}

// ignored reports whether a note, or a folder above it, is left alone.
func ignored(src PathSource, p vault.Path) bool {
	for at := p; at != ""; at = at.Dir() {
		if src.Ignored(at, at != p) {
			return true
		}
	}
	return false
}
