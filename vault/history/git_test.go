package history

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
)

// box is a vault in a repository, looked at through the real git.
type box struct {
	t   testing.TB
	dir string
	*Repo
}

// noon is when the tests take place.
var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

var ana = Signature{Name: "Ana", Email: "ana@example.org", When: noon}

// newBox makes a repository with Init.
func newBox(t testing.TB, cfg Config) *box {
	t.Helper()
	needGit(t)
	dir := t.TempDir()
	if cfg.UserFiles == nil {
		cfg.UserFiles = []string{}
	}
	r, err := Init(dir, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &box{t, r.Root(), r}
}

// adopt opens a repository that git made.
func adopt(t testing.TB, dir string, cfg Config) *box {
	t.Helper()
	if cfg.UserFiles == nil {
		cfg.UserFiles = []string{}
	}
	r, err := Open(dir, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &box{t, dir, r}
}

func needGit(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
}

// gitCommand is a git that knows nothing of the machine it runs on.
func gitCommand(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(),
		"HOME="+os.DevNull, "XDG_CONFIG_HOME="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull,
		"GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.org", "GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@example.org",
		"GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_OPTIONAL_LOCKS=1")
	return cmd
}

func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	out, err := gitCommand(dir, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

func (b *box) git(args ...string) string {
	b.t.Helper()
	return git(b.t, b.dir, args...)
}

func (b *box) write(name, text string) File {
	b.t.Helper()
	path := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		b.t.Fatal(err)
	}
	return File{vault.Path(name), vault.HashOf([]byte(text))}
}

func (b *box) remove(name string) File {
	b.t.Helper()
	if err := os.Remove(filepath.Join(b.dir, filepath.FromSlash(name))); err != nil {
		b.t.Fatal(err)
	}
	return File{vault.Path(name), vault.NoFile}
}

// commit records files as memsync and expects nothing to be left out.
func (b *box) commit(subject string, files ...File) Commit {
	b.t.Helper()
	result, err := b.Commit(b.t.Context(), machine(subject, files...))
	if err != nil {
		b.t.Fatal(err)
	}
	if len(result.LeftOut) > 0 {
		b.t.Fatalf("left out: %v", result.LeftOut)
	}
	return result.Commit
}

func machine(subject string, files ...File) Change {
	return Change{Files: files, Author: Machine(noon), Subject: subject, Trailers: Trailers{Run: "r1", Pass: "facts"}}
}

// whole fails the test unless git finds the repository in order.
func (b *box) whole() {
	b.t.Helper()
	out, err := gitCommand(b.dir, "fsck", "--full", "--strict", "--no-dangling", "--no-progress").CombinedOutput()
	if err != nil || len(bytes.TrimSpace(out)) > 0 && !strings.HasPrefix(string(out), "notice: HEAD points to an unborn branch") {
		b.t.Fatalf("git fsck: %v\n%s", err, out)
	}
}

// status is what git status says, a line a file.
func (b *box) status() string {
	b.t.Helper()
	return b.git("status", "--porcelain", "-uall")
}

func (b *box) wantStatus(want string) {
	b.t.Helper()
	if got := b.status(); got != want {
		b.t.Fatalf("git status says %q, want %q", got, want)
	}
}
