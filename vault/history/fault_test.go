package history

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var errFault = errors.New("injected")

// faulty fails, or ends, the run at the step with a given number. Of a step that
// comes once for each of many objects, only the first two are counted.
type faulty struct {
	mu    sync.Mutex
	at    int
	count int
	seen  map[Step]int
	what  Step
	fail  func() error
}

func (f *faulty) step(s Step) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.seen == nil {
		f.seen = map[Step]int{}
	}
	if f.seen[s]++; f.seen[s] > 2 && s != StepLock && s != StepNamePack {
		return nil
	}
	if f.count++; f.count != f.at {
		return nil
	}
	f.what = s
	return f.fail()
}

// scene is a repository in which the person has work of every kind, and a change
// that memsync is to commit.
func scene(t *testing.T, many int) (*box, Change, string) {
	b := newBox(t, Config{})
	b.commit("notes: start", b.write("a.md", "a\n"), b.write("b.md", "b\n"), b.write("gone.md", "g\n"), b.write("d/e.md", "e\n"))
	b.write("b.md", "b, staged\n")
	b.git("add", "b.md")
	b.write("d/e.md", "e, dirty\n")
	b.write("mine.md", "untracked\n")
	human := b.status()
	files := []File{b.write("a.md", "a, by memsync\n"), b.remove("gone.md"), b.write("new/n.md", "n\n")}
	for i := range many {
		files = append(files, b.write(fmt.Sprintf("many/%d.md", i), fmt.Sprintln(i)))
	}
	return b, machine("facts: change", files...), human
}

// sound checks the repository after a commit that went wrong.
func (b *box) sound(old string, human string) {
	b.t.Helper()
	b.whole()
	for _, pattern := range []string{".git/*.lock", ".git/refs/heads/*.lock", ".git/" + scratchPrefix + "*", ".git/objects/" + tempPrefix + "*", ".git/objects/pack/" + tempPrefix + "*", ".git/" + journalFile} {
		found, err := filepath.Glob(filepath.Join(b.dir, pattern))
		if err != nil || len(found) > 0 && filepath.Base(found[0]) != ownLock {
			b.t.Errorf("left behind: %v %v", found, err)
		}
	}
	status := b.status()
	switch head := b.git("rev-parse", "HEAD"); {
	case head != old:
		if b.git("rev-parse", "HEAD~1") != old {
			b.t.Error("HEAD is neither old nor new")
		}
		if status != human {
			b.t.Errorf("after the commit git status says\n%s\nwant\n%s", status, human)
		}
	default:
		for line := range strings.SplitSeq(status, "\n") {
			if line[0] != ' ' && line[0] != '?' && line != "M  b.md" {
				b.t.Errorf("without the commit git status says %q", line)
			}
		}
	}
	if got := b.git("show", ":b.md"); got != "b, staged" {
		b.t.Errorf("the person's staged file is %q", got)
	}
}

func TestEveryStepFails(t *testing.T) {
	for _, many := range []int{0, packAbove} {
		t.Run(fmt.Sprint(many+3, " files"), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b, change, human := scene(t, many)
				old := b.git("rev-parse", "HEAD")
				f := &faulty{at: n, fail: func() error { return errFault }}
				b.cfg.Step = f.step
				result, err := b.Commit(t.Context(), change)
				b.cfg.Step = nil
				if f.what == "" {
					if err != nil {
						t.Fatal(err)
					}
					if n < 15 {
						t.Errorf("a commit has only %d steps", n-1)
					}
					break
				}
				if !errors.Is(err, errFault) {
					t.Errorf("step %d (%s): %v", n, f.what, err)
				}
				if moved := b.git("rev-parse", "HEAD") != old; moved != result.Made() {
					t.Errorf("step %d (%s): HEAD moved %v, and the result says %v", n, f.what, moved, result.Made())
				}
				if result.Made() {
					if err := b.Recover(t.Context()); err != nil {
						t.Errorf("step %d (%s): %v", n, f.what, err)
					}
				}
				b.sound(old, human)
				if _, err := b.Commit(t.Context(), change); err != nil {
					t.Errorf("after step %d (%s): %v", n, f.what, err)
				}
				b.wantStatus(human)
				b.whole()
				if t.Failed() {
					t.Fatalf("step %d (%s)", n, f.what)
				}
			}
		})
	}
}

// killedDir and killedAt tell a child process where to commit and when to die.
const (
	killedDir = "HISTORY_TEST_DIR"
	killedAt  = "HISTORY_TEST_STEP"
)

// TestKilledChild is the child of TestKilledAtEveryStep.
func TestKilledChild(t *testing.T) {
	dir := os.Getenv(killedDir)
	if dir == "" {
		t.Skip("only run by TestKilledAtEveryStep")
	}
	at, err := strconv.Atoi(os.Getenv(killedAt))
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{at: at, fail: func() error {
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {} // until the signal comes
	}}
	b := adopt(t, dir, Config{Step: f.step})
	change := machine("facts: change")
	files, err := b.Dirty(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if p := file.Path; p == "a.md" || p == "gone.md" || p.Under("new") || p.Under("many") {
			change.Files = append(change.Files, File{p, OnDisk})
		}
	}
	if _, err := b.Commit(t.Context(), change); err != nil {
		t.Fatal(err)
	}
}

func TestKilledAtEveryStep(t *testing.T) {
	if testing.Short() {
		t.Skip("starts some sixty processes")
	}
	for _, many := range []int{0, packAbove} {
		t.Run(fmt.Sprint(many+3, " files"), func(t *testing.T) {
			t.Parallel()
			for n := 1; ; n++ {
				b, change, human := scene(t, many)
				old := b.git("rev-parse", "HEAD")
				child := exec.Command(os.Args[0], "-test.run=^TestKilledChild$")
				child.Env = append(os.Environ(), killedDir+"="+b.dir, killedAt+"="+strconv.Itoa(n))
				out, err := child.CombinedOutput()
				if err == nil {
					break // it had fewer steps
				}
				if child.ProcessState.Exited() {
					t.Fatalf("step %d: the child was not killed: %s", n, out)
				}
				b.whole()
				b.status()
				if n%2 == 0 {
					if err := b.Recover(t.Context()); err != nil {
						t.Fatalf("step %d: %v", n, err)
					}
					b.sound(old, human)
				}
				if _, err := b.Commit(t.Context(), change); err != nil {
					t.Fatalf("after step %d: %v", n, err)
				}
				b.wantStatus(human)
				b.sound(old, human)
				if t.Failed() {
					t.Fatalf("step %d", n)
				}
			}
		})
	}
}

// Of locks that memsync did not make, Recover keeps its hands off.
func TestRecoverKeepsForeignLocks(t *testing.T) {
	b := newBox(t, Config{})
	b.commit("notes: a", b.write("a.md", "a\n"))
	b.write(".git/index.lock", "")
	b.write(".git/HEAD.lock", "ref: refs/heads/x\n")
	b.write(".git/memsync.lock", "process 0\n") // as if one had crashed
	if err := b.Recover(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.read(".git/index.lock") != "" || b.read(".git/HEAD.lock") != "ref: refs/heads/x\n" {
		t.Error("a lock of git's is gone")
	}
}
