package history

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

// A FileDiff is how one file differs.
type FileDiff struct {
	Path    vault.Path `json:"path"`
	Status  Status     `json:"status"`
	Added   int        `json:"added"`   // lines
	Removed int        `json:"removed"` // lines
	Binary  bool       `json:"binary,omitempty"`
	Patch   string     `json:"patch"` // as git diff writes it; git apply reads it
}

// Diff compares the vault at two revisions; for to, "" is what is on disk. With
// paths, only those files and what lies in those folders.
func (r *Repo) Diff(ctx context.Context, from, to string, paths ...vault.Path) ([]FileDiff, error) {
	a, err := r.At(ctx, from)
	if err != nil {
		return nil, err
	}
	if to == "" {
		return r.diffDisk(ctx, a.Commit.tree, paths)
	}
	b, err := r.At(ctx, to)
	if err != nil {
		return nil, err
	}
	return r.diff(ctx, a.Commit.tree, b.Commit.tree, paths)
}

// Show returns a commit and what it changed against its first parent.
func (r *Repo) Show(ctx context.Context, rev string, paths ...vault.Path) (Commit, []FileDiff, error) {
	c, err := r.Get(ctx, rev)
	if err != nil {
		return Commit{}, nil, err
	}
	before, err := r.parentTree(c)
	if err != nil {
		return Commit{}, nil, err
	}
	files, err := r.diff(ctx, before, c.tree, paths)
	return c, files, err
}

func (r *Repo) diff(ctx context.Context, before, after ID, paths []vault.Path) ([]FileDiff, error) {
	changes, err := r.between(before, after)
	if err != nil {
		return nil, err
	}
	var out []FileDiff
	for _, f := range changes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !within(f.Path, paths) {
			continue
		}
		a, err := r.content(f.before)
		if err != nil {
			return nil, err
		}
		b, err := r.content(f.after)
		if err != nil {
			return nil, err
		}
		out = append(out, fileDiff(f, a, b))
	}
	return out, nil
}

// diffDisk compares a tree with the disk. What can differ is what differs between
// the tree and HEAD, and what is dirty against HEAD.
func (r *Repo) diffDisk(ctx context.Context, tree ID, paths []vault.Path) ([]FileDiff, error) {
	_, head, err := r.headTree()
	if err != nil {
		return nil, err
	}
	changes, err := r.between(tree, head)
	if err != nil {
		return nil, err
	}
	suspects := map[vault.Path]bool{}
	for _, f := range changes {
		suspects[f.Path] = within(f.Path, paths)
	}
	dirty, err := r.Dirty(ctx, paths...)
	if err != nil {
		return nil, err
	}
	for _, f := range dirty {
		suspects[f.Path] = true
	}
	rules := r.rules()
	var out []FileDiff
	for _, p := range slices.Sorted(maps.Keys(suspects)) {
		if !suspects[p] {
			continue
		}
		d, differs, err := r.againstDisk(p, tree, rules)
		if err != nil {
			return nil, err
		}
		if differs {
			out = append(out, d)
		}
	}
	return out, nil
}

// againstDisk compares one file of a tree with the disk, in the form git stores.
func (r *Repo) againstDisk(p vault.Path, tree ID, rules *rules) (d FileDiff, differs bool, err error) {
	path := r.tracked(p)
	before, _, err := r.objects.lookup(tree, path)
	if err != nil {
		return FileDiff{}, false, err
	}
	if before.mode == modeFolder {
		before = entry{}
	}
	f := FileChange{Path: p, Status: Modified, before: before}
	content, info, err := readStable(r.file(path))
	switch {
	case isAbsent(err) || errors.Is(err, errUnstable):
		content = nil
	case err != nil:
		return FileDiff{}, false, err
	default:
		content = rules.conversion(path).blob(content, func() []byte { return nil })
		f.after = entry{before.name, r.modeOf(info, before.mode), idOf(kindBlob, content)}
	}
	switch {
	case before.mode == f.after.mode && before.id == f.after.id:
		return FileDiff{}, false, nil
	case before.mode == 0:
		f.Status = Added
	case f.after.mode == 0:
		f.Status = Deleted
	}
	was, err := r.content(before)
	return fileDiff(f, was, content), true, err
}

// within reports whether a file is one of the paths or lies in one; with no paths
// everything is meant.
func within(p vault.Path, paths []vault.Path) bool {
	for _, folder := range paths {
		if p == folder || p.Under(folder) {
			return true
		}
	}
	return len(paths) == 0
}

// content returns an entry's bytes, none for one that is not there; of a
// submodule, the line that git shows.
func (r *Repo) content(e entry) ([]byte, error) {
	switch e.mode {
	case 0:
		return nil, nil
	case modeSubmodule:
		return fmt.Appendf(nil, "Subproject commit %s\n", e.id), nil
	}
	return r.objects.read(kindBlob, e.id)
}

// maxDiff is the size of a file above which no lines are compared.
const maxDiff = 32 << 20

func fileDiff(f FileChange, a, b []byte) FileDiff {
	d := FileDiff{Path: f.Path, Status: f.Status}
	nameA, nameB := quoted("a/"+string(f.Path)), quoted("b/"+string(f.Path))
	var out strings.Builder
	fmt.Fprintf(&out, "diff --git %s %s\n", nameA, nameB)
	switch {
	case f.Status == Added:
		fmt.Fprintf(&out, "new file mode %06o\n", f.after.mode)
	case f.Status == Deleted:
		fmt.Fprintf(&out, "deleted file mode %06o\n", f.before.mode)
	case f.before.mode != f.after.mode:
		fmt.Fprintf(&out, "old mode %06o\nnew mode %06o\n", f.before.mode, f.after.mode)
	}
	nameA, nameB = fenced(nameA), fenced(nameB)
	if f.Status == Added {
		nameA = ""
	}
	if f.Status == Deleted {
		nameB = ""
	}
	d.Binary = isBinary(a) || isBinary(b)
	if d.Binary {
		out.WriteString("Binary files differ\n")
	} else {
		d.Added, d.Removed = merge.Stat(a, b)
		out.Write(merge.Unified(a, b, nameA, nameB))
	}
	d.Patch = out.String()
	return d
}

// isBinary is git's rule for diffs: a NUL early on. What is too large to compare
// counts as well.
func isBinary(content []byte) bool {
	return len(content) > maxDiff || bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0
}

// quoted writes a path as diffs do: in quotes if it holds what would break a line.
func quoted(path string) string {
	if !strings.ContainsFunc(path, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' || c == 0x7f }) {
		return path
	}
	var out strings.Builder
	out.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, "\\%03o", c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// fenced ends a path that has a space in it with a tab, so that a reader knows
// where it ends.
func fenced(path string) string {
	if strings.Contains(path, " ") && !strings.HasPrefix(path, `"`) {
		return path + "\t"
	}
	return path
}
