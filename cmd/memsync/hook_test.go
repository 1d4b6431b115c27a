package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/cmd/internal/hooks"
)

// A host that never ends what it writes is not waited for longer than the budget, and
// gets status 0.
func TestAHookGivesUpInTime(t *testing.T) {
	t.Parallel()
	a, stdout, stderr := testApp(t, t.TempDir(), t.TempDir())
	in, host := io.Pipe()
	defer host.Close()
	a.stdin = in
	began := time.Now()
	status := a.run(t.Context(), []string{"hook", "session-start"})
	if took := time.Since(began); took > 4*hooks.Budget {
		t.Errorf("it took %v, and has %v", took, hooks.Budget)
	}
	if status != 0 || stdout.Len() > 0 || !strings.Contains(stderr.String(), "it took too long") {
		t.Errorf("status %d, %q, %q", status, stdout, stderr)
	}
}

// BenchmarkHookSessionStart measures the whole process, as a host does, on a vault
// of 10,000 notes. The program is the one that go build makes.
func BenchmarkHookSessionStart(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "memsync")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	vault := filepath.Join(dir, "vault")
	run := func(input string, args ...string) string {
		cmd := exec.Command(program, args...)
		cmd.Stdin = strings.NewReader(input)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_DATA_HOME=",
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.org")
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("memsync %v: %v", args, err)
		}
		return string(out)
	}
	run("", "init", vault)
	for i := range 10_000 {
		name := filepath.Join(vault, "notes", fmt.Sprint(i/100), fmt.Sprintf("note-%d.md", i))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, fmt.Appendf(nil, "# Note %d\n\nThe oven of day %d reached %d degrees.\n", i, i, i%1300), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	overview := "# Memory\n\n" + strings.Repeat("- [[memory/oven|The oven]] - Ledeberg, Pieter; 1 session to 2025-08-11\n", 150)
	if err := os.WriteFile(filepath.Join(vault, "MEMORY.md"), []byte(overview), 0o600); err != nil {
		b.Fatal(err)
	}
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		out := run(`{"session_id":"s","source":"startup"}`, "hook", "session-start", "--vault", vault)
		took = append(took, time.Since(began))
		if !strings.Contains(out, "The oven") {
			b.Fatalf("answered %q", out)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
}
