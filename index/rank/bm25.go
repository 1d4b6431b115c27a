package rank

import "math"

// evidence is one kind of support, keywords or vectors, for every chunk and
// every note.
type evidence struct {
	own  []float32 // by the chunk's own words
	note []float32 // by the note as a whole
}

// idf is how much a term tells that df of n texts hold.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// keywords scores every chunk, and every note as if it were one text, with BM25.
func keywords(c *Corpus, terms []Term, related bool, notes int, noteLen []float32, k1, b float64) evidence {
	e := evidence{own: make([]float32, c.Size()), note: make([]float32, notes)}
	var avgNote float64
	for _, l := range noteLen {
		avgNote += float64(l)
	}
	avgNote = max(avgNote/max(float64(notes), 1), 1)
	avg := max(c.AvgLen, 1)
	tf := make([]float32, c.Size())
	var found []int32
	for _, t := range terms {
		found = found[:0]
		add := func(postings []Posting, weight float64) {
			for _, p := range postings {
				if tf[p.Pos] == 0 {
					found = append(found, p.Pos)
				}
				tf[p.Pos] += float32(weight) * float32(p.TF)
			}
		}
		add(t.Postings, 1)
		df := len(found)
		if related {
			for _, r := range t.Related {
				add(r.Postings, r.Weight)
			}
		}
		if df == 0 {
			df = len(found)
		}
		if len(found) == 0 {
			continue
		}
		e.gather(c, found, tf, idf(c.Size(), df), notes, noteLen, avg, avgNote, k1, b)
		for _, pos := range found {
			tf[pos] = 0
		}
	}
	return e
}

func (e evidence) gather(c *Corpus, found []int32, tf []float32, w float64, notes int, noteLen []float32, avg, avgNote, k1, b float64) {
	noteTF := make(map[int32]float64)
	for _, pos := range found {
		f := float64(tf[pos])
		e.own[pos] += float32(w * f * (k1 + 1) / (f + k1*(1-b+b*float64(c.Len[pos])/avg)))
		noteTF[c.Note[pos]] += f
	}
	var df int
	for _, f := range noteTF {
		if f >= 1 {
			df++
		}
	}
	nw := idf(notes, max(df, 1))
	for note, f := range noteTF {
		e.note[note] += float32(nw * f * (k1 + 1) / (f + k1*(1-b+b*float64(noteLen[note])/avgNote)))
	}
}

// noteLengths returns the terms of each note.
func noteLengths(c *Corpus, notes int) []float32 {
	out := make([]float32, notes)
	for i, n := range c.Note {
		out[n] += float32(c.Len[i])
	}
	return out
}
