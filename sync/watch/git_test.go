package watch

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// stops runs a command of git's that has to stop in the middle.
func (b *bench) stops(args ...string) {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", b.dir}, args...)...)
	if out, err := cmd.CombinedOutput(); err == nil {
		b.t.Fatalf("git %v went through:\n%s", args, out)
	}
}

// quarrel makes two branches that contradict each other, main checked out, with a
// patch of the other.
func quarrel(b *bench) {
	b.t.Helper()
	b.write("a.md", "0\n")
	b.commit()
	b.git("checkout", "-q", "-b", "other")
	b.write("a.md", "theirs\n")
	b.git("commit", "-q", "-am", "theirs")
	b.write(".git/theirs.patch", b.blobOf("format-patch", "--stdout", "HEAD~1"))
	b.git("checkout", "-q", "main")
	b.write("a.md", "1\n")
	b.commit()
	b.write("a.md", "2\n")
	b.commit()
}

// blobOf is what a command of git's prints, to the byte.
func (b *bench) blobOf(args ...string) string {
	b.t.Helper()
	out, err := exec.Command("git", append([]string{"-C", b.dir}, args...)...).Output()
	if err != nil {
		b.t.Fatal(err)
	}
	return string(out)
}

// Git itself is in the middle of something, and a note of the person's waits. No
// look commits anything until it is over, whichever way it ends, and then the note
// is committed.
func TestNoCommitInTheMiddleOfGit(t *testing.T) {
	both := func(continues ...string) [][]string { return [][]string{{continues[0], "--abort"}, continues} }
	for name, test := range map[string]struct {
		begin func(b *bench)
		ends  [][]string // each is another way to end it; "--continue" after resolving
	}{
		"merge":                    {func(b *bench) { b.stops("merge", "-q", "other") }, both("merge", "--continue")},
		"merge without a conflict": {func(b *bench) { b.git("merge", "-q", "--no-commit", "-s", "ours", "other") }, both("merge", "--continue")},
		"rebase":                   {func(b *bench) { b.stops("rebase", "-q", "other") }, [][]string{{"rebase", "--abort"}}},
		"rebase, the older way":    {func(b *bench) { b.stops("rebase", "-q", "--apply", "other") }, [][]string{{"rebase", "--abort"}}},
		"rebase that stops to edit": {func(b *bench) {
			b.t.Setenv("GIT_SEQUENCE_EDITOR", "sed -i.bak s/^pick/edit/")
			b.git("rebase", "-q", "-i", "HEAD~1")
		}, both("rebase", "--continue")},
		"cherry-pick":                {func(b *bench) { b.stops("cherry-pick", "other") }, both("cherry-pick", "--continue")},
		"cherry-pick of two commits": {func(b *bench) { b.stops("cherry-pick", "other", "HEAD~1") }, [][]string{{"cherry-pick", "--abort"}}},
		"revert":                     {func(b *bench) { b.stops("revert", "--no-edit", "HEAD~1") }, both("revert", "--continue")},
		"am":                         {func(b *bench) { b.stops("am", "-q", "-3", ".git/theirs.patch") }, [][]string{{"am", "--abort"}}},
		"bisect":                     {func(b *bench) { b.git("bisect", "start", "HEAD", "HEAD~2") }, [][]string{{"bisect", "reset"}}},
		"bisect, not started":        {func(b *bench) { b.git("bisect", "start") }, [][]string{{"bisect", "reset"}}},
	} {
		for _, end := range test.ends {
			t.Run(name+", git "+end[0]+" "+end[1], func(t *testing.T) {
				b := newBench(t)
				t.Setenv("GIT_EDITOR", "true")
				quarrel(b)
				test.begin(b)
				b.write("new.md", "an edit meanwhile\n")
				refs, disk := b.git("for-each-ref"), b.disk("a.md")
				for range 2 {
					if o := b.commit(); o.Commit != "" || o.Waits == "" || b.git("for-each-ref") != refs {
						t.Fatalf("it did not wait: %+v", o)
					}
				}
				if now := b.disk("a.md"); now != disk {
					t.Errorf("git left %q, and it is %q", disk, now)
				}
				if end[1] == "--continue" {
					b.write("a.md", "resolved\n")
					b.git("add", "a.md")
				}
				b.git(end...)
				if o := b.commit(); o.Waits != "" || !cmp.Equal(o.Files, []vault.Path{"new.md"}) {
					t.Errorf("afterwards: %+v", o)
				}
			})
		}
	}
}

func (b *bench) disk(name string) string {
	raw, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		b.t.Fatal(err)
	}
	return string(raw)
}

// A git command that runs holds its lock: git commit, while the person writes the
// message.
func TestNoCommitWhileGitHoldsItsLock(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the editor is a shell script")
	}
	b := newBench(t)
	b.write("a.md", "1\n")
	b.commit()
	b.write("a.md", "2\n")
	b.write("new.md", "x\n")
	cmd := exec.Command("git", "-C", b.dir, "commit", "-q", "-a")
	cmd.Env = append(os.Environ(), `GIT_EDITOR=sh -c 'echo open >&2; read message; echo "$message" > "$0"'`)
	typed, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	says, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for line := bufio.NewScanner(says); line.Scan() && line.Text() != "open"; {
	}
	head := b.git("rev-parse", "HEAD")
	if o := b.commit(); o.Commit != "" || o.Waits == "" || b.git("rev-parse", "HEAD") != head {
		t.Errorf("it did not wait: %+v", o)
	}
	if _, err := typed.Write([]byte("mine\n")); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	if got := b.git("log", "-1", "--format=%s", "--name-only"); got != "mine\n\na.md" {
		t.Errorf("their commit: %s", got)
	}
	if o := b.commit(); !cmp.Equal(o.Files, []vault.Path{"new.md"}) {
		t.Errorf("afterwards: %+v", o)
	}
}

// What the person did with git stands after any number of looks: the note on disk
// is as git left it, and a branch has no commit more than they made, but for an
// edit that git put into the vault as one.
func TestWhatGitDidIsNotUndone(t *testing.T) {
	for name, test := range map[string]struct {
		does   func(b *bench)
		commit bool // what is left on disk is an edit, and committed as it is
	}{
		"reset --soft":         {func(b *bench) { b.git("reset", "-q", "--soft", "HEAD~1") }, false},
		"reset":                {func(b *bench) { b.git("reset", "-q", "HEAD~1") }, false},
		"reset --keep":         {func(b *bench) { b.git("reset", "-q", "--keep", "HEAD~1") }, false},
		"reset --hard":         {func(b *bench) { b.git("reset", "-q", "--hard", "HEAD~2") }, false},
		"reset of one file":    {func(b *bench) { b.git("reset", "-q", "HEAD~1", "--", "a.md") }, false},
		"revert":               {func(b *bench) { b.git("revert", "--no-edit", "HEAD") }, false},
		"revert --no-commit":   {func(b *bench) { b.git("revert", "--no-commit", "HEAD") }, false},
		"commit --amend":       {func(b *bench) { b.git("commit", "-q", "--amend", "-m", "other words") }, false},
		"checkout of a commit": {func(b *bench) { b.git("checkout", "-q", "HEAD~1") }, false},
		"checkout of a branch": {func(b *bench) { b.git("checkout", "-q", "old") }, false},
		"switch -c":            {func(b *bench) { b.git("switch", "-q", "-c", "new", "HEAD~1") }, false},
		"checkout of a file":   {func(b *bench) { b.git("checkout", "-q", "HEAD~1", "--", "a.md") }, false},
		"checkout drops an edit": {func(b *bench) {
			b.write("a.md", "not so\n")
			b.git("checkout", "-q", "--", "a.md")
		}, false},
		"restore":       {func(b *bench) { b.git("restore", "--source=HEAD~1", "a.md") }, true},
		"rm":            {func(b *bench) { b.git("rm", "-q", "a.md") }, false},
		"rm --cached":   {func(b *bench) { b.git("rm", "-q", "--cached", "a.md") }, false},
		"mv":            {func(b *bench) { b.git("mv", "a.md", "b.md") }, false},
		"stash":         {func(b *bench) { b.write("a.md", "for later\n"); b.git("stash", "-q") }, false},
		"stash and pop": {func(b *bench) { b.write("a.md", "for later\n"); b.git("stash", "-q"); b.git("stash", "pop", "-q") }, true},
		"clean":         {func(b *bench) { b.write("new.md", "x\n"); b.git("clean", "-q", "-f") }, false},
		"a merge, fast": {func(b *bench) { b.git("checkout", "-q", "old"); b.commit(); b.git("merge", "-q", "main") }, false},
		"a branch that is thrown away": {func(b *bench) {
			b.git("checkout", "-q", "old")
			b.commit()
			b.git("branch", "-q", "-D", "main")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			for _, text := range []string{"1\n", "2\n", "3\n"} {
				b.write("a.md", text)
				b.commit()
			}
			b.git("branch", "old", "HEAD~1")
			test.does(b)
			refs, disk := b.git("for-each-ref")+b.git("rev-parse", "HEAD"), b.disk("a.md")
			for range 3 {
				b.commit()
			}
			if now := b.disk("a.md"); now != disk {
				t.Errorf("git left %q, and it is %q", disk, now)
			}
			after := b.git("for-each-ref") + b.git("rev-parse", "HEAD")
			switch {
			case !test.commit && after != refs:
				t.Errorf("there is a commit more:\n%s", b.git("log", "-2", "--stat"))
			case test.commit && (b.git("log", "-1", "--format=%s") != "edit: a" || b.blob("HEAD:a.md") != disk):
				t.Errorf("not committed as it is:\n%s", b.git("log", "-2", "--stat"))
			}
		})
	}
}
