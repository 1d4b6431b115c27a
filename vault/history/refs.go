package history

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxSymbolic is how many symbolic references may follow each other, git's limit.
const maxSymbolic = 5

// refFile is where a reference lies when it is not packed. HEAD and its like
// belong to the work tree; the rest is shared by all work trees.
func (r *Repo) refFile(name string) string {
	if !strings.HasPrefix(name, "refs/") || strings.HasPrefix(name, "refs/bisect/") || strings.HasPrefix(name, "refs/worktree/") {
		return filepath.Join(r.gitDir, filepath.FromSlash(name))
	}
	return filepath.Join(r.common, filepath.FromSlash(name))
}

// ref follows a reference to the one that holds an id and returns both. The id is
// zero where that one does not exist, as for a branch without commits.
func (r *Repo) ref(name string) (last string, id ID, err error) {
	for range maxSymbolic {
		text, err := os.ReadFile(r.refFile(name))
		if isAbsent(err) {
			id, err := r.packedRef(name)
			return name, id, err
		}
		if err != nil {
			return "", ID{}, err
		}
		value := strings.TrimSpace(string(text))
		target, symbolic := strings.CutPrefix(value, "ref:")
		if !symbolic {
			id, err := parseID(value)
			if err != nil {
				return "", ID{}, fmt.Errorf("git reference %s: %w", name, err)
			}
			return name, id, nil
		}
		name = strings.TrimSpace(target)
	}
	return "", ID{}, fmt.Errorf("git reference %s: it leads round and round", name)
}

// isAbsent reports whether a reference has no file: none, a folder of that name
// (refs/heads/a where refs/heads/a/b exists), or a file where a folder would be.
func isAbsent(err error) bool {
	if err == nil {
		return false
	}
	var failed *fs.PathError
	return errors.Is(err, fs.ErrNotExist) || (errors.As(err, &failed) && (isFolderError(failed.Err)))
}

// packedRef looks a reference up in the file that holds the older ones.
func (r *Repo) packedRef(name string) (ID, error) {
	refs, err := r.packedRefs()
	return refs[name], err
}

// packedRefs reads the packed references: one a line, the id first.
func (r *Repo) packedRefs() (map[string]ID, error) {
	f, err := os.Open(filepath.Join(r.common, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	refs := map[string]ID{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		id, name, ok := strings.Cut(lines.Text(), " ")
		if !ok || strings.HasPrefix(id, "#") {
			continue
		}
		if parsed, err := parseID(id); err == nil {
			refs[strings.TrimSpace(name)] = parsed
		}
	}
	return refs, lines.Err()
}

// head returns the reference that HEAD stands for, "HEAD" itself when it is
// detached, and the commit it is at; zero before the first commit.
func (r *Repo) head() (branch string, at ID, err error) { return r.ref("HEAD") }

// Head returns the branch that is checked out, "" when HEAD is detached, and the
// commit it is at, zero when there is none yet.
func (r *Repo) Head() (branch string, at ID, err error) {
	name, at, err := r.head()
	if err != nil {
		return "", ID{}, err
	}
	branch, _ = strings.CutPrefix(name, "refs/heads/")
	if name == "HEAD" {
		branch = ""
	}
	return branch, at, nil
}
