package history

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
)

var besideFor = flag.Duration("beside", time.Second, "how long TestBesideGit runs git and memsync in one repository")

// TestBesideGit commits while the git command line commits, rebases and packs in
// the same repository. At the end every note of both is there, no commit of
// memsync's holds a file of the person's, and the repository is whole.
func TestBesideGit(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("start.md", "start\n"))
	b.git("commit", "-qm", "second", "--allow-empty")
	b.git("commit", "-qm", "third", "--allow-empty")
	stop := time.Now().Add(*besideFor)
	human := make(chan int)
	go func() {
		n := 0
		defer func() { human <- n }()
		try := func(args ...string) bool { return gitCommand(b.dir, args...).Run() == nil }
		for time.Now().Before(stop) {
			name := fmt.Sprintf("mine/%d.md", n)
			b.write(name, "mine\n")
			// git gives up at once when it finds a lock; people try again.
			for !try("add", name) {
			}
			for !try("commit", "-qm", name) {
			}
			n++
			switch n % 6 {
			case 2:
				if !try("rebase", "-q", "--force-rebase", "HEAD~2") {
					try("rebase", "--abort")
				}
			case 4:
				try("pack-refs", "--all")
			case 5:
				try("repack", "-q", "-d")
			}
		}
	}()
	made, busy, locked := 0, 0, 0
	var mine int
	for done := false; !done; {
		select {
		case mine = <-human:
			done = true
			continue
		default:
		}
		name := fmt.Sprintf("facts/%d.md", made)
		result, err := b.Commit(t.Context(), machine("facts: "+name, b.write(name, "fact\n")))
		_, isBusy := errors.AsType[*BusyError](err)
		_, isLocked := errors.AsType[*LockedError](err)
		switch {
		case isBusy:
			busy++
		case isLocked:
			locked++
		case err != nil:
			t.Error(err)
			for range human {
				return
			}
		case result.Made():
			made++
			if len(result.Files) != 1 || result.Files[0] != vault.Path(name) {
				t.Errorf("the commit of %s holds %v", name, result.Files)
			}
		default:
			t.Errorf("%s was not committed: %v", name, result.LeftOut)
			made++
		}
	}
	t.Logf("%d commits by git, %d by memsync, %d times busy, %d times locked", mine, made, busy, locked)
	if mine < 3 || made < 3 {
		t.Errorf("only %d and %d commits", mine, made)
	}
	b.whole()
	commits, err := b.Log(t.Context(), LogOptions{Author: MachineEmail, Files: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commits {
		for _, f := range c.Files {
			if f.Path.Under("mine") {
				t.Errorf("%s by memsync holds %s", c.ID.Short(), f.Path)
			}
		}
	}
	files := b.git("ls-tree", "-r", "--name-only", "HEAD")
	have := map[string]bool{}
	for name := range strings.SplitSeq(files, "\n") {
		have[name] = true
	}
	for n := range mine {
		if name := fmt.Sprintf("mine/%d.md", n); !have[name] {
			t.Errorf("%s is lost", name)
		}
	}
	// A rebase that noted the branch's place just before a commit of memsync's
	// and is aborted takes the branch back to there. So it does with a commit
	// of git's own; either stays in the branch's reflog.
	reflog := b.git("log", "--walk-reflogs", "--format=%s", "main")
	for n := range made {
		name := fmt.Sprintf("facts/%d.md", n)
		if !have[name] && !strings.Contains(reflog, "facts: "+name) {
			t.Errorf("%s is lost", name)
		}
	}
	for line := range strings.SplitSeq(b.status(), "\n") {
		name, untracked := strings.CutPrefix(line, "?? ")
		if line != "" && (!untracked || have[name]) {
			t.Errorf("git status says %q", line)
		}
	}
}
