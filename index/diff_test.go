package index

import (
	"context"
	"testing"
	"time"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// A look that finds nothing is remembered, and hides no change that comes after it.
func TestALookThatFoundNothingIsKept(t *testing.T) {
	x := openIndex(t, t.TempDir(), nil)
	src := newTree(map[string]string{"a.md": "Apples.\n", "b.md": "Bread.\n", "c.md": "Cheese.\n"})
	kept := func() bool {
		t.Helper()
		entries, _, err := src.Walk(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same := false
		err = x.view(t.Context(), func(r store.Reader) error {
			same = r.Stamp().Walked == sumOf(entries)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return same
	}
	look := func(added, updated, removed, unchanged int) {
		t.Helper()
		r := sync1(t, x, src)
		if r.Added != added || r.Updated != updated || r.Removed != removed || r.Unchanged != unchanged {
			t.Errorf("found %d new, %d changed, %d gone, %d as they were; want %d, %d, %d, %d",
				r.Added, r.Updated, r.Removed, r.Unchanged, added, updated, removed, unchanged)
		}
	}
	look(3, 0, 0, 0)
	for _, step := range []struct {
		what                    string
		do                      func()
		added, updated, removed int
		unchanged               int
	}{
		{"one of the same size is edited", func() { src.write("a.md", "Banana.\n") }, 0, 1, 0, 2},
		{"one is touched", func() { src.times["b.md"] = clock.Add(-time.Minute) }, 0, 0, 0, 3},
		{"one comes", func() { src.write("d.md", "Dates.\n") }, 1, 0, 0, 3},
		{"one goes", func() { src.remove("c.md") }, 0, 0, 1, 3},
		{"one is renamed", func() { src.write("e.md", "Dates.\n"); src.remove("d.md") }, 1, 0, 1, 2},
		{"one was looked at by its name", func() {
			src.write("a.md", "Cherry.\n")
			if _, err := x.Update(t.Context(), one(src, "a.md")); err != nil {
				t.Fatal(err)
			}
			src.write("b.md", "Butter.\n")
		}, 0, 1, 0, 2},
	} {
		look(0, 0, 0, len(src.files))
		if !kept() {
			t.Fatalf("before %s: a look that found nothing is not kept", step.what)
		}
		look(0, 0, 0, len(src.files)) // from what was kept
		step.do()
		if kept() {
			t.Errorf("%s: what was kept hides it", step.what)
		}
		look(step.added, step.updated, step.removed, step.unchanged)
	}
}

func one(src *tree, path vault.Path) func(func(Change) bool) {
	return func(yield func(Change) bool) {
		entries, _, _ := src.Walk(context.Background())
		for _, e := range entries {
			if e.Path == path {
				yield(Change{Path: path, Size: e.Size, ModTime: e.ModTime, Read: func() ([]byte, error) { return src.Read(path) }})
			}
		}
	}
}

func TestSumOf(t *testing.T) {
	at := time.Date(2025, 1, 2, 3, 4, 5, 6, time.UTC)
	entries := []vault.Entry{{Path: "a.md", Size: 1, ModTime: at}, {Path: "b.md", Size: 2, ModTime: at}}
	sums := map[uint64]string{sumOf(entries): "as they are"}
	for what, change := range map[string]func([]vault.Entry) []vault.Entry{
		"another name": func(e []vault.Entry) []vault.Entry { e[1].Path = "c.md"; return e },
		"another size": func(e []vault.Entry) []vault.Entry { e[1].Size++; return e },
		"another time": func(e []vault.Entry) []vault.Entry { e[1].ModTime = at.Add(1); return e },
		"one less":     func(e []vault.Entry) []vault.Entry { return e[:1] },
		"none":         func(e []vault.Entry) []vault.Entry { return nil },
	} {
		sum := sumOf(change([]vault.Entry{entries[0], entries[1]}))
		if old, twice := sums[sum]; twice {
			t.Errorf("%s has the sum of %s", what, old)
		}
		sums[sum] = what
	}
}
