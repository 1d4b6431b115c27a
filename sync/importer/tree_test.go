package importer

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func at(seconds ...int) func(int) time.Time {
	return func(n int) time.Time { return time.Unix(int64(seconds[n]), 0) }
}

func TestTree(t *testing.T) {
	//	0 ─ 1 ─ 2 ─ 5
	//	    │   └ 4
	//	    └ 3 ─ 6       7 ─ 8
	when := at(0, 1, 2, 3, 4, 5, 6, 1, 2)
	tree := NewTree([]int{-1, 0, 1, 1, 2, 2, 3, 99, 7}, -1, when)
	if got := tree.Newest(when); got != 6 {
		t.Errorf("the newest leaf is %d, want 6", got)
	}
	path := tree.Path(5)
	if diff := cmp.Diff([]int{0, 1, 2, 5}, path); diff != "" {
		t.Error(diff)
	}
	var rest []int
	tree.Branches(path, when, func(n int) { rest = append(rest, n) })
	if diff := cmp.Diff([]int{3, 6, 4, 7, 8}, rest); diff != "" {
		t.Error(diff)
	}
}

func TestTreeNewestPrefersTheDeepest(t *testing.T) {
	when := func(int) time.Time { return time.Time{} }
	if got := NewTree([]int{-1, 0, 1, 0}, -1, when).Newest(when); got != 2 {
		t.Errorf("got leaf %d, want 2", got)
	}
}

// FuzzTree holds the law that every node is visited exactly once and after its
// parent, however wild the links.
func FuzzTree(f *testing.F) {
	f.Add([]byte{0, 0, 1, 1})
	f.Add([]byte{1, 2, 0})
	f.Add([]byte{0})
	f.Fuzz(func(t *testing.T, links []byte) {
		parents := make([]int, len(links))
		for i, b := range links {
			parents[i] = int(b) - 1
		}
		when := func(n int) time.Time { return time.Unix(int64(links[n]), 0) }
		tree := NewTree(parents, len(parents)-1, when)
		leaf := tree.Newest(when)
		if leaf < 0 {
			if len(links) > 0 {
				t.Fatal("no leaf in a tree with nodes")
			}
			return
		}
		path := tree.Path(leaf)
		order := slices.Clone(path)
		tree.Branches(path, when, func(n int) { order = append(order, n) })
		seen := map[int]bool{}
		for _, n := range order {
			if seen[n] {
				t.Fatalf("node %d comes twice", n)
			}
			if p := tree.Parent(n); p >= 0 && !seen[p] {
				t.Fatalf("node %d comes before its parent %d", n, p)
			}
			seen[n] = true
		}
		if len(seen) != len(links) {
			t.Fatalf("%d of %d nodes were visited", len(seen), len(links))
		}
	})
}
