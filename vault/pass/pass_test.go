package pass

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

type fixture struct {
	t     *testing.T
	v     *vault.Vault
	repo  *history.Repo
	state string
}

func clock() time.Time { return time.Date(2025, 9, 2, 6, 10, 0, 0, time.UTC) }

func newFixture(t *testing.T) fixture {
	t.Helper()
	dir := t.TempDir()
	repo, err := history.Init(dir, history.Config{})
	if err != nil {
		t.Fatal(err)
	}
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return fixture{t, v, repo, t.TempDir()}
}

func (f fixture) begin(name string) *Pass {
	f.t.Helper()
	p, err := Begin(f.v, f.repo, f.state, clock, history.Trailers{Run: "run-1", Pass: name})
	if err != nil {
		f.t.Fatal(err)
	}
	return p
}

func (f fixture) save(p vault.Path, text string) {
	f.t.Helper()
	name := filepath.Join(f.v.Dir(), string(p))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		f.t.Fatal(err)
	}
}

func (f fixture) read(p vault.Path) string {
	raw, err := f.v.Read(p)
	if err != nil {
		return "(none)"
	}
	return string(raw)
}

func (f fixture) git(args ...string) string {
	f.t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		f.t.Skip("git is not installed")
	}
	out, err := exec.Command("git", append([]string{"-C", f.v.Dir(), "-c", "user.name=Ines", "-c", "user.email=ines@example.org"}, args...)...).CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// generate runs one pass that makes one page, and says what came of it.
func (f fixture) generate(p vault.Path, text string) Outcome {
	f.t.Helper()
	change := f.begin("topics")
	o, err := change.Generate(context.Background(), p, []byte(text))
	if err != nil {
		f.t.Fatal(err)
	}
	if _, err := change.Commit(context.Background(), "topics: one note", ""); err != nil {
		f.t.Fatal(err)
	}
	return o
}

func TestGenerate(t *testing.T) {
	const first = "# Running\n\none\n\ntwo\n\nthree\n\nfour\n"
	const next = "# Running\n\none\n\ntwo\n\nthree\n\nfour\n\nfive\n"
	for _, c := range []struct {
		name, person, want string
		outcome            Outcome
	}{
		{"untouched", first, next, Written},
		{"a word", strings.Replace(first, "one", "ONE", 1), strings.Replace(next, "one", "ONE", 1), Merged},
		{"a section added", "mine\n\n" + first, "mine\n\n" + next, Merged},
		{"a line deleted", strings.Replace(first, "one\n\n", "", 1), strings.Replace(next, "one\n\n", "", 1), Merged},
		{"the same place", strings.Replace(first, "four", "4 and more", 1), strings.Replace(first, "four", "4 and more", 1), Conflicted},
		{"rewritten", "all mine\n", "all mine\n", Conflicted},
		{"already so", next, next, Same},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t)
			if o := f.generate("memory/running.md", first); o != Written {
				t.Fatalf("the first time: %v", o)
			}
			f.save("memory/running.md", c.person)
			if o := f.generate("memory/running.md", next); o != c.outcome {
				t.Errorf("outcome %v, want %v", o, c.outcome)
			}
			if got := f.read("memory/running.md"); got != c.want {
				t.Errorf("the page is\n%s\nwant\n%s", got, c.want)
			}
			if o := f.generate("memory/running.md", next); c.outcome != Conflicted && o != Same {
				t.Errorf("again: %v, want Same", o)
			}
			// The edits stay, however often the page is made anew.
			f.generate("memory/running.md", next+"\nsix\n")
			if got, want := f.read("memory/running.md"), strings.TrimSuffix(c.want, "\nfive\n")+"\nfive\n\nsix\n"; c.outcome != Conflicted && c.outcome != Same && got != want {
				t.Errorf("a third time the page is\n%s\nwant\n%s", got, want)
			}
		})
	}
}

func TestUncommittedEditsBecomeThePersons(t *testing.T) {
	f := newFixture(t)
	f.git("config", "user.name", "Ines")
	f.git("config", "user.email", "ines@example.org")
	f.generate("memory/running.md", "one\n\ntwo\n\nthree\n")
	f.save("memory/running.md", "ONE\n\ntwo\n\nthree\n")
	if o := f.generate("memory/running.md", "one\n\ntwo\n\nthree\n\nfour\n"); o != Merged {
		t.Fatal(o)
	}
	want := "memsync|topics: one note\nInes|edit: running\nmemsync|topics: one note\n"
	if got := f.git("log", "--format=%an|%s"); got != want {
		t.Errorf("log:\n%swant\n%s", got, want)
	}
	if got := f.git("show", "--format=", "HEAD", "--", "memory"); strings.Contains(got, "ONE\n+") || strings.Contains(got, "-one") {
		t.Errorf("the machine's commit holds the person's edit:\n%s", got)
	}
	f.git("revert", "--no-edit", "HEAD")
	if o := f.generate("memory/running.md", "one\n\ntwo\n\nthree\n\nfour\n\nfive\n"); o != Conflicted && o != Merged {
		t.Errorf("after a revert: %v", o)
	}
	if got := f.read("memory/running.md"); !strings.HasPrefix(got, "ONE\n") {
		t.Errorf("after a revert the edit is gone:\n%s", got)
	}
}

func TestLeavePersonal(t *testing.T) {
	f := newFixture(t)
	f.generate("a.md", "one\n\ntwo\n")
	f.save("a.md", "ONE\n\ntwo\n")
	change := f.begin("topics")
	change.LeavePersonal = true
	if _, err := change.Generate(t.Context(), "a.md", []byte("one\n\ntwo\n\nthree\n")); !errors.Is(err, ErrUncommitted) {
		t.Errorf("err %v, want ErrUncommitted", err)
	}
	if got := f.read("a.md"); got != "ONE\n\ntwo\n" {
		t.Errorf("the file is %q", got)
	}
}

// A ledger that is half saved is neither committed for the person nor written to.
func TestAHalfSavedLedgerIsLeft(t *testing.T) {
	f := newFixture(t)
	const path, text = "facts/life/tea.md", "---\ntype: facts\n---\n\n- Drinks tea. ^f-1\n- Likes rain. ^f-2\n"
	f.generate(path, text)
	commits := f.git("rev-list", "--count", "HEAD")
	for _, half := range []string{"", text[:8], text[:len(text)-8]} {
		f.save(path, half)
		change := f.begin("facts")
		if err := change.Write(t.Context(), path, vault.HashOf([]byte(half)), []byte(text+"- New. ^f-3\n")); !errors.Is(err, ErrTorn) || !errors.Is(err, ErrUncommitted) {
			t.Errorf("err %v, want ErrTorn", err)
		}
		if got := f.read(path); got != half {
			t.Errorf("the file is %q", got)
		}
	}
	if got := f.git("rev-list", "--count", "HEAD"); got != commits {
		t.Errorf("%s commits where there were %s", got, commits)
	}
}

func TestGenerateRespectsThePerson(t *testing.T) {
	f := newFixture(t)
	f.save("memory/mine.md", "mine\n")
	if o := f.generate("memory/mine.md", "generated\n"); o != Foreign || f.read("memory/mine.md") != "mine\n" {
		t.Errorf("a page of the person's: %v, %q", o, f.read("memory/mine.md"))
	}
	f.generate("memory/gone.md", "generated\n")
	if err := os.Remove(filepath.Join(f.v.Dir(), "memory/gone.md")); err != nil {
		t.Fatal(err)
	}
	if o := f.generate("memory/gone.md", "generated anew\n"); o != Removed || f.v.Exists("memory/gone.md") {
		t.Errorf("a page that the person deleted: %v", o)
	}
}

func TestCommitHoldsOnlyThePass(t *testing.T) {
	f := newFixture(t)
	f.save("diary.md", "mine\n")
	f.save("staged.md", "mine too\n")
	f.git("add", "staged.md")
	if o := f.generate("memory/a.md", "text\n"); o != Written {
		t.Fatal(o)
	}
	if got := f.git("show", "--stat", "--format=%an%n%s%n%b", "HEAD"); !strings.HasPrefix(got, "memsync\ntopics: one note\n") ||
		!strings.Contains(got, "Memsync-Run: run-1\nMemsync-Pass: topics\n") || strings.Contains(got, "diary") || strings.Contains(got, "staged") {
		t.Errorf("the commit:\n%s", got)
	}
	if got := f.git("status", "--porcelain"); got != "A  staged.md\n?? diary.md\n" {
		t.Errorf("status:\n%s", got)
	}
	f.git("fsck", "--full", "--strict")
}

// TestRecover dies between the writes and the commit.
func TestRecover(t *testing.T) {
	f := newFixture(t)
	change := f.begin("import")
	for _, p := range []vault.Path{"a.md", "b.md", "c.md"} {
		if err := change.Write(t.Context(), p, vault.NoFile, []byte("written by the pass\n")); err != nil {
			t.Fatal(err)
		}
	}
	f.save("b.md", "the person's\n")
	f.save("mine.md", "the person's\n")
	f.save(".memsync-0123.tmp", "half of a wri")
	res, err := Recover(context.Background(), f.v, f.repo, f.state, clock())
	if err != nil {
		t.Fatal(err)
	}
	if got := f.git("show", "--name-only", "--format=%s", "HEAD"); got != "import: finish what was interrupted\n\na.md\nc.md\n" {
		t.Errorf("the commit:\n%s", got)
	}
	if !res.Made() || f.v.Exists(".memsync-0123.tmp") {
		t.Errorf("made %v, temporary file there: %v", res.Made(), f.v.Exists(".memsync-0123.tmp"))
	}
	if res, err := Recover(context.Background(), f.v, f.repo, f.state, clock()); err != nil || res.Made() {
		t.Errorf("a second time: %v, %v", res.Made(), err)
	}
}

func TestRecoverReadsATornJournal(t *testing.T) {
	f := newFixture(t)
	change := f.begin("import")
	if err := change.Write(t.Context(), "a.md", vault.NoFile, []byte("text\n")); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(f.state, journalFile)
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, append(raw, `{"path":"b.md","ha`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if res, err := Recover(context.Background(), f.v, f.repo, f.state, clock()); err != nil || len(res.Files) != 1 {
		t.Errorf("files %v, err %v", res.Files, err)
	}
}

// failing is a history whose commits fail.
type failing struct{ *history.Repo }

func (failing) Commit(context.Context, history.Change) (history.Result, error) {
	return history.Result{}, errors.New("index.lock is held")
}

func TestWorkSurvivesAFailedCommit(t *testing.T) {
	f := newFixture(t)
	change, err := Begin(f.v, failing{f.repo}, f.state, clock, history.Trailers{Pass: "import"})
	if err != nil {
		t.Fatal(err)
	}
	if err := change.Write(t.Context(), "a.md", vault.NoFile, []byte("text\n")); err != nil {
		t.Fatal(err)
	}
	if _, err := change.Commit(context.Background(), "import: one", ""); err == nil {
		t.Fatal("the commit did not fail")
	}
	if res, err := Recover(context.Background(), f.v, f.repo, f.state, clock()); err != nil || len(res.Files) != 1 {
		t.Errorf("files %v, err %v", res.Files, err)
	}
}

// TestChangesThatFail fails each step of a pass's second write in turn. What of
// the pass reached the disk is in its commit, and nothing else is.
func TestChangesThatFail(t *testing.T) {
	steps := []vault.Step{vault.StepCreate, vault.StepWrite, vault.StepSync, vault.StepRename, vault.StepSyncDir}
	for _, fail := range steps {
		for _, again := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, again %v", fail, again), func(t *testing.T) {
				f := newFixture(t)
				armed := false
				v, err := vault.Open(f.v.Dir(), vault.Config{Fault: func(s vault.Step, _ vault.Path) error {
					if armed && s == fail {
						return syscall.ENOSPC
					}
					return nil
				}})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { v.Close() })
				f.v = v
				change := f.begin("facts")
				if err := change.Write(t.Context(), "a.md", vault.NoFile, []byte("first\n")); err != nil {
					t.Fatal(err)
				}
				second, old := vault.Path("b.md"), vault.NoFile
				if again {
					second, old = "a.md", vault.HashOf([]byte("first\n"))
				}
				armed = true
				if err := change.Write(t.Context(), second, old, []byte("second\n")); !errors.Is(err, syscall.ENOSPC) {
					t.Fatalf("err %v, want a full disk", err)
				}
				armed = false
				if _, err := change.Commit(t.Context(), "facts: two", ""); err != nil {
					t.Fatal(err)
				}
				if left := f.git("status", "--porcelain"); left != "" {
					t.Errorf("work of the pass is in no commit:\n%s", left)
				}
				if Unfinished(f.state) {
					t.Error("the journal is still there")
				}
			})
		}
	}
}
