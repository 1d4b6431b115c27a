package rank

import (
	"cmp"
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

// ranks are the places of the side's best, counted from 1. Equally near chunks
// share one, so that which of them leads is left to what else is known of them, not
// to the order in which they were indexed.
func (x side) ranks() []int {
	out := make([]int, len(x.top))
	for i, pos := range x.top {
		out[i] = i + 1
		if i > 0 && x.evidence[pos] == x.evidence[x.top[i-1]] {
			out[i] = out[i-1]
		}
	}
	return out
}

// newer compares two chunks, the one that was said later first.
func (c *Corpus) newer(a, b int32) int {
	if c.Time == nil {
		return 0
	}
	return cmp.Compare(c.Time[b], c.Time[a])
}

// best returns the positions of the n highest positive scores that pass the
// filter, best first; of equals the first in the corpus.
func best(s []float32, n int, keep func(int32) bool) []int32 {
	h := lowest{score: s, pos: make([]int32, 0, n)}
	var least float32 // what is not above it is not among the best
	for i, x := range s {
		if x <= least || keep != nil && !keep(int32(i)) {
			continue
		}
		if len(h.pos) < n {
			h.pos = append(h.pos, int32(i))
			if len(h.pos) < n {
				continue
			}
			for from := n/2 - 1; from >= 0; from-- {
				h.sink(from)
			}
		} else {
			h.pos[0] = int32(i)
			h.sink(0)
		}
		least = s[h.pos[0]]
	}
	slices.SortFunc(h.pos, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b))
	})
	return h.pos
}

// lowest is a heap of positions whose head has the lowest score and, of equals,
// stands last: container/heap without its calls through an interface.
type lowest struct {
	score []float32
	pos   []int32
}

func (h *lowest) less(a, b int32) bool {
	x, y := h.score[a], h.score[b]
	return x < y || x == y && a > b
}

// sink moves the position at i down to where the heap is one again.
func (h *lowest) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(h.pos) {
			return
		}
		if right := child + 1; right < len(h.pos) && h.less(h.pos[right], h.pos[child]) {
			child = right
		}
		if !h.less(h.pos[child], h.pos[i]) {
			return
		}
		h.pos[i], h.pos[child] = h.pos[child], h.pos[i]
		i = child
	}
}
