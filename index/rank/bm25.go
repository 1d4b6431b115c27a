package rank

import "math"

// BM25's usual constants: how soon repetition stops to count, and how much long
// texts are held back.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// evidence is one kind of support, keywords or vectors, for every chunk and
// every note.
type evidence struct {
	own  []float32 // by the chunk's own words
	note []float32 // by the note as a whole
}

func idf(n, df int) float64 {
	return math.Log(1 + (float64(n)-float64(df)+0.5)/(float64(df)+0.5))
}

// keywords scores every chunk, and every note as if it were one text, with BM25.
func keywords(c *Corpus, terms []Term, notes int, noteLen []float32) evidence {
	e := evidence{own: make([]float32, c.Size()), note: make([]float32, notes)}
	var avgNote float64
	for _, l := range noteLen {
		avgNote += float64(l)
	}
	avgNote = max(avgNote/max(float64(notes), 1), 1)
	avg := max(c.AvgLen, 1)
	for _, t := range terms {
		if len(t.Postings) == 0 {
			continue
		}
		w := idf(c.Size(), len(t.Postings))
		noteDF := 0
		for k, last := 0, int32(-1); k < len(t.Postings); k++ {
			if n := c.Note[t.Postings[k].Pos]; n != last {
				last = n
				noteDF++
			}
		}
		nw := idf(notes, noteDF)
		noteTF, note := float64(0), c.Note[t.Postings[0].Pos]
		flush := func() {
			l := float64(noteLen[note])
			e.note[note] += float32(nw * noteTF * (bm25K1 + 1) / (noteTF + bm25K1*(1-bm25B+bm25B*l/avgNote)))
		}
		for _, p := range t.Postings {
			tf := float64(p.TF)
			e.own[p.Pos] += float32(w * tf * (bm25K1 + 1) / (tf + bm25K1*(1-bm25B+bm25B*float64(c.Len[p.Pos])/avg)))
			if n := c.Note[p.Pos]; n != note {
				flush()
				note, noteTF = n, 0
			}
			noteTF += tf
		}
		flush()
	}
	return e
}

// noteLengths returns the terms of each note.
func noteLengths(c *Corpus, notes int) []float32 {
	out := make([]float32, notes)
	for i, n := range c.Note {
		out[n] += float32(c.Len[i])
	}
	return out
}
