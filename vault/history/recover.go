package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// The journal names a commit while its branch and the index are brought to it.
// There is one only in that moment, or after a crash in it.
const journalFile = "memsync.commit"

func (r *Repo) journal() string { return filepath.Join(r.gitDir, journalFile) }

func (r *Repo) writeJournal(id ID, branch string) error {
	if err := r.step(StepJournal); err != nil {
		return err
	}
	return os.WriteFile(r.journal(), fmt.Appendf(nil, "%s %s\n", id, branch), 0o666)
}

func (r *Repo) endJournal() error {
	if err := r.step(StepEndJournal); err != nil {
		return err
	}
	return os.Remove(r.journal())
}

// Recover clears what a memsync left behind that was killed in a commit: its
// locks, unfinished files, and an index that is one commit behind. Commit does the
// same first; a daemon or a check may do it at other times. A git lock that
// memsync did not make is never touched.
func (r *Repo) Recover(ctx context.Context) (err error) {
	held, err := r.alone(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, held.release()) }()
	return r.recover(ctx, held)
}

func (r *Repo) recover(ctx context.Context, held *holding) error {
	text, err := os.ReadFile(r.journal())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil && !held.crashed {
		return nil
	}
	id, branch, _ := strings.Cut(strings.TrimSpace(string(text)), " ")
	if err := r.sweep(branch); err != nil {
		return err
	}
	if commit, err := parseID(id); err == nil {
		if err := r.catchUp(ctx, commit, branch); err != nil {
			return err
		}
	}
	if err := os.Remove(r.journal()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// sweep removes locks and unfinished files.
func (r *Repo) sweep(branch string) error {
	locks := []string{r.indexFile() + ".lock", r.refFile("HEAD") + ".lock"}
	if now, _, err := r.head(); err == nil && now != "HEAD" {
		locks = append(locks, r.refFile(now)+".lock")
	}
	if strings.HasPrefix(branch, "refs/") {
		locks = append(locks, r.refFile(branch)+".lock")
	}
	var errs []error
	for _, lock := range locks {
		errs = append(errs, sweepLock(lock))
	}
	for _, pattern := range []string{
		filepath.Join(r.gitDir, scratchPrefix+"*"),
		filepath.Join(r.common, "objects", tempPrefix+"*"),
		filepath.Join(r.common, "objects", "pack", tempPrefix+"*"),
	} {
		found, _ := filepath.Glob(pattern)
		for _, file := range found {
			errs = append(errs, os.Remove(file))
		}
	}
	return errors.Join(errs...)
}

// catchUp gives the index the entries of a commit that the branch is at, where it
// still has those of the commit before.
func (r *Repo) catchUp(ctx context.Context, id ID, branch string) (err error) {
	now, at, err := r.head()
	if err != nil || now != branch || at != id {
		return err
	}
	if r.Busy() != nil {
		return nil // the index is the merge's now
	}
	c, err := r.objects.commit(id)
	if err != nil {
		return err
	}
	before, err := r.parentTree(c)
	if err != nil {
		return err
	}
	deltas, err := r.objects.compare(before, c.tree, "")
	if err != nil {
		return err
	}
	lock := r.indexFile() + ".lock"
	if err := r.take(ctx, lock); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, drop(lock)) }()
	x, err := r.steadyIndex()
	if err != nil {
		return nil // it cannot be written, or is in the person's hands
	}
	var files []staged
	for _, d := range deltas {
		var has entry
		if n, ok := x.find(d.path); ok {
			has = entry{d.before.name, x.items[n].mode, x.items[n].id}
		}
		if has.id != d.before.id || has.mode != d.before.mode {
			continue
		}
		// Without what the disk said of it, git will look for itself.
		files = append(files, staged{path: d.path, mode: d.after.mode, id: d.after.id})
	}
	if len(files) == 0 {
		return nil
	}
	if err := r.writeNewIndex(x, files, &holding{}); err != nil {
		return err
	}
	return r.placeIndex()
}

// parentTree is the tree of a commit's first parent, zero for the first commit
// and for the end of a shallow clone.
func (r *Repo) parentTree(c Commit) (ID, error) {
	if len(c.Parents) == 0 || r.objects.shallow()[c.ID] {
		return ID{}, nil
	}
	p, err := r.objects.commit(c.Parents[0])
	return p.tree, err
}
