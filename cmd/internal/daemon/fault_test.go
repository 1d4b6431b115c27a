package daemon

import (
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// ledgerOf is a ledger with some claims.
func ledgerOf(claims ...int) string {
	var b strings.Builder
	b.WriteString("---\nid: f-1\ntype: facts\n---\n\n# Tea\n\n")
	for _, n := range claims {
		fmt.Fprintf(&b, "- Drinks tea number %d. (kind:: preference) (from:: [[s#^t%d|\"I drink tea number %d\"]]) ^f-%d\n", n, n, n, n)
	}
	return b.String()
}

// sound waits until all is committed and in step, and looks whether the vault is
// whole and the index equal to one built from nothing.
func (p *place) sound(t *testing.T, when string, edits map[string]string) {
	t.Helper()
	clean := func() bool { return strings.TrimSpace(runGit(t, p.dir, "status", "--porcelain", "-uall")) == "" }
	until(t, 30*time.Second, when+": everything is committed", clean)
	runGit(t, p.dir, "fsck", "--strict", "--no-dangling")
	for name, want := range edits {
		raw, err := os.ReadFile(filepath.Join(p.dir, name))
		if err != nil || string(raw) != want {
			t.Fatalf("%s: the edit of %s is lost: %v", when, name, err)
		}
	}
	// The comparison may be the first to meet a damage, which is mended then.
	differs := "it is never in step"
	defer func() {
		if t.Failed() {
			t.Logf("%s: the index differs from one built from nothing: %s", when, differs)
		}
	}()
	until(t, 30*time.Second, when+": the index is one built from nothing", func() bool {
		if p.d.InStep() {
			differs = p.differs(t)
		}
		return p.d.InStep() && differs == ""
	})
	_ = filepath.WalkDir(p.dir, func(name string, d os.DirEntry, err error) error {
		if err == nil && (vault.IsTemp(d.Name()) || strings.HasSuffix(name, ".lock") && d.Name() != "memsync.lock") {
			t.Errorf("%s: %s is left behind", when, name)
		}
		return nil
	})
}

// save writes a note as editors do, in one step. With a quiet window of
// milliseconds, a file that is empty until its text is written would be taken
// for one whose claims the person deleted.
func (p *place) save(t *testing.T, name, text string) {
	t.Helper()
	fresh := filepath.Join(t.TempDir(), "note")
	to := filepath.Join(p.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(fresh, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fresh, to); err != nil {
		t.Fatal(err)
	}
}

// differs compares the daemon's index with one built from nothing.
func (p *place) differs(t *testing.T) string {
	t.Helper()
	v, err := vault.Open(p.dir, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	fresh, err := index.Open(t.Context(), t.TempDir(), p.e, index.Config{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer fresh.Close()
	if _, err := fresh.Sync(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	entries, _, err := v.Walk(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	o, done := p.d.Open()
	defer done()
	if o == nil {
		return "nothing is open"
	}
	for _, n := range entries {
		was, err := o.Index.Get(t.Context(), string(n.Path))
		if err != nil {
			return err.Error()
		}
		is, err := fresh.Get(t.Context(), string(n.Path))
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(was, is) {
			return string(n.Path)
		}
	}
	a, err := o.Index.Status(t.Context())
	if err != nil {
		return err.Error()
	}
	b, err := fresh.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if a.Notes != b.Notes || a.Chunks != b.Chunks || a.Pending != b.Pending {
		return fmt.Sprintf("%+v, %+v", a, b)
	}
	return ""
}

// faulty is a place with a repository and a daemon that commits at once.
func faulty(t *testing.T) *place {
	t.Helper()
	p := newPlace(t)
	p.e = model(t)
	p.repository(t)
	p.quiet, p.again = 20*time.Millisecond, 50*time.Millisecond
	p.watch.Quiet, p.watch.Owed = 5*time.Millisecond, 200*time.Millisecond
	return p
}

// Every step at which the daemon writes the vault or its history fails in turn,
// while it runs: each write, half write, sync and rename of a note, each object,
// lock and rename of git's. It tries again, and after each the edits stand and
// are committed once, git is whole, and the index is one built from nothing.
func TestEveryStepFailsBesideTheDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	p := faulty(t)
	var mu sync.Mutex // steps come from several goroutines
	step, failAt, failed := 0, 0, ""
	p.beforeStep = func(what string) error {
		mu.Lock()
		defer mu.Unlock()
		if failAt == 0 {
			return nil
		}
		if step++; step == failAt {
			failed = what
			return []syscall.Errno{syscall.EIO, syscall.ENOSPC}[failAt%2]
		}
		return nil
	}
	arm := func(n int) string {
		mu.Lock()
		defer mu.Unlock()
		was := failed
		step, failAt, failed = 0, n, ""
		return was
	}
	p.start(t)
	seen := map[string]bool{}
	n := 1
	for ; ; n++ {
		mine, removed := fmt.Sprintf("mine/%d.md", n%7), ledgerOf(0)
		p.save(t, "facts/life/tea.md", ledgerOf(n, 0)) // the last line that goes would be waited for
		p.sound(t, fmt.Sprintf("before step %d", n), nil)
		before := strings.Count(runGit(t, p.dir, "log", "--format=%s"), "edit: ")

		arm(n)
		edits := map[string]string{mine: fmt.Sprintf("tea of step %d\n", n), "facts/life/tea.md": removed}
		for name, text := range edits {
			p.save(t, name, text)
		}
		until(t, 30*time.Second, fmt.Sprintf("step %d: the edits are committed", n), func() bool {
			return strings.TrimSpace(runGit(t, p.dir, "status", "--porcelain", "-uall")) == ""
		})
		at := arm(0)
		when := fmt.Sprintf("step %d (%s)", n, at)
		p.sound(t, when, edits)
		raw, _ := os.ReadFile(filepath.Join(p.dir, ".memory-forgotten"))
		if f := vault.ParseForgotten(raw); !f.Has(fmt.Sprintf("Drinks tea number %d.", n)) || f.Has("Drinks tea number 0.") {
			t.Errorf("%s: the wrong things are forgotten", when)
		}
		if made := strings.Count(runGit(t, p.dir, "log", "--format=%s"), "edit: ") - before; made > 2 {
			t.Errorf("%s: the edits are in %d commits", when, made)
		}
		if at == "" {
			break
		}
		seen[strings.Fields(at)[0]] = true
	}
	t.Logf("%d steps failed, of the kinds %v", n-1, seen)
	if n < 40 {
		t.Errorf("only %d steps failed", n-1)
	}
	if out := runGit(t, p.dir, "log", "--format=%s", "--author=memsync", "--", "mine"); out != "" {
		t.Errorf("memsync committed the person's notes: %s", out)
	}
}

// db is the index's file.
func (p *place) db() string { return filepath.Join(p.cache, "index-1.db") }

// overwrite puts noise in the place of all pages of the index but the first. What
// connections hold in memory is made void first, as by another process that writes.
func overwrite(t *testing.T, p *place) {
	t.Helper()
	other, err := sql.Open("sqlite", p.db()+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	for _, s := range []string{`UPDATE meta SET value = value`, `PRAGMA wal_checkpoint(TRUNCATE)`, `UPDATE meta SET value = value WHERE key = 'notes'`} {
		if _, err := other.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.OpenFile(p.db(), os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	r, noise := rand.New(rand.NewPCG(1, 2)), make([]byte, 8192)
	for at := int64(len(noise)); at < info.Size(); at += int64(len(noise)) {
		for i := range noise {
			noise[i] = byte(r.Uint32())
		}
		if _, err := f.WriteAt(noise, at); err != nil {
			t.Fatal(err)
		}
	}
}

// A reader meets a damage: the index is moved aside and empty from then on. Nobody
// is told that it is in step, though no file of the vault changed, and it is built
// again at once.
func TestADamageThatAReaderMeets(t *testing.T) {
	p := faulty(t)
	p.watch.Tick, p.watch.Owed = time.Hour, 0
	p.fill(t, 60)
	p.start(t)
	p.sound(t, "at first", nil)
	overwrite(t, p)
	end, err := p.d.Update(t.Context()) // it cannot mend itself yet
	if err != nil {
		t.Fatal(err)
	}
	o, done := p.d.Open()
	defer done()
	if err := o.Index.Check(t.Context()); err == nil {
		t.Fatal("the damage is not found")
	}
	if s, err := o.Index.Status(t.Context()); err != nil || s.Notes != 0 {
		t.Fatalf("%+v %v", s, err)
	}
	if p.d.InStep() {
		t.Error("an empty index is said to be in step")
	}
	end()
	p.sound(t, "afterwards", nil)
}

// What can happen to the index's file while the daemon has it open. Answers may
// fail then, or be said to be stale; they are never wrong and called fresh, and
// it mends itself.
func TestTheIndexFailsBesideTheDaemon(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	for name, harm := range map[string]func(t *testing.T, p *place){
		"pages of it are overwritten": overwrite,
		"it is cut short": func(t *testing.T, p *place) {
			if err := os.Truncate(p.db(), 20_000); err != nil {
				t.Fatal(err)
			}
		},
		"it is emptied": func(t *testing.T, p *place) {
			if err := os.Truncate(p.db(), 0); err != nil {
				t.Fatal(err)
			}
		},
		"its journal is cut short": func(t *testing.T, p *place) {
			if err := os.Truncate(p.db()+"-wal", 0); err != nil && !errors.Is(err, os.ErrNotExist) {
				t.Fatal(err)
			}
		},
		"its folder is deleted": func(t *testing.T, p *place) {
			if err := os.RemoveAll(p.cache); err != nil {
				t.Fatal(err)
			}
		},
		"its file is deleted": func(t *testing.T, p *place) {
			for _, end := range []string{"", "-wal", "-shm"} {
				if err := os.Remove(p.db() + end); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
		},
		"the vectors' file is deleted": func(t *testing.T, p *place) {
			for _, end := range []string{"", "-wal", "-shm"} {
				if err := os.Remove(filepath.Join(p.cache, "vectors.db"+end)); err != nil && !errors.Is(err, os.ErrNotExist) {
					t.Fatal(err)
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := faulty(t)
			p.watch.Tick = time.Second
			p.fill(t, 120)
			p.start(t)
			p.sound(t, "at first", nil)
			harm(t, p)
			p.write(t, "new.md", "# New\n\nThe lighthouse keeper drinks rooibos.\n")
			p.sound(t, "afterwards", map[string]string{"new.md": "# New\n\nThe lighthouse keeper drinks rooibos.\n"})
			until(t, 10*time.Second, "the edit is found", func() bool { return finds(t, p.d, "rooibos", "new.md") })
		})
	}
}
