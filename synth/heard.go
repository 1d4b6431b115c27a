package synth

import (
	"cmp"
	"slices"

	"github.com/memsync/memsync/synth/extract"
)

// heard is a message of somebody else in a chat between people.
type heard struct {
	who, turn, text string
}

// maxHighlights is how many of the others' statements a summary holds.
const maxHighlights = 4

// highlights are the best of what was said in a chat where nobody is known to be
// the person, in its order, under the speakers' names: it is theirs and never
// taken for the person's.
func highlights(c conversation) []string {
	type said struct {
		extract.Statement
		who string
	}
	var all []said
	for i, h := range c.heard {
		for _, s := range extract.Statements(h.text) {
			if !s.Kind.Lasting() {
				continue
			}
			s.Turn, s.Index = h.turn, i
			all = append(all, said{s, h.who})
		}
	}
	slices.SortStableFunc(all, func(a, b said) int { return cmp.Compare(b.Score, a.Score) })
	var best []said
	var texts []extract.Statement
	for _, s := range all {
		if len(best) < maxHighlights && !similarToAny(s.Statement, texts) {
			best, texts = append(best, s), append(texts, s.Statement)
		}
	}
	slices.SortStableFunc(best, func(a, b said) int { return cmp.Compare(a.Index, b.Index) })
	var lines []string
	for _, s := range best {
		lines = append(lines, "- "+s.who+": \""+s.Quote+"\" "+cite(c.path, s.Turn))
	}
	return lines
}
