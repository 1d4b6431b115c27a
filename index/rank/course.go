package rank

import (
	"cmp"
	"slices"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// course matches the words with which a question asks for the course of
// something rather than for one answer: a summary, an order of events, how it
// went over time.
var course = lazyregexp.New(`(?i)\b(?:summari[sz]e|summary|overview|recap|timeline|chronolog\w*|history of|in (?:what|which) order|the order in which|sequence of|over time|throughout|so far|evolv\w*|progress\w*|across)\b`)

// asksCourse says whether a query asks for the course of something.
func asksCourse(text string) bool { return len(text) <= maxText && course.MatchString(text) }

// exemplars is how many of the first hits say what the rest should be like.
const exemplars = 4

// feedback brings the best of a first answer into the query's cosines. What
// belongs to a course shares few words with the question, but is like what
// answers it best.
func feedback(q Query, hits []Hit, w *Weights) []float32 {
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Parts.Relevance, a.Parts.Relevance), cmp.Compare(a.Pos, b.Pos))
	})
	var like []int32
	for _, h := range hits[:min(exemplars, len(hits))] {
		like = append(like, h.Pos)
	}
	near := q.Near(like)
	if len(near) != len(q.Cosine) {
		return q.Cosine
	}
	for i, x := range near {
		near[i] = float32(1-w.Feedback)*q.Cosine[i] + float32(w.Feedback)*x
	}
	return near
}
