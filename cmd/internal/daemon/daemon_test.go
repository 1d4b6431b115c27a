package daemon

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/vault"
)

func TestEditsAreFound(t *testing.T) {
	p := newPlace(t)
	p.write(t, "a.md", "tea\n")
	d := p.start(t)
	until(t, 5*time.Second, "in step at the start", func() bool { return finds(t, d, "tea", "a.md") && d.InStep() })
	p.write(t, "deep/er/b.md", "coffee\n")
	until(t, 5*time.Second, "a note in a new folder is found", func() bool { return finds(t, d, "coffee", "deep/er/b.md") })
	p.write(t, "a.md", "milk\n")
	until(t, 5*time.Second, "an edit is found", func() bool { return finds(t, d, "milk", "a.md") && !finds(t, d, "tea", "a.md") })
	if err := os.Rename(filepath.Join(p.dir, "deep"), filepath.Join(p.dir, "flat")); err != nil {
		t.Fatal(err)
	}
	until(t, 5*time.Second, "a note in a renamed folder is found", func() bool { return finds(t, d, "coffee", "flat/er/b.md") })
	if s := d.State(); s.Watch.Folders != 3 || s.Watch.Error != "" || s.PID != os.Getpid() {
		t.Errorf("%+v", s)
	}
}

// A renamed note is not embedded again.
func TestARenamedNoteKeepsItsVectors(t *testing.T) {
	p := newPlace(t)
	e := &counting{Embedder: model(t)}
	p.e = e
	p.write(t, "a.md", "# Keeper\n\nThe lighthouse keeper drinks green tea.\n")
	d := p.start(t)
	before := e.texts.Load()
	if before == 0 {
		t.Fatal("nothing was embedded")
	}
	if err := os.Rename(filepath.Join(p.dir, "a.md"), filepath.Join(p.dir, "b.md")); err != nil {
		t.Fatal(err)
	}
	until(t, 5*time.Second, "found under its new name", func() bool { return finds(t, d, "lighthouse", "b.md") })
	if again := e.texts.Load() - before; again != 0 {
		t.Errorf("%d texts were embedded again", again)
	}
}

// counting counts the documents that are embedded.
type counting struct {
	embed.Embedder
	texts atomic.Int64
}

func (c *counting) Embed(ctx context.Context, texts []string, p embed.Purpose) ([][]float32, error) {
	if p == embed.Document {
		c.texts.Add(int64(len(texts)))
	}
	return c.Embedder.Embed(ctx, texts, p)
}

func TestEditsBecomeCommits(t *testing.T) {
	p := newPlace(t)
	p.repository(t)
	p.quiet = 50 * time.Millisecond
	d := p.start(t)
	p.write(t, "a.md", "tea\n")
	until(t, 10*time.Second, "the edit is committed", func() bool { return d.State().Edits.Commit != "" })
	o, done := d.Open()
	defer done()
	c, err := o.Repo.Get(t.Context(), "HEAD")
	if err != nil || c.Author.Name != "Ana" || c.Subject != "edit: a" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestASecondDaemonIsToldWhoHoldsTheLock(t *testing.T) {
	p := newPlace(t)
	p.start(t)
	err := New(Config{Dir: p.dir, State: p.state, Open: p.open, Now: time.Now}).Run(t.Context())
	var locked *vault.LockedError
	if !errors.As(err, &locked) || locked.Holder.PID != os.Getpid() || locked.Holder.What != "watch" {
		t.Errorf("got %v", err)
	}
}

func TestNewSettingsAreTaken(t *testing.T) {
	p := newPlace(t)
	d := p.start(t)
	before, done := d.Open()
	done()
	p.write(t, ".memoryrc", "root: .\n")
	until(t, 10*time.Second, "the vault is opened again", func() bool {
		o, done := d.Open()
		defer done()
		return o != nil && o != before && d.InStep()
	})
	p.write(t, "a.md", "tea\n")
	until(t, 5*time.Second, "an edit is found", func() bool { return finds(t, d, "tea", "a.md") })
}

func TestAVaultThatGoesAwayAndComesBack(t *testing.T) {
	p := newPlace(t)
	p.write(t, "a.md", "tea\n")
	p.watch.Tick = 50 * time.Millisecond
	d := p.start(t)
	away := p.dir + ".away"
	if err := os.Rename(p.dir, away); err != nil {
		t.Fatal(err)
	}
	until(t, 10*time.Second, "its going is noticed", func() bool { return d.State().Error != "" && !d.InStep() })
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	p.write(t, "b.md", "coffee\n")
	until(t, 10*time.Second, "the new one is followed", func() bool { return d.InStep() && finds(t, d, "coffee", "b.md") })
	if s := d.State(); s.Error != "" || finds(t, d, "tea", "a.md") {
		t.Errorf("%+v", s)
	}
}

// Commands over the socket: what they print, their status, their input, and what
// becomes of them when either side goes away.
func TestCommandsOverTheSocket(t *testing.T) {
	p := newPlace(t)
	began, stopped := make(chan string, 1), make(chan string, 1)
	p.serve = func(ctx context.Context, r Request, stdin io.Reader, stdout, stderr io.Writer) int {
		switch r.Args[0] {
		case "echo":
			fmt.Fprint(stdout, strings.Join(r.Args[1:], " "), " in ", r.Dir, " with ", r.Env["X"])
			fmt.Fprint(stderr, "noise")
			return 7
		case "cat":
			n, _ := io.Copy(stdout, stdin)
			fmt.Fprint(stderr, n)
		case "large":
			for range 300 {
				if _, err := stdout.Write(bytes.Repeat([]byte("x"), 10_000)); err != nil {
					return 1
				}
			}
		case "wait":
			began <- "began"
			<-ctx.Done()
			stopped <- "stopped"
			fmt.Fprint(stderr, "stopped")
			return 130
		}
		return 0
	}
	p.start(t)
	socket := ReadState(p.state).Socket
	relay := func(ctx context.Context, stdin string, args ...string) (int, string, string, error) {
		var out, errs bytes.Buffer
		status, err := Relay(ctx, socket, Request{Version: "test", Args: args, Dir: "/x", Env: map[string]string{"X": "y"}}, strings.NewReader(stdin), &out, &errs)
		return status, out.String(), errs.String(), err
	}
	if status, out, errs, err := relay(t.Context(), "", "echo", "a b", "c"); status != 7 || out != "a b c in /x with y" || errs != "noise" || err != nil {
		t.Errorf("echo: %d %q %q %v", status, out, errs, err)
	}
	input := strings.Repeat("line\n", 100_000)
	if status, out, errs, err := relay(t.Context(), input, "cat"); status != 0 || out != input || errs != "500000" || err != nil {
		t.Errorf("cat: %d, %d bytes, %q, %v", status, len(out), errs, err)
	}
	if _, out, _, err := relay(t.Context(), "", "large"); len(out) != 3_000_000 || err != nil {
		t.Errorf("large: %d bytes, %v", len(out), err)
	}
	var many sync.WaitGroup
	var right atomic.Int32
	for range 3 * maxClients {
		many.Go(func() {
			if status, _, _, err := relay(t.Context(), "", "echo"); status == 7 && err == nil {
				right.Add(1)
			}
		})
	}
	many.Wait()
	if right.Load() != 3*maxClients {
		t.Errorf("of %d commands at once %d were right", 3*maxClients, right.Load())
	}
	// Ctrl-C at the client: the command ends by itself and says how.
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-began
		stop()
	}()
	if status, _, errs, err := relay(ctx, "", "wait"); status != 130 || errs != "stopped" || err != nil {
		t.Fatalf("wait: %d %q %v", status, errs, err)
	}
	<-stopped
	// A client that dies.
	conn, err := net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, `{"protocol":%d,"version":"test","args":["wait"]}`+"\n", protocol)
	if taken, err := bufio.NewReader(conn).ReadString('\n'); taken != `{"taken":true}`+"\n" || err != nil {
		t.Fatalf("%q %v", taken, err)
	}
	<-began
	conn.Close()
	<-stopped
	// Another version, and what is no request at all.
	var refused *RefusedError
	if _, err := Relay(t.Context(), socket, Request{Version: "other", Args: []string{"echo"}}, nil, io.Discard, io.Discard); !errors.As(err, &refused) {
		t.Errorf("another version: %v", err)
	}
	conn, err = net.Dial("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "GET / HTTP/1.1\r\n\r\n")
	if answer, _ := io.ReadAll(conn); len(answer) != 0 {
		t.Errorf("a stranger is told %q", answer)
	}
	if err := Answers(socket, "test"); err != nil {
		t.Errorf("after all that: %v", err)
	}
	// A daemon that hangs: it takes the connection and says nothing.
	hung := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", hung)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := Relay(t.Context(), hung, Request{Version: "test", Args: []string{"echo"}}, nil, io.Discard, io.Discard); !errors.Is(err, ErrNobody) {
		t.Errorf("a daemon that hangs: %v", err)
	}
}

func TestTheSocketOfADeadProcessIsReplaced(t *testing.T) {
	p := newPlace(t)
	path := SocketPath("", p.state, os.TempDir(), os.Getuid())
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	l.Close()
	if _, err := Relay(t.Context(), path, Request{Args: []string{"x"}}, nil, io.Discard, io.Discard); !errors.Is(err, ErrNobody) {
		t.Errorf("a dead socket: %v", err)
	}
	p.start(t)
	if err := Answers(path, "test"); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestSocketPathsFit(t *testing.T) {
	run := t.TempDir()
	long := filepath.Join("/home/ana/.local/state/memsync", strings.Repeat("notes", 20)+"-0badcafe")
	for _, test := range []struct{ runtime, state, want string }{
		{run, "/s/notes-0badcafe", filepath.Join(run, "memsync", "notes-0badcafe.sock")},
		{"", "/s/notes-0badcafe", "/s/notes-0badcafe/daemon.sock"},
		{"/no/such/folder", "/s/notes-0badcafe", "/s/notes-0badcafe/daemon.sock"},
		{"", long, "/tmp/memsync-501/0badcafe.sock"},
	} {
		if got := SocketPath(test.runtime, test.state, "/tmp", 501); got != test.want || len(got) > maxSocketPath {
			t.Errorf("%s: %s, want %s", test.state, got, test.want)
		}
	}
}

func TestAnUpdateIsWaitedForByNoReader(t *testing.T) {
	p := newPlace(t)
	p.write(t, "a.md", "tea\n")
	d := p.start(t)
	until(t, 5*time.Second, "in step", d.InStep)
	end, err := d.Update(t.Context()) // a writer that takes its time
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, "b.md", "coffee\n")
	until(t, 5*time.Second, "the edit is known of", func() bool { return !d.InStep() })
	began := time.Now()
	if d.Settle(t.Context()) {
		t.Error("said to be in step")
	}
	if took := time.Since(began); took > settle+time.Second {
		t.Errorf("the reader waited %s", took)
	}
	if !finds(t, d, "tea", "a.md") {
		t.Error("no answer from what is there")
	}
	end()
	until(t, 5*time.Second, "in step", d.InStep)
}

func TestNotifier(t *testing.T) {
	path := filepath.Join(t.TempDir(), "n")
	l, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	n := NewNotifier(func(name string) (string, bool) {
		v, ok := map[string]string{"NOTIFY_SOCKET": path, "WATCHDOG_USEC": "2000"}[name]
		return v, ok
	})
	read := func() string {
		buf := make([]byte, 100)
		n, err := l.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	}
	if err := n.Ready(); err != nil || read() != "READY=1" {
		t.Errorf("ready: %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		n.Watchdog(ctx, func() bool { return true })
		close(ended)
	}()
	if got := read(); got != "WATCHDOG=1" {
		t.Error(got)
	}
	stop()
	<-ended
	if err := NewNotifier(func(string) (string, bool) { return "", false }).Ready(); err != nil {
		t.Errorf("without systemd: %v", err)
	}
}

func TestALogBeginsAnewWhenItIsFull(t *testing.T) {
	path := filepath.Join(t.TempDir(), "watch.log")
	l, err := OpenLog(path, 100)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 50 {
		fmt.Fprintf(l, "line %d\n", i)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	now, _ := os.ReadFile(path)
	before, _ := os.ReadFile(path + ".1")
	if len(now) > 100 || len(before) > 100 || !strings.HasSuffix(string(before)+string(now), "line 48\nline 49\n") {
		t.Errorf("%q then %q", before, now)
	}
	entries, _ := os.ReadDir(filepath.Dir(path))
	if len(entries) != 2 {
		t.Errorf("%d files", len(entries))
	}
}
