package history

import (
	"errors"
	"fmt"
	"time"
)

// ErrNoRepository is wrapped by Open's error where there is no git repository.
var ErrNoRepository = errors.New("no git repository")

// ErrNotFound is wrapped by errors about a revision, a run or a file that the
// history does not have.
var ErrNotFound = errors.New("not in the history")

// ErrMoved is wrapped by Commit's error when the branch got new commits again
// and again while this one was being made, or the repository does not stand any
// more as it did at Change.Since. Trying later is right.
var ErrMoved = errors.New("the branch moved")

// An UnsupportedError says what about a repository this package does not handle.
// Nothing was written.
type UnsupportedError struct {
	Dir    string // the repository's work tree, or where it would be
	Reason string // a clause: "it stores its objects under SHA-256"
}

func (e *UnsupportedError) Error() string {
	return fmt.Sprintf("%s: memsync cannot write to this git repository: %s", e.Dir, e.Reason)
}

// A BusyError says that the person is in the middle of an operation of git that
// ends in commits of its own. Nothing was written; once they finish or abort it,
// committing works again.
type BusyError struct {
	Operation string // "merge", "rebase", "cherry-pick", "revert", "bisect", "am", "unmerged files"
	Path      string // the file that shows it
}

func (e *BusyError) Error() string {
	if e.Operation == operationUnmerged {
		return fmt.Sprintf("git has unmerged files (%s); commit waits until they are resolved", e.Path)
	}
	return fmt.Sprintf("a git %s is under way (%s); commit waits until it is finished or aborted", e.Operation, e.Path)
}

// A LockedError says that another process held one of git's locks for longer
// than Config.LockWait. Nothing was written.
type LockedError struct {
	Path  string    // the lock file
	Since time.Time // when it was made, by the file's time
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("the git repository is locked by %s, held since %s; another git command is running, or one died and left the file behind",
		e.Path, e.Since.Format(time.RFC3339))
}

// A Reason says why a file was left out of a commit.
type Reason string

// The reasons for which Commit leaves a file out.
const (
	// Changed: the disk has other content than the caller vouched for, so
	// somebody saved in between.
	Changed Reason = "changed on disk since it was written"
	// Gone: the file was to be committed and is not there.
	Gone Reason = "gone from disk since it was written"
	// Reappeared: the file was to be committed as deleted and is there.
	Reappeared Reason = "on disk again since it was deleted"
	// Ignored: the person's .gitignore covers the file and git does not track it.
	Ignored Reason = "ignored by .gitignore"
	// NotRegular: a symbolic link, a folder, or something below a symbolic link.
	NotRegular Reason = "not a regular file"
	// InSubmodule: the file belongs to another repository inside this one.
	InSubmodule Reason = "inside a git submodule"
	// NeedsFilter: .gitattributes asks for a filter program or an encoding
	// that only git itself can apply.
	NeedsFilter Reason = "needs a git filter (see .gitattributes)"
	// InTheWay: a folder of the path is a file in the last commit or in the
	// index, or the reverse, and the caller did not name that one as deleted.
	InTheWay Reason = "its folder is a file in git, or the reverse"
)
