package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/cmd/internal/places"
	"github.com/memsync/memsync/sync/importer/exportgen"
	"github.com/memsync/memsync/vault"
)

// madeVault is a vault with the places of a person of its own.
func madeVault(t *testing.T) (a *app, dir string) {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(home, "vault")
	a, _, stderr := testApp(t, home, home)
	if status := a.run(t.Context(), []string{"init", dir}); status != exitDone {
		t.Fatalf("init exits %d: %s", status, stderr)
	}
	return a, dir
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := exec.Command("git", append([]string{"-C", dir}, args...)...).Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// While another process writes, a writer is told who it is, and a reader is
// answered.
func TestTwoAtOnce(t *testing.T) {
	a, dir := madeVault(t)
	at, err := places.Find(a.env)
	if err != nil {
		t.Fatal(err)
	}
	lock, err := vault.Acquire(at.Vault(dir).State, vault.Holder{PID: os.Getpid(), What: "import", Since: a.now()})
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]int{
		"import testdata/exports/first.json": exitLocked,
		"synth":                              exitLocked,
		"revert HEAD":                        exitLocked,
		"search bread":                       exitDone,
		"status":                             exitDone,
		"log":                                exitDone,
	} {
		other, stdout, stderr := testApp(t, filepath.Dir(dir), dir)
		if status := other.run(t.Context(), append(strings.Fields(line), "--vault", dir)); status != want {
			t.Errorf("%s exits %d, want %d: %s", line, status, want, stderr)
		}
		if want == exitLocked && !strings.Contains(stderr.String(), "locked by memsync import (process ") {
			t.Errorf("%s: %s", line, stderr)
		}
		if line == "status" && !strings.Contains(stdout.String(), "locked by memsync import") {
			t.Errorf("status does not say who writes: %s", stdout)
		}
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	exports, err := filepath.Abs("testdata/exports/first.json")
	if err != nil {
		t.Fatal(err)
	}
	again, _, stderr := testApp(t, filepath.Dir(dir), dir)
	if status := again.run(t.Context(), []string{"import", exports, "--vault", dir}); status != exitDone {
		t.Errorf("with the lock given back: exits %d: %s", status, stderr)
	}
}

// An import that is stopped keeps what it finished, in a commit, and the next one
// does the rest.
func TestAStoppedImportGoesOn(t *testing.T) {
	_, dir := madeVault(t)
	export := filepath.Join(t.TempDir(), "conversations.json")
	f, err := os.Create(export)
	if err != nil {
		t.Fatal(err)
	}
	stats, err := exportgen.Generate(f, 4e6, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan int)
	first, _, stderr := testApp(t, filepath.Dir(dir), dir)
	go func() { done <- first.run(ctx, []string{"import", export, "--no-synth", "--vault", dir}) }()
	transcripts := filepath.Join(dir, "transcripts")
	for tick := time.Tick(time.Millisecond); ; <-tick {
		if _, err := os.Stat(transcripts); err == nil {
			stop()
			break
		}
	}
	if status := <-done; status != exitStopped {
		t.Fatalf("exits %d: %s", status, stderr)
	}
	if !strings.HasPrefix(stderr.String(), "memsync: stopped; what was finished stays") {
		t.Errorf("standard error: %s", stderr)
	}
	if dirty := git(t, dir, "status", "--porcelain"); dirty != "" {
		t.Errorf("not committed:\n%s", dirty)
	}
	git(t, dir, "fsck", "--strict")

	second, _, stderr := testApp(t, filepath.Dir(dir), dir)
	if status := second.run(t.Context(), []string{"import", export, "--no-synth", "--vault", dir}); status != exitDone {
		t.Fatalf("the second import exits %d: %s", status, stderr)
	}
	if dirty := git(t, dir, "status", "--porcelain"); dirty != "" {
		t.Errorf("not committed:\n%s", dirty)
	}
	if n := len(strings.Split(git(t, dir, "ls-files", "transcripts"), "\n")); n != stats.Conversations {
		t.Errorf("%d transcripts of %d conversations", n, stats.Conversations)
	}
}
