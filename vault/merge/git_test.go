package merge

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// rounds is kept low for everyday runs; the figures in the table below were
// seen over several thousand.
var rounds = flag.Int("rounds", 250, "random merges per kind of text to compare with git merge-file")

// gitMerge runs `git merge-file --ours`, which resolves conflicts as Three does,
// and once more for the number of conflicts.
func gitMerge(t *testing.T, dir string, base, ours, theirs []byte) (merged []byte, conflict bool) {
	t.Helper()
	for name, text := range map[string][]byte{"base": base, "ours": ours, "theirs": theirs} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Error(err)
		}
	}
	run := func(args ...string) ([]byte, int) {
		cmd := exec.Command("git", append([]string{"merge-file", "-p", "-q"}, args...)...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			return out, exit.ExitCode()
		} else if err != nil {
			t.Error(err)
		}
		return out, 0
	}
	out, n := run("ours", "base", "theirs")
	if n == 0 {
		return out, false
	}
	out, _ = run("--ours", "ours", "base", "theirs")
	return out, true
}

// edit changes a text as people do: a few lines replaced, removed and added. New
// lines come from fresh, so that the same line need not occur twice.
func edit(r *rand.Rand, text []string, fresh func() string) []string {
	out := append([]string(nil), text...)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(out) + 1)
		n := min(r.IntN(3), len(out)-at)
		var added []string
		for range r.IntN(3) {
			added = append(added, fresh())
		}
		out = append(out[:at:at], append(added, out[at+n:]...)...)
	}
	return out
}

func join(r *rand.Rand, text []string) []byte {
	var out bytes.Buffer
	for i, line := range text {
		out.WriteString(line)
		if i+1 < len(text) || r.IntN(8) > 0 {
			out.WriteString("\n")
		}
	}
	return out.Bytes()
}

// TestAgainstGit compares with git merge-file. Where lines do not repeat, there
// is one shortest script and the two must agree in every case. Where lines
// repeat, several scripts are equally short, and git may choose another one.
func TestAgainstGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	rounds := *rounds
	tests := []struct {
		name     string
		alphabet int // distinct lines; 0 for never the same line twice
		agree    float64
	}{
		{"distinct lines", 0, 1},
		{"prose with blank lines", -1, 0.99},
		{"forty different lines", 40, 0.99},
		{"three different lines", 3, 0.92},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			same, clean := 0, 0
			var wait sync.WaitGroup
			for worker := range runtime.GOMAXPROCS(0) {
				dir := t.TempDir()
				wait.Go(func() {
					for i := worker; i < rounds; i += runtime.GOMAXPROCS(0) {
						r := rand.New(rand.NewPCG(uint64(test.alphabet), uint64(i)))
						base, ours, theirs := three(r, test.alphabet)
						want, conflict := gitMerge(t, dir, base, ours, theirs)
						got, conflicts := Three(base, ours, theirs)
						check(t, base, ours, theirs, got, conflicts)
						agreed := bytes.Equal(want, got) && conflict == (len(conflicts) > 0)
						mu.Lock()
						if agreed {
							same++
						}
						if !conflict {
							clean++
						}
						mu.Unlock()
						if !agreed && test.agree == 1 {
							t.Errorf("case %d: base %q ours %q theirs %q: git %q %v, got %q %v", i, base, ours, theirs, want, conflict, got, conflicts)
						}
					}
				})
			}
			wait.Wait()
			t.Logf("%d cases, %d clean in git, %d the same", rounds, clean, same)
			if float64(same) < test.agree*float64(rounds) {
				t.Errorf("%d of %d merges are the same as git's, want at least %.1f %%", same, rounds, 100*test.agree)
			}
		})
	}
}

func three(r *rand.Rand, alphabet int) (base, ours, theirs []byte) {
	n := 0
	fresh := func() string {
		n++
		switch {
		case alphabet > 0:
			return fmt.Sprint(r.IntN(alphabet))
		case alphabet < 0 && r.IntN(3) == 0:
			return ""
		}
		return fmt.Sprintf("line %d", n)
	}
	var text []string
	for range r.IntN(30) {
		text = append(text, fresh())
	}
	return join(r, text), join(r, edit(r, text, fresh)), join(r, edit(r, text, fresh))
}

// TestUnifiedApplies has git apply turn the one text into the other.
func TestUnifiedApplies(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for i := range 200 {
		r := rand.New(rand.NewPCG(7, uint64(i)))
		a, b, _ := three(r, i%5)
		if len(a) == 0 || len(b) == 0 || bytes.Equal(a, b) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "note.md"), a, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
		cmd.Dir = dir
		cmd.Stdin = bytes.NewReader(Unified(a, b, "a/note.md", "b/note.md"))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v: %s\n%s", err, out, Unified(a, b, "a/note.md", "b/note.md"))
		}
		got, err := os.ReadFile(filepath.Join(dir, "note.md"))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, b) {
			t.Fatalf("case %d: applying gives %q, want %q", i, got, b)
		}
	}
}
