package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// isFolderError reports whether a file could not be read since it, or a name
// above it, is not what was expected: a folder, or not a folder.
func isFolderError(err error) bool {
	return errors.Is(err, syscall.EISDIR) || errors.Is(err, syscall.ENOTDIR)
}

// move advances what HEAD stands for from one commit to the next, as git does:
// under HEAD.lock and the branch's own lock, only if it is still at from, and
// with a line in both reflogs. It reports whether it moved the branch; it may
// have, and still return an error about what came after. Without an error, false
// says that somebody else moved the branch first.
func (r *Repo) move(ctx context.Context, branch string, from, to ID, who Signature, message string) (moved bool, err error) {
	locks := []string{r.refFile("HEAD") + ".lock"}
	if branch != "HEAD" {
		locks = append(locks, r.refFile(branch)+".lock")
	}
	for i, lock := range locks {
		if err := r.take(ctx, lock); err != nil {
			return false, err
		}
		defer func() { err = errors.Join(err, drop(locks[i])) }()
	}
	if now, at, err := r.head(); err != nil || now != branch || at != from {
		return false, err
	}
	if err := r.Busy(); err != nil {
		return false, err
	}
	if moved, err := r.writeRef(branch, to); err != nil {
		return moved, err
	}
	if err := r.Busy(); err != nil && !from.IsZero() {
		// A rebase has begun just now. It has noted where the branch was,
		// and would fail at its end, or take the branch back there, past
		// this commit. So this commit yields.
		moved, undone := r.writeRef(branch, from)
		return !moved, errors.Join(err, undone)
	}
	return true, r.reflogs(branch, from, to, who, message)
}

// writeRef puts a reference in place, durably, and reports whether it did. Its
// lock is held.
func (r *Repo) writeRef(name string, to ID) (moved bool, err error) {
	if err := r.step(StepWriteRef); err != nil {
		return false, err
	}
	path := r.refFile(name)
	f, err := r.scratch("ref")
	if err != nil {
		return false, err
	}
	defer func() {
		if !moved {
			os.Remove(f.Name())
		}
	}()
	_, err = f.WriteString(to.String() + "\n")
	if err == nil {
		err = r.step(StepSyncRef)
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return false, err
	}
	if err := r.step(StepNameRef); err != nil {
		return false, err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		os.Remove(path) // the empty folder of branches that are gone
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return false, err
	}
	return true, syncFolder(filepath.Dir(path))
}

// reflogs appends to the logs of the branch and of HEAD, where git would: unless
// core.logAllRefUpdates is off and there is no log yet.
func (r *Repo) reflogs(branch string, from, to ID, who Signature, message string) error {
	if err := r.step(StepReflog); err != nil {
		return err
	}
	line := fmt.Sprintf("%s %s %s\t%s\n", from, to, who.line(), strings.ReplaceAll(message, "\n", " "))
	names := []string{"HEAD"}
	if branch != "HEAD" {
		names = append(names, branch)
	}
	var errs []error
	for _, name := range names {
		errs = append(errs, r.appendLog(name, line))
	}
	return errors.Join(errs...)
}

func (r *Repo) appendLog(name, line string) error {
	path := filepath.Join(r.common, "logs", filepath.FromSlash(name))
	if name == "HEAD" {
		path = filepath.Join(r.gitDir, "logs", "HEAD")
	}
	flags := os.O_WRONLY | os.O_APPEND
	if r.git().on("core.logallrefupdates", true) {
		flags |= os.O_CREATE
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
	}
	f, err := os.OpenFile(path, flags, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(line)
	return errors.Join(err, f.Close())
}
