package history

import (
	"os"
	"path/filepath"
)

const operationUnmerged = "unmerged files"

// operations are the traces that git leaves while something is under way, by
// which git status knows of it as well.
var operations = []struct{ file, operation string }{
	{"MERGE_HEAD", "merge"},
	{"rebase-merge", "rebase"},
	{"rebase-apply/applying", "am"},
	{"rebase-apply", "rebase"},
	{"CHERRY_PICK_HEAD", "cherry-pick"},
	{"REVERT_HEAD", "revert"},
	{"sequencer", "cherry-pick or revert"},
	{"BISECT_LOG", "bisect"},
}

// Busy returns a *BusyError when the person is in the middle of a merge, a
// rebase or the like, during which Commit refuses; else nil.
func (r *Repo) Busy() error {
	for _, o := range operations {
		path := filepath.Join(r.gitDir, filepath.FromSlash(o.file))
		if _, err := os.Lstat(path); err == nil {
			return &BusyError{o.operation, path}
		}
	}
	return nil
}
