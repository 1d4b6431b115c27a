package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/memsync/memsync/vault"
)

// A Config has a zero value that works.
type Config struct {
	// LockWait is how long Commit waits for a lock that another process holds;
	// 0 means 5 seconds, which outlasts any single git command on a vault.
	LockWait time.Duration
	// Zone is where days begin and end when Resolve is given a date; nil is UTC.
	Zone *time.Location
	// UserFiles are the configuration files above the repository's own, the
	// most general first; nil means those that git reads.
	UserFiles []string
	// Step, if set, is called before each step of a commit. An error from it
	// fails the step. It may be called from several goroutines.
	Step func(Step) error
}

const defaultLockWait = 5 * time.Second

// A Repo is the git repository that holds a vault, which may be its root or a
// folder in it. All paths are the vault's. Its methods may be called from
// several goroutines, and beside other processes.
type Repo struct {
	cfg    Config
	root   string // the work tree
	prefix string // the vault within it, "" or "folder/", slash-separated
	gitDir string // HEAD, index, locks
	common string // objects, refs; differs from gitDir in a linked work tree

	known   atomic.Pointer[settings]
	objects *objects
}

// Open opens the repository that the folder dir lies in. Where there is none the
// error wraps ErrNoRepository; where there is one that this package cannot handle,
// it is an *UnsupportedError. Nothing is written.
func Open(dir string, cfg Config) (*Repo, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	r := &Repo{cfg: cfg}
	if err := r.find(dir); err != nil {
		return nil, err
	}
	below, err := filepath.Rel(r.root, dir)
	if err != nil {
		return nil, err
	}
	if below != "." {
		r.prefix = filepath.ToSlash(below) + "/"
	}
	if err := r.configure(); err != nil {
		return nil, err
	}
	r.objects = newObjects(r.gitDir, r.common)
	return r, nil
}

// find looks for .git from dir upwards.
func (r *Repo) find(dir string) error {
	for at := dir; ; {
		gitDir, err := gitDirAt(at)
		if err != nil {
			return err
		}
		if gitDir != "" {
			r.root, r.gitDir, r.common = at, gitDir, gitDir
			return r.findCommon()
		}
		above := filepath.Dir(at)
		if above == at {
			return fmt.Errorf("%s: %w", dir, ErrNoRepository)
		}
		at = above
	}
}

// gitDirAt returns the git folder of a work tree's root, "" where at is none.
// .git is a folder, or a file that names one: a linked work tree, a submodule.
func gitDirAt(at string) (string, error) {
	dot := filepath.Join(at, ".git")
	info, err := os.Stat(dot)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		if _, err := os.Stat(filepath.Join(dot, "HEAD")); err != nil {
			return "", nil // as to git, a folder of that name alone is nothing
		}
		return dot, nil
	}
	text, err := os.ReadFile(dot)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(strings.TrimRight(string(text), "\r\n"), "gitdir: ")
	if !ok {
		return "", &UnsupportedError{at, dot + " does not say where the repository is"}
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(at, target)
	}
	if _, err := os.Stat(filepath.Join(target, "HEAD")); err != nil {
		return "", &UnsupportedError{at, fmt.Sprintf("%s leads to %s, where there is no repository", dot, target)}
	}
	return filepath.Clean(target), nil
}

func (r *Repo) findCommon() error {
	text, err := os.ReadFile(filepath.Join(r.gitDir, "commondir"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	common := strings.TrimSpace(string(text))
	if !filepath.IsAbs(common) {
		common = filepath.Join(r.gitDir, common)
	}
	r.common = filepath.Clean(common)
	return nil
}

// configure reads git's settings and refuses what this package would get wrong.
// It is called anew before each commit, since a person may change them.
func (r *Repo) configure() error {
	files := r.cfg.UserFiles
	if files == nil {
		files = userFiles()
	}
	files = append(files[:len(files):len(files)], filepath.Join(r.common, "config"))
	git, err := loadSettings(r.gitDir, files)
	if err != nil {
		return err
	}
	if git.on("extensions.worktreeconfig", false) {
		if err := git.load(filepath.Join(r.gitDir, "config.worktree"), r.gitDir, 0); err != nil {
			return err
		}
	}
	r.known.Store(&git)
	if reason := r.unsupported(); reason != "" {
		return &UnsupportedError{r.root, reason}
	}
	return nil
}

// git returns git's settings as they were when last read.
func (r *Repo) git() settings { return *r.known.Load() }

func (r *Repo) unsupported() string {
	if v := r.git().get("core.repositoryformatversion"); v != "" && v != "0" && v != "1" {
		return "its format version is " + v
	}
	for key := range r.git() {
		name, ok := strings.CutPrefix(key, "extensions.")
		if !ok {
			continue
		}
		value := strings.ToLower(r.git().get(key))
		switch name {
		case "noop", "noop-v1", "preciousobjects", "worktreeconfig", "relativeworktrees":
		case "objectformat":
			if value != "sha1" {
				return "it stores its objects under " + strings.ToUpper(value)
			}
		case "refstorage":
			if value != "files" {
				return "it stores its branches as a " + value
			}
		case "partialclone":
			return "it is a partial clone, whose objects lie on a server"
		default:
			return "it uses an extension that memsync does not know: " + name
		}
	}
	if r.git().on("core.bare", false) && r.gitDir == r.common {
		return "it is bare, without files"
	}
	if tree := r.git().get("core.worktree"); tree != "" {
		if !filepath.IsAbs(tree) {
			tree = filepath.Join(r.gitDir, tree)
		}
		real, err := filepath.EvalSymlinks(tree)
		if err != nil || real != r.root {
			return "core.worktree puts its files elsewhere, in " + tree
		}
	}
	return ""
}

// Root is the folder that the repository's work tree begins in. It is the vault
// or a folder above it.
func (r *Repo) Root() string { return r.root }

// Prefix is the vault's place below Root: "" or a path that ends in a slash.
func (r *Repo) Prefix() string { return r.prefix }

// tracked returns the path by which git knows a file of the vault.
func (r *Repo) tracked(p vault.Path) string { return r.prefix + string(p) }

// inVault returns the vault's name for a path of git's, and whether it lies in
// the vault at all.
func (r *Repo) inVault(name string) (vault.Path, bool) {
	rest, ok := strings.CutPrefix(name, r.prefix)
	return vault.Path(rest), ok && rest != ""
}

// file is where a tracked path lies on disk.
func (r *Repo) file(name string) string {
	return filepath.Join(r.root, filepath.FromSlash(name))
}

// commitable checks a path from a caller: clean, and no part of it git's own.
func commitable(p vault.Path) error {
	if p == "" || path.Clean(string(p)) != string(p) || strings.HasPrefix(string(p), "/") || strings.HasPrefix(string(p), "..") {
		return fmt.Errorf("%q: %w", string(p), vault.ErrPath)
	}
	for part := range strings.SplitSeq(string(p), "/") {
		if strings.EqualFold(part, ".git") || part == ".." {
			return fmt.Errorf("%q: %w: it belongs to git", string(p), vault.ErrPath)
		}
	}
	return nil
}
