package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/storetest"
)

// A copy is the store at one moment, also what still lies in its log, and goes
// its own way.
func TestCopy(t *testing.T) {
	dir := t.TempDir()
	filled(t, filepath.Join(dir, "index.db"))
	s := openStore(t, filepath.Join(dir, "index.db"))
	late := store.Batch{Put: []store.Put{storetest.Note("late.md", "written a moment ago")}, Model: storetest.Model}
	if err := s.Apply(t.Context(), late); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "a copy.db")
	if err := s.Copy(t.Context(), path); err != nil {
		t.Fatal(err)
	}
	after := store.Batch{Remove: []string{"late.md", "000.md"}, Model: storetest.Model}
	if err := s.Apply(t.Context(), after); err != nil {
		t.Fatal(err)
	}
	c := openStore(t, path)
	for st, want := range map[*Store]int{s: 199, c: 201} {
		err := st.View(t.Context(), func(r store.Reader) error {
			n := 0
			err := r.Manifest(t.Context(), func(store.Note) error { n++; return nil })
			if n != want || r.Stamp().Notes != want || r.Stamp().Model != storetest.Model {
				t.Errorf("%s: %d notes, %+v; want %d", st.Path(), n, r.Stamp(), want)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
		if err := st.Check(t.Context()); err != nil {
			t.Error(err)
		}
	}
	if err := s.Copy(t.Context(), path); err == nil {
		t.Error("a copy was written over a store")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Copy(ctx, filepath.Join(dir, "stopped.db")); err == nil {
		t.Error("a copy that was stopped is none")
	}
}
