package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// A State is where a repository stood between two commands of git's: where HEAD
// was, and which index. While git checks out another branch, its files differ from
// HEAD as if the person had edited them. So whoever makes a commit of what differs
// takes the State before they look, and says in Change.Since that the commit is
// to be made in that state only. The zero State is any.
type State struct {
	taken  bool
	branch string
	at     ID
	index  stat
}

// State returns where the repository stands once no other process holds git's lock.
// It returns a *LockedError where one holds it for longer than Config.LockWait.
func (r *Repo) State(ctx context.Context) (State, error) {
	lock := r.indexFile() + ".lock"
	err := r.waiting(ctx, lock, func() (bool, error) {
		_, err := os.Lstat(lock)
		if errors.Is(err, fs.ErrNotExist) {
			return true, nil
		}
		return false, err
	})
	if err != nil {
		return State{}, fmt.Errorf("look at git: %w", err)
	}
	s := State{taken: true}
	info, err := os.Stat(r.indexFile())
	if err == nil {
		s.index = statOf(info)
	} else if !errors.Is(err, fs.ErrNotExist) {
		return State{}, err
	}
	s.branch, s.at, err = r.head()
	return s, err
}

// isNow reports whether the repository, with its lock held, stands as it did.
func (s State) isNow(branch string, at ID, x *index) bool {
	return !s.taken || s == State{taken: true, branch: branch, at: at, index: x.file}
}
