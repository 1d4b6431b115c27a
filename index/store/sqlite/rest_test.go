package sqlite

import (
	"path/filepath"
	"testing"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/storetest"
)

// A store that rested holds no connection, what it holds is whole, and it goes on
// at the next use, also beside one that was in use meanwhile.
func TestRest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "index.db")
	filled(t, path)
	s := openStore(t, path)
	count := func() (n int) {
		t.Helper()
		if err := s.View(t.Context(), func(r store.Reader) error { n = r.Stamp().Notes; return nil }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	add := func(name string) {
		t.Helper()
		b := store.Batch{Put: []store.Put{storetest.Note(name, "one more")}, Model: storetest.Model}
		if err := s.Apply(t.Context(), b); err != nil {
			t.Fatal(err)
		}
	}
	add("a.md")
	s.Rest()
	if n := s.read.Stats().OpenConnections + s.write.Stats().OpenConnections; n != 0 {
		t.Errorf("%d connections are open", n)
	}
	if n := count(); n != 201 {
		t.Errorf("%d notes after a rest", n)
	}
	err := s.View(t.Context(), func(r store.Reader) error {
		s.Rest()
		add("b.md")
		if n := r.Stamp().Notes; n != 201 {
			t.Errorf("%d notes in a view that was open", n)
		}
		_, err := r.Postings(t.Context(), "more")
		return err
	})
	if err != nil {
		t.Error(err)
	}
	if n := count(); n != 202 {
		t.Errorf("%d notes afterwards", n)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
