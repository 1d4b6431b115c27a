package rank

import (
	"math/bits"
	"slices"
)

const (
	// alike is the share of terms that two texts must have in common, of all
	// that either has, to be one hit.
	alike = 0.9
	// fewTerms is the number of distinct terms below which texts are not
	// compared: "ok, thanks" twice are two turns.
	fewTerms = 8
)

// collapse drops hits that say nearly the same as a better one, which keeps
// their positions. It looks until it has limit hits.
func collapse(hits []Hit, limit int, termsOf func(int32) []string) []Hit {
	if termsOf == nil {
		return hits[:min(limit, len(hits))]
	}
	out := make([]Hit, 0, limit)
	var sets [][]string
	var marks []signature
next:
	for _, h := range hits {
		if len(out) == limit {
			break
		}
		set := slices.Clone(termsOf(h.Pos))
		slices.Sort(set)
		set = slices.Compact(set)
		mark := sign(set)
		for i, other := range sets {
			if mark.near(marks[i], min(len(set), len(other))) && similar(set, other) {
				out[i].Same = append(out[i].Same, h.Pos)
				continue next
			}
		}
		out, sets, marks = append(out, h), append(sets, set), append(marks, mark)
	}
	return out
}

// A signature has a bit for each of a set's terms, so that most sets need no
// comparing.
type signature [4]uint64

func sign(set []string) signature {
	var s signature
	for _, t := range set {
		h := uint32(2166136261) // FNV-1a
		for i := range len(t) {
			h = (h ^ uint32(t[i])) * 16777619
		}
		h ^= h >> 16
		s[h&3] |= 1 << (h >> 2 & 63)
	}
	return s
}

// near says whether two sets, the smaller of n terms, may be similar: the terms
// that only one of them has are at least as many as the bits that differ.
func (s signature) near(other signature, n int) bool {
	differ := 0
	for i := range s {
		differ += bits.OnesCount64(s[i] ^ other[i])
	}
	return float64(differ) <= (1-alike)/alike*float64(n)+1e-9
}

// similar compares two sorted sets by their Jaccard index.
func similar(a, b []string) bool {
	short, long := len(a), len(b)
	if short > long {
		short, long = long, short
	}
	if short < fewTerms || float64(short) < alike*float64(long) {
		return false
	}
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common++
			i++
			j++
		case a[i] < b[j]:
			i++
		default:
			j++
		}
	}
	return float64(common) >= alike*float64(len(a)+len(b)-common)
}
