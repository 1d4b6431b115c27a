package history

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Two kinds of lock are taken for a commit.
//
// git's are files: index.lock exists, so somebody holds the index. They outlive a
// process that is killed, and git leaves it to the person to remove them. Ours
// hold lockMark, so that a later commit of ours knows a lock that memsync left
// behind from one of git's, and can remove it.
//
// To know that the memsync which wrote a mark is dead, and that two of them do not
// work at once, each holds the kernel's lock on ownLock meanwhile, which ends
// with the process.

// lockMark is how the lock files of memsync begin.
const lockMark = "locked by memsync, process "

// ownLock is the file in the git folder on which the kernel's lock is held.
const ownLock = "memsync.lock"

// firstWait and longestWait bound the growing pauses between two tries for a lock.
const (
	firstWait   = 2 * time.Millisecond
	longestWait = 200 * time.Millisecond
)

// waiting tries until it is told that it succeeded, the wait is over or ctx is.
func (r *Repo) waiting(ctx context.Context, path string, try func() (bool, error)) error {
	left := r.cfg.LockWait
	if left == 0 {
		left = defaultLockWait
	}
	for pause := firstWait; ; pause = min(2*pause, longestWait) {
		ok, err := try()
		if ok || err != nil {
			return err
		}
		if left <= 0 {
			return lockedBy(path)
		}
		pause = min(pause, left)
		left -= pause
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

func lockedBy(path string) error {
	locked := &LockedError{Path: path}
	if info, err := os.Stat(path); err == nil {
		locked.Since = info.ModTime()
	}
	return locked
}

// A holding is the time during which no other memsync works on the repository.
type holding struct {
	file    *os.File
	since   moment // by the file system's clock
	crashed bool   // the one before did not end its own
}

// alone takes the lock among memsyncs.
func (r *Repo) alone(ctx context.Context) (*holding, error) {
	path := filepath.Join(r.gitDir, ownLock)
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, err
	}
	if err := r.waiting(ctx, path, func() (bool, error) { return tryFlock(f) }); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	h := &holding{file: f}
	info, err := f.Stat()
	if err == nil {
		h.crashed = info.Size() > 0 // release empties it
		_, err = f.WriteAt([]byte("process "+strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err == nil {
		info, err = f.Stat()
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	h.since = statOf(info).mtime
	return h, nil
}

func (h *holding) release() error {
	return errors.Join(h.file.Truncate(0), h.file.Close())
}

// scratch makes a file in the git folder that is to be renamed or removed. There
// is one of each name, since alone there is but one memsync.
func (r *Repo) scratch(name string) (*os.File, error) {
	path := filepath.Join(r.gitDir, scratchPrefix+name)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	return os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
}

const scratchPrefix = "memsync-new-"

// take makes one of git's lock files, waiting while another holds it. It must be
// called under alone.
func (r *Repo) take(ctx context.Context, path string) error {
	if err := r.step(StepLock); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	mark, err := r.scratch("mark")
	if err != nil {
		return err
	}
	defer os.Remove(mark.Name())
	_, err = mark.WriteString(lockMark + strconv.Itoa(os.Getpid()) + "\n")
	if err := errors.Join(err, mark.Close()); err != nil {
		return err
	}
	return r.waiting(ctx, path, func() (bool, error) {
		// A link makes the lock and its mark appear as one, so that dying
		// in between leaves no lock that nobody can tell from git's.
		err := os.Link(mark.Name(), path)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = writeLock(path)
		}
		if errors.Is(err, fs.ErrExist) {
			return false, nil
		}
		return err == nil, err
	})
}

// writeLock makes a lock file on file systems without hard links.
func writeLock(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(lockMark + strconv.Itoa(os.Getpid()) + "\n")
	return errors.Join(err, f.Close())
}

// drop removes a lock file that take made.
func drop(path string) error { return os.Remove(path) }

// sweepLock removes a lock file that a dead memsync left. It must be called under
// alone, when no living one can own it.
func sweepLock(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !bytes.HasPrefix(text, []byte(lockMark)) {
		return err
	}
	return os.Remove(path)
}
