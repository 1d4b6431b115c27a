package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/index/notegen"
)

// BenchmarkSearchAt is memsync search --at as a whole process on a vault of 10,000
// notes, of which ten changed since: the first question about a revision, whose
// index is made from cached vectors, and the ones after it.
func BenchmarkSearchAt(b *testing.B) {
	dir := b.TempDir()
	program, vault := filepath.Join(dir, "memsync"), filepath.Join(dir, "vault")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	run := func(name string, args ...string) string {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_CONFIG_HOME=", "XDG_CACHE_HOME=", "XDG_STATE_HOME=", "XDG_DATA_HOME=",
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=Ana", "GIT_AUTHOR_EMAIL=ana@example.org", "GIT_COMMITTER_NAME=Ana", "GIT_COMMITTER_EMAIL=ana@example.org")
		out, err := cmd.Output()
		if err != nil {
			b.Fatalf("%s %v: %v", name, args, err)
		}
		return string(out)
	}
	write := func(path, text string) {
		path = filepath.Join(vault, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	run(program, "init", vault)
	var some []string
	for path, text := range notegen.Vault(10_000, 10_000*2048) {
		if write(path, text); len(some) < 10 {
			some = append(some, path)
		}
	}
	run("git", "-C", vault, "add", ".")
	run("git", "-C", vault, "commit", "-q", "-m", "then")
	for _, path := range some {
		write(path, "Nothing of what was here is left.\n")
	}
	run("git", "-C", vault, "commit", "-q", "-a", "-m", "now")
	run(program, "index", "--vault", vault)
	at := []string{"search", "market", "train", "--vault", vault, "--at", "HEAD~1", "--json"}
	var first, later []time.Duration
	for b.Loop() {
		revisions, err := filepath.Glob(filepath.Join(dir, ".cache", "memsync", "*", "index", "at"))
		if err != nil || len(revisions) > 1 {
			b.Fatal(revisions, err)
		}
		for _, r := range revisions {
			if err := os.RemoveAll(r); err != nil {
				b.Fatal(err)
			}
		}
		for _, took := range []*[]time.Duration{&first, &later} {
			began := time.Now()
			out := run(program, at...)
			*took = append(*took, time.Since(began))
			var r struct{ Hits []hit }
			if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Hits) == 0 || !strings.Contains(out, "as of ") {
				b.Fatalf("answered %.200s", out)
			}
		}
	}
	slices.Sort(first)
	slices.Sort(later)
	b.ReportMetric(first[len(first)/2].Seconds(), "first-s")
	b.ReportMetric(float64(later[len(later)/2].Milliseconds()), "later-ms")
}
