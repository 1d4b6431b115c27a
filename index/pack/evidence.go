package pack

import (
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

// A Support is how well the best of what was found fits a message: the largest
// share of the weight of its words that one chunk holds, and the largest cosine.
// What was superseded supports nothing.
type Support struct {
	Coverage float64 `json:"coverage"`
	Cosine   float64 `json:"cosine"`
}

// SupportOf is the support that hits give.
func SupportOf(hits []index.Hit) Support {
	var s Support
	for _, h := range hits {
		if !h.Superseded {
			s.Coverage, s.Cosine = max(s.Coverage, h.Parts.Coverage), max(s.Cosine, h.Parts.Cosine)
		}
	}
	return s
}

// With is the larger of two supports.
func (s Support) With(o Support) Support {
	return Support{max(s.Coverage, o.Coverage), max(s.Cosine, o.Cosine)}
}

// A Candidate is what could have been taken, and the parts of its score.
type Candidate struct {
	ID    string
	Score float64
	Parts rank.Parts
}

// candidates are all that was found, each once, in the order of the lists, by the
// ids that items have.
func (h hits) candidates() []Candidate {
	var out []Candidate
	taken := map[string]bool{}
	for _, list := range [][]index.Hit{h.claims, h.sessions, h.evidence} {
		for _, hit := range list {
			id := hit.ID
			switch {
			case hit.Kind == chunk.Claim && hit.Turn != "":
				id = hit.Turn
			case hit.Type == string(vault.TypeSession) || hit.Type == string(vault.TypeEpoch):
				id = hit.NoteID
			}
			if !taken[id] {
				taken[id] = true
				out = append(out, Candidate{id, hit.Score, hit.Parts})
			}
		}
	}
	return out
}
