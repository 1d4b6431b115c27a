package watch

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// Every step at which committing edits touches the disk fails in turn: each
// write, sync and rename of a note, each object, lock and rename of git's. After
// each, the edits stand, git is whole, and the next look does what is left.
func TestFailAtEveryStep(t *testing.T) {
	failed := 0
	for n := 1; ; n++ {
		if !failAt(t, n, []syscall.Errno{syscall.EIO, syscall.ENOSPC}[n%2]) {
			break
		}
		failed++
	}
	// Two commits and a written file take some sixty steps.
	if failed < 40 {
		t.Errorf("only %d steps failed", failed)
	}
}

// failAt has the nth step fail. It reports false when there were not so many.
func failAt(t *testing.T, n int, with error) bool {
	t.Helper()
	b := newBench(t)
	b.write("facts/life/tea.md", ledger)
	b.machine("facts: 2 claims")
	b.commit()
	b.write("facts/life/tea.md", without(ledger, "Porto"))
	b.write("mine.md", "tea\n")

	var mu sync.Mutex // steps come from several goroutines
	step, at := 0, ""
	fail := func(what string) error {
		mu.Lock()
		defer mu.Unlock()
		if step++; step == n {
			at = what
			return with
		}
		return nil
	}
	v, err := vault.Open(b.dir, vault.Config{Fault: func(s vault.Step, p vault.Path) error { return fail(string(s) + " " + string(p)) }})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	repo, err := history.Open(b.dir, history.Config{LockWait: 20 * time.Millisecond, Step: func(s history.Step) error { return fail("git: " + string(s)) }})
	if err != nil {
		t.Fatal(err)
	}
	failing := NewEdits(v, repo, EditsConfig{State: b.state, Now: func() time.Time { return b.now }})
	_, err = failing.Commit(t.Context())
	if at == "" {
		if err != nil {
			t.Fatalf("nothing failed, and there is an error: %v", err)
		}
		return false
	}
	holds := func(when string) {
		t.Helper()
		for name, want := range map[string]string{"facts/life/tea.md": without(ledger, "Porto"), "mine.md": "tea\n"} {
			raw, err := os.ReadFile(filepath.Join(b.dir, name))
			if err != nil || string(raw) != want {
				t.Fatalf("step %d (%s), %s: the edit of %s is lost: %v", n, at, when, name, err)
			}
		}
		if out := b.git("fsck", "--strict", "--no-dangling"); strings.Contains(out, "error") || strings.Contains(out, "missing") {
			t.Fatalf("step %d (%s), %s: %s", n, at, when, out)
		}
	}
	holds("after it failed")

	// The next process.
	b.open()
	if _, err := pass.Recover(t.Context(), b.edits.v, b.edits.repo, b.state, b.now); err != nil {
		t.Fatalf("step %d (%s): %v", n, at, err)
	}
	b.commit()
	holds("after the next look")
	if !b.forgotten("Lives in Porto.") || b.forgotten("Drinks green tea.") {
		t.Errorf("step %d (%s): the wrong things are forgotten", n, at)
	}
	if out := b.git("status", "--porcelain"); out != "" {
		t.Errorf("step %d (%s): not committed:\n%s", n, at, out)
	}
	want := "Ana: edit: facts/life/tea and mine"
	if out := b.git("log", "--format=%an: %s"); strings.Count(out, want) != 1 {
		t.Errorf("step %d (%s): the edit is in other than one commit:\n%s", n, at, out)
	}
	if out := b.git("log", "--format=%s", "--author=memsync", "--", "mine.md"); out != "" {
		t.Errorf("step %d (%s): memsync committed the person's note: %s", n, at, out)
	}
	entries, _ := filepath.Glob(filepath.Join(b.dir, ".git", "*.lock"))
	for _, e := range entries {
		if filepath.Base(e) != "memsync.lock" {
			t.Errorf("step %d (%s): %s is left behind", n, at, e)
		}
	}
	return true
}

func ExampleNewEdits() {
	fmt.Println(subject([]history.File{{Path: "profile.md"}, {Path: "sessions/2025-08-09-csv-export.md"}, {Path: "a.md"}, {Path: "b.md"}}))
	// Output: edit: profile, sessions/2025-08-09-csv-export and 2 more
}
