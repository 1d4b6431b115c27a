package rank

// plenty is from how many chunks on their mean cosine says how near unrelated texts
// lie. Of fewer it says less: all of them may be what is asked for, and the only
// chunk of a vault is its own mean. In a vault of a single passage nothing is taken
// off, and so on evenly. Any number of this order does.
const plenty = 50

// vectors turns cosines into evidence. What lies below the corpus's mean cosine
// says nothing: a model puts unrelated texts well above zero, each at its own
// height. A note is as near as its nearest chunks, the second counting half and
// the third a third.
func vectors(c *Corpus, s *scratch, cosine []float32) evidence {
	e := evidence{own: s.floats(c.Size()), note: s.floats(c.notes())}
	var sum float64
	seen := 0
	for _, x := range cosine {
		if x == x { // not NaN
			sum += float64(x)
			seen++
		}
	}
	if seen == 0 {
		return e
	}
	mean := float32(sum / float64(seen) * min(1, float64(seen-1)/plenty))
	var top [3]float32
	for i, x := range cosine {
		if x > mean { // false for NaN
			x -= mean
			e.own[i] = x
			for t := range top {
				if x > top[t] {
					top[t], x = x, top[t]
				}
			}
		}
		if i+1 == len(cosine) || c.Note[i+1] != c.Note[i] {
			e.note[c.Note[i]] = top[0] + top[1]/2 + top[2]/3
			top = [3]float32{}
		}
	}
	return e
}
