package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/vault"
)

// OnDisk, as a File's hash, vouches for whatever the disk has when the file is
// committed, also for nothing.
const OnDisk vault.Hash = "on disk"

// A File is a path to commit, with the hash of the content that its writer put
// there: vault.HashOf of the bytes on disk, vault.NoFile for a file that was
// deleted, or OnDisk.
type File struct {
	Path vault.Path
	Hash vault.Hash
}

// A Change is what one commit is to hold.
type Change struct {
	Files []File
	// Author is who made the change; Committer who records it, the same when
	// it is left empty. Their times come from the caller.
	Author, Committer Signature
	// Subject is the message's first line: "pass: what changed".
	Subject string
	// Body is optional text below it.
	Body     string
	Trailers Trailers
	// Since, where given, is when the caller compared the files with HEAD. Where
	// the repository stands otherwise by now, Commit makes no commit and its
	// error wraps ErrMoved.
	Since State
}

// A Result is what came of a Change.
type Result struct {
	// Commit is the new commit. Its ID is zero when there was nothing to
	// commit: every file is in git already as it is, or was left out.
	Commit Commit `json:"commit"`
	// Files are the paths that the commit changed.
	Files []vault.Path `json:"files"`
	// LeftOut are the named files that it does not hold, and why.
	LeftOut []LeftOut `json:"left_out"`
}

// Made reports whether there is a new commit.
func (r Result) Made() bool { return !r.Commit.ID.IsZero() }

// A LeftOut is a file that was named and not committed.
type LeftOut struct {
	Path vault.Path `json:"path"`
	Why  Reason     `json:"why"`
}

// check returns the files sorted, each once.
func (c Change) check() ([]File, error) {
	if c.Author.When.IsZero() || (c.Author.Name == "" && c.Author.Email == "") {
		return nil, fmt.Errorf("commit %q: it needs an author with a name and a time", c.Subject)
	}
	if oneLine(c.Subject) == "" {
		return nil, fmt.Errorf("commit: it needs a subject")
	}
	files := slices.Clone(c.Files)
	slices.SortStableFunc(files, func(a, b File) int { return strings.Compare(string(a.Path), string(b.Path)) })
	for i, f := range files {
		if err := commitable(f.Path); err != nil {
			return nil, fmt.Errorf("commit %q: %w", c.Subject, err)
		}
		if i > 0 && files[i-1].Path == f.Path && files[i-1].Hash != f.Hash {
			return nil, fmt.Errorf("commit %q: %s is named twice, with different content", c.Subject, f.Path)
		}
	}
	return slices.Compact(files), nil
}
