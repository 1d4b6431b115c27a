package rank

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// A side is one kind of evidence after everything that raises or lowers it.
type side struct {
	share    float64
	own      []float32
	evidence []float32
	top      []int32
	best     float64
}

// Search ranks the corpus for the query, best first.
func Search(c *Corpus, q Query) []Hit {
	return SearchEach(c, q, []Part{{Filter: q.Filter, Limit: q.Limit}})[0]
}

// A Part is one of several lists of hits for the same query.
type Part struct {
	// Filter and Limit are as those of a Query.
	Filter func(pos int32) bool
	Limit  int
}

// SearchEach is Search for several parts of the corpus at once: the evidence, which
// is most of the work, is weighed once. Each list is what Search gives with the
// part's filter and limit.
func SearchEach(c *Corpus, q Query, parts []Part) [][]Hit {
	out := make([][]Hit, len(parts))
	if c.Size() == 0 {
		return out
	}
	w := DefaultWeights()
	if q.Weights != nil {
		w = *q.Weights
	}
	if q.Now.IsZero() {
		q.Now = newest(c)
	}
	s := scratches.Get().(*scratch)
	defer s.release()
	who, at := named(c, q.Text, &w), timesIn(c, s, q.Text, q.Now, &w)
	whole, helps := asksCourse(q.Text), asksHelp(q.Text)
	if whole {
		w.Directive = 0 // an instruction is for answers to come, not part of what was
	}
	finish := func(s *scratch, e evidence, share float64) side {
		x := side{share: share, own: e.own, evidence: spread(c, s, e, &w)}
		temper(c, x.own, x.evidence, &w, who, at)
		if helps {
			stand(c, x.evidence, w.Standing)
		}
		return x
	}
	// The sides know nothing of each other until they are fused.
	var kw, vec side
	var full float64
	var sides sync.WaitGroup
	if q.Mode != Keyword && q.Cosine != nil {
		other := scratches.Get().(*scratch)
		defer other.release()
		sides.Go(func() { vec = finish(other, vectors(c, other, q.Cosine), w.Vector) })
	}
	if q.Mode != Vector && len(q.Terms) > 0 {
		var e evidence
		e, full = keywords(c, s, q, &w)
		kw = finish(s, e, w.Keyword)
	}
	sides.Wait()
	if whole && w.Feedback > 0 && vec.evidence != nil && q.Near != nil {
		first := fuse(kw.of(Part{}), vec.of(Part{}), &w)
		vec = finish(s, vectors(c, s, feedback(q, first, &w)), w.Vector)
	}
	now := asksNow(q.Text)
	for i, part := range parts {
		part.Limit = cmp.Or(max(part.Limit, 0), 10)
		hits := fuse(kw.of(part), vec.of(part), &w)
		explain(c, q, hits, vec.own != nil, full, who, at, &w, now)
		slices.SortFunc(hits, func(a, b Hit) int {
			return cmp.Or(cmp.Compare(b.Score, a.Score), c.newer(a.Pos, b.Pos), cmp.Compare(a.Pos, b.Pos))
		})
		if q.Ahead != nil {
			ahead := make([]int32, min(part.Limit, len(hits)))
			for i := range ahead {
				ahead[i] = hits[i].Pos
			}
			q.Ahead(ahead)
		}
		out[i] = collapse(hits, part.Limit, q.TermsOf)
	}
	return out
}

// of is the side's best of one part.
func (x side) of(p Part) side {
	if x.evidence == nil {
		return x
	}
	if x.top = best(x.evidence, max(depth, p.Limit), p.Filter); len(x.top) > 0 {
		x.best = float64(x.evidence[x.top[0]])
	}
	return x
}

// explain fills in the parts of the hits' scores that do not depend on the others.
func explain(c *Corpus, q Query, hits []Hit, vectors bool, full float64, who people, at times, w *Weights, now bool) {
	for i := range hits {
		h := &hits[i]
		p := &h.Parts
		if vectors && q.Cosine[h.Pos] == q.Cosine[h.Pos] {
			p.Cosine = float64(q.Cosine[h.Pos])
		}
		if full > 0 {
			p.Coverage = min(p.Keyword/full, 1)
		}
		p.Speaker, p.Time = 1, 1
		if who.any {
			p.Speaker = float64(who.factor(c, int(h.Pos)))
		}
		if at.any {
			p.Time = 1 + w.Time*float64(at.near[h.Pos])
		}
		weigh(c, h, q, w, now)
	}
}

// fuse gives every chunk that is among the best of either side both sides'
// votes.
func fuse(kw, vec side, w *Weights) []Hit {
	weighSides(&kw, &vec, w.Contrast)
	total := 0.0
	at := make(map[int32]int, len(kw.top)+len(vec.top))
	hits := make([]Hit, 0, len(kw.top)+len(vec.top))
	for _, x := range []side{kw, vec} {
		if x.best > 0 {
			total += x.share
		}
		for _, pos := range x.top {
			if _, ok := at[pos]; !ok {
				at[pos] = len(hits)
				hits = append(hits, Hit{Pos: pos})
			}
		}
	}
	for i, rank := range kw.ranks() {
		hits[at[kw.top[i]]].Parts.KeywordRank = rank
	}
	for i, rank := range vec.ranks() {
		hits[at[vec.top[i]]].Parts.VectorRank = rank
	}
	for i := range hits {
		p, pos := &hits[i].Parts, hits[i].Pos
		var sum float64
		if kw.best > 0 {
			p.Keyword = float64(kw.own[pos])
			sum += kw.share * vote(w.K, placeOf(p.KeywordRank, kw), float64(kw.evidence[pos])/kw.best)
		}
		if vec.best > 0 {
			sum += vec.share * vote(w.K, placeOf(p.VectorRank, vec), float64(vec.evidence[pos])/vec.best)
		}
		p.Relevance = w.Relevance * sum / total
	}
	return hits
}

// placeOf turns a rank into a place; what is beyond the list stands behind it.
func placeOf(rank int, x side) int {
	if rank == 0 {
		return len(x.top)
	}
	return rank - 1
}

// weigh adds to a hit's relevance what is known of the chunk apart from the
// query, and sums the score up.
func weigh(c *Corpus, h *Hit, q Query, w *Weights, asksNow bool) {
	i, p := int(h.Pos), &h.Parts
	var worth float64
	if c.Importance != nil {
		worth = float64(c.Importance[i]) / 255
	}
	if c.Salience != nil {
		worth = max(worth, float64(c.Salience[i])/255)
	}
	p.Importance = w.Importance * worth
	if c.flag(i, Pinned) {
		p.Pin = w.Pin
	}
	if c.flag(i, Superseded) {
		p.Superseded = -w.Superseded
	}
	if c.Time != nil && c.Time[i] != 0 && !q.Now.IsZero() {
		days := max(float64(q.Now.Unix()-c.Time[i])/dayLong, 0)
		p.Recency = w.Recency * math.Exp(-days/w.RecencyDays)
		if asksNow {
			p.Recency *= w.Newest
		}
	}
	h.Score = p.Relevance + p.Importance + p.Pin + p.Recency + p.Superseded
}
