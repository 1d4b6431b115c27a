package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/vaultgen"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// The load of --http: requests come at their times whether or not earlier ones were
// answered, as they do from people, while notes are edited.
const (
	httpNotes   = 10_000
	httpRate    = 50 // a second
	httpEdits   = 500 * time.Millisecond
	httpPatient = 10 * time.Second // how long one answer is waited for
	hookRuns    = 40
)

// http measures contexts from a daemon over HTTP while its watcher is busy, and the
// hook at the start of a session, on a vault of 10,000 notes.
func (b *bench) http(ctx context.Context) (err error) {
	made, err := makeVault(ctx, b.a, filepath.Join(b.base, "vault"), "")
	if err != nil {
		return err
	}
	b.a.vaultFlag = made.Vault
	if _, err := vaultgen.Write(made.Vault, httpNotes, b.opts.seed); err != nil {
		return err
	}
	url, err := freeAddress(ctx, made.Vault)
	if err != nil {
		return err
	}
	if err := b.commitAll(ctx); err != nil {
		return err
	}
	d, err := b.daemon(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.stop()) }()
	began := b.a.now()
	if err := b.inStep(ctx, url); err != nil {
		return err
	}
	b.r.add("daemon in step", ms(b.a.now().Sub(began)), "ms", "%d notes, from nothing", httpNotes)
	if err := b.contexts(ctx, url, made.Vault, d); err != nil {
		return err
	}
	return b.hooks(ctx)
}

// freeAddress gives the vault's daemon an address that nobody has.
func freeAddress(ctx context.Context, dir string) (url string, err error) {
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	at := l.Addr().String()
	if err := l.Close(); err != nil {
		return "", err
	}
	settings := "version: 1\nhttp:\n  addr: " + at + "\n"
	return "http://" + at, os.WriteFile(filepath.Join(dir, ".memoryrc"), []byte(settings), 0o600)
}

// commitAll commits every note, so that the daemon has only the edits to commit.
func (b *bench) commitAll(ctx context.Context) error {
	w, err := b.a.openToWrite(ctx, "bench")
	if err != nil {
		return err
	}
	change := history.Change{Author: history.Machine(b.a.now()), Subject: "bench: all notes"}
	notes, _, err := w.vault.Walk(ctx)
	for _, n := range notes {
		raw, readErr := w.vault.Read(n.Path)
		err = errors.Join(err, readErr)
		change.Files = append(change.Files, history.File{Path: n.Path, Hash: vault.HashOf(raw)})
	}
	if err == nil {
		_, err = w.repo.Commit(ctx, change)
	}
	return errors.Join(err, w.Close())
}

// A benchDaemon is a daemon in a process of its own.
type benchDaemon struct {
	cmd  *exec.Cmd
	said bytes.Buffer
}

func (b *bench) daemon(ctx context.Context) (*benchDaemon, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &benchDaemon{cmd: exec.CommandContext(ctx, self, "watch", "--vault", b.a.vaultFlag)}
	d.cmd.Env, d.cmd.Stderr = b.environment(), &d.said
	return d, d.cmd.Start()
}

func (d *benchDaemon) stop() error {
	if err := d.cmd.Process.Signal(os.Interrupt); err != nil {
		_ = d.cmd.Process.Kill() // a system without the signal
	}
	_ = d.cmd.Wait() // stopped is what it was asked to be
	return nil
}

// ticks a second are those of /proc, on every Linux.
const ticks = 100

// A process is what the daemon holds at a moment and what it has used so far; zeros
// where nobody knows.
type process struct {
	held, heap        float64 // megabytes: of the process, and of objects
	file              float64 // megabytes of held that are read from files, mostly the program's own
	spent             time.Duration
	goroutines, files int
}

func (d *benchDaemon) process(ctx context.Context, url string) (p process) {
	var s struct {
		Heap       float64 `json:"heap_bytes"`
		Goroutines int
	}
	if code, raw, err := get(ctx, url+"/status"); err == nil && code == http.StatusOK && json.Unmarshal(raw, &s) == nil {
		p.heap, p.goroutines = s.Heap/1e6, s.Goroutines
	}
	proc := fmt.Sprintf("/proc/%d/", d.cmd.Process.Pid)
	files, _ := os.ReadDir(proc + "fd")
	statm, err := os.ReadFile(proc + "statm")
	stat, err2 := os.ReadFile(proc + "stat")
	_, rest, ok := strings.Cut(string(stat), ") ") // behind the program's name
	held, used := strings.Fields(string(statm)), strings.Fields(rest)
	if err != nil || err2 != nil || !ok || len(held) < 3 || len(used) < 13 {
		return p
	}
	pages, _ := strconv.ParseFloat(held[1], 64)
	shared, _ := strconv.ParseFloat(held[2], 64)
	user, _ := strconv.ParseInt(used[11], 10, 64)
	system, _ := strconv.ParseInt(used[12], 10, 64)
	page := float64(os.Getpagesize()) / 1e6
	p.held, p.file, p.files = pages*page, shared*page, len(files)
	p.spent = time.Duration(user+system) * time.Second / ticks
	return p
}

// inStep waits until the daemon answers from an index that holds every note.
func (b *bench) inStep(ctx context.Context, url string) error {
	again := time.NewTicker(50 * time.Millisecond)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-again.C:
		}
		var s struct {
			Fresh bool
			Notes int
		}
		if code, raw, err := get(ctx, url+"/status"); err == nil && code == http.StatusOK && json.Unmarshal(raw, &s) == nil && s.Fresh && s.Notes > httpNotes/2 {
			return nil
		}
	}
}

func get(ctx context.Context, url string) (int, []byte, error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, nil, err
	}
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, nil, err
	}
	defer reply.Body.Close()
	raw, err := io.ReadAll(reply.Body)
	return reply.StatusCode, raw, err
}

// contexts asks for contexts at a rate, each for another message, and times each
// from when it was due.
func (b *bench) contexts(ctx context.Context, url, dir string, d *benchDaemon) error {
	editing, stop := context.WithCancel(ctx)
	var editor sync.WaitGroup
	editor.Go(func() { edit(editing, dir) })
	defer editor.Wait()
	defer stop()

	client := &http.Client{Timeout: httpPatient, Transport: &http.Transport{MaxIdleConnsPerHost: 64}}
	ask := func(n int) error {
		body, err := json.Marshal(map[string]string{"message": vaultgen.Question(n)})
		if err != nil {
			return err
		}
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/context", bytes.NewReader(body))
		if err != nil {
			return err
		}
		r.Header.Set("Content-Type", "application/json")
		reply, err := client.Do(r)
		if err != nil {
			return err
		}
		defer reply.Body.Close()
		raw, err := io.ReadAll(reply.Body)
		if err == nil && (reply.StatusCode != http.StatusOK || !bytes.Contains(raw, []byte("<memsync-context"))) {
			err = fmt.Errorf("status %d: %.200s", reply.StatusCode, raw)
		}
		return err
	}
	warm := min(b.opts.requests, 10*httpRate)
	var mu sync.Mutex
	var took []time.Duration
	var failed []error
	var running sync.WaitGroup
	due := time.NewTicker(time.Second / httpRate)
	defer due.Stop()
	var before process
	bar := b.a.progress()
	bar.Start("requests", int64(warm+b.opts.requests), output.Items)
	defer bar.Done()
	for n := range warm + b.opts.requests {
		select {
		case <-ctx.Done():
			running.Wait()
			return ctx.Err()
		case <-due.C:
		}
		if n == warm {
			before = d.process(ctx, url)
		}
		at := b.a.now()
		running.Go(func() {
			err := ask(n)
			bar.Add(1)
			mu.Lock()
			defer mu.Unlock()
			if n >= warm {
				took = append(took, b.a.now().Sub(at))
			}
			if err != nil {
				failed = append(failed, err)
			}
		})
	}
	running.Wait()
	b.spread(fmt.Sprintf("context over HTTP, %d/s", httpRate), took)
	b.r.add("  errors", float64(len(failed)), "", "of %d requests", warm+b.opts.requests)
	if after := d.process(ctx, url); after.held > 0 {
		b.r.add("  daemon's processor time", ms(after.spent-before.spent)/float64(b.opts.requests), "ms", "a request, the watcher's work included")
		for _, p := range []struct {
			when string
			process
			n int
		}{{"before", before, warm}, {"after", after, warm + b.opts.requests}} {
			b.r.add("  daemon's memory "+p.when, p.held, "MB", "after %d requests: %.1f MB of the program's file, %.1f MB of objects, %d goroutines, %d files open", p.n, p.file, p.heap, p.goroutines, p.files)
		}
	}
	if len(failed) > 0 {
		return fmt.Errorf("%d requests failed, one of them: %w", len(failed), failed[0])
	}
	return nil
}

// edit keeps the watcher busy: it writes a new note and adds to an old ledger, again
// and again.
func edit(ctx context.Context, dir string) {
	t := time.NewTicker(httpEdits)
	defer t.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		name := filepath.Join(dir, "notes", fmt.Sprintf("edited-%d.md", n%200))
		if os.MkdirAll(filepath.Dir(name), 0o700) == nil {
			_ = os.WriteFile(name, fmt.Appendf(nil, "# Edit %d\n\n%s\n", n, vaultgen.Question(n)), 0o600) // one more follows
		}
		ledger := filepath.Join(dir, "facts", "work", "ledger-0000.md")
		if f, err := os.OpenFile(ledger, os.O_APPEND|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprintf(f, "- Edited the ledger %d times. (kind:: event) (seen:: 2025-01-01) (until:: 2025-01-01)\n", n)
			_ = f.Close()
		}
	}
}

// hooks measures what a host waits for when a session begins: a whole process.
func (b *bench) hooks(ctx context.Context) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	var took []time.Duration
	for range hookRuns {
		cmd := exec.CommandContext(ctx, self, "hook", "session-start", "--vault", b.a.vaultFlag)
		cmd.Env = b.environment()
		cmd.Stdin = strings.NewReader(`{"session_id":"s","source":"startup"}`)
		began := b.a.now()
		out, err := cmd.Output()
		if err != nil || !bytes.Contains(out, []byte("memsync-context")) {
			return fmt.Errorf("the hook answered %.200q: %w", out, err)
		}
		took = append(took, b.a.now().Sub(began))
	}
	b.spread("hook session-start", took)
	return nil
}
