package watch

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/memsync/memsync/vault"
)

// news is what the events since the last look say.
type news struct {
	// all says to look at everything.
	all bool
	// came are folders that came, files all paths at which anything else
	// happened; among them are folders that went.
	came  []string
	files map[string]bool
}

// maxNews bounds the paths that are looked at one by one; with more, looking at
// everything is cheaper.
const maxNews = 64

// pump drains the notifier. It never blocks and believes nothing: it looks at a
// file only to learn whether it is a folder.
func (w *Watcher) pump(events <-chan fsnotify.Event, errs <-chan error) {
	for events != nil || errs != nil {
		select {
		case e, ok := <-events:
			if !ok {
				events = nil
				continue
			}
			w.event(e)
		case err, ok := <-errs:
			if !ok {
				errs = nil
				continue
			}
			w.trouble(err)
		}
	}
}

func (w *Watcher) event(e fsnotify.Event) {
	if e.Op == fsnotify.Chmod {
		return // indexers and backup programs touch attributes all day
	}
	if !w.concerns(e.Name) {
		return
	}
	w.mu.Lock()
	w.status.Events++
	if !w.news.all {
		w.news.add(e)
	}
	w.mu.Unlock()
	w.cfg.Changed()
	w.Hint()
}

func (n *news) add(e fsnotify.Event) {
	if n.files == nil {
		n.files = map[string]bool{}
	}
	n.files[e.Name] = true
	// A folder that was moved in and one that was made look the same.
	if e.Has(fsnotify.Create) {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			n.came = append(n.came, e.Name)
		}
	}
	if len(n.came)+len(n.files) > maxNews {
		*n = news{all: true}
	}
}

// settingsFiles are hidden and matter all the same.
var settingsFiles = map[string]bool{".memoryrc": true, vault.IgnoreFile: true}

// concerns reports whether a path lies in the vault and is not left alone there.
func (w *Watcher) concerns(name string) bool {
	rel, err := filepath.Rel(w.tree.Dir(), name)
	if err != nil || rel == "." || settingsFiles[rel] {
		return err == nil
	}
	p, err := vault.ParsePath(filepath.ToSlash(rel))
	if err != nil {
		return false
	}
	return !w.tree.Ignored(p, false)
}

// trouble takes an error of the notifier as what it means: something was missed.
func (w *Watcher) trouble(err error) {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.cfg.Log.Info("events came too fast: looking at everything")
	} else {
		w.cfg.Log.Warn("watching", "error", err)
	}
	w.mu.Lock()
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		w.status.Overflows++
	}
	w.news = news{all: true}
	w.mu.Unlock()
	w.cfg.Changed()
	w.Hint()
}
