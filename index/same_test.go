package index

import (
	"fmt"
	"testing"
)

// What says nearly the same is one hit that names the other places.
func TestSameIsNamed(t *testing.T) {
	files := make(map[string]string)
	for i := range maxSame + 5 {
		files[fmt.Sprintf("note%02d.md", i)] = "The garden budget for the coming year is four hundred crowns and not one more.\n"
	}
	x := openIndex(t, t.TempDir(), newWords("test/words", 64))
	sync1(t, x, newTree(files))
	r, err := x.Search(t.Context(), Query{Text: "garden budget"})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Hits) != 1 || len(r.Hits[0].Same) != maxSame {
		t.Fatalf("%d hits, want one with %d places", len(r.Hits), maxSame)
	}
	seen := map[string]bool{string(r.Hits[0].Path): true}
	for _, p := range r.Hits[0].Same {
		if seen[string(p.Path)] || files[string(p.Path)] == "" || p.Line != 1 || p.ID == "" {
			t.Errorf("place %+v", p)
		}
		seen[string(p.Path)] = true
	}
}
