package daemon

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A disk is a real one of a few megabytes, which can be filled.
type disk struct {
	t   *testing.T
	dir string
}

// newDisk mounts a disk of so many megabytes. Only root may.
func newDisk(t *testing.T, megabytes string) disk {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("memsync", dir, "tmpfs", 0, "size="+megabytes+"m"); err != nil {
		t.Skipf("a disk of its own cannot be mounted here, which root may: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return disk{t, dir}
}

func (d disk) ballast() string { return filepath.Join(d.dir, "ballast") }

// fill leaves so many bytes free.
func (d disk) fill(free int64) {
	d.t.Helper()
	f, err := os.OpenFile(d.ballast(), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer f.Close()
	page := make([]byte, 4096)
	for err == nil {
		_, err = f.Write(page)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		d.t.Fatal(err)
	}
	info, err := f.Stat()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := f.Truncate(max(0, info.Size()-free)); err != nil {
		d.t.Fatal(err)
	}
}

func (d disk) empty() {
	d.t.Helper()
	if err := os.Remove(d.ballast()); err != nil {
		d.t.Fatal(err)
	}
}

// oneSentence: what a command that failed says is one line, and what to try.
func oneSentence(t *testing.T, what string, said []byte, has string) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	for len(lines) > 1 && strings.HasPrefix(lines[0], "time=") {
		lines = lines[1:] // the log of watch
	}
	t.Logf("%s: %s", what, strings.Join(lines, "; "))
	if !strings.HasPrefix(lines[0], "memsync: ") || !strings.Contains(lines[0], has) {
		t.Errorf("%s: it says %q, without %q", what, said, has)
	}
	if len(lines) != 2 || !strings.HasPrefix(lines[1], "  try: ") {
		t.Errorf("%s: it does not say one sentence, and what to try:\n%s", what, said)
	}
}

// fails runs a command that is to fail, or to end well all the same. It returns
// what it said on stderr.
func (p *patient) fails(args ...string) (said []byte, failed bool) {
	p.t.Helper()
	cmd := p.command(args...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	err := cmd.Run()
	return errs.Bytes(), err != nil
}

// TestAFullDisk has the disk run full at every kind of work, with more and more
// room left before. What fails says so in one sentence, nothing is lost, and with
// room again the same command does its work.
func TestAFullDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	bin := program(t)
	for name, work := range map[string]struct {
		before func(p *patient)
		args   func(p *patient) []string
	}{
		"import":  {nil, func(p *patient) []string { return []string{"import", "--no-synth", p.export()} }},
		"synth":   {func(p *patient) { p.must("import", "--no-synth", p.export()) }, func(*patient) []string { return []string{"synth"} }},
		"rebuild": {nil, func(*patient) []string { return []string{"index", "--rebuild"} }},
		"index":   {func(p *patient) { p.edit() }, func(*patient) []string { return []string{"index"} }},
		"commit":  {func(p *patient) { p.edit() }, func(*patient) []string { return []string{"commit"} }},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDisk(t, "24")
			p := newPatientAt(t, bin, rand.New(rand.NewPCG(5, 6)), t.TempDir(), d.dir)
			p.must("import", p.export())
			p.addOkapi("The okapi drinks tea.")
			p.git("add", "-A")
			p.git("commit", "-q", "-m", "settings")
			failures := 0
			for _, free := range []int64{0, 4 << 10, 16 << 10, 64 << 10, 300 << 10} {
				if work.before != nil {
					work.before(p)
				}
				args := work.args(p)
				d.fill(free)
				said, failed := p.fails(args...)
				p.answers("The okapi drinks tea.")
				d.empty()
				if failed {
					failures++
					oneSentence(t, args[0], said, "no space left on device")
				}
				p.gitHolds()
				p.editsHold()
				p.transcriptsHold()
				p.must(args...)
				if t.Failed() {
					return
				}
			}
			if failures == 0 {
				t.Error("nothing failed")
			}
			p.examine()
		})
	}
}

// TestAFullDiskAndNoOther: where there is room nowhere, questions are answered from
// the index as it lies there, and the answer says what it may lack.
func TestAFullDiskAndNoOther(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	d := newDisk(t, "24")
	p := newPatientAt(t, program(t), rand.New(rand.NewPCG(5, 6)), d.dir, d.dir)
	temp := filepath.Join(d.dir, "tmp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	p.env = append(p.env, "TMPDIR="+temp)
	p.addOkapi("The okapi drinks tea.")
	p.must("index")
	p.save("mine/2.md", "not in the index\n")
	for _, free := range []int64{0, 4 << 10, 16 << 10, 64 << 10} {
		d.fill(free)
		out, err := p.command("search", "okapi").Output()
		said, _ := p.command("status").Output()
		d.empty()
		lacks := "no space left on device); 1 note that changed may be missing from this answer"
		if err != nil || !strings.Contains(string(out), "The okapi drinks tea.") || !strings.Contains(string(out), lacks) {
			t.Errorf("%d bytes free: %v\n%s", free, err, out)
		}
		if free < 32<<10 && !strings.Contains(string(said), "the index cannot be written") { // more is enough for reading
			t.Errorf("%d bytes free: status says\n%s", free, said)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if out := p.must("search", "not in the index"); !strings.Contains(out, "mine/2.md") {
		t.Errorf("with room again: %s", out)
	}
}

// TestADiskThatFillsBesideTheDaemon: edits that come while there is no room are
// found and committed once there is.
func TestADiskThatFillsBesideTheDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	d := newDisk(t, "24")
	p := newPatientAt(t, program(t), rand.New(rand.NewPCG(5, 6)), t.TempDir(), d.dir)
	p.must("import", p.export())
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "settings")
	watching := p.command("watch")
	var said bytes.Buffer
	watching.Stderr = &said
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
	committed := func(subject string) func() bool {
		return func() bool { return strings.Contains(p.git("log", "--format=%s"), subject) }
	}
	p.save("mine/before.md", "before\n")
	p.mine["mine/before.md"] = "before\n"
	until(t, 30*time.Second, "the first edit is committed", committed("edit: mine/before"))
	for range 3 {
		p.mine["mine/full.md"] += "full\n"
		p.save("mine/full.md", p.mine["mine/full.md"])
		d.fill(0)
		time.Sleep(1500 * time.Millisecond) // longer than the daemon waits for quiet
		if err := watching.Process.Signal(syscall.Signal(0)); err != nil {
			t.Fatalf("the daemon ended: %v\n%s", err, said.String())
		}
		if out := p.must("search", "before"); !strings.Contains(out, "mine/before.md") {
			t.Errorf("nothing can be asked of the daemon: %s", out)
		}
		d.empty()
		p.gitHolds()
		p.editsHold()
	}
	p.save("mine/after.md", "after\n")
	p.mine["mine/after.md"] = "after\n"
	until(t, 30*time.Second, "with room again all is committed", func() bool {
		return committed("mine/after")() && p.git("status", "--porcelain") == ""
	})
	if out := p.must("search", "after"); !strings.Contains(out, "mine/after.md") {
		t.Errorf("not found:\n%s", out)
	}
	if err := watching.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := watching.Wait(); err != nil {
		t.Errorf("watch: %v\n%s", err, said.String())
	}
	ended = true
	// Whatever it said of the disk names a file, and no number of SQLite's.
	for line := range strings.Lines(said.String()) {
		t.Log(strings.TrimSpace(line))
		if strings.Contains(line, "level=WARN") && !strings.Contains(line, "msg=http") && !strings.Contains(line, "no space left on device") {
			t.Errorf("watch says %s", line)
		}
	}
	p.examine()
}

// okapi is a note of the person's that the searches of answers look for.
const okapi = "mine/okapi.md"

// addOkapi adds a line to it.
func (p *patient) addOkapi(line string) {
	p.t.Helper()
	p.mine[okapi] += line + "\n"
	p.save(okapi, p.mine[okapi])
}

// answers: questions are answered, of the notes as they are, whatever cannot be
// written. It returns what was said about the answer.
func (p *patient) answers(words string, flags ...string) []string {
	p.t.Helper()
	cmd := p.command(append([]string{"search", words, "--json"}, flags...)...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var r struct {
		Fresh bool
		Hits  []struct{ Path, Snippet string }
		Notes []string
	}
	if err != nil || json.Unmarshal(out, &r) != nil || errs.Len() > 0 {
		p.t.Fatalf("nothing can be asked: %v\n%s%s", err, out, errs.String())
	}
	if len(r.Hits) == 0 || r.Hits[0].Path != okapi || !strings.Contains(r.Hits[0].Snippet, words) || !r.Fresh {
		p.t.Fatalf("%s is not what is found: %s", okapi, out)
	}
	return r.Notes
}

// serves asks a server of its own and returns what it answers.
func (p *patient) serves(words string) string {
	p.t.Helper()
	cmd := p.command("serve", "--addr", "127.0.0.1:0")
	errs, err := cmd.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	defer func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	}()
	line, err := bufio.NewReader(errs).ReadString('\n')
	_, url, ok := strings.Cut(strings.TrimSpace(line), "answering at ")
	if err != nil || !ok {
		p.t.Fatalf("serve says %q, %v", line, err)
	}
	answer, err := http.Post(url+"/query", "application/json", strings.NewReader(`{"query":"`+words+`"}`))
	if err != nil {
		p.t.Fatal(err)
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(said)
}

// TestReadOnly: a vault, or a folder of what memsync keeps beside it, that cannot
// be written is said in one sentence, and questions are answered all the same.
func TestReadOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	d, state, cache, data := newDisk(t, "24"), newDisk(t, "24"), newDisk(t, "24"), newDisk(t, "24")
	p := newPatientAt(t, program(t), rand.New(rand.NewPCG(5, 6)), t.TempDir(), d.dir)
	temp := t.TempDir()
	p.env = append(p.env, "XDG_STATE_HOME="+state.dir, "XDG_CACHE_HOME="+cache.dir, "XDG_DATA_HOME="+data.dir, "TMPDIR="+temp)
	p.must("import", p.export())
	p.addOkapi("The okapi drinks tea.")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "okapi")
	p.must("index")
	p.serves("okapi") // makes its token
	export := p.export()
	for _, test := range []struct {
		what     string
		disk     disk
		commands []string // besides searching
	}{
		{"the vault", d, []string{"import", "synth", "commit"}}, // which can be followed all the same
		{"the state folder", state, []string{"import", "synth", "commit", "watch"}},
		{"the cache", cache, []string{"import", "index", "watch"}},
		{"the store of originals", data, nil},
	} {
		words := "The okapi drinks tea."
		if test.disk != d { // so that the index has something to learn
			words = "The okapi is beside " + test.what + "."
			p.addOkapi(words)
		}
		remount := func(flags uintptr) {
			t.Helper()
			if err := syscall.Mount("", test.disk.dir, "", syscall.MS_REMOUNT|flags, ""); err != nil {
				t.Fatal(err)
			}
		}
		remount(syscall.MS_RDONLY)
		for _, name := range test.commands {
			args := []string{name}
			if name == "import" {
				args = append(args, export)
			}
			said, failed := p.fails(args...)
			if !failed {
				if name != "synth" { // which may have nothing to write
					t.Errorf("%s is read-only, and memsync %s ends well", test.what, name)
				}
				continue
			}
			oneSentence(t, test.what+": "+name, said, "read-only file system")
		}
		aside := test.disk == state || test.disk == cache
		said := func(notes []string) {
			t.Helper()
			t.Logf("%s: search: %q", test.what, notes)
			all := strings.Join(notes, " ")
			if aside != (strings.Contains(all, "copy of the index") && strings.Contains(all, "read-only file system")) {
				t.Errorf("%s: search says %q", test.what, notes)
			}
		}
		said(p.answers(words))
		if test.disk == cache {
			said(p.answers("The okapi drinks tea.", "--at", "HEAD"))
		}
		for _, args := range [][]string{{"get", okapi}, {"context", words}} {
			if out := p.must(args...); !strings.Contains(out, words) {
				t.Errorf("%s: memsync %s says %s", test.what, args[0], out)
			}
		}
		if aside {
			if said := p.serves("okapi"); !strings.Contains(said, okapi) || strings.Contains(said, `"fresh":true`) != (test.disk == cache) {
				t.Errorf("%s: serve answers %s", test.what, said)
			}
		}
		if out := p.must("status"); test.disk == cache && !strings.Contains(out, "the index cannot be written: ") {
			t.Errorf("%s: status says %s", test.what, out)
		}
		if test.disk != d {
			out, err := p.command("doctor", "--deep").Output()
			if err == nil || strings.Count(string(out), "broken: ") != 1 || !strings.Contains(string(out), "read-only file system") {
				t.Errorf("%s: doctor says %v\n%s", test.what, err, out)
			}
		}
		remount(0)
	}
	// Without an index one is made for the answer.
	if err := os.RemoveAll(filepath.Join(cache.dir, "memsync")); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", cache.dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	p.answers("The okapi drinks tea.")
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	if err := syscall.Mount("", cache.dir, "", syscall.MS_REMOUNT, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".git", "index.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a lock is left behind")
	}
	p.must("import", export)
}
