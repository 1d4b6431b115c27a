package sqlite

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/storetest"
)

// A frozen store says what the file says, writes nothing, not even beside the file,
// and is not opened where a journal holds more than the file does.
func TestFrozen(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "index.db")
	filled(t, path)
	files := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenFrozen(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	err = s.View(t.Context(), func(r store.Reader) error {
		found, err := r.Postings(t.Context(), "number")
		if n := r.Stamp().Notes; n != 200 || len(found) != 200 {
			t.Errorf("%d notes, %d of them found", n, len(found))
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	change := store.Batch{Put: []store.Put{storetest.Note("a.md", "more")}, Model: storetest.Model}
	if err := s.Apply(t.Context(), change); err == nil {
		t.Error("a frozen store is changed")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"index.db"}, files()); diff != "" {
		t.Errorf("beside the file: %s", diff)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file is not what it was: %v", err)
	}

	open := openStore(t, path)
	if err := open.Apply(t.Context(), change); err != nil {
		t.Fatal(err)
	}
	if s, err := OpenFrozen(t.Context(), path); err == nil {
		_ = s.Close()
		t.Error("it is opened without its journal")
	}
	if _, err := OpenFrozen(t.Context(), filepath.Join(dir, "none.db")); err == nil {
		t.Error("a file that is not there is opened")
	}
}
