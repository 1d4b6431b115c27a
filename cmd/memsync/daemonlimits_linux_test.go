package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// within starts daemons behind a line of shell that narrows what the system gives
// them. With apart they are in a user namespace of their own, where they are root
// and may set its limits; the machine's stay as they are.
func (p *person) within(line string, apart bool) {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	named := filepath.Join(p.t.TempDir(), "memsync") // the name makes the test's binary this program
	if err := os.Symlink(self, named); err != nil {
		p.t.Fatal(err)
	}
	shell, err := exec.LookPath("sh")
	if err != nil {
		p.t.Skip("no shell")
	}
	apartly := func(cmd *exec.Cmd) {
		if apart {
			cmd.SysProcAttr = &syscall.SysProcAttr{
				Cloneflags:  syscall.CLONE_NEWUSER,
				UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
				GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
			}
		}
	}
	try := exec.Command(shell, "-c", line)
	apartly(try)
	if out, err := try.CombinedOutput(); err != nil {
		p.t.Skipf("the system does not let its limits be narrowed: %v: %s", err, out)
	}
	p.under = func(cmd *exec.Cmd) {
		cmd.Args = append([]string{"sh", "-c", line + ` && exec "$0" "$@"`, named}, cmd.Args[1:]...)
		cmd.Path = shell
		apartly(cmd)
	}
}

// Where the system lets no more folders be watched, the rest is polled, and status
// and doctor say so and why; edits there are found all the same. The limits are the
// kernel's own.
func TestTheSystemsLimitsOfWatchedFolders(t *testing.T) {
	for name, limit := range map[string]struct {
		line, why string
		watched   int
	}{
		"watches":  {"echo 5 > /proc/sys/user/max_inotify_watches", "fs.inotify.max_user_watches", 4}, // and the queue of the hooks
		"watchers": {"echo 0 > /proc/sys/user/max_inotify_instances", "fs.inotify.max_user_instances", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel() // each mostly waits for a poll
			p := newPerson(t, t.TempDir())
			p.must("init", p.dir)
			put(t, "version: 1\nhttp:\n  addr: 127.0.0.1:0\n", 0o600, p.dir, ".memoryrc")
			const folders = 10
			for i := range folders {
				put(t, fmt.Sprintf("note %d\n", i), 0o600, p.dir, fmt.Sprintf("f%d", i), "a.md")
			}
			p.within(limit.line, true)
			_, stop := p.start("--vault", p.dir)
			var s struct {
				Daemon struct {
					Watch struct {
						Folders, Polled int
						Why             string
					}
				}
			}
			p.until("folders are polled", func() bool {
				out, _, _ := p.run("", "status", "--json")
				return json.Unmarshal([]byte(out), &s) == nil && s.Daemon.Watch.Polled > 0
			})
			if w := s.Daemon.Watch; w.Folders != limit.watched && (limit.watched == 0 || w.Folders != limit.watched+1) || w.Folders+w.Polled != folders+1 || !strings.Contains(w.Why, limit.why) {
				t.Errorf("%+v", w)
			}
			if out := p.must("status"); !matches(`^ +[0-9]+ folders are polled: .*`+limit.why, out) {
				t.Errorf("status: %s", out)
			}
			if out := p.must("doctor"); !matches(`^watch +note: [0-9]+ folders are looked at every few seconds only: .*`+limit.why, out) {
				t.Errorf("doctor: %s", out)
			}
			for i := range folders {
				put(t, fmt.Sprintf("zeppelin %d\n", i), 0o600, p.dir, fmt.Sprintf("f%d", i), "b.md")
			}
			p.until("edits in all folders are found", func() bool {
				return strings.Count(p.must("search", "zeppelin", "--mode", "keyword", "--limit", "20"), "b.md:") == folders
			})
			if out := p.must("search", "zeppelin", "--json"); !strings.Contains(out, `"fresh":false`) {
				t.Errorf("it cannot know that nothing has changed, and says so: %s", out)
			}
			stop(syscall.SIGTERM)
		})
	}
}

// A daemon that may open few files serves what comes at once one after the other,
// opens no more than it may, and works on afterwards.
func TestTheSystemsLimitOfOpenFiles(t *testing.T) {
	const limit = 64
	p := newPerson(t, t.TempDir())
	p.must("init", p.dir)
	put(t, "version: 1\nhttp:\n  addr: 127.0.0.1:0\n", 0o600, p.dir, ".memoryrc")
	put(t, "The kiln is hot.\n", 0o600, p.dir, "kiln.md")
	p.within(fmt.Sprintf("ulimit -n %d", limit), false)
	cmd, stop := p.watch("--vault", p.dir)
	var many sync.WaitGroup
	var right atomic.Int32
	var wrong atomic.Value
	turn := make(chan struct{}, limit)
	const asked = 90
	for range asked {
		many.Go(func() {
			turn <- struct{}{}
			defer func() { <-turn }()
			out, errs, status := p.run("", "search", "kiln")
			if status == exitDone && strings.Contains(out, "kiln.md:1") {
				right.Add(1)
			} else {
				wrong.Store(out + errs)
			}
		})
	}
	many.Wait()
	if right.Load() != asked { // those that the daemon could not take worked alone
		t.Errorf("%d of %d searches were answered: %v", right.Load(), asked, wrong.Load())
	}
	put(t, "The forge is hotter.\n", 0o600, p.dir, "forge.md")
	p.until("the daemon finds an edit afterwards", func() bool {
		return strings.Contains(p.must("search", "forge"), "forge.md:1")
	})
	p.inStep()
	open, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", cmd.Process.Pid))
	if err != nil || len(open) >= limit {
		t.Errorf("%d open files: %v", len(open), err)
	}
	if took := stop(syscall.SIGTERM); took > 2*longestStop {
		t.Errorf("it took %s to end", took)
	}
}
