package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
)

// A DirtyFile differs from the last commit.
type DirtyFile struct {
	Path   vault.Path `json:"path"`
	Status Status     `json:"status"`
	// Staged says that the person has put the path into git's index in
	// another state than the last commit's: they are preparing a commit.
	Staged bool `json:"staged"`
	// Untracked says that neither the last commit nor the index has it.
	Untracked bool `json:"untracked"`
}

// Dirty lists the files on disk that differ from HEAD, below the given files and
// folders, or in the whole vault when none is given: edited, new and not ignored,
// or deleted. It is what `git add --all` and a commit would record, and so what a
// commit of the person's edits is made from (File with OnDisk, or with a hash).
//
// A file is read only where its time and size are not those that the index knows
// to be clean, so the price is that of looking at every name.
func (r *Repo) Dirty(ctx context.Context, paths ...vault.Path) ([]DirtyFile, error) {
	if err := r.configure(); err != nil {
		return nil, err
	}
	x, err := r.readIndex()
	if err != nil {
		return nil, fmt.Errorf("compare with git: %w", err)
	}
	_, tree, err := r.headTree()
	if err != nil {
		return nil, fmt.Errorf("compare with git: %w", err)
	}
	d := &dirty{r: r, index: x, rules: r.rules(), paths: paths, head: map[string]leaf{}}
	for l, err := range r.objects.leaves(tree, r.prefix) {
		if err != nil {
			return nil, fmt.Errorf("compare with git: %w", err)
		}
		d.head[l.path] = l
	}
	if err := d.tracked(ctx); err != nil {
		return nil, fmt.Errorf("compare with git: %w", err)
	}
	if err := d.untracked(ctx, strings.TrimSuffix(r.prefix, "/")); err != nil {
		return nil, fmt.Errorf("compare with git: %w", err)
	}
	slices.SortFunc(d.found, func(a, b DirtyFile) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return d.found, nil
}

type dirty struct {
	r     *Repo
	index *index
	rules *rules
	paths []vault.Path
	head  map[string]leaf // by path, in the vault
	found []DirtyFile
}

// wanted returns the vault's name of a path, if it was asked for.
func (d *dirty) wanted(name string) (vault.Path, bool) {
	p, ok := d.r.inVault(name)
	return p, ok && within(p, d.paths)
}

// tracked looks at the files that HEAD or the index has.
func (d *dirty) tracked(ctx context.Context) error {
	seen := make(map[string]bool, len(d.index.items))
	at, _ := d.index.find(d.r.prefix)
	for _, i := range d.index.items[at:] {
		if !strings.HasPrefix(i.path, d.r.prefix) {
			break
		}
		if seen[i.path] {
			continue // another stage of an unmerged file
		}
		seen[i.path] = true
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := d.item(i); err != nil {
			return err
		}
	}
	for name, l := range d.head {
		if !seen[name] {
			// The person took it out of the index, and perhaps kept the file.
			if err := d.compare(item{path: name}, l, true); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dirty) item(i item) error {
	if i.mode == modeSubmodule || i.extra&extraSkipWorktree != 0 {
		return nil
	}
	l := d.head[i.path]
	staged := i.stage() != 0 || l.id != i.id || l.mode != i.mode
	return d.compare(i, l, staged)
}

// compare decides one tracked file: against HEAD, by way of the index where that
// knows the file to be unchanged.
func (d *dirty) compare(i item, l leaf, staged bool) error {
	p, ok := d.wanted(i.path)
	if !ok {
		return nil
	}
	info, err := os.Lstat(d.r.file(i.path))
	if err != nil && !isAbsent(err) {
		return err
	}
	was := l.mode != 0
	switch {
	case err != nil || info.IsDir():
		if was {
			d.found = append(d.found, DirtyFile{Path: p, Status: Deleted, Staged: staged})
		}
		return nil
	case !info.Mode().IsRegular():
		return nil // a symbolic link; nothing of ours
	}
	now, err := d.current(i, info)
	if errors.Is(err, errUnstable) {
		now = ID{} // being written: it differs
	} else if err != nil {
		return err
	}
	switch {
	case !was:
		d.found = append(d.found, DirtyFile{Path: p, Status: Added, Staged: staged})
	case now != l.id || d.r.modeOf(info, l.mode) != l.mode:
		d.found = append(d.found, DirtyFile{Path: p, Status: Modified, Staged: staged})
	}
	return nil
}

// current returns the blob that a file on disk would be.
func (d *dirty) current(i item, info fs.FileInfo) (ID, error) {
	if known := statOf(info); i.stat.size != 0 && i.stat == known && i.stat.mtime.before(d.index.written) {
		return i.id, nil
	}
	if i.flags&flagAssumeValid != 0 {
		return i.id, nil
	}
	convert := d.rules.conversion(i.path)
	if convert.filter {
		return i.id, nil // only git can tell
	}
	content, _, err := readStable(d.r.file(i.path))
	if err != nil {
		return ID{}, err
	}
	return idOf(kindBlob, convert.blob(content, func() []byte { return d.r.indexed(d.index, i.path) })), nil
}

// untracked looks for files that git does not know, but in what is ignored and in
// other repositories.
func (d *dirty) untracked(ctx context.Context, folder string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(d.r.file(folder))
	if err != nil {
		if isAbsent(err) {
			return nil
		}
		return err
	}
	if folder != "" && folder+"/" != d.r.prefix {
		for _, e := range entries {
			if e.Name() == ".git" {
				return nil
			}
		}
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name())
		switch {
		case strings.EqualFold(e.Name(), ".git"):
		case e.IsDir():
			if d.leadsTo(name) && !d.rules.ignoredFolder(name) {
				if err := d.untracked(ctx, name); err != nil {
					return err
				}
			}
		case e.Type().IsRegular():
			p, ok := d.wanted(name)
			if !ok || d.index.has(name) || d.head[name].mode != 0 || d.rules.ignored(name) {
				continue
			}
			d.found = append(d.found, DirtyFile{Path: p, Status: Added, Untracked: true})
		}
	}
	return nil
}

// leadsTo reports whether a folder holds, or lies in, something asked for.
func (d *dirty) leadsTo(folder string) bool {
	p, ok := d.r.inVault(folder)
	if !ok || within(p, d.paths) {
		return true
	}
	for _, wanted := range d.paths {
		if wanted.Under(p) {
			return true
		}
	}
	return false
}

// Person returns who the person is to git, from user.name and user.email. It
// reports false where git does not know.
func (r *Repo) Person(when time.Time) (Signature, bool) {
	s := Signature{When: when}
	for _, section := range []string{"user", "author"} {
		if name := r.git().get(section + ".name"); name != "" {
			s.Name = name
		}
		if email := r.git().get(section + ".email"); email != "" {
			s.Email = email
		}
	}
	return s, s.Name != "" && s.Email != ""
}
