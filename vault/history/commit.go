package history

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// maxMoves is how often a commit is built anew since the branch moved meanwhile.
const maxMoves = 10

// Commit records a change as one commit on the branch that is checked out (on a
// detached HEAD, there), and returns it with the files that had to be left out.
// Where nothing differs from HEAD there is no commit and no error.
//
// It returns a *LockedError when another process holds git's locks, a *BusyError
// in the middle of a merge or rebase, and an *UnsupportedError for an index that
// it cannot read faithfully. Then nothing has changed. An error together with a
// commit says that the commit stands, but that the index could not be brought in
// step; the next Commit or Recover sees to that.
func (r *Repo) Commit(ctx context.Context, c Change) (result Result, err error) {
	files, err := c.check()
	if err != nil || len(files) == 0 {
		return Result{}, err
	}
	held, err := r.alone(ctx)
	if err != nil {
		return Result{}, fmt.Errorf("commit: %w", err)
	}
	defer func() { err = errors.Join(err, held.release()) }()
	if err := r.recover(ctx, held); err != nil {
		return Result{}, fmt.Errorf("commit: %w", err)
	}
	result, err = r.record(ctx, c, files, held)
	if err != nil {
		err = fmt.Errorf("commit: %w", err)
	}
	return result, err
}

// record does what Commit promises, alone in the repository.
func (r *Repo) record(ctx context.Context, c Change, files []File, held *holding) (_ Result, err error) {
	if err := r.configure(); err != nil {
		return Result{}, err
	}
	if err := r.Busy(); err != nil {
		return Result{}, err
	}
	if err := r.objects.fresh(); err != nil {
		return Result{}, err
	}
	x, err := r.steadyIndex()
	if err != nil {
		return Result{}, err
	}
	_, head, err := r.headTree()
	if err != nil {
		return Result{}, err
	}
	s, err := r.stage(ctx, files, x, head)
	if err != nil {
		return Result{}, err
	}
	result := Result{LeftOut: s.left}
	if same, err := r.unchanged(s.staged, head); err != nil || same {
		return result, err
	}

	lock := r.indexFile() + ".lock"
	if err := r.take(ctx, lock); err != nil {
		return Result{}, err
	}
	defer func() {
		err = errors.Join(err, r.step(StepUnlock), drop(lock))
	}()
	for range maxMoves {
		done, err := r.advance(ctx, c, s, &result, held)
		if done || err != nil {
			return result, err
		}
	}
	return Result{}, ErrMoved
}

// steadyIndex reads an index that can be written again and has nothing unmerged.
func (r *Repo) steadyIndex() (*index, error) {
	x, err := r.readIndex()
	if bad, ok := errors.AsType[*indexError](err); ok {
		return nil, &UnsupportedError{r.root, "of its index, " + bad.reason}
	}
	if err != nil {
		return nil, err
	}
	if path := x.unmerged(); path != "" {
		return nil, &BusyError{operationUnmerged, path}
	}
	return x, nil
}

// sameIndex returns the index as it is now: the one that was read before the lock
// was taken, if nobody replaced it since.
func (r *Repo) sameIndex(x *index) (*index, error) {
	info, err := os.Stat(r.indexFile())
	if err == nil && x.file != (stat{}) && statOf(info) == x.file {
		return x, nil
	}
	return r.steadyIndex()
}

// headTree returns the commit that HEAD is at and its tree, both zero before the
// first commit.
func (r *Repo) headTree() (at, tree ID, err error) {
	if _, at, err = r.head(); err != nil || at.IsZero() {
		return ID{}, ID{}, err
	}
	c, err := r.objects.commit(at)
	return at, c.tree, err
}

// unchanged reports whether a tree has every staged file already.
func (r *Repo) unchanged(files []staged, tree ID) (bool, error) {
	for _, f := range files {
		e, ok, err := r.objects.lookup(tree, f.path)
		if err != nil {
			return false, err
		}
		if ok != (f.mode != 0) || e.id != f.id || e.mode != f.mode {
			return false, nil
		}
	}
	return true, nil
}

// advance makes the commit on top of what HEAD is at now. It reports false when
// the branch moved before it could be advanced. The index is locked.
func (r *Repo) advance(ctx context.Context, c Change, s *stager, result *Result, held *holding) (done bool, err error) {
	if err := r.Busy(); err != nil {
		return false, err
	}
	x, err := r.sameIndex(s.index)
	if err != nil {
		return false, err
	}
	branch, at, err := r.head()
	if err != nil {
		return false, err
	}
	if !c.Since.isNow(branch, at, x) {
		return false, ErrMoved
	}
	commit := Commit{Author: c.Author, Committer: c.Committer, Subject: c.Subject, Body: c.Body, Trailers: c.Trailers}
	if commit.Committer == (Signature{}) {
		commit.Committer = c.Author
	}
	var tree ID
	if !at.IsZero() {
		before, err := r.objects.commit(at)
		if err != nil {
			return false, err
		}
		commit.Parents, tree = []ID{at}, before.tree
	}
	files, edits, blocked, err := r.edits(s.staged, tree, x)
	if err != nil {
		return false, err
	}
	left := mergeLeft(result.LeftOut, blocked)
	if len(edits) == 0 {
		result.LeftOut = left
		return true, nil
	}
	if err := r.writeCommit(&commit, tree, edits, s.loose); err != nil {
		return false, err
	}
	if err := r.writeNewIndex(x, files, held); err != nil {
		return false, err
	}
	if err := r.writeJournal(commit.ID, branch); err != nil {
		return false, errors.Join(err, r.dropIndex())
	}
	message := "commit: " + commit.Subject
	if at.IsZero() {
		message = "commit (initial): " + commit.Subject
	}
	moved, err := r.move(ctx, branch, at, commit.ID, commit.Committer, message)
	if !moved {
		return false, errors.Join(err, os.Remove(r.journal()), r.dropIndex())
	}
	*result = Result{Commit: commit, LeftOut: left}
	for _, e := range edits {
		p, _ := r.inVault(e.path)
		result.Files = append(result.Files, p)
	}
	if err := errors.Join(err, r.placeIndex()); err != nil {
		return true, err // the journal stays, by which recover goes on from here
	}
	return true, r.endJournal()
}

// edits returns what of the staged files differs from a tree, and leaves out those
// that stand in the way of others: a file where a folder is, or the reverse.
func (r *Repo) edits(files []staged, tree ID, x *index) (_ []staged, edits []replacement, blocked []LeftOut, err error) {
	deleted := map[string]bool{}
	for _, f := range files {
		if f.mode == 0 {
			deleted[f.path] = true
		}
	}
	var kept []staged
	for _, f := range files {
		blocks, err := r.inTheWay(f, tree, x, deleted)
		if err != nil {
			return nil, nil, nil, err
		}
		if blocks {
			p, _ := r.inVault(f.path)
			blocked = append(blocked, LeftOut{p, InTheWay})
			continue
		}
		kept = append(kept, f)
		e, ok, err := r.objects.lookup(tree, f.path)
		if err != nil {
			return nil, nil, nil, err
		}
		if f.mode == 0 && ok && e.mode == modeFolder {
			continue // a folder has taken the deleted file's place already
		}
		if ok != (f.mode != 0) || e.id != f.id || e.mode != f.mode {
			edits = append(edits, replacement{f.path, f.mode, f.id})
		}
	}
	return kept, edits, blocked, nil
}

// inTheWay reports whether git has a file where f needs a folder, or a folder
// where f is a file, that this commit does not delete.
func (r *Repo) inTheWay(f staged, tree ID, x *index, deleted map[string]bool) (bool, error) {
	if f.mode == 0 {
		return false, nil
	}
	for above := parent(f.path); above != ""; above = parent(above) {
		e, ok, err := r.objects.lookup(tree, above)
		if err != nil {
			return false, err
		}
		if ((ok && e.mode != modeFolder) || x.has(above)) && !deleted[above] {
			return true, nil
		}
	}
	below := func(path string) bool { return strings.HasPrefix(path, f.path+"/") && !deleted[path] }
	if x.hasBelow(f.path) {
		at, _ := x.find(f.path + "/")
		for ; at < len(x.items) && strings.HasPrefix(x.items[at].path, f.path+"/"); at++ {
			if below(x.items[at].path) {
				return true, nil
			}
		}
	}
	if e, ok, err := r.objects.lookup(tree, f.path); err != nil || !ok || e.mode != modeFolder {
		return false, err
	}
	for l, err := range r.objects.leaves(tree, f.path+"/") {
		if err != nil || below(l.path) {
			return true, err
		}
	}
	return false, nil
}

func mergeLeft(a, b []LeftOut) []LeftOut {
	all := append(slices.Clone(a), b...)
	slices.SortFunc(all, func(a, b LeftOut) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return all
}

// writeCommit writes the blobs, the folders that change and the commit, and sets
// its id.
func (r *Repo) writeCommit(c *Commit, before ID, edits []replacement, blobs []object) error {
	objects := slices.Clone(blobs)
	add := func(k kind, content []byte) ID {
		o := object{k, idOf(k, content), content}
		objects = append(objects, o)
		return o.id
	}
	var err error
	c.tree, err = r.objects.edited(before, edits, func(t tree) (ID, error) { return add(kindTree, t.encode()), nil })
	if err != nil {
		return err
	}
	if c.tree.IsZero() {
		c.tree = add(kindTree, nil) // the last file was deleted
	}
	c.ID = add(kindCommit, c.encode())
	if len(objects)-len(blobs) <= packAbove {
		return r.writeLoose(objects)
	}
	p, err := r.newPack()
	if err != nil {
		return err
	}
	for _, o := range objects {
		if err := p.add(o); err != nil {
			p.abandon()
			return err
		}
	}
	return p.finish()
}
