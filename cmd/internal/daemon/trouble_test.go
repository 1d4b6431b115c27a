package daemon

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// trouble is how long git commits, rebases and checks out beside the daemon:
//
//	go test ./cmd/internal/daemon -run Trouble -trouble 5m -timeout 30m -v
var trouble = flag.Duration("trouble", 5*time.Second, "how long git and an editor make trouble")

// TestTrouble has the person use git in a loop, and an editor save twenty times a
// second, while a daemon runs that commits after a second.
func TestTrouble(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	p := newPatient(t, program(t), rand.New(rand.NewPCG(7, 8)))
	p.must("import", p.export())
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "settings")
	g := &gitUser{patient: p}

	watching := p.command("watch", "-v")
	log, err := os.Create(filepath.Join(p.home, "watch.log"))
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	watching.Stderr = log
	if err := watching.Start(); err != nil {
		t.Fatal(err)
	}
	ended := false
	defer func() {
		if !ended {
			_ = watching.Process.Kill()
			_ = watching.Wait()
		}
	}()

	// Now and then the person looks out of the window, and is committed. Their
	// git goes on a little before they do.
	start := time.Now()
	calm := func(until time.Duration) bool {
		at := time.Since(start) % (5 * time.Second)
		return at > 2200*time.Millisecond && at < until
	}
	stop := make(chan struct{})
	var users sync.WaitGroup
	saved := map[string]lastSave{}
	saves := 0
	users.Go(func() { // the editor: its notes are in no branch's way
		r := rand.New(rand.NewPCG(9, 10))
		for tick := time.Tick(50 * time.Millisecond); ; {
			select {
			case <-stop:
				return
			case <-tick:
			}
			if calm(5 * time.Second) {
				continue
			}
			name := filepath.Join(p.dir, "mine", fmt.Sprintf("%d.md", r.IntN(8)))
			saves++
			text := fmt.Sprintf("save %d\n%s", saves, prose(r, 500))
			temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".%d.swp", saves))
			began := time.Now()
			if os.MkdirAll(filepath.Dir(name), 0o755) != nil || os.WriteFile(temp, []byte(text), 0o644) != nil || os.Rename(temp, name) != nil {
				continue
			}
			saved[name] = lastSave{text, began, time.Now()}
		}
	})
	users.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(10 * time.Millisecond):
				if !calm(4 * time.Second) {
					g.step()
				}
			}
		}
	})
	if *trouble >= 10*time.Second {
		users.Go(func() { // and memsync itself writes
			for {
				select {
				case <-stop:
					return
				case <-time.After(3 * time.Second):
					_, _ = p.command("synth").CombinedOutput() // a merge may be under way
				}
			}
		})
	}
	time.Sleep(*trouble)
	close(stop)
	users.Wait()
	g.settle()

	// No edit is lost.
	for name, last := range saved {
		g.holds(name, last)
	}
	began := time.Now()
	if err := watching.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := watching.Wait(); err != nil {
		t.Errorf("watch: %v", err)
	}
	ended = true
	if took := time.Since(began); took > 2*time.Second {
		t.Errorf("stopping took %s", took)
	}
	p.gitHolds()
	g.commitsHold()
	p.must("index")
	p.must("doctor", "--deep")
	p.nothingTwice()
	words, _ := os.ReadFile(log.Name())
	t.Logf("%d saves, %d commits and %d rebases of git's, %d commits of edits, %d refusals that git met: %v", saves, g.commits, g.rebases, strings.Count(string(words), "committed edits"), g.refused, g.whys)
	if g.commits == 0 || saves == 0 || *trouble >= 5*time.Second && !strings.Contains(string(words), "committed edits") {
		t.Error("there was no trouble")
	}
}

// A lastSave is what the editor saved last under a name, and when.
type lastSave struct {
	text         string
	began, ended time.Time
}

// holds: no edit is lost. The editor's last words stand in its note, or git put
// the text of its HEAD there, as the person told it to, and then
//
//   - the words are in a commit, which they left with git checkout, or
//   - they were saved while git checkout, git rebase or the git rebase --abort that
//     followed ran. Git looks whether files are as it left them when it begins,
//     and writes later; and --abort, where a rebase stopped at a save that came
//     after it began, puts every file back.
//
// Nothing else excuses a note that is otherwise. memsync's own writes would not
// be the text of HEAD at such a moment.
func (g *gitUser) holds(name string, last lastSave) {
	g.t.Helper()
	raw, err := os.ReadFile(name)
	if err == nil && string(raw) == last.text {
		return
	}
	rel, _ := filepath.Rel(g.dir, name)
	path := filepath.ToSlash(rel)
	if err != nil || string(raw) != g.git("show", "HEAD:"+path) {
		g.t.Errorf("%s is neither what was saved last nor what HEAD has (%v)", path, err)
		return
	}
	for commit := range strings.FieldsSeq(g.git("log", "--all", "--reflog", "--format=%H", "--", path)) {
		cmd := exec.Command("git", "-C", g.dir, "cat-file", "blob", commit+":"+path)
		if text, err := cmd.Output(); err == nil && string(text) == last.text {
			g.t.Logf("%s was committed as it was saved last, and left by git checkout", path)
			return
		}
	}
	for i, c := range g.ran {
		if c.args[0] != "checkout" && c.args[0] != "rebase" {
			continue
		}
		began := c.began
		if slices.Contains(c.args, "--abort") && i > 0 && c.ok {
			began = g.ran[i-1].began // the rebase that stopped
		}
		if last.began.Before(c.ended) && last.ended.After(began) {
			g.t.Logf("%s was saved while git %s ran, which overwrote it", path, strings.Join(c.args, " "))
			return
		}
	}
	g.t.Errorf("%s is not what was saved last, at %s", path, last.began)
}

// A gitCommand is one that the person ran, and whether it ended well.
type gitCommand struct {
	args         []string
	ok           bool
	began, ended time.Time
}

// A gitUser uses git from the command line.
type gitUser struct {
	*patient
	commits, refused int
	rebases          int
	whys             map[string]int // the refusals, by what git said first
	n                int
	ran              []gitCommand
}

// try runs git, which may meet a lock of the daemon's, or a file that it would
// overwrite.
func (g *gitUser) try(args ...string) bool {
	cmd := exec.Command("git", append([]string{"-C", g.dir}, args...)...)
	cmd.Env = append(g.env, "GIT_EDITOR=true")
	began := time.Now()
	out, err := cmd.CombinedOutput()
	g.ran = append(g.ran, gitCommand{args, err == nil, began, time.Now()})
	if err != nil {
		g.refused++
		why, _, _ := strings.Cut(string(out), "\n")
		if g.whys == nil {
			g.whys = map[string]int{}
		}
		g.whys[args[0]+": "+why]++
		for _, bad := range []string{"corrupt", "fatal: bad", "index file", "missing"} {
			if strings.Contains(string(out), bad) {
				g.t.Errorf("git %s: %s", strings.Join(args, " "), out)
			}
		}
	}
	return err == nil
}

// step is one thing that a person does with git.
func (g *gitUser) step() {
	g.n++
	name := fmt.Sprintf("git/%d.md", g.n%6)
	switch g.n % 4 {
	case 0, 1: // a commit of their own, of one file
		full := filepath.Join(g.dir, name)
		if os.MkdirAll(filepath.Dir(full), 0o755) != nil || os.WriteFile(full, fmt.Appendf(nil, "by git, %d\n", g.n), 0o644) != nil {
			return
		}
		if g.try("add", name) && g.try("commit", "-q", "-m", fmt.Sprintf("git %d", g.n), "--", name) {
			g.commits++
		}
	case 2: // another branch and back, with what lies about
		if g.try("checkout", "-q", "-B", "side") {
			g.try("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("side %d", g.n))
			g.try("checkout", "-q", "main")
		}
	case 3: // put the branch on top of itself
		if g.try("rebase", "-q", "--force-rebase", "HEAD~1") {
			g.rebases++
		} else if _, err := os.Stat(filepath.Join(g.dir, ".git", "rebase-merge")); err == nil {
			g.try("rebase", "--abort")
		}
	}
}

// settle ends what was begun.
func (g *gitUser) settle() {
	g.try("rebase", "--abort")
	g.try("checkout", "-q", "main")
}

// commitsHold: each commit of memsync's holds files of memsync's alone, and each
// of the person's edits none.
func (g *gitUser) commitsHold() {
	g.t.Helper()
	layout := vault.Layout{}
	out := g.git("log", "--all", "--format=%x00%ae %s", "--name-only")
	for commit := range strings.SplitSeq(out, "\x00") {
		lines := strings.Split(strings.TrimSpace(commit), "\n")
		if !strings.HasPrefix(lines[0], history.MachineEmail+" ") || strings.Contains(lines[0], " init:") {
			continue
		}
		for _, name := range lines[1:] {
			if name = strings.TrimSpace(name); name != "" && !layout.Owns(vault.Path(name)) && !strings.HasPrefix(name, ".memory-base/") {
				g.t.Errorf("%s holds %s", lines[0], name)
			}
		}
	}
}
