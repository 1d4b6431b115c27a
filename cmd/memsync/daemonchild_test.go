package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/memsync/memsync/sync/importer/exportgen"
)

// A person is somebody with a vault, who runs memsync in processes of its own.
type person struct {
	t         *testing.T
	home, dir string
	env       []string
	// under changes how a daemon is started.
	under func(cmd *exec.Cmd)
}

func newPerson(t *testing.T, home string) *person {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("signals processes")
	}
	p := &person{t: t, home: home, dir: filepath.Join(home, "vault")}
	put(t, "[user]\n\tname = Ana\n\temail = ana@example.org\n", 0o600, home, ".gitconfig")
	p.env = []string{
		"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LANG=C.UTF-8", "NO_COLOR=1",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "GORACE=atexit_sleep_ms=0",
	}
	return p
}

// command is a process of this program: the test's binary under the program's name.
func (p *person) command(args ...string) *exec.Cmd {
	p.t.Helper()
	self, err := os.Executable()
	if err != nil {
		p.t.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Args, cmd.Env, cmd.Dir = append([]string{"memsync"}, args...), p.env, p.dir
	if _, err := os.Stat(p.dir); err != nil {
		cmd.Dir = p.home
	}
	return cmd
}

// run runs a command and returns what it prints, where, and its status.
func (p *person) run(stdin string, args ...string) (stdout, stderr string, status int) {
	p.t.Helper()
	var out, errs bytes.Buffer
	cmd := p.command(args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &errs
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		p.t.Fatal(exit, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func (p *person) must(args ...string) string {
	p.t.Helper()
	out, errs, status := p.run("", args...)
	if status != exitDone {
		p.t.Fatalf("memsync %s exits %d: %s%s", strings.Join(args, " "), status, out, errs)
	}
	return out
}

// watch starts a daemon and returns once it is in step. stop ends it with a signal
// and returns how long that took.
func (p *person) watch(args ...string) (cmd *exec.Cmd, stop func(os.Signal) time.Duration) {
	p.t.Helper()
	cmd, stop = p.start(args...)
	p.inStep()
	return cmd, stop
}

// start starts a daemon.
func (p *person) start(args ...string) (cmd *exec.Cmd, stop func(os.Signal) time.Duration) {
	p.t.Helper()
	cmd = p.command(append([]string{"watch"}, args...)...)
	var log bytes.Buffer
	cmd.Stderr = &log
	if p.under != nil {
		p.under(cmd)
	}
	if err := cmd.Start(); err != nil {
		p.t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	stopped := false
	stop = func(s os.Signal) time.Duration {
		p.t.Helper()
		stopped = true
		began := time.Now()
		if err := cmd.Process.Signal(s); err != nil {
			p.t.Fatal(err, log.String())
		}
		select {
		case err := <-ended:
			if s != syscall.SIGKILL && err != nil {
				p.t.Errorf("the daemon ends with %v: %s", err, log.String())
			}
		case <-time.After(30 * time.Second):
			p.t.Fatalf("the daemon does not end: %s", log.String())
		}
		return time.Since(began)
	}
	p.t.Cleanup(func() {
		if !stopped {
			stop(syscall.SIGKILL)
		}
	})
	return cmd, stop
}

// inStep waits until the daemon is in step with the vault.
func (p *person) inStep() {
	p.t.Helper()
	p.until("in step", func() bool {
		var s struct {
			Fresh  bool `json:"fresh"`
			Daemon struct {
				Watch struct {
					InStep bool `json:"in_step"`
				} `json:"watch"`
			} `json:"daemon"`
		}
		out, _, _ := p.run("", "status", "--json")
		return json.Unmarshal([]byte(out), &s) == nil && s.Fresh && s.Daemon.Watch.InStep
	})
}

func (p *person) until(what string, so func() bool) {
	p.t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); !so(); <-tick.C {
		if time.Since(began) > 20*time.Second {
			p.t.Fatal("it does not come to be: " + what)
		}
	}
}

// state is the vault's state folder.
func (p *person) state() string {
	p.t.Helper()
	found, err := filepath.Glob(filepath.Join(p.home, ".local", "state", "memsync", "vault-*"))
	if err != nil || len(found) != 1 {
		p.t.Fatal(found, err)
	}
	return found[0]
}

// leftovers names what a process left that ended: temporary files, and what only a
// living daemon has.
func (p *person) leftovers() (names []string) {
	p.t.Helper()
	for _, dir := range []string{p.dir, p.state()} {
		_ = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
			base := filepath.Base(name)
			if err == nil && (strings.HasSuffix(base, ".tmp") || base == "daemon.json" || base == "daemon.sock" || base == "lock.json" || base == "index.lock") {
				names = append(names, name)
			}
			return nil
		})
	}
	return names
}

// freeAddr is an address of this machine at which nobody listens.
func freeAddr(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// longestStop is how long a daemon may take to end; the machine of a test is given
// as long again.
const longestStop = 2 * time.Second

// A daemon answers over HTTP from its open index, finds an edit that was just made
// and says that the answer is fresh, starts no process, and ends within two seconds
// of SIGTERM with nothing half done.
func TestADaemonAnswersOverHTTP(t *testing.T) {
	p := newPerson(t, t.TempDir())
	p.must("init", p.dir)
	addr := freeAddr(t)
	put(t, "version: 1\ncommit_quiet: 1s\nhttp:\n  addr: "+addr+"\n", 0o600, p.dir, ".memoryrc")
	git(t, p.dir, "add", ".memoryrc")
	git(t, p.dir, "-c", "user.name=Ana", "-c", "user.email=ana@example.org", "commit", "-q", "-m", "settings")
	spawned := p.trap()
	d, stop := p.watch("--vault", p.dir)
	url := "http://" + addr
	p.until("it answers", func() bool { c, err := net.Dial("tcp", addr); return err == nil && c.Close() == nil })

	put(t, "The kiln reaches twelve hundred degrees.\n", 0o600, p.dir, "kiln.md")
	var reply struct {
		Fresh   bool `json:"fresh"`
		Results []struct {
			Path string `json:"path"`
		} `json:"results"`
	}
	p.until("an edit is found, in a fresh answer", func() bool {
		answer := ask(t, url, "/query", `{"query":"how hot is the kiln"}`)
		if err := json.Unmarshal([]byte(answer), &reply); err != nil {
			t.Fatalf("%v: %s", err, answer)
		}
		return reply.Fresh && len(reply.Results) == 1 && reply.Results[0].Path == "kiln.md"
	})
	put(t, "The kiln reaches nine hundred degrees, and so does the forge.\n", 0o600, p.dir, "kiln.md")
	p.until("an edit of it is found", func() bool {
		answer := ask(t, url, "/context", `{"message":"how hot is the forge"}`)
		return strings.Contains(answer, "nine hundred") && strings.Contains(answer, `"fresh":true`)
	})
	p.until("it is committed", func() bool { return git(t, p.dir, "log", "-1", "--format=%an:%s") == "Ana:edit: kiln" })
	p.must("import", p.export(20_000))
	p.must("search", "anything", "--json")
	if children := childrenOf(d.Process.Pid); len(children) > 0 {
		t.Errorf("the daemon has processes of its own: %v", children)
	}
	if names := spawned(); len(names) > 0 {
		t.Errorf("the daemon started %v", names)
	}
	if took := stop(syscall.SIGTERM); took > 2*longestStop {
		t.Errorf("it took %s to end", took)
	}
	if c, err := net.Dial("tcp", addr); err == nil {
		c.Close()
		t.Error("something still listens")
	}
	if left := p.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if dirty := git(t, p.dir, "status", "--porcelain"); dirty != "" {
		t.Errorf("not committed: %s", dirty)
	}
	git(t, p.dir, "fsck", "--strict")
	p.must("doctor", "--deep")
}

// trap puts commands on the PATH that note that they were started. The function
// names those that were.
func (p *person) trap() func() []string {
	p.t.Helper()
	dir, list := filepath.Join(p.home, "trap"), filepath.Join(p.home, "started")
	for _, name := range []string{"git", "sh", "bash", "ssh", "gpg", "less", "sysctl", "systemctl", "uname", "hostname", "whoami", "id"} {
		put(p.t, "#!/bin/sh\necho "+name+" >> '"+list+"'\n", 0o700, dir, name)
	}
	for i, v := range p.env {
		if strings.HasPrefix(v, "PATH=") {
			p.env[i] = "PATH=" + dir
		}
	}
	if err := exec.Command(filepath.Join(dir, "git")).Run(); err != nil { // the trap works
		p.t.Fatal(err)
	}
	return func() []string {
		raw, err := os.ReadFile(list)
		if err != nil {
			p.t.Fatal(err)
		}
		return strings.Fields(strings.TrimPrefix(string(raw), "git\n"))
	}
}

// childrenOf lists the processes that a process has started and that still are
// there; none where the system does not say so.
func childrenOf(pid int) (children []string) {
	found, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, name := range found {
		raw, _ := os.ReadFile(name)
		children = append(children, strings.Fields(string(raw))...)
	}
	return children
}

// export is an export of about so many bytes.
func (p *person) export(size int64) string {
	p.t.Helper()
	name := filepath.Join(p.home, "conversations.json")
	f, err := os.Create(name)
	if err == nil {
		_, err = exportgen.Generate(f, size, 1)
	}
	if err = errors.Join(err, f.Close()); err != nil {
		p.t.Fatal(err)
	}
	return name
}

// A daemon that is told to end in the middle of an import ends within two seconds,
// keeps what was finished, in a commit, and the next import does the rest.
func TestADaemonIsStoppedInTheMiddleOfWork(t *testing.T) {
	p := newPerson(t, t.TempDir())
	p.must("init", p.dir)
	put(t, "version: 1\nhttp:\n  addr: 127.0.0.1:0\n", 0o600, p.dir, ".memoryrc")
	export := p.export(15e5)
	_, stop := p.watch("--vault", p.dir)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	status := make(chan int, 1)
	go func() {
		cmd := p.command("import", export, "--no-synth")
		_ = cmd.Run()
		status <- cmd.ProcessState.ExitCode()
	}()
	p.until("the import writes", func() bool {
		_, err := os.Stat(filepath.Join(p.dir, "transcripts"))
		return err == nil
	})
	if took := stop(syscall.SIGTERM); took > 2*longestStop {
		t.Errorf("it took %s to end", took)
	}
	select {
	case got := <-status:
		if got == exitDone {
			t.Skip("the import was done before it could be stopped")
		}
	case <-ctx.Done():
	}
	git(t, p.dir, "fsck", "--strict")
	if left := p.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	p.must("import", export, "--no-synth")
	if dirty := git(t, p.dir, "status", "--porcelain", "transcripts"); dirty != "" {
		t.Errorf("not committed: %s", dirty)
	}
	if out := p.must("import", export, "--no-synth", "--json"); !strings.Contains(out, `"conversations_new":0,"conversations_updated":0`) {
		t.Errorf("a third import finds something: %s", out)
	}
	p.must("doctor", "--deep=50")
}

// A daemon that is killed with SIGKILL holds nothing: its lock, its state and its
// socket are recognised as a dead one's, and the next daemon takes its place. One
// that lives is named to a second one, with since when.
func TestTheLockOfAKilledDaemon(t *testing.T) {
	p := newPerson(t, t.TempDir())
	p.must("init", p.dir)
	put(t, "version: 1\nhttp:\n  addr: 127.0.0.1:0\n", 0o600, p.dir, ".memoryrc")
	put(t, "I drink darjeeling.\n", 0o600, p.dir, "tea.md")
	first, stop := p.watch("--vault", p.dir)
	_, errs, status := p.run("", "watch", "--vault", p.dir)
	if want := fmt.Sprintf(`^memsync: the vault is locked by memsync watch \(process %d\) since 20[0-9-]+ [0-9:]+\n`, first.Process.Pid); status != exitLocked || !matches(want, errs) {
		t.Errorf("a second daemon exits %d: %s", status, errs)
	}
	stop(syscall.SIGKILL)
	if left := p.leftovers(); len(left) < 3 {
		t.Fatalf("a killed daemon leaves %v: this test shows nothing", left)
	}
	if out := p.must("status"); !strings.Contains(out, fmt.Sprintf("not running: process %d ended without a word", first.Process.Pid)) || strings.Contains(out, "locked by") {
		t.Errorf("status: %s", out)
	}
	if out := p.must("search", "darjeeling", "--json"); !strings.Contains(out, `"fresh":true`) || !strings.Contains(out, "tea.md") {
		t.Errorf("search: %s", out)
	}
	second, stop := p.watch("--vault", p.dir)
	if out := p.must("status"); !strings.Contains(out, fmt.Sprintf("watch      process %d since", second.Process.Pid)) {
		t.Errorf("status of the second: %s", out)
	}
	stop(syscall.SIGTERM)
	if left := p.leftovers(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// systemd is told when the daemon has begun its work, that it lives, and when it
// ends; the log goes to the file that --log names and nowhere else.
func TestSystemdIsTold(t *testing.T) {
	p := newPerson(t, t.TempDir())
	p.must("init", p.dir)
	put(t, "version: 1\nhttp:\n  addr: 127.0.0.1:0\n", 0o600, p.dir, ".memoryrc")
	socket := filepath.Join(t.TempDir(), "n")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	heard := func() string {
		if err := l.SetReadDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 256)
		n, err := l.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	p.env = append(p.env, "NOTIFY_SOCKET="+socket, "WATCHDOG_USEC=100000")
	log := filepath.Join(t.TempDir(), "watch.log")
	cmd, stop := p.watch("--vault", p.dir, "--log", log)
	told := map[string]bool{}
	for !told["READY=1"] || !told["WATCHDOG=1"] {
		told[heard()] = true
	}
	stop(syscall.SIGTERM)
	for last := heard(); last != "STOPPING=1"; last = heard() {
		if last != "WATCHDOG=1" {
			t.Errorf("systemd is told %q", last)
		}
	}
	raw, err := os.ReadFile(log)
	if err != nil || !strings.Contains(string(raw), "msg=watching") || !strings.Contains(string(raw), "msg=stopped") {
		t.Errorf("the log: %v\n%s", err, raw)
	}
	if errs := cmd.Stderr.(*bytes.Buffer).String(); errs != "" {
		t.Errorf("beside the log: %s", errs)
	}
}
