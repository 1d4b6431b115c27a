package watch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/fsnotify/fsnotify"

	"github.com/memsync/memsync/vault"
)

// folders are the folders of a vault that are watched. One goroutine changes
// them; the counts may be read by any.
type folders struct {
	n       *fsnotify.Watcher
	most    int
	refused error // why nothing at all can be watched
	set     map[string]bool
	// quietLooks counts looks without news since all folders were gone through.
	quietLooks int
	left       map[string]bool // cannot be watched

	watched, polled *atomic.Int64
	why             *atomic.Value
}

func newFolders(most int) folders {
	if most <= 0 {
		most = folderBudget()
	}
	return folders{
		most: most, set: map[string]bool{}, left: map[string]bool{},
		watched: new(atomic.Int64), polled: new(atomic.Int64), why: new(atomic.Value),
	}
}

// followFolders makes the watched folders those of the vault, as far as the
// events since the last look, or a look at all folders, tell. It returns what is
// to be looked at.
func (w *Watcher) followFolders(ctx context.Context) (Look, error) {
	now, err := os.Stat(w.tree.Dir())
	if err != nil || !os.SameFile(now, w.root) {
		return Look{}, fmt.Errorf("watch %s: %w", w.tree.Dir(), ErrGone)
	}
	w.mu.Lock()
	n := w.news
	w.news = news{}
	w.mu.Unlock()
	f := &w.folders
	look := Look{All: n.all || len(n.came) > 0 || len(n.files) == 0 || f.polled.Load() > 0}
	for name := range n.files {
		if f.set[name] {
			f.drop(name) // a folder that went
			look.All = true
		}
		if rel, err := filepath.Rel(w.tree.Dir(), name); err == nil && rel != "." {
			look.Paths = append(look.Paths, vault.Path(filepath.ToSlash(rel)))
		}
	}
	if len(n.files) == 0 {
		f.quietLooks++
	}
	if n.all || f.quietLooks >= checkFolders {
		f.quietLooks = 0
		f.dropMissing()
		clear(f.left)
		n.came = []string{w.tree.Dir()}
	}
	for _, dir := range n.came {
		if err := w.add(ctx, dir); err != nil {
			return look, err
		}
	}
	f.watched.Store(int64(len(f.set)))
	f.polled.Store(int64(len(f.left)))
	return look, nil
}

// checkFolders is after how many looks without news it is checked whether all
// folders are still watched: every ten minutes where nothing happens. Such a look
// finds what changed also in a folder that is not.
const checkFolders = 10

// add watches a folder and those below it: each before it is read, so that
// nothing comes into it unseen in between.
func (w *Watcher) add(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if rel, err := filepath.Rel(w.tree.Dir(), dir); err != nil || rel != "." && w.tree.Ignored(vault.Path(filepath.ToSlash(rel)), true) {
		return nil
	}
	w.folders.watch(dir)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // it went away, or the walk of the vault will say so
	}
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		if err := w.add(ctx, filepath.Join(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

func (f *folders) watch(dir string) {
	if f.set[dir] {
		return
	}
	err := f.refused
	switch {
	case err != nil:
	case f.n == nil:
		err = errors.New("the system gives no watcher")
	case len(f.set) >= f.most:
		err = fmt.Errorf("more than %d folders", f.most)
	default:
		if err = f.n.Add(dir); err == nil {
			f.set[dir] = true
			return
		}
		if errors.Is(err, os.ErrNotExist) {
			return
		}
	}
	f.left[dir] = true
	f.why.Store(reason(err))
}

// reason says why a folder is polled so that its owner can do something.
func reason(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return "the system's limit of watched folders is reached (fs.inotify.max_user_watches)"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "the limit of open files, or of watchers (fs.inotify.max_user_instances), is reached"
	}
	return err.Error()
}

// drop stops watching a folder that went, and those below it.
func (f *folders) drop(dir string) {
	if !f.set[dir] {
		return
	}
	for d := range f.set {
		if d == dir || strings.HasPrefix(d, dir+string(filepath.Separator)) {
			_ = f.n.Remove(d) // the system may have dropped it first
			delete(f.set, d)
		}
	}
}

// dropMissing forgets folders that the notifier no longer watches or that are
// no longer there.
func (f *folders) dropMissing() {
	if f.n == nil {
		return
	}
	listed := make(map[string]bool, len(f.set))
	for _, d := range f.n.WatchList() {
		listed[d] = true
	}
	for d := range f.set {
		if info, err := os.Lstat(d); !listed[d] || err != nil || !info.IsDir() {
			f.drop(d)
		}
	}
}
