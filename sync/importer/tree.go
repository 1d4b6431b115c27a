package importer

import (
	"slices"
	"time"
)

// A Tree is the shape of a conversation in which questions were edited and
// answers regenerated: each node answers its parent. Nodes are numbered.
type Tree struct {
	parent   []int // -1 for a root
	children [][]int
	// Cycles counts the links that were cut because they led round in a circle.
	Cycles int
}

// NewTree makes a tree of nodes whose parents are given, -1 or any number
// outside for none. Siblings are ordered by when, then by number. A circle that
// can be reached from the leaf current is cut where its path would come round
// again; -1 where no leaf is known to be the current one.
func NewTree(parents []int, current int, when func(node int) time.Time) *Tree {
	t := &Tree{parent: slices.Clone(parents), children: make([][]int, len(parents))}
	t.cutCycles(current)
	for i, p := range t.parent {
		if p >= 0 {
			t.children[p] = append(t.children[p], i)
		}
	}
	for _, siblings := range t.children {
		t.sort(siblings, when)
	}
	return t
}

func (t *Tree) sort(nodes []int, when func(int) time.Time) {
	if len(nodes) > 1 {
		slices.SortStableFunc(nodes, func(a, b int) int { return when(a).Compare(when(b)) })
	}
}

// cutCycles makes a root of one node of every circle.
func (t *Tree) cutCycles(current int) {
	seen := make([]int, len(t.parent)) // the walk that first passed a node, from 1
	if current >= 0 {
		t.cutFrom(current, seen, len(t.parent)+1)
	}
	for i := range t.parent {
		t.cutFrom(i, seen, i+1)
	}
}

// cutFrom walks up from n and cuts the link that leads back into the walk.
func (t *Tree) cutFrom(n int, seen []int, walk int) {
	for seen[n] == 0 {
		seen[n] = walk
		p := t.parent[n]
		if p < 0 || p >= len(t.parent) {
			t.parent[n] = -1
			return
		}
		if seen[p] == walk {
			t.parent[n] = -1
			t.Cycles++
			return
		}
		n = p
	}
}

// Parent returns a node's parent, or -1.
func (t *Tree) Parent(node int) int { return t.parent[node] }

// Leaves counts the nodes that nothing answers.
func (t *Tree) Leaves() int {
	n := 0
	for _, c := range t.children {
		if len(c) == 0 {
			n++
		}
	}
	return n
}

// Path lists the nodes from a root to leaf.
func (t *Tree) Path(leaf int) []int {
	var path []int
	for n := leaf; n >= 0; n = t.parent[n] {
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}

// Newest returns the leaf whose path reaches the latest time; of several the
// deepest, of those the last. It is what a provider shows when nothing says
// otherwise. -1 in an empty tree.
func (t *Tree) Newest(when func(node int) time.Time) int {
	type reach struct {
		depth  int
		latest time.Time
	}
	reached := make([]reach, len(t.parent))
	best := -1
	t.Branches(nil, when, func(n int) {
		r := reach{1, when(n)}
		if p := t.parent[n]; p >= 0 {
			r.depth += reached[p].depth
			if reached[p].latest.After(r.latest) {
				r.latest = reached[p].latest
			}
		}
		reached[n] = r
		if len(t.children[n]) > 0 {
			return
		}
		if best >= 0 {
			c := r.latest.Compare(reached[best].latest)
			if c < 0 || c == 0 && (r.depth < reached[best].depth || r.depth == reached[best].depth && n < best) {
				return
			}
		}
		best = n
	})
	return best
}

// Branches calls visit for every node that is not on path, so that a node comes
// after its parent and a branch stays together: for each node of the path in
// order the branches that leave it, then the trees that have another root.
func (t *Tree) Branches(path []int, when func(node int) time.Time, visit func(node int)) {
	onPath := make([]bool, len(t.parent))
	for _, n := range path {
		onPath[n] = true
	}
	var stack []int
	below := func(start int) {
		stack = append(stack[:0], start)
		for len(stack) > 0 {
			n := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			visit(n)
			for _, c := range slices.Backward(t.children[n]) {
				stack = append(stack, c)
			}
		}
	}
	for _, n := range path {
		for _, c := range t.children[n] {
			if !onPath[c] {
				below(c)
			}
		}
	}
	var roots []int
	for n, p := range t.parent {
		if p < 0 && !onPath[n] {
			roots = append(roots, n)
		}
	}
	t.sort(roots, when)
	for _, n := range roots {
		below(n)
	}
}
