package watch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A bench is a vault in a repository that git itself made, and somebody who edits
// in it.
type bench struct {
	t     *testing.T
	dir   string
	state string
	edits *Edits
	now   time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", filepath.Join(t.TempDir(), "none"))
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	b := &bench{t: t, dir: t.TempDir(), state: t.TempDir(), now: time.Date(2025, 9, 1, 12, 0, 0, 0, time.UTC)}
	b.git("init", "-q", "-b", "main")
	b.git("config", "user.name", "Ana")
	b.git("config", "user.email", "ana@example.org")
	b.open()
	return b
}

func (b *bench) open() {
	v, err := vault.Open(b.dir, vault.Config{})
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() { v.Close() })
	repo, err := history.Open(b.dir, history.Config{LockWait: 20 * time.Millisecond})
	if err != nil {
		b.t.Fatal(err)
	}
	b.edits = NewEdits(v, repo, EditsConfig{
		State: b.state, Now: func() time.Time { return b.now },
		Secret: func(text string) string {
			if strings.Contains(text, "hunter2") {
				return "password"
			}
			return ""
		},
	})
}

func (b *bench) git(args ...string) string {
	b.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", b.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_AUTHOR_DATE=2025-09-01T12:00:00Z", "GIT_COMMITTER_DATE=2025-09-01T12:00:00Z")
	out, err := cmd.CombinedOutput()
	if err != nil {
		b.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// blob is an object of git's, to the byte.
func (b *bench) blob(name string) string {
	b.t.Helper()
	out, err := exec.Command("git", "-C", b.dir, "cat-file", "blob", name).Output()
	if err != nil {
		b.t.Fatalf("git cat-file %s: %v", name, err)
	}
	return string(out)
}

func (b *bench) write(name, text string) {
	b.t.Helper()
	mkdir(b.t, filepath.Dir(filepath.Join(b.dir, name)))
	write(b.t, filepath.Join(b.dir, name), text)
}

func (b *bench) remove(name string) {
	b.t.Helper()
	if err := os.Remove(filepath.Join(b.dir, name)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) commit() Outcome {
	b.t.Helper()
	o, err := b.edits.Commit(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return o
}

// machine commits everything as memsync would.
func (b *bench) machine(subject string) {
	b.t.Helper()
	b.git("add", "-A")
	b.git("-c", "user.name=memsync", "-c", "user.email="+history.MachineEmail, "commit", "-q", "-m", subject)
}

func (b *bench) forgotten(text string) bool {
	raw, _ := os.ReadFile(filepath.Join(b.dir, ".memory-forgotten"))
	return vault.ParseForgotten(raw).Has(text)
}

const ledger = "---\nid: f-1\ntype: facts\n---\n\n# Tea\n\n" +
	"- Drinks green tea. (kind:: preference) (from:: [[s#^t1|\"I drink green tea\"]]) ^f-1a\n" +
	"- Lives in Porto. (kind:: identity) (from:: [[s#^t2|\"I moved to Porto\"]]) ^f-1b\n"

func without(text, part string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, part) {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

func TestEditsAreCommittedAsThePerson(t *testing.T) {
	b := newBench(t)
	b.write("profile.md", "me\n")
	b.write("sessions/2025-08-09-csv-export.md", "x\n")
	for i := range 2 {
		b.write(fmt.Sprintf("z%d.md", i), "x\n")
	}
	b.write(".obsidian/workspace.json", "{}")
	b.write("draft.md.swp", "x")
	o := b.commit()
	if len(o.Files) != 4 || o.Waits != "" || len(o.Held) != 0 {
		t.Errorf("%+v", o)
	}
	want := "Ana <ana@example.org>|Ana <ana@example.org>|edit: profile, sessions/2025-08-09-csv-export and 2 more"
	if diff := cmp.Diff(want, b.git("log", "-1", "--format=%an <%ae>|%cn <%ce>|%s")); diff != "" {
		t.Error(diff)
	}
	if o := b.commit(); o.Commit != "" {
		t.Error("nothing changed, and there is a commit")
	}
	b.write("profile.md", "me too\n")
	b.commit()
	if got := b.git("log", "-1", "--format=%s"); got != "edit: profile" {
		t.Error(got)
	}
	if got := b.git("fsck", "--strict"); strings.Contains(got, "error") {
		t.Error(got)
	}
}

func TestASecretIsHeldBackAndNamed(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "my password is hunter2\n")
	b.write("b.md", "tea\n")
	o := b.commit()
	if len(o.Held) != 1 || o.Held[0].Path != "a.md" || !strings.Contains(o.Held[0].Reason, "password") {
		t.Errorf("%+v", o)
	}
	if got := b.git("ls-tree", "-r", "--name-only", "HEAD"); got != "b.md" {
		t.Error(got)
	}
}

func TestItWaitsForThePersonsGit(t *testing.T) {
	for name, trouble := range map[string]struct{ begin, end func(b *bench) }{
		"index.lock": {
			func(b *bench) { b.write(".git/index.lock", "") },
			func(b *bench) { b.remove(".git/index.lock") },
		},
		"no branch": {
			func(b *bench) { b.git("checkout", "-q", "--detach") },
			func(b *bench) { b.git("checkout", "-q", "main") },
		},
		"staged changes": {
			func(b *bench) { b.write("staged.md", "x\n"); b.git("add", "staged.md") },
			func(b *bench) { b.git("commit", "-q", "-m", "mine") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.write("a.md", "1\n")
			b.commit()
			head := b.git("rev-parse", "HEAD")
			b.write("a.md", "2\n")
			trouble.begin(b)
			if o := b.commit(); o.Waits == "" || o.Commit != "" || b.git("rev-parse", "HEAD") != head {
				t.Errorf("it did not wait: %+v", o)
			}
			trouble.end(b)
			if o := b.commit(); o.Waits != "" || !cmp.Equal(o.Files, []vault.Path{"a.md"}) {
				t.Errorf("it goes on waiting: %+v", o)
			}
		})
	}
}

func TestWhatThePersonTookBackStaysTakenBack(t *testing.T) {
	b := newBench(t)
	b.write("a.md", "1\n")
	b.commit()
	b.write("a.md", "2\n")
	b.write("new.md", "x\n")
	b.commit()
	b.git("reset", "-q", "HEAD~1") // the edits are on disk, out of history
	for range 2 {
		if o := b.commit(); o.Commit != "" || len(o.Held) != 2 {
			t.Fatalf("the reset was undone: %+v", o)
		}
	}
	b.write("a.md", "3\n") // a new edit is another matter
	if o := b.commit(); !cmp.Equal(o.Files, []vault.Path{"a.md"}) {
		t.Errorf("%+v", o)
	}
	b.git("reset", "-q", "--hard", "HEAD~1")
	if o := b.commit(); o.Commit != "" {
		t.Errorf("%+v", o)
	}
}

func TestWhatICloudTookOffTheDiskIsNotDeleted(t *testing.T) {
	b := newBench(t)
	b.write("facts/life/tea.md", ledger)
	b.commit()
	b.remove("facts/life/tea.md")
	b.write("facts/life/.tea.md.icloud", "x")
	if o := b.commit(); o.Commit != "" || len(o.Held) != 1 || b.forgotten("Lives in Porto.") {
		t.Errorf("%+v", o)
	}
}

func TestDeletedClaimsAreForgotten(t *testing.T) {
	b := newBench(t)
	b.write("facts/life/tea.md", ledger)
	b.machine("facts: 2 claims")
	b.commit()
	b.write("facts/life/tea.md", without(ledger, "Porto"))
	o := b.commit()
	if o.Forgotten != 2 || !b.forgotten("Lives in Porto.") || !b.forgotten("I moved to Porto") || b.forgotten("Drinks green tea.") {
		t.Errorf("%+v", o)
	}
	if got := b.git("log", "-2", "--format=%an: %s"); got != "Ana: edit: facts/life/tea\nmemsync: forget: 2 removed by hand" {
		t.Error(got)
	}
	if got := b.git("show", "--format=", "--name-only", "HEAD~1"); got != ".memory-forgotten" {
		t.Errorf("memsync's commit holds %s", got)
	}
}

func TestMovedAndReworded(t *testing.T) {
	b := newBench(t)
	b.write("facts/life/tea.md", ledger)
	b.machine("facts: 2 claims")
	b.commit()
	b.remove("facts/life/tea.md")
	b.write("facts/life/home.md", strings.Replace(ledger, "Lives in Porto.", "Lives in Lisbon.", 1))
	b.commit()
	if b.forgotten("Drinks green tea.") || b.forgotten("I moved to Porto") || !b.forgotten("Lives in Porto.") {
		t.Error("a ledger that was renamed, with one claim in other words, forgets the wrong things")
	}
}

func TestRevertedClaimsAreForgotten(t *testing.T) {
	for name, take := range map[string]func(b *bench){
		"git revert":       func(b *bench) { b.git("revert", "--no-edit", "HEAD") },
		"git reset --hard": func(b *bench) { b.git("reset", "-q", "--hard", "HEAD~1") },
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			b.write("facts/life/tea.md", without(ledger, "Porto"))
			b.machine("facts: 1 claim")
			b.write("facts/life/tea.md", ledger)
			b.machine("facts: 1 more")
			b.commit()
			take(b)
			o := b.commit()
			if o.Forgotten != 2 || !b.forgotten("Lives in Porto.") || b.forgotten("Drinks green tea.") {
				t.Errorf("%+v", o)
			}
			if raw, _ := os.ReadFile(filepath.Join(b.dir, "facts/life/tea.md")); strings.Contains(string(raw), "Porto") {
				t.Error("the claim is back")
			}
		})
	}
}

func TestAnotherBranchForgetsNothing(t *testing.T) {
	b := newBench(t)
	b.write("facts/life/tea.md", without(ledger, "Porto"))
	b.machine("facts: 1 claim")
	b.git("branch", "old")
	b.write("facts/life/tea.md", ledger)
	b.machine("facts: 1 more")
	b.commit()
	b.git("checkout", "-q", "old")
	if o := b.commit(); o.Forgotten != 0 || o.Commit != "" {
		t.Errorf("%+v", o)
	}
	b.git("checkout", "-q", "main")
	if o := b.commit(); o.Forgotten != 0 || o.Commit != "" {
		t.Errorf("%+v", o)
	}
}

func TestADiskThatIsNotThereIsNotADeletion(t *testing.T) {
	b := newBench(t)
	for i := range 30 {
		b.write(fmt.Sprintf("n%d.md", i), "x\n")
	}
	b.commit()
	for i := range 25 {
		b.remove(fmt.Sprintf("n%d.md", i))
	}
	if o := b.commit(); o.Waits == "" || o.Commit != "" {
		t.Errorf("%+v", o)
	}
	for i := range 24 { // the sync comes through; one was really deleted
		b.write(fmt.Sprintf("n%d.md", i), "x\n")
	}
	if o := b.commit(); !cmp.Equal(o.Files, []vault.Path{"n24.md"}) {
		t.Errorf("%+v", o)
	}
}

func TestAVaultInASubfolderOfARepository(t *testing.T) {
	b := newBench(t)
	b.write("code/main.go", "package main\n")
	b.write("memory/a.md", "1\n")
	repo := b.dir
	b.dir = filepath.Join(repo, "memory")
	b.open()
	o := b.commit()
	if !cmp.Equal(o.Files, []vault.Path{"a.md"}) {
		t.Errorf("%+v", o)
	}
	b.dir = repo
	if got := b.git("ls-tree", "-r", "--name-only", "HEAD"); got != "memory/a.md" {
		t.Error(got)
	}
}
