package index

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// SyncPaths, told of every path, leaves what Sync leaves.
func TestSyncPathsDoesWhatSyncDoes(t *testing.T) {
	dir := t.TempDir()
	v, err := vault.Open(dir, vault.Config{Ignore: []string{"private/"}})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	open := func() *Index {
		t.Helper()
		x, err := Open(t.Context(), t.TempDir(), nil, Config{Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { x.Close() })
		return x
	}
	all := []vault.Path{"a.md", "b.md", "c/d.md", "private/e.md", "picture.png", "gone.md", "folder.md"}
	x := open()
	for _, step := range []struct {
		do   func()
		want Report
	}{
		{func() {
			write("a.md", "tea")
			write("b.md", "coffee")
			write("private/e.md", "x")
			write("picture.png", "x")
		}, Report{Added: 2}},
		{func() { write("a.md", "green tea"); write("c/d.md", "milk") }, Report{Added: 1, Updated: 1, Unchanged: 1}},
		{func() { os.Remove(filepath.Join(dir, "b.md")) }, Report{Removed: 1, Unchanged: 2}},
		{func() {
			os.Mkdir(filepath.Join(dir, "folder.md"), 0o755)
			os.Symlink("a.md", filepath.Join(dir, "b.md"))
		}, Report{Unchanged: 2}},
	} {
		step.do()
		got, err := x.SyncPaths(t.Context(), v, all)
		if err != nil {
			t.Fatal(err)
		}
		got = Report{Added: got.Added, Updated: got.Updated, Removed: got.Removed, Unchanged: got.Unchanged}
		if diff := cmp.Diff(step.want, got); diff != "" {
			t.Error(diff)
		}
		if n, err := x.Behind(t.Context(), v); err != nil || n != 0 {
			t.Errorf("behind by %d, %v", n, err)
		}
		again, err := x.Sync(t.Context(), v)
		if err != nil || again.Changed() {
			t.Errorf("Sync finds more to do: %+v, %v", again, err)
		}
	}
}
