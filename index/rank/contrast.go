package rank

import "math"

// window is how many of a list's first hits say how far its best stands out.
// Twenty and a hundred do about as well.
const window = 50

// contrast says how far the best of a list stands out of its first n: 0 where all
// are alike, towards 1 where it is far above the rest.
func (x side) contrast(n int) float64 {
	var sum float64
	for _, i := range x.top[:n] {
		sum += float64(x.evidence[i])
	}
	return 1 - sum/float64(n)/x.best
}

// weighSides scales both sides' shares by their contrast. A side to which everything
// fits alike, as it may to vectors where all turns are on one subject, should have
// less of a say in that query than in others. Both are looked at equally far
// down: a list of three hits is not steeper than one of three hundred.
func weighSides(kw, vec *side, power float64) {
	n := min(window, len(kw.top), len(vec.top))
	if n == 0 || power == 0 {
		return
	}
	for _, x := range []*side{kw, vec} {
		const least = 0.05 // so that two flat lists still have shares
		x.share *= math.Pow(x.contrast(n)+least, power)
	}
}
