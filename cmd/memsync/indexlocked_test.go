package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// While another process updates or rebuilds the index, searches answer from the
// one that is there and say what they may lack; a second rebuild is refused.
func TestSearchBesideAnUpdate(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	memsync := func(args ...string) (status int, out, errs string) {
		t.Helper()
		a, stdout, stderr := testApp(t, home, dir)
		status = a.run(t.Context(), args)
		return status, stdout.String(), stderr.String()
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type answer struct {
		Hits  []struct{ Path string }
		Fresh bool
		Notes []string
	}
	search := func(words string) (r answer) {
		t.Helper()
		if status, out, errs := memsync("search", words, "--json"); status != exitDone || json.Unmarshal([]byte(out), &r) != nil {
			t.Fatalf("search exits %d: %s%s", status, out, errs)
		}
		return r
	}
	if status, _, errs := memsync("init"); status != exitDone {
		t.Fatal(errs)
	}
	write("bread.md", "The rye bread needs a levain.")
	write("oven.md", "Pieter rents his second oven.")
	if r := search("levain"); len(r.Hits) == 0 || !r.Fresh {
		t.Fatalf("%+v", r)
	}

	a, _, _ := testApp(t, home, dir)
	s, err := a.open()
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lock, err := vault.Acquire(filepath.Join(s.places.State, "index"), vault.Holder{PID: os.Getpid(), What: "index", Since: a.now()})
	if err != nil {
		t.Fatal(err)
	}
	if r := search("levain"); len(r.Hits) == 0 || r.Hits[0].Path != "bread.md" || !r.Fresh || len(r.Notes) > 0 {
		t.Errorf("nothing changed: %+v", r)
	}
	write("kiln.md", "The kiln reaches twelve hundred degrees.")
	r := search("levain")
	want := answer{r.Hits, false, []string{"another process is updating the index; 1 note that changed may be missing from this answer"}}
	if diff := cmp.Diff(want, r); diff != "" || len(r.Hits) == 0 || r.Hits[0].Path != "bread.md" {
		t.Errorf("%s", diff)
	}
	if status, _, errs := memsync("index", "--rebuild"); status != exitLocked {
		t.Errorf("a second rebuild exits %d: %s", status, errs)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if r := search("kiln"); len(r.Hits) == 0 || r.Hits[0].Path != "kiln.md" || !r.Fresh || len(r.Notes) > 0 {
		t.Errorf("afterwards: %+v", r)
	}
}
