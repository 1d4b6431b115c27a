package rank

import (
	"math"
	"slices"
)

// spread lets neighbours and the note vouch for each chunk: what a chunk earned
// by its own words, plus a share of what the chunks beside it in the note earned,
// plus a share of the best own score in proportion to how well its note fits.
func spread(c *Corpus, e evidence, near []float64, note, reliance, answer float64) []float32 {
	n := len(e.own)
	out := make([]float32, n)
	copy(out, e.own)
	rely := func(i int) float32 {
		if reliance == 0 {
			return 1
		}
		return float32(math.Min(1, reliance/float64(c.Len[i]+1)))
	}
	for d, w := range near {
		if w == 0 {
			continue
		}
		step, share := d+1, float32(w)
		for i := 0; i+step < n; i++ {
			if j := i + step; c.Note[i] == c.Note[j] {
				out[i] += share * rely(i) * e.own[j]
				if d == 0 && c.flag(int32(i), Question) && c.turn(i) != c.turn(j) {
					out[j] += share * rely(j) * e.own[i] * float32(answer)
				} else {
					out[j] += share * rely(j) * e.own[i]
				}
			}
		}
	}
	bestOwn, bestNote := maximum(e.own), maximum(e.note)
	if note > 0 && bestNote > 0 {
		f := float32(note) * bestOwn / bestNote
		for i := range out {
			out[i] += f * rely(i) * e.note[c.Note[i]]
		}
	}
	return out
}

// vectors turns cosines into evidence. What lies below the corpus's mean cosine
// says nothing: static models put unrelated texts well above zero. A note is as
// near as its nearest chunks, of which later ones count less and less.
func vectors(c *Corpus, cosine []float32, notes int) evidence {
	e := evidence{own: make([]float32, len(cosine)), note: make([]float32, notes)}
	var sum float64
	var seen int
	for _, x := range cosine {
		if x == x {
			sum += float64(x)
			seen++
		}
	}
	mean := float32(sum / math.Max(float64(seen), 1))
	for i, x := range cosine {
		if x == x && x > mean {
			e.own[i] = x - mean
		}
	}
	for i := 0; i < len(cosine); {
		note, k := c.Note[i], i
		var top [3]float32
		for ; k < len(cosine) && c.Note[k] == note; k++ {
			x := e.own[k]
			for t := range top {
				if x > top[t] {
					top[t], x = x, top[t]
				}
			}
		}
		e.note[note] = top[0] + top[1]/2 + top[2]/3
		i = k
	}
	return e
}

func maximum(xs []float32) float32 {
	if len(xs) == 0 {
		return 0
	}
	return slices.Max(xs)
}
