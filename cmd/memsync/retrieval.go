package main

import (
	"strings"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/index/priority"
)

// logSearch keeps a record of a search, unless that is off.
func (a *app) logSearch(s *session, r searchResult) {
	if !s.settings.Search.Log {
		return
	}
	redact, err := s.strict()
	if err != nil {
		return // what cannot be redacted is not kept
	}
	rec := answer.Record{
		At: a.now(), Kind: "search", Query: redact(r.Query), Mode: r.Mode, Candidates: []answer.Candidate{}, Picked: []string{}, TookMS: r.TookMS,
	}
	for _, h := range r.Hits {
		rec.Candidates = append(rec.Candidates, answer.Candidate{ID: h.ID, Score: h.Score})
		rec.Picked = append(rec.Picked, h.ID)
	}
	answer.OpenLog(s.places.State).Add(rec)
}

// countAccess notes that items were asked for by their ids. Counts that cannot be
// kept change no answer.
func (a *app) countAccess(s *session, items []item) {
	var keys []string
	for _, it := range items {
		key := it.ID
		if _, block, ok := strings.Cut(key, "#^"); ok && (it.Type == "facts" || it.Type == "schema") {
			key = block // a claim goes by its block id
		}
		keys = append(keys, key)
	}
	_ = priority.OpenCounts(s.places.State).Touch(a.now(), keys...)
}
