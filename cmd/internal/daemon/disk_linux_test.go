package daemon

import (
	"bytes"
	"errors"
	"io/fs"
	"math/rand/v2"
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
	for _, line := range lines[1:] {
		if !strings.HasPrefix(line, "  try: ") {
			t.Errorf("%s: it says more than one sentence:\n%s", what, said)
			return
		}
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
				d.empty()
				if failed {
					failures++
					oneSentence(t, strings.Join(args, " "), said, "")
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
	p.examine()
}

// TestReadOnly: a vault, or the folder of what memsync keeps beside it, that cannot
// be written is said in one sentence, and asking goes on where it can.
func TestReadOnly(t *testing.T) {
	if testing.Short() {
		t.Skip("starts many processes")
	}
	d := newDisk(t, "24")
	state := newDisk(t, "24")
	p := newPatientAt(t, program(t), rand.New(rand.NewPCG(5, 6)), t.TempDir(), d.dir)
	p.env = append(p.env, "XDG_STATE_HOME="+state.dir, "XDG_CACHE_HOME="+t.TempDir(), "XDG_DATA_HOME="+t.TempDir())
	p.must("import", p.export())
	p.save("mine/1.md", "tea\n")
	p.must("index")
	export := p.export()
	for _, ro := range []disk{d, state} {
		if err := syscall.Mount("", ro.dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
			t.Skip(err)
		}
		where := map[string]string{d.dir: "the vault", state.dir: "the state folder"}[ro.dir]
		commands := [][]string{{"import", export}, {"synth"}, {"commit"}}
		if ro == state { // a vault that is only read can be followed all the same
			commands = append(commands, []string{"watch"})
		}
		for _, args := range commands {
			said, failed := p.fails(args...)
			if !failed {
				if args[0] != "synth" { // which may have nothing to write
					t.Errorf("%s is read-only, and memsync %s ends well", where, args[0])
				}
				continue
			}
			oneSentence(t, where+": "+args[0], said, "read-only file system")
		}
		if said, failed := p.fails("search", "tea"); failed {
			if ro == d {
				t.Errorf("%s is read-only, and nothing can be asked: %s", where, said)
			}
			oneSentence(t, where+": search", said, "read-only file system")
		}
		if err := syscall.Mount("", ro.dir, "", syscall.MS_REMOUNT, ""); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(filepath.Join(p.dir, ".git", "index.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("a lock is left behind")
	}
	p.must("import", export)
}
