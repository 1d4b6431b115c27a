package watch

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/memsync/memsync/vault"
)

// news is what the events since the last look say about folders: which may have
// come, and which went.
type news struct {
	// all says to go through all folders.
	all        bool
	came, went []string
}

// maxNews bounds the folders that are remembered one by one.
const maxNews = 1024

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
	switch {
	case w.news.all:
	case e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove):
		w.news.went = append(w.news.went, e.Name)
	}
	// A folder that was moved in and one that was made look the same.
	if e.Has(fsnotify.Create) && !w.news.all {
		if info, err := os.Lstat(e.Name); err == nil && info.IsDir() {
			w.news.came = append(w.news.came, e.Name)
		}
	}
	if len(w.news.came)+len(w.news.went) > maxNews {
		w.news = news{all: true}
	}
	w.mu.Unlock()
	w.cfg.Changed()
	w.Hint()
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
