package rank

import (
	"cmp"
	"container/heap"
	"slices"
)

// depth is how many chunks of each side's list take part in the fusion.
const depth = 300

// vote is reciprocal rank fusion's vote, 1 for the first place, weighed by
// strength: the evidence relative to the list's best. So a match that is merely
// the least bad of its list does not earn a full vote.
func vote(k float64, place int, strength float64) float64 {
	return (k + 1) / (k + 1 + float64(place)) * strength
}

// best returns the positions of the n highest positive scores that pass the
// filter, best first; of equals the first in the corpus.
func best(s []float32, n int, keep func(int32) bool) []int32 {
	h := lowest{score: s, pos: make([]int32, 0, n)}
	for i, x := range s {
		if x <= 0 || len(h.pos) == n && x <= s[h.pos[0]] {
			continue
		}
		if keep != nil && !keep(int32(i)) {
			continue
		}
		if len(h.pos) == n {
			h.pos[0] = int32(i)
			heap.Fix(&h, 0)
		} else {
			heap.Push(&h, int32(i))
		}
	}
	slices.SortFunc(h.pos, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b))
	})
	return h.pos
}

// lowest is a heap of positions whose head has the lowest score and, of equals,
// stands last.
type lowest struct {
	score []float32
	pos   []int32
}

func (h *lowest) Len() int { return len(h.pos) }
func (h *lowest) Less(i, j int) bool {
	a, b := h.pos[i], h.pos[j]
	return cmp.Or(cmp.Compare(h.score[a], h.score[b]), cmp.Compare(b, a)) < 0
}
func (h *lowest) Swap(i, j int) { h.pos[i], h.pos[j] = h.pos[j], h.pos[i] }
func (h *lowest) Push(x any)    { h.pos = append(h.pos, x.(int32)) }
func (h *lowest) Pop() any {
	x := h.pos[len(h.pos)-1]
	h.pos = h.pos[:len(h.pos)-1]
	return x
}
