package rank

import (
	"cmp"
	"math"
	"slices"

	"github.com/memsync/memsync/index/lexical"
)

// Parts explains a score.
type Parts struct {
	// Keyword and Cosine are the chunk's own BM25 score and cosine.
	Keyword, Cosine float64
	// KeywordRank and VectorRank count from 1; 0 means that side had nothing.
	KeywordRank, VectorRank int
	// Relevance is the fused evidence, 0 to 1.
	Relevance float64
	// Speaker, Time, Importance, Pin, Recency and Superseded are what each added.
	Speaker, Time, Importance, Pin, Recency, Superseded float64
}

// depth is how many chunks of each side's list take part in the fusion.
const depth = 400

// Search ranks the corpus for the query, best first.
func Search(c *Corpus, q Query) []Hit {
	if c.Size() == 0 {
		return nil
	}
	w := DefaultWeights()
	if q.Weights != nil {
		w = *q.Weights
	}
	limit := q.Limit
	if limit <= 0 {
		limit = 10
	}
	notes := int(slices.Max(c.Note)) + 1
	hits := make(map[int32]*Hit)
	get := func(pos int32) *Hit {
		h := hits[pos]
		if h == nil {
			h = &Hit{Pos: pos}
			hits[pos] = h
		}
		return h
	}
	total := 0.0
	who, someone := named(c, q.Text)
	user := int32(-1)
	for i, n := range c.Speakers {
		if n == "user" {
			user = int32(i)
		}
	}
	fp := firstPerson(q.Text)
	adjust := func(s []float32) {
		for i := range s {
			f := 1.0
			if w.Substance > 0 {
				f *= math.Min(1, (float64(c.Len[i])+w.Sub0)/(w.Substance+w.Sub0))
			}
			if someone && who[c.Speaker[i]] {
				f *= 1 + w.Speaker
			}
			if c.flag(int32(i), Question) {
				f *= 1 - w.Ask
			}
			if fp && user >= 0 && c.Speaker[i] == user {
				f *= 1 + w.User
			}
			s[i] *= float32(f)
		}
	}
	terms := q.Terms
	if someone && w.NameTerm != 1 {
		names := map[string]bool{}
		for i, n := range c.Speakers {
			if who[i] {
				for _, t := range lexical.Query(n) {
					names[t] = true
				}
			}
		}
		terms = slices.DeleteFunc(slices.Clone(terms), func(t Term) bool { return names[t.Text] })
		if len(terms) == 0 {
			terms = q.Terms
		}
	}
	if q.Mode != Vector && len(q.Terms) > 0 {
		e := keywords(c, terms, q.Mode == Hybrid, notes, noteLengths(c, notes), w.K1, w.B)
		s := spread(c, e, w.LexicalNear, w.LexicalNote, w.Reliance, w.Answer)
		adjust(s)
		total += w.Lexical
		for r, pos := range best(s, depth, q.Filter) {
			h := get(pos)
			h.Parts.Keyword, h.Parts.KeywordRank = float64(e.own[pos]), r+1
			h.Parts.Relevance += w.Lexical * vote(w.K, r, s[pos]/maximum(s), w.LexPow)
		}
	}
	if q.Mode != Keyword && q.Cosine != nil {
		e := vectors(c, q.Cosine, notes)
		s := spread(c, e, w.VectorNear, w.VectorNote, w.Reliance, w.Answer)
		adjust(s)
		total += w.Vector
		for r, pos := range best(s, depth, q.Filter) {
			h := get(pos)
			h.Parts.Cosine, h.Parts.VectorRank = float64(q.Cosine[pos]), r+1
			h.Parts.Relevance += w.Vector * vote(w.K, r, s[pos]/maximum(s), w.VecPow)
		}
	}
	out := make([]Hit, 0, len(hits))
	for _, h := range hits {
		h.Parts.Relevance /= math.Max(total, 1e-9)
		h.Score = w.Relevance * h.Parts.Relevance
		out = append(out, *h)
	}
	slices.SortFunc(out, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Pos, b.Pos))
	})
	if len(out) > limit {
		out = out[:limit]
	}
	return out
}

// vote is reciprocal rank fusion's vote, 1 for the first, weighed by strength:
// the score relative to the list's best. A match that is merely the least bad
// of its list does not earn a full vote.
func vote(k float64, rank int, strength float32, pow float64) float64 {
	return (k + 1) / (k + 1 + float64(rank)) * math.Pow(float64(strength), pow)
}

// best returns the positions of the n highest positive scores that pass the
// filter, best first.
func best(s []float32, n int, keep func(int32) bool) []int32 {
	pos := make([]int32, 0, len(s))
	for i, x := range s {
		if x > 0 && (keep == nil || keep(int32(i))) {
			pos = append(pos, int32(i))
		}
	}
	slices.SortFunc(pos, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s[b], s[a]), cmp.Compare(a, b))
	})
	return pos[:min(n, len(pos))]
}

func firstPerson(s string) bool {
	for _, t := range lexical.Analyze(s) {
		switch t {
		case "i", "my", "me", "mine", "myself", "im", "ive":
			return true
		}
	}
	return false
}
