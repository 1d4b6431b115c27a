package rank

import "slices"

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
next:
	for _, h := range hits {
		if len(out) == limit {
			break
		}
		set := slices.Clone(termsOf(h.Pos))
		slices.Sort(set)
		set = slices.Compact(set)
		for i, other := range sets {
			if similar(set, other) {
				out[i].Same = append(out[i].Same, h.Pos)
				continue next
			}
		}
		out, sets = append(out, h), append(sets, set)
	}
	return out
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
