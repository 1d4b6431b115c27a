package rank

import "math"

// evidence is one kind of support, keywords or vectors, for every chunk and
// every note.
type evidence struct {
	own  []float32 // by the chunk's own words
	note []float32 // by the note as a whole
}

// idf is how much it tells that a text holds a term which df of n texts hold.
func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// bm25 is the saturation of f occurrences in a text of relative length l.
func (w *Weights) bm25(f, l float64) float64 {
	return f * (w.K1 + 1) / (f + w.K1*(1-w.B+w.B*l))
}

// keywords scores every chunk, and every note as if it were one text, with BM25.
// It returns the greatest score that a chunk of average length with each term
// once would have.
func keywords(c *Corpus, s *scratch, q Query, w *Weights) (evidence, float64) {
	e := evidence{own: s.floats(c.Size()), note: s.floats(c.notes())}
	noteLen, avgNote := noteLengths(c, s)
	avg := max(c.AvgLen, 1)
	tf, noteTF := s.floats(c.Size()), s.floats(c.notes())
	var full float64
	for _, t := range q.Terms {
		found := s.found[:0]
		add := func(postings []Posting, weight float32) {
			for _, p := range postings {
				if tf[p.Pos] == 0 {
					found = append(found, p.Pos)
				}
				tf[p.Pos] += weight * float32(p.TF)
			}
		}
		add(t.Postings, 1)
		df := len(found)
		if q.Mode == Hybrid && w.Related > 0 {
			for _, r := range t.Related {
				add(r.Postings, float32(r.Weight*w.Related))
			}
		}
		s.found = found
		if df == 0 {
			// The word itself occurs nowhere: its relatives say how rare it is.
			df = len(found)
		}
		weight := idf(c.Size(), df)
		full += weight
		notes := s.notes[:0]
		for _, pos := range found {
			f := tf[pos]
			tf[pos] = 0
			e.own[pos] += float32(weight * w.bm25(float64(f), float64(c.Len[pos])/avg))
			n := c.Note[pos]
			if noteTF[n] == 0 {
				notes = append(notes, n)
			}
			noteTF[n] += f
		}
		s.notes = notes
		df = 0
		for _, n := range notes {
			if noteTF[n] >= 1 {
				df++
			}
		}
		weight = idf(c.notes(), max(df, 1))
		for _, n := range notes {
			e.note[n] += float32(weight * w.bm25(float64(noteTF[n]), float64(noteLen[n])/avgNote))
			noteTF[n] = 0
		}
	}
	return e, full
}

// noteLengths returns the terms of each note and their mean.
func noteLengths(c *Corpus, s *scratch) ([]float32, float64) {
	out := s.floats(c.notes())
	var sum float64
	for i, n := range c.Note {
		out[n] += float32(c.Len[i])
		sum += float64(c.Len[i])
	}
	return out, max(sum/float64(len(out)), 1)
}
