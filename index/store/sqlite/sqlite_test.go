package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/storetest"
	"github.com/memsync/memsync/index/vector"
)

func openStore(t *testing.T, path string) *Store {
	t.Helper()
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) store.Store {
		return openStore(t, filepath.Join(t.TempDir(), "a #?% dir", "index.db"))
	})
}

// filled makes an index of some size and closes it.
func filled(t *testing.T, path string) {
	t.Helper()
	s := openStore(t, path)
	var b store.Batch
	for i := range 200 {
		b.Put = append(b.Put, storetest.Note(fmt.Sprintf("%03d.md", i), "some words of it", fmt.Sprint("and number ", i)))
	}
	b.Model = storetest.Model
	if err := s.Apply(t.Context(), b); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// Whatever lies where the index should be: Open gives a store that works, says
// what it did, and keeps what was there.
func TestUnusableFiles(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, path string){
		"text": func(t *testing.T, path string) {
			write(t, path, []byte("this is no database, and long enough to say so"))
		},
		"cut":    func(t *testing.T, path string) { filled(t, path); truncate(t, path, 8192+100) },
		"header": func(t *testing.T, path string) { filled(t, path); truncate(t, path, 50) },
		"foreign": func(t *testing.T, path string) {
			exec(t, path, `CREATE TABLE notes (x)`)
		},
		"newer":   func(t *testing.T, path string) { filled(t, path); exec(t, path, `PRAGMA user_version = 99`) },
		"older":   func(t *testing.T, path string) { filled(t, path); exec(t, path, `PRAGMA user_version = 0`) },
		"no meta": func(t *testing.T, path string) { filled(t, path); exec(t, path, `DROP TABLE meta`) },
		"no part": func(t *testing.T, path string) { filled(t, path); exec(t, path, `DROP TABLE speakers`) },
		"zeros":   func(t *testing.T, path string) { write(t, path, make([]byte, 100_000)) },
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "index.db")
			spoil(t, path)
			s := openStore(t, path)
			if len(s.Notes()) != 1 || !strings.Contains(s.Notes()[0], path+".damaged-1") {
				t.Errorf("notes %q", s.Notes())
			}
			if _, err := os.Stat(path + ".damaged-1"); err != nil {
				t.Error(err)
			}
			if err := s.Apply(t.Context(), store.Batch{Put: []store.Put{storetest.Note("a.md", "new")}, Model: storetest.Model}); err != nil {
				t.Error(err)
			}
			if err := s.Check(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// An empty file is what a machine leaves that lost power at the wrong moment.
func TestEmptyFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	write(t, path, nil)
	if s := openStore(t, path); len(s.Notes()) != 0 {
		t.Errorf("notes %q", s.Notes())
	}
}

// A file that is torn again and again does not fill the disk.
func TestFewAreKeptAside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index.db")
	for i := range 6 {
		write(t, path, []byte(fmt.Sprintf("no database %d, and a line of some length to be sure", i)))
		s := openStore(t, path)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	found, err := filepath.Glob(path + ".damaged-*")
	if err != nil || len(found) != keptAside {
		t.Errorf("%v, %v", found, err)
	}
}

// A bit that turns anywhere in the file is noticed by Check or changes nothing,
// and never makes reading crash.
func TestTurnedBits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	filled(t, path)
	good, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	noticed := 0
	for i := 0; i < 40; i++ {
		bad := append([]byte(nil), good...)
		at := (len(good)/40)*i + 4000%(len(good)/40)
		for j := at; j < min(at+64, len(bad)); j++ {
			bad[j] ^= 0xff
		}
		p := filepath.Join(t.TempDir(), "index.db")
		write(t, p, bad)
		s := openStore(t, p)
		err := s.Check(t.Context())
		if len(s.Notes()) > 0 || errors.Is(err, store.ErrDamaged) {
			noticed++
		} else if err != nil {
			t.Errorf("at %d: %v is no word of damage", at, err)
		}
		s.Close()
	}
	if noticed < 20 {
		t.Errorf("only %d of 40 torn places were noticed", noticed)
	}
}

// The disk is full: the batch fails, what was there stays.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	filled(t, path)
	s := openStore(t, path)
	if _, err := s.write.ExecContext(t.Context(), `PRAGMA max_page_count = 1`); err != nil {
		t.Fatal(err) // SQLite takes the present size as the least
	}
	big := storetest.Note("big.md", strings.Repeat("many words ", 100_000))
	err := s.Apply(t.Context(), store.Batch{Put: []store.Put{big}, Remove: []string{"000.md"}, Model: storetest.Model})
	if err == nil || errors.Is(err, store.ErrDamaged) {
		t.Fatalf("a full disk: %v", err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	view := func(r store.Reader) error {
		if r.Stamp().Notes != 200 {
			t.Errorf("%d notes", r.Stamp().Notes)
		}
		return nil
	}
	if err := s.View(t.Context(), view); err != nil {
		t.Error(err)
	}
}

func TestCache(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors.db")
	open := func(limit int64) *Cache {
		c, err := OpenCache(t.Context(), path, limit)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return c
	}
	key := func(i int) store.Key { return store.Key{byte(i), byte(i >> 8)} }
	vec := func(i int) []byte { return vector.Pack(nil, []float32{float32(i), 1}) }
	c := open(0)
	for i := range 10 {
		if err := c.Put(t.Context(), 2, []store.Key{key(2 * i), key(2*i + 1)}, [][]byte{vec(2 * i), vec(2*i + 1)}); err != nil {
			t.Fatal(err)
		}
	}
	check := func(c *Cache, i int, there bool) {
		t.Helper()
		got, err := c.Get(t.Context(), 2, []store.Key{key(999), key(i)})
		if err != nil || got[0] != nil || (got[1] != nil) != there || there && string(got[1]) != string(vec(i)) {
			t.Errorf("vector %d: %v, %v", i, got, err)
		}
	}
	check(c, 0, true)
	check(c, 19, true)
	if got, err := c.Get(t.Context(), 3, []store.Key{key(0)}); err != nil || got[0] != nil {
		t.Errorf("a vector of another dimension: %v, %v", got, err)
	}
	if err := c.Put(t.Context(), 2, []store.Key{key(1)}, [][]byte{{1, 2}}); err == nil {
		t.Error("a vector of a wrong size was kept")
	}
	// Another process puts; this one sees it.
	other := open(0)
	if err := other.Put(t.Context(), 2, []store.Key{key(50)}, [][]byte{vec(50)}); err != nil {
		t.Fatal(err)
	}
	check(c, 50, true)
	c.Rest()
	check(c, 0, true)
	check(c, 50, true)
	// Beyond the bound the oldest go.
	small := open(int64(6 * vector.Size(2)))
	if err := small.Put(t.Context(), 2, []store.Key{key(60)}, [][]byte{vec(60)}); err != nil {
		t.Fatal(err)
	}
	check(small, 60, true)
	check(small, 50, true)
	check(small, 0, false)
	check(c, 0, false) // it knew the place, but the place is empty
	for i := range 100 {
		if err := small.Put(t.Context(), 2, []store.Key{key(100 + i)}, [][]byte{vec(100 + i)}); err != nil {
			t.Fatal(err)
		}
	}
	check(small, 199, true)
	check(small, 100, false)
	var blocks int
	if err := small.db.QueryRow(`SELECT count(*) FROM blocks`).Scan(&blocks); err != nil || blocks > 6 {
		t.Errorf("%d blocks are kept: %v", blocks, err)
	}
	c.Close()
	other.Close()
	small.Close()
	write(t, path, []byte("no database at all, but a line of text that goes on"))
	fresh := open(0)
	if len(fresh.Notes()) != 1 {
		t.Errorf("notes %q", fresh.Notes())
	}
	check(fresh, 60, false)
}

func write(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func truncate(t *testing.T, path string, size int64) {
	t.Helper()
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
}

// exec runs SQL on a file, as another program would.
func exec(t *testing.T, path, query string) {
	t.Helper()
	if err := create(path); err != nil {
		t.Fatal(err)
	}
	db, err := connect(path, true, writeCache)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatal(err)
	}
}

// A file that somebody empties or deletes while it is open is known to be damaged by
// whoever opens it next, though others have it open still.
func TestGoneUnderReaders(t *testing.T) {
	for name, harm := range map[string]func(path string) error{
		"emptied": func(path string) error { return os.Truncate(path, 0) },
		"deleted": func(path string) error {
			return errors.Join(os.Remove(path), os.Remove(path+"-wal"), os.Remove(path+"-shm"))
		},
	} {
		path := filepath.Join(t.TempDir(), "index.db")
		filled(t, path)
		s := openStore(t, path)
		err := s.View(t.Context(), func(store.Reader) error {
			if err := harm(path); err != nil {
				t.Fatal(err)
			}
			return s.View(t.Context(), func(store.Reader) error { return nil }) // a connection of its own
		})
		if !errors.Is(err, store.ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Many open an index that is not there yet, at once, as a daemon and the commands beside
// it do: each gets it, and it is made once.
func TestOpenedAtOnce(t *testing.T) {
	for range 20 {
		path := filepath.Join(t.TempDir(), "index.db")
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				s, err := Open(t.Context(), path)
				if err != nil {
					t.Error(err)
					return
				}
				if err := s.View(t.Context(), func(store.Reader) error { return nil }); err != nil || len(s.Notes()) > 0 {
					t.Errorf("%q: %v", s.Notes(), err)
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	}
}
