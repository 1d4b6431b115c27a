package watch

import (
	"context"
	"fmt"

	"github.com/fsnotify/fsnotify"
)

// Folder hints whenever a file comes into one folder, changes or goes, until ctx is
// done; the folders below are not watched. An error says that the folder cannot be
// watched, or no more: who asks must look from time to time instead.
func Folder(ctx context.Context, dir string, hints chan<- struct{}) error {
	if err := remote(dir); err != nil {
		return err
	}
	n, err := fsnotify.NewWatcher()
	if err != nil {
		return err
	}
	defer n.Close()
	if err := n.Add(dir); err != nil {
		return fmt.Errorf("watch %s: %w", dir, err)
	}
	Tell(hints) // what came before
	for {
		select {
		case <-ctx.Done():
			return nil
		case e := <-n.Events:
			if e.Name == dir && e.Op&(fsnotify.Remove|fsnotify.Rename) != 0 {
				return fmt.Errorf("watch %s: it was moved or deleted", dir)
			}
			Tell(hints)
		case err := <-n.Errors:
			if Tell(hints); err != fsnotify.ErrEventOverflow {
				return fmt.Errorf("watch %s: %w", dir, err)
			}
		}
	}
}
