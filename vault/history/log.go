package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
)

// LogOptions say which commits Log returns. The zero value is all that changed
// something in the vault.
type LogOptions struct {
	From   string     // the revision to begin at; "" is HEAD
	Path   vault.Path // only what changed this file or folder
	Run    string     // only commits of this run
	Pass   string     // only commits of this pass
	Author string     // only commits by this email address
	Since  time.Time  // only commits made at or after this moment
	Until  time.Time  // only commits made at or before this moment
	Limit  int        // at most so many, 0 for no limit
	Files  bool       // list the files of each commit
}

func (o LogOptions) wants(c Commit) bool {
	return (o.Run == "" || c.Trailers.Run == o.Run) &&
		(o.Pass == "" || c.Trailers.Pass == o.Pass) &&
		(o.Author == "" || strings.EqualFold(c.Author.Email, o.Author)) &&
		(o.Until.IsZero() || !c.Committer.When.After(o.Until))
}

// Log lists commits, the newest first. Before the first commit it is empty.
func (r *Repo) Log(ctx context.Context, o LogOptions) ([]Commit, error) {
	from, err := r.start(ctx, o.From)
	if err != nil || from.IsZero() {
		return nil, err
	}
	w, err := r.walker(from, strings.TrimSuffix(r.tracked(o.Path), "/"))
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	var found []Commit
	err = w.each(ctx, func(c Commit) (bool, error) {
		if !o.Since.IsZero() && c.Committer.When.Before(o.Since) {
			return false, nil
		}
		if !o.wants(c) {
			return true, nil
		}
		if o.Files {
			files, err := r.files(c)
			if err != nil {
				return false, err
			}
			c.Files = files
		}
		found = append(found, c)
		return o.Limit == 0 || len(found) < o.Limit, nil
	})
	if err != nil {
		return nil, fmt.Errorf("log: %w", err)
	}
	return found, nil
}

// start resolves where to begin; zero when that is HEAD and it has no commit.
func (r *Repo) start(ctx context.Context, rev string) (ID, error) {
	if rev == "" {
		_, at, err := r.head()
		return at, err
	}
	return r.Resolve(ctx, rev)
}

// A Status says what became of a file.
type Status string

// What a commit, or the person, can do to a file.
const (
	Added    Status = "added"
	Modified Status = "modified"
	Deleted  Status = "deleted"
)

// A FileChange is a file that a commit changed.
type FileChange struct {
	Path   vault.Path `json:"path"`
	Status Status     `json:"status"`

	before, after entry
}

// Get returns one commit with its files.
func (r *Repo) Get(ctx context.Context, rev string) (Commit, error) {
	id, err := r.Resolve(ctx, rev)
	if err != nil {
		return Commit{}, err
	}
	c, err := r.objects.commit(id)
	if err != nil {
		return Commit{}, err
	}
	c.Files, err = r.files(c)
	return c, err
}

// files lists what a commit changed in the vault, against its first parent.
func (r *Repo) files(c Commit) ([]FileChange, error) {
	before, err := r.parentTree(c)
	if err != nil {
		return nil, err
	}
	return r.between(before, c.tree)
}

// between lists the files of the vault that differ between two trees.
func (r *Repo) between(before, after ID) ([]FileChange, error) {
	deltas, err := r.objects.compare(before, after, r.prefix)
	if err != nil {
		return nil, err
	}
	files := make([]FileChange, 0, len(deltas))
	for _, d := range deltas {
		p, ok := r.inVault(d.path)
		if !ok {
			continue
		}
		f := FileChange{Path: p, Status: Modified, before: d.before, after: d.after}
		switch {
		case d.before.mode == 0:
			f.Status = Added
		case d.after.mode == 0:
			f.Status = Deleted
		}
		files = append(files, f)
	}
	return files, nil
}
