package index

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"
)

// lock begins a transaction that writes to a file of the index, as another
// process has one, and returns what ends it.
func lock(t *testing.T, path string) (release func()) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return sync.OnceFunc(func() {
		if _, err := db.Exec("ROLLBACK"); err != nil {
			t.Error(err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
}

// While another process writes, searches answer at once from what is there, and
// an update waits for its turn.
func TestLockedByAnotherProcess(t *testing.T) {
	dir, e, src := t.TempDir(), newWords("words/1", 64), talk()
	x := openIndex(t, dir, e)
	sync1(t, x, src)
	release := lock(t, filepath.Join(dir, "index-1.db"))
	defer release()
	src.write("new.md", "An okapi in the garden.")

	synced := make(chan error)
	go func() {
		_, err := x.Sync(t.Context(), src)
		synced <- err
	}()
	y := openIndex(t, dir, e) // one that is opened meanwhile answers too
	for range 3 {
		for _, z := range []*Index{x, y} {
			if r := search(t, z, "tomatoes"); len(r.Hits) == 0 || r.Hits[0].Path != "garden.md" {
				t.Errorf("while another process writes: %v %v", paths(r), r.Notes)
			}
		}
	}
	if n, err := y.Behind(t.Context(), src); err != nil || n != 1 {
		t.Errorf("behind by %d, %v", n, err)
	}
	select {
	case err := <-synced:
		t.Fatalf("the update did not wait: %v", err)
	default:
	}
	release()
	if err := <-synced; err != nil {
		t.Fatalf("the update after its wait: %v", err)
	}
	if r := search(t, y, "okapi"); len(r.Hits) == 0 || r.Hits[0].Path != "new.md" {
		t.Errorf("after the update: %v", paths(r))
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

// An update that waits for another process can be stopped, and nothing of it is
// left.
func TestLockedAndStopped(t *testing.T) {
	dir, src := t.TempDir(), talk()
	x := openIndex(t, dir, newWords("words/1", 64))
	sync1(t, x, src)
	release := lock(t, filepath.Join(dir, "index-1.db"))
	defer release()
	src.write("new.md", "An okapi in the garden.")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	began := time.Now()
	if _, err := x.Sync(ctx, src); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("stopped while waiting: %v", err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it stopped after %s", took)
	}
	if r := search(t, x, "tomatoes"); len(r.Hits) == 0 || len(r.Notes) > 0 {
		t.Errorf("%v %v", paths(r), r.Notes)
	}
	release()
	if r := sync1(t, x, src); r.Added != 1 {
		t.Errorf("%+v", r)
	}
}

// A cache of vectors that another process holds costs time and nothing else.
func TestLockedCache(t *testing.T) {
	dir, src := t.TempDir(), talk()
	x := openIndex(t, dir, newWords("words/1", 64))
	sync1(t, x, src)
	release := lock(t, filepath.Join(dir, "vectors.db"))
	src.write("new.md", "An okapi in the garden.")
	synced := make(chan Report)
	go func() {
		r, err := x.Sync(t.Context(), src)
		if err != nil {
			t.Error(err)
		}
		synced <- r
	}()
	if r := search(t, x, "tomatoes"); len(r.Hits) == 0 {
		t.Errorf("%v %v", paths(r), r.Notes)
	}
	release()
	if r := <-synced; r.Added != 1 || r.Pending != 0 {
		t.Errorf("%+v", r)
	}
}

// A look that finds nothing changed is a reader's: what it would keep for the next one
// is not worth waiting for another process that writes.
func TestALookWaitsForNoWriter(t *testing.T) {
	dir, src := t.TempDir(), talk()
	x := openIndex(t, dir, newWords("words/1", 64))
	sync1(t, x, src)
	release := lock(t, filepath.Join(dir, "index-1.db"))
	defer release()
	looked := make(chan error, 1)
	go func() {
		_, err := x.Sync(t.Context(), src)
		looked <- err
	}()
	select {
	case err := <-looked:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Error("it waits")
		release()
		<-looked
	}
	release()
	sync1(t, x, src)
	src.write("new.md", "An okapi in the garden.")
	if r := sync1(t, x, src); r.Added != 1 { // and a writer waits as before
		t.Errorf("%+v", r)
	}
}
