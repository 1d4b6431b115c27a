package history

import (
	"context"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// steps matches what may follow a revision's name: "~2" for the second ancestor,
// "^" and "^2" for a parent.
var steps = lazyregexp.New(`(?:[~^][0-9]*)+$`)

// moments are the ways to write a point in time. A day, or a minute, stands for
// all of it: the commit that is found is the last one before its end.
var moments = []struct {
	layout string
	length time.Duration
}{
	{time.RFC3339, 0},
	{"2006-01-02 15:04:05", time.Second},
	{"2006-01-02T15:04:05", time.Second},
	{"2006-01-02 15:04", time.Minute},
	{"2006-01-02T15:04", time.Minute},
	{"2006-01-02", 0},
}

// Resolve finds the commit that a person means by rev: HEAD, a branch, a tag, a
// commit's id or four digits and more of its beginning, one of these with ~2 or ^
// behind it, or a date, which means the last commit made by then on the branch
// that is checked out. Where there is none the error wraps ErrNotFound.
func (r *Repo) Resolve(ctx context.Context, rev string) (ID, error) {
	rev = strings.TrimSpace(rev)
	if end, ok := r.moment(rev); ok {
		return r.lastBefore(ctx, rev, end)
	}
	name, path := rev, ""
	if at := steps.FindStringIndex(rev); at != nil {
		name, path = rev[:at[0]], rev[at[0]:]
	}
	id, err := r.named(name)
	if err != nil {
		return ID{}, err
	}
	if id.IsZero() {
		return ID{}, fmt.Errorf("revision %q: %w", rev, ErrNotFound)
	}
	if id, err = r.commitAt(id); err != nil {
		return ID{}, fmt.Errorf("revision %q: %w", rev, err)
	}
	return r.ancestor(id, rev, path)
}

// moment returns the first instant after the time that rev writes.
func (r *Repo) moment(rev string) (end time.Time, ok bool) {
	zone := r.cfg.Zone
	if zone == nil {
		zone = time.UTC
	}
	for _, m := range moments {
		t, err := time.ParseInLocation(m.layout, rev, zone)
		if err != nil {
			continue
		}
		switch {
		case m.layout == "2006-01-02":
			return t.AddDate(0, 0, 1), true
		case m.length == 0:
			return t.Add(time.Second), true // git keeps whole seconds
		}
		return t.Add(m.length), true
	}
	return time.Time{}, false
}

// lastBefore follows first parents, which is the branch's own past, whatever was
// merged into it.
func (r *Repo) lastBefore(ctx context.Context, rev string, end time.Time) (ID, error) {
	_, id, err := r.head()
	if err != nil {
		return ID{}, err
	}
	ends := r.objects.shallow()
	for !id.IsZero() {
		if err := ctx.Err(); err != nil {
			return ID{}, err
		}
		c, err := r.objects.commit(id)
		if err != nil {
			return ID{}, err
		}
		if c.Committer.When.Before(end) {
			return id, nil
		}
		if len(c.Parents) == 0 || ends[id] {
			break
		}
		id = c.Parents[0]
	}
	return ID{}, fmt.Errorf("no commit is as old as %s: %w", rev, ErrNotFound)
}

// named finds what a name stands for, in git's order: a reference before the
// beginning of an id.
func (r *Repo) named(name string) (ID, error) {
	if name == "" || name == "@" {
		name = "HEAD"
	}
	if id, err := parseID(name); err == nil {
		return id, nil
	}
	for _, prefix := range []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		if !refName(prefix + name) {
			continue
		}
		if _, id, err := r.ref(prefix + name); err == nil && !id.IsZero() {
			return id, nil
		}
	}
	return r.abbreviated(name)
}

// refName reports whether a name may be looked up as a reference's file: HEAD and
// its like in capitals, or below refs/, and never out of there.
func refName(name string) bool {
	if strings.Contains(name, "..") || strings.ContainsAny(name, "\\:?*[\x00 ") || strings.HasSuffix(name, ".lock") {
		return false
	}
	if strings.HasPrefix(name, "refs/") {
		return true
	}
	return strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == "" && strings.HasSuffix(name, "HEAD")
}

// shortest is how many digits of an id are the least that may stand for it.
const shortest = 4

func (r *Repo) abbreviated(name string) (ID, error) {
	if len(name) < shortest || len(name) > 2*len(ID{}) {
		return ID{}, nil
	}
	prefix, err := hex.DecodeString(name[:len(name)/2*2])
	if err != nil {
		return ID{}, nil
	}
	found, err := r.objects.withPrefix(prefix)
	if err != nil {
		return ID{}, err
	}
	var commits []ID
	for _, id := range found {
		if !strings.HasPrefix(id.String(), strings.ToLower(name)) {
			continue
		}
		if k, err := r.objects.kindOf(id); err == nil && (k == kindCommit || k == kindTag) {
			commits = append(commits, id)
		}
	}
	switch len(commits) {
	case 0:
		return ID{}, nil
	case 1:
		return commits[0], nil
	}
	return ID{}, fmt.Errorf("revision %q: %d commits begin so; give more digits", name, len(commits))
}

// commitAt follows tags to the commit they name.
func (r *Repo) commitAt(id ID) (ID, error) {
	for range maxSymbolic {
		k, err := r.objects.kindOf(id)
		if err != nil {
			return ID{}, fmt.Errorf("%w: %w", ErrNotFound, err)
		}
		if k == kindCommit {
			return id, nil
		}
		if k != kindTag {
			return ID{}, fmt.Errorf("%w: it is a %s", ErrNotFound, k)
		}
		content, err := r.objects.read(kindTag, id)
		if err != nil {
			return ID{}, err
		}
		line, _, _ := strings.Cut(string(content), "\n")
		if id, err = parseID(strings.TrimPrefix(line, "object ")); err != nil {
			return ID{}, err
		}
	}
	return ID{}, fmt.Errorf("%w: its tags lead round and round", ErrNotFound)
}

// ancestor follows "~2" and "^" from a commit.
func (r *Repo) ancestor(id ID, rev, path string) (ID, error) {
	for path != "" {
		step := path[0]
		digits := len(path) - len(strings.TrimLeft(path[1:], "0123456789")) - 1
		n := 1
		if digits > 0 {
			var err error
			if n, err = strconv.Atoi(path[1 : 1+digits]); err != nil {
				return ID{}, fmt.Errorf("revision %q: %w", rev, ErrNotFound)
			}
		}
		path = path[1+digits:]
		parent := 1
		if step == '^' {
			parent, n = n, min(n, 1)
		}
		for range n {
			c, err := r.objects.commit(id)
			if err != nil {
				return ID{}, err
			}
			if parent > len(c.Parents) || r.objects.shallow()[id] {
				return ID{}, fmt.Errorf("revision %q: %w: the history does not reach so far", rev, ErrNotFound)
			}
			id = c.Parents[parent-1]
		}
	}
	return id, nil
}
