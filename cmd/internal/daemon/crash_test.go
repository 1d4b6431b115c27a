package daemon

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/sync/importer/exportgen"
	"github.com/memsync/memsync/vault"
)

// Processes are killed at random moments of their work, and what they leave is
// looked at:
//
//	go test ./cmd/internal/daemon -run Crash -rounds 300 -timeout 1h -v
var (
	rounds    = flag.Int("rounds", 5, "how many processes the crash test kills")
	crashSeed = flag.Uint64("crash-seed", 0, "which moments the crash test chooses; 0 is another each time")
)

// vaultRounds is how many processes die over the same vault.
const vaultRounds = 20

// program builds memsync, once for a test binary.
func program(t testing.TB) string {
	t.Helper()
	for _, tool := range []string{"git", "go"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	bin := filepath.Join(t.TempDir(), "memsync")
	out, err := exec.Command("go", "build", "-o", bin, "github.com/memsync/memsync/cmd/memsync").CombinedOutput()
	if err != nil {
		t.Fatalf("build memsync: %v\n%s", err, out)
	}
	return bin
}

// A patient is a vault with a person who edits it and processes that die over it.
type patient struct {
	t       testing.TB
	r       *rand.Rand
	bin     string
	home    string
	dir     string
	env     []string
	mine    map[string]string // the person's notes as they last saved them
	lines   map[string]string // lines that they added to memsync's pages, by page
	exports []string
	told    int // conversations in the exports
	saves   int
}

func newPatient(t testing.TB, bin string, r *rand.Rand) *patient {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return newPatientAt(t, bin, r, home, home)
}

// newPatientAt has the vault, and what memsync keeps beside it, in a folder of their
// own.
func newPatientAt(t testing.TB, bin string, r *rand.Rand, home, disk string) *patient {
	t.Helper()
	p := &patient{
		t: t, r: r, bin: bin, home: home, dir: filepath.Join(disk, "vault"),
		mine: map[string]string{}, lines: map[string]string{},
	}
	p.env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_DATA_HOME=",
		"XDG_RUNTIME_DIR=", "MEMSYNC_VAULT=", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+filepath.Join(home, ".gitconfig"))
	if disk != home {
		for _, kind := range []string{"CACHE", "STATE", "DATA"} {
			p.env = append(p.env, "XDG_"+kind+"_HOME="+filepath.Join(disk, strings.ToLower(kind)))
		}
	}
	person := "[user]\n\tname = Ana\n\temail = ana@example.org\n[init]\n\tdefaultBranch = main\n"
	if err := os.WriteFile(filepath.Join(home, ".gitconfig"), []byte(person), 0o600); err != nil {
		t.Fatal(err)
	}
	p.must("init", p.dir)
	p.save(".memoryrc", "commit_quiet: 1s\n")
	return p
}

// save is what an editor does, by a temporary file and a rename.
func (p *patient) save(name, text string) {
	p.t.Helper()
	name = filepath.Join(p.dir, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		p.t.Fatal(err)
	}
	p.saves++
	temp := filepath.Join(filepath.Dir(name), fmt.Sprintf(".edit%d.swp", p.saves))
	if err := os.WriteFile(temp, []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Rename(temp, name); err != nil {
		p.t.Fatal(err)
	}
}

// edit is one edit of the person's: of a note of theirs, or a line more in a page
// of memsync's.
func (p *patient) edit() {
	p.t.Helper()
	if pages := p.pages(); len(pages) > 0 && p.r.IntN(4) == 0 {
		page := pages[p.r.IntN(len(pages))]
		raw, err := os.ReadFile(filepath.Join(p.dir, page))
		if err != nil || p.lines[page] != "" {
			return
		}
		line := fmt.Sprintf("A line of mine, number %d.\n", p.saves)
		p.save(page, string(raw)+"\n"+line)
		// Between reading and saving a pass may have written: then the editor
		// has put the older page back with the line, as editors do.
		p.lines[page] = line
		return
	}
	name := fmt.Sprintf("mine/%d.md", p.r.IntN(12))
	p.mine[name] = prose(p.r, 200+p.r.IntN(2000))
	p.save(name, p.mine[name])
}

// pages are memsync's pages that a person might add to.
func (p *patient) pages() []string {
	var pages []string
	for _, folder := range []string{"sessions", "memory"} {
		_ = filepath.WalkDir(filepath.Join(p.dir, folder), func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(name, ".md") {
				rel, _ := filepath.Rel(p.dir, name)
				pages = append(pages, filepath.ToSlash(rel))
			}
			return nil
		})
	}
	return pages
}

// export writes another export to import.
func (p *patient) export() string {
	p.t.Helper()
	name := filepath.Join(p.home, fmt.Sprintf("export-%d.json", len(p.exports)))
	f, err := os.Create(name)
	if err != nil {
		p.t.Fatal(err)
	}
	stats, err := exportgen.Generate(f, 40_000, p.r.Uint64())
	if err := errors.Join(err, f.Close()); err != nil {
		p.t.Fatal(err)
	}
	p.exports = append(p.exports, name)
	p.told += stats.Conversations
	return name
}

func (p *patient) command(args ...string) *exec.Cmd {
	cmd := exec.Command(p.bin, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	if len(args) > 0 && args[0] == "init" {
		cmd.Dir = p.home
	}
	return cmd
}

// must runs a command that must end well.
func (p *patient) must(args ...string) string {
	p.t.Helper()
	out, err := p.command(args...).CombinedOutput()
	if err != nil {
		p.t.Fatalf("memsync %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func (p *patient) git(args ...string) string {
	p.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", p.dir, "-c", "core.quotePath=off"}, args...)...)
	cmd.Env = p.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		p.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// kill starts a command, lets the person edit meanwhile, and kills it after a
// time between nothing and what it would take.
func (p *patient) kill(most time.Duration, args ...string) (moment time.Duration) {
	p.t.Helper()
	cmd := p.command(args...)
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	moment = time.Duration(p.r.Int64N(int64(most)))
	end := time.After(moment)
	for editing := true; editing; {
		select {
		case <-end:
			editing = false
		case <-time.After(time.Duration(p.r.IntN(60)) * time.Millisecond):
			p.edit()
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	return moment
}

// round kills one process.
func (p *patient) round() string {
	p.t.Helper()
	p.edit()
	var what string
	var at time.Duration
	switch p.r.IntN(5) {
	case 0:
		what, at = "import", p.kill(500*time.Millisecond, "import", p.export())
	case 1:
		what, at = "watch", p.kill(900*time.Millisecond, "watch")
	case 2:
		what, at = "commit", p.kill(1500*time.Millisecond, "watch") // after the quiet second
	case 3:
		p.must("import", "--no-synth", p.export())
		what, at = "synth", p.kill(400*time.Millisecond, "synth")
	case 4:
		what, at = "rebuild", p.kill(300*time.Millisecond, "index", "--rebuild")
	}
	return fmt.Sprintf("%s killed after %s", what, at.Round(time.Millisecond))
}

// examine looks at what is left as it is, has the next processes go on, and looks
// again.
func (p *patient) examine() {
	p.t.Helper()
	p.gitHolds()
	p.editsHold()
	p.transcriptsHold()
	for _, e := range p.exports {
		p.must("import", "--no-synth", e)
	}
	p.must("synth")
	p.must("index")
	p.editsHold()
	p.nothingTwice()
	p.must("doctor", "--deep") // the index says what one built from nothing says
	p.gitHolds()
	p.nothingLeft()
}

func (p *patient) gitHolds() {
	p.t.Helper()
	if out := p.git("fsck", "--strict", "--no-dangling"); strings.Contains(out, "error") || strings.Contains(out, "missing") {
		p.t.Fatalf("git fsck: %s", out)
	}
}

// editsHold: what the person saved is there, to the byte.
func (p *patient) editsHold() {
	p.t.Helper()
	for name, text := range p.mine {
		raw, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil || string(raw) != text {
			p.t.Fatalf("%s is not what was saved last: %v", name, err)
		}
	}
	for page, line := range p.lines {
		raw, err := os.ReadFile(filepath.Join(p.dir, page))
		if err != nil || !strings.Contains(string(raw), line) {
			p.t.Fatalf("%s has lost %q: %v", page, line, err)
		}
	}
}

// transcriptsHold: each is whole or not there.
func (p *patient) transcriptsHold() {
	p.t.Helper()
	for _, n := range p.notes("transcripts") {
		if n.Err() != nil || n.Type() != vault.TypeTranscript || len(vault.ParseTranscript(n).Turns) == 0 {
			p.t.Fatalf("%s is not whole: %v", n.Path, n.Err())
		}
	}
}

func (p *patient) notes(folder vault.Path) []*vault.Note {
	p.t.Helper()
	v, err := vault.Open(p.dir, vault.Config{})
	if err != nil {
		p.t.Fatal(err)
	}
	defer v.Close()
	entries, err := v.WalkUnder(p.t.Context(), folder)
	if err != nil {
		p.t.Fatal(err)
	}
	var notes []*vault.Note
	for _, e := range entries {
		n, err := v.Note(e.Path)
		if err != nil {
			p.t.Fatal(err)
		}
		notes = append(notes, n)
	}
	return notes
}

// nothingTwice: every conversation was imported, once, has at most one summary,
// and no claim stands in the ledgers twice.
func (p *patient) nothingTwice() {
	p.t.Helper()
	seen := map[string]vault.Path{}
	once := func(what, id string, at vault.Path) {
		if was, ok := seen[what+id]; ok {
			p.t.Fatalf("%s %s stands in %s and in %s", what, id, was, at)
		}
		seen[what+id] = at
	}
	transcripts := p.notes("transcripts")
	for _, n := range transcripts {
		once("conversation ", n.Prop("conversation"), n.Path)
	}
	if len(transcripts) != p.told {
		p.t.Fatalf("%d transcripts of %d conversations", len(transcripts), p.told)
	}
	for _, n := range p.notes("sessions") {
		once("session ", n.ID(), n.Path)
	}
	for _, n := range p.notes("facts") {
		for _, c := range n.Claims() {
			once("claim ", c.ID+" "+c.Text, n.Path)
		}
	}
}

// nothingLeft: nothing of a dead process lies about, and all that memsync made is
// in a commit of its own.
func (p *patient) nothingLeft() {
	p.t.Helper()
	_ = filepath.WalkDir(p.dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			p.t.Fatal(err)
		case vault.IsTemp(d.Name()), strings.HasSuffix(name, ".lock") && d.Name() != "memsync.lock", strings.HasPrefix(d.Name(), "memsync-new-"), d.Name() == "memsync.commit":
			p.t.Fatalf("%s is left behind", name)
		}
		return nil
	})
	for line := range strings.Lines(p.git("status", "--porcelain", "--untracked-files=all")) {
		name := strings.Trim(strings.TrimSpace(line[2:]), `"`)
		if _, mine := p.mine[name]; !mine && p.lines[name] == "" && name != ".memoryrc" {
			p.t.Fatalf("not committed, and not the person's: %s", line)
		}
	}
	// No commit of memsync's holds a note of the person's.
	out := p.git("log", "--format=%x00%ae", "--name-only", "--", "mine")
	for commit := range strings.SplitSeq(out, "\x00") {
		if strings.HasPrefix(commit, "memsync@") {
			p.t.Fatalf("memsync committed the person's notes: %s", commit)
		}
	}
}

// sameAsUncrashed: the transcripts are those of imports that nobody disturbed.
func (p *patient) sameAsUncrashed() {
	p.t.Helper()
	q := newPatient(p.t, p.bin, p.r)
	for _, e := range p.exports {
		q.must("import", "--no-synth", e)
	}
	want, got := map[string]string{}, map[string]string{}
	for _, n := range q.notes("transcripts") {
		want[string(n.Path)] = string(n.Bytes())
	}
	for _, n := range p.notes("transcripts") {
		got[string(n.Path)] = string(n.Bytes())
	}
	var differ []string
	for name, text := range want {
		if got[name] != text {
			differ = append(differ, name)
		}
	}
	if slices.Sort(differ); len(differ) > 0 || len(got) != len(want) {
		p.t.Fatalf("%d transcripts where there should be %d; these differ: %v", len(got), len(want), differ)
	}
}

func TestCrash(t *testing.T) {
	if testing.Short() {
		t.Skip("starts and kills processes")
	}
	seed := *crashSeed
	if seed == 0 {
		seed = rand.Uint64()
	}
	t.Logf("-crash-seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	bin := program(t)
	killed := map[string]int{}
	for done := 0; done < *rounds; {
		p := newPatient(t, bin, r)
		for range min(vaultRounds, *rounds-done) {
			what := p.round()
			done++
			name, _, _ := strings.Cut(what, " ")
			killed[name]++
			if *rounds > 20 && done%10 == 0 {
				t.Logf("round %d: %s", done, what)
			}
			p.examine()
			if t.Failed() {
				t.Fatalf("round %d: %s", done, what)
			}
		}
		p.sameAsUncrashed()
	}
	t.Logf("killed: %v", killed)
}
