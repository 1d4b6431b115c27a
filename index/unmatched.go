package index

import (
	"github.com/memsync/memsync/index/rank"
)

// unmatched says why nothing was found, so that an empty answer is not taken for
// "nothing is known"; and of an answer that none of the query's words had a part
// in, that it is by meaning alone. It is "" where there is nothing to say.
func unmatched(lists [][]Hit, parts []rank.Part, size int, q rank.Query) string {
	found := 0
	timed := false
	for _, hits := range lists {
		found += len(hits)
		for _, h := range hits {
			timed = timed || h.Parts.Time != 1
		}
	}
	occurs := false
	for _, t := range q.Terms {
		occurs = occurs || len(t.Postings)+len(t.Related) > 0
	}
	switch {
	case found > 0 && (q.Mode != rank.Hybrid || occurs || timed):
		return ""
	case found > 0 && len(q.Terms) == 0:
		return "the query holds no word: these hits are near it in meaning only"
	case found > 0:
		return "no note has any of the query's words: these hits are near it in meaning only"
	case !passes(parts, size):
		return "no note passes the filters"
	case q.Mode != rank.Vector && len(q.Terms) == 0:
		return "the query holds no word to search for"
	case q.Mode == rank.Vector:
		return "nothing is near the query in meaning"
	case !occurs:
		return "no note has any of the query's words"
	}
	return "no note that passes the filters has any of the query's words"
}

// passes reports whether any of so many positions passes the filter of a part.
func passes(parts []rank.Part, size int) bool {
	for _, p := range parts {
		if p.Filter == nil {
			return true
		}
		for pos := range size {
			if p.Filter(int32(pos)) {
				return true
			}
		}
	}
	return false
}
