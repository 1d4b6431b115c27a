package daemon

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// git runs git in the place's vault.
func (p *place) git(t testing.TB, args ...string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	cmd := exec.Command("git", append([]string{"-C", p.dir}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// TestCheckoutOfAnotherBranch has git change, take away and add thousands of notes
// at once while a daemon runs. The index follows, nothing is committed and nothing
// forgotten, there and back.
func TestCheckoutOfAnotherBranch(t *testing.T) {
	const notes = 2000
	p := newPlace(t)
	p.repository(t)
	name := func(branch string, i int) string {
		if i%3 == 2 { // a third has other names there
			return fmt.Sprintf("%s/%d/%d.md", branch, i%40, i)
		}
		return fmt.Sprintf("notes/%d/%d.md", i%40, i)
	}
	r := rand.New(rand.NewPCG(3, 4))
	word := func(branch string, i int) string { return fmt.Sprintf("%sword%d", branch, i) }
	for _, branch := range []string{"other", "main"} {
		p.git(t, "checkout", "-q", "--orphan", branch)
		p.git(t, "rm", "-r", "-q", "-f", "--ignore-unmatch", ".")
		for i := range notes {
			p.write(t, name(branch, i), word(branch, i)+" "+prose(r, 100))
		}
		p.write(t, "facts/life/tea.md", "---\ntype: facts\n---\n\n- Drinks tea on "+branch+". ^f-1\n")
		p.git(t, "add", "-A")
		p.git(t, "commit", "-q", "-m", branch)
	}
	p.quiet = 50 * time.Millisecond
	d := p.start(t)
	tips := p.git(t, "for-each-ref", "--format=%(objectname)")
	for _, branch := range []string{"other", "main", "other"} {
		p.git(t, "checkout", "-q", branch)
		o, done := d.Open()
		until(t, 60*time.Second, "the index follows to "+branch, func() bool {
			if !d.InStep() {
				return false
			}
			report, err := o.Index.Sync(t.Context(), o.Vault)
			return err == nil && !report.Changed() && report.Unchanged == notes+1
		})
		done()
		for range 20 {
			i := r.IntN(notes)
			if !finds(t, d, word(branch, i), name(branch, i)) {
				t.Errorf("%s is not found on %s", name(branch, i), branch)
			}
		}
	}
	o, done := d.Open()
	defer done()
	if out, err := o.Edits.Commit(t.Context()); err != nil || out.Commit != "" || out.Forgotten != 0 || out.Waits != "" {
		t.Errorf("%+v, %v", out, err)
	}
	if now := p.git(t, "for-each-ref", "--format=%(objectname)"); now != tips || p.git(t, "status", "--porcelain") != "" {
		t.Errorf("branches were at\n%s\nand are at\n%s\n%s\n%s", tips, now, p.git(t, "status", "--porcelain"), p.git(t, "log", "--all", "--stat", "-4"))
	}
}

// TestAVaultThatIsDeletedAndMadeAgain: the folder goes away with all that is in it,
// and another one, cloned from elsewhere, takes its place.
func TestAVaultThatIsDeletedAndMadeAgain(t *testing.T) {
	p := newPlace(t)
	p.repository(t)
	p.quiet = 50 * time.Millisecond
	p.watch.Tick = 50 * time.Millisecond
	p.write(t, "a.md", "tea\n")
	p.write(t, "deep/b.md", "coffee\n")
	p.git(t, "add", "-A")
	p.git(t, "commit", "-q", "-m", "all")
	d := p.start(t)
	elsewhere := filepath.Join(filepath.Dir(p.dir), "elsewhere")
	p.git(t, "clone", "-q", p.dir, elsewhere)
	for round := range 3 {
		until(t, 10*time.Second, "the folder is deleted", func() bool { // git's folder may get an object meanwhile
			return os.RemoveAll(p.dir) == nil
		})
		if round > 0 { // for long enough to be noticed
			until(t, 10*time.Second, "its going is noticed", func() bool { return d.State().Error != "" && !d.InStep() })
		}
		out, err := exec.Command("git", "clone", "-q", elsewhere, p.dir).CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		word := fmt.Sprintf("round%d", round)
		p.write(t, "deep/b.md", word+"\n")
		until(t, 10*time.Second, "the new one is followed", func() bool { return d.InStep() && finds(t, d, word, "deep/b.md") && finds(t, d, "tea", "a.md") })
	}
	if out := p.git(t, "log", "--format=%s", "--diff-filter=D"); out != "" {
		t.Errorf("a deletion was committed: %s", out)
	}
}

// TestRenamesKeepVectors: whatever way a note gets another name, none of its texts
// is embedded again.
func TestRenamesKeepVectors(t *testing.T) {
	for name, move := range map[string]func(p *place) error{
		"a folder": func(p *place) error { return os.Rename(filepath.Join(p.dir, "old"), filepath.Join(p.dir, "new")) },
		"another case, then a folder": func(p *place) error {
			if err := os.Rename(filepath.Join(p.dir, "old"), filepath.Join(p.dir, "OLD")); err != nil {
				return err
			}
			return os.Rename(filepath.Join(p.dir, "OLD"), filepath.Join(p.dir, "new"))
		},
		"a copy, and the old one deleted, as sync tools do": func(p *place) error {
			if err := os.CopyFS(filepath.Join(p.dir, "new"), os.DirFS(filepath.Join(p.dir, "old"))); err != nil {
				return err
			}
			return os.RemoveAll(filepath.Join(p.dir, "old"))
		},
		"git mv": func(p *place) error {
			return exec.Command("git", "-C", p.dir, "mv", "old", "new").Run()
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			p.repository(t)
			e := &counting{Embedder: model(t)}
			p.e = e
			p.write(t, "old/a.md", "# Keeper\n\nThe lighthouse keeper drinks green tea.\n")
			p.write(t, "old/b.md", "# Boat\n\nThe ferry leaves at seven.\n")
			p.git(t, "add", "-A")
			p.git(t, "commit", "-q", "-m", "all")
			d := p.start(t)
			before := e.texts.Load()
			if before == 0 {
				t.Fatal("nothing was embedded")
			}
			if err := move(p); err != nil {
				t.Fatal(err)
			}
			until(t, 5*time.Second, "found under the new name", func() bool {
				return finds(t, d, "lighthouse", "new/a.md") && finds(t, d, "ferry", "new/b.md") && !finds(t, d, "ferry", "old/b.md")
			})
			if again := e.texts.Load() - before; again != 0 {
				t.Errorf("%d texts were embedded again", again)
			}
		})
	}
}
