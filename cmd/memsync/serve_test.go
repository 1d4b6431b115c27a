package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A server finds what is edited while it runs, takes no write without its token,
// reads nothing outside the vault, and ends when it is told to.
func TestServe(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "vault")
	setup, _, stderr := testApp(t, home, home)
	if status := setup.run(t.Context(), []string{"init", dir}); status != exitDone {
		t.Fatal(stderr)
	}
	a, _, _ := testApp(t, home, dir)
	said, w := io.Pipe()
	a.stderr, a.now = w, time.Now
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var running sync.WaitGroup
	running.Go(func() {
		defer w.Close()
		if status := a.run(ctx, []string{"serve", "--addr", "127.0.0.1:0"}); status != exitDone {
			t.Errorf("serve exits %d", status)
		}
	})
	var url string
	for lines := bufio.NewScanner(said); url == "" && lines.Scan(); {
		_, url, _ = strings.Cut(lines.Text(), "answering at ")
	}
	go io.Copy(io.Discard, said)
	if url == "" {
		t.Fatal("the server did not say where it answers")
	}
	if err := os.WriteFile(filepath.Join(dir, "kiln.md"), []byte("The kiln reaches twelve hundred degrees.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	for tries := 200; !strings.Contains(ask(t, url, "/query", `{"query":"kiln"}`), "kiln.md"); tries-- {
		if tries == 0 {
			t.Fatal("an edit is not found")
		}
		<-again.C
	}
	for path, want := range map[string]string{"/context": `"text":"<memsync-context`, "/ops": `"kind":"unauthorised"`} {
		if got := ask(t, url, path, `{"message":"how hot is the kiln"}`); !strings.Contains(got, want) {
			t.Errorf("%s answers %s", path, got)
		}
	}
	tokens, err := filepath.Glob(filepath.Join(home, ".local", "state", "memsync", "*", tokenFile))
	if err != nil || len(tokens) != 1 {
		t.Fatalf("token files %v, %v", tokens, err)
	}
	if info, err := os.Stat(tokens[0]); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the token file: %v, %v", info.Mode(), err)
	}
	stop()
	running.Wait()
	if r, err := http.Get(url + "/healthz"); err == nil {
		_ = r.Body.Close()
		t.Error("the server still answers")
	}
}

func ask(t *testing.T, url, path, body string) string {
	t.Helper()
	r, err := http.Post(url+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestServeBeyondLoopbackNeedsAToken(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "vault")
	setup, _, stderr := testApp(t, home, home)
	if status := setup.run(t.Context(), []string{"init", dir}); status != exitDone {
		t.Fatal(stderr)
	}
	open := filepath.Join(home, "token")
	if err := os.WriteFile(open, []byte("a-token-that-nobody-guesses\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"others may read":  {"serve", "--addr", "0.0.0.0:0", "--token-file", open},
		"is not there":     {"serve", "--addr", "0.0.0.0:0", "--token-file", open + "x"},
		"is not host:port": {"serve", "--addr", "nonsense"},
		"no such host":     {"serve", "--addr", "no-such-host.invalid:1"},
		"takes none":       {"serve", "now"},
	} {
		a, _, stderr := testApp(t, home, dir)
		if status := a.run(t.Context(), args); status != exitUsage {
			t.Errorf("%s: exits %d: %s", name, status, stderr)
		}
	}
}
