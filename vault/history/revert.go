package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

// A Reversal is what it takes to undo one commit or all commits of a run. It is a
// plan: nothing has been written. The caller writes each file through the vault,
// onto the Old content alone, and commits the paths with Subject and Trailers.
type Reversal struct {
	Commits  []Commit // what is undone, the newest first
	Files    []Rewrite
	Subject  string // "revert: " and what is undone
	Trailers Trailers
}

// Conflicts counts the stretches that could not be undone, since later edits
// changed the same lines.
func (v Reversal) Conflicts() int {
	n := 0
	for _, f := range v.Files {
		n += len(f.Conflicts)
		if f.Kept != "" {
			n++
		}
	}
	return n
}

// A Rewrite is what undoing does to one file.
type Rewrite struct {
	Path vault.Path
	// Old is the hash of the file on disk now, vault.NoFile when there is none.
	Old vault.Hash
	// Delete says that the file is to go; else Content is what it becomes.
	Delete  bool
	Content []byte
	// Conflicts are stretches that stay as they are on disk, since they were
	// edited after the commit. Base is what the commit wrote, Theirs what
	// stood there before it. Where several commits are undone, the line
	// numbers are those at the commit in question.
	Conflicts []merge.Conflict
	// Kept, if not "", says why the file as a whole stays as it is.
	Kept string
}

// Changes reports whether there is something to write.
func (w Rewrite) Changes() bool {
	if w.Kept != "" {
		return false
	}
	if w.Delete {
		return w.Old != vault.NoFile
	}
	return vault.HashOf(w.Content) != w.Old
}

// The reasons for which a file stays as it is.
const (
	keptEdited  = "it was edited since; it stays"
	keptDeleted = "it was deleted since; it stays deleted"
	keptBinary  = "it is not text and was changed since; it stays"
	keptKind    = "it is not a regular file"
)

// Revert plans how to undo what a revision names, or, when no revision is called
// so, every commit of the run with that id. What was edited since is kept: each
// file is merged three ways, from what the commit wrote, with what the disk has
// and with what there was before.
func (r *Repo) Revert(ctx context.Context, rev string) (Reversal, error) {
	commits, err := r.toRevert(ctx, rev)
	if err != nil {
		return Reversal{}, err
	}
	plan := &reverting{r: r, rules: r.rules(), files: map[vault.Path]*undone{}}
	for _, c := range commits {
		if len(c.Parents) > 1 {
			return Reversal{}, fmt.Errorf("revert %s: it is a merge", c.ID.Short())
		}
		if err := ctx.Err(); err != nil {
			return Reversal{}, err
		}
		if err := plan.undo(c); err != nil {
			return Reversal{}, fmt.Errorf("revert %s: %w", c.ID.Short(), err)
		}
	}
	return plan.result(commits), nil
}

// toRevert finds the commits, the newest first.
func (r *Repo) toRevert(ctx context.Context, rev string) ([]Commit, error) {
	if strings.TrimSpace(rev) == "" {
		return nil, errors.New("revert: name a commit or a run")
	}
	if r.isDate(rev) {
		return nil, fmt.Errorf("revert: %q is a date; name a commit or a run", rev)
	}
	c, err := r.Get(ctx, rev)
	if err == nil {
		return []Commit{c}, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return nil, err
	}
	commits, err := r.Log(ctx, LogOptions{Run: rev, Files: true})
	if err != nil {
		return nil, err
	}
	// A commit that takes back part of a run bears the run's id too, if the
	// caller wills so; it is not undone with it.
	commits = slices.DeleteFunc(commits, func(c Commit) bool { return len(c.Trailers.Reverts) > 0 })
	if len(commits) == 0 {
		return nil, fmt.Errorf("no revision and no run is called %q: %w", rev, ErrNotFound)
	}
	return commits, nil
}

func (r *Repo) isDate(rev string) bool {
	_, ok := r.moment(strings.TrimSpace(rev))
	return ok
}

// undone is a file while commits are taken back from it, one after the other.
type undone struct {
	old       vault.Hash
	exists    bool
	content   []byte
	conflicts []merge.Conflict
	kept      string
}

type reverting struct {
	r     *Repo
	rules *rules
	files map[vault.Path]*undone
}

// onDisk starts with what the disk has.
func (v *reverting) onDisk(p vault.Path) (*undone, error) {
	if f, ok := v.files[p]; ok {
		return f, nil
	}
	f := &undone{}
	v.files[p] = f
	content, _, err := readStable(v.r.file(v.r.tracked(p)))
	info, statErr := os.Lstat(v.r.file(v.r.tracked(p)))
	switch {
	case isAbsent(err):
		return f, nil
	case statErr == nil && info.Mode().Type()&^fs.ModeDir != 0:
		f.kept = keptKind
		return f, nil
	case statErr == nil && info.IsDir():
		return f, nil
	case err != nil:
		return nil, err
	}
	f.exists, f.content, f.old = true, content, vault.HashOf(content)
	return f, nil
}

// undo takes one commit back.
func (v *reverting) undo(c Commit) error {
	for _, change := range c.Files {
		if change.before.mode == modeSubmodule || change.after.mode == modeSubmodule {
			continue
		}
		f, err := v.onDisk(change.Path)
		if err != nil {
			return err
		}
		if f.kept != "" {
			continue
		}
		if !regularOrNone(change.before.mode) || !regularOrNone(change.after.mode) {
			f.kept = keptKind
			continue
		}
		before, err := v.content(f, change.Path, change.before)
		if err != nil {
			return err
		}
		after, err := v.content(f, change.Path, change.after)
		if err != nil {
			return err
		}
		f.take(change.Status, before, after)
	}
	return nil
}

func regularOrNone(m mode) bool { return m == 0 || m.regular() }

// content returns a version of a file as it would lie on disk, with the line ends
// that the file has there now.
func (v *reverting) content(f *undone, p vault.Path, e entry) ([]byte, error) {
	blob, err := v.r.content(e)
	if err != nil || (f.exists && !bytes.Contains(f.content, []byte("\r\n"))) {
		return blob, err
	}
	return v.rules.conversion(v.r.tracked(p)).onDisk(blob), nil
}

// take undoes one step: after is what the commit made of before.
func (f *undone) take(status Status, before, after []byte) {
	unchanged := f.exists && bytes.Equal(f.content, after)
	switch status {
	case Added:
		switch {
		case unchanged:
			f.exists, f.content = false, nil
		case f.exists && !f.takeClaims(after):
			f.kept = keptEdited
		}
	case Deleted:
		switch {
		case !f.exists:
			f.exists, f.content = true, before
		case !bytes.Equal(f.content, before):
			f.kept = keptEdited
		}
	default:
		switch {
		case !f.exists:
			f.kept = keptDeleted
		case unchanged:
			f.content = before
		case isBinary(f.content) || isBinary(before) || isBinary(after):
			f.kept = keptBinary
		default:
			merged, conflicts := merge.Three(after, f.content, before)
			f.content = merged
			f.conflicts = append(f.conflicts, conflicts...)
		}
	}
}

func (v *reverting) result(commits []Commit) Reversal {
	out := Reversal{Commits: commits, Subject: "revert: " + commits[0].Subject}
	if len(commits) > 1 {
		out.Subject = fmt.Sprintf("revert: %d commits of run %s", len(commits), commits[0].Trailers.Run)
	}
	for _, c := range commits {
		out.Trailers.Reverts = append(out.Trailers.Reverts, c.ID.String())
	}
	for p, f := range v.files {
		w := Rewrite{Path: p, Old: f.old, Kept: f.kept}
		if f.kept == "" {
			w.Delete, w.Content, w.Conflicts = !f.exists, f.content, f.conflicts
		}
		out.Files = append(out.Files, w)
	}
	slices.SortFunc(out.Files, func(a, b Rewrite) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return out
}
