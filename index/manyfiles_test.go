package index

import (
	"flag"
	"fmt"
	"testing"
)

var manyFiles = flag.Int("files", 3000, "the number of notes of TestManyFiles")

// A vault of very many small notes is indexed, found and synced without reading
// any of them twice. The long form is
//
//	go test ./index -run TestManyFiles -files 100000
func TestManyFiles(t *testing.T) {
	n := *manyFiles
	src := newTree(nil)
	for i := range n {
		src.write(fmt.Sprintf("%02d/%02d/note%d.md", i%97, i%89, i), fmt.Sprintf("# Number %d\n\nThe animal of this note is beast%d.\n", i, i))
	}
	x := openIndex(t, t.TempDir(), newWords("words/1", 16))
	if r := sync1(t, x, src); r.Added != n || r.Pending != 0 || len(r.Problems) > 0 {
		t.Fatalf("%+v", r)
	}
	for _, i := range []int{0, n / 2, n - 1} {
		r := search(t, x, fmt.Sprintf("beast%d", i))
		if want := fmt.Sprintf("%02d/%02d/note%d.md", i%97, i%89, i); len(r.Hits) == 0 || string(r.Hits[0].Path) != want {
			t.Errorf("beast%d: %v, want %s", i, paths(r), want)
		}
	}
	src.reads.Store(0)
	if r := sync1(t, x, src); r.Changed() || r.Unchanged != n || src.reads.Load() != 0 {
		t.Errorf("nothing changed, yet %+v and %d reads", r, src.reads.Load())
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}
