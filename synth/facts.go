package synth

import (
	"cmp"
	"context"
	"regexp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// What a statement must score to become a claim, and how many a session may
// give. Rules cannot tell what matters as a model can, so they keep to what was
// said outright and can be looked up again.
const (
	factScore       = 0.9
	factsPerSitting = 12
)

// facts files what was said outright as claims, each with its verified quote.
func (r *Runner) facts(ctx context.Context, w *View) (Made, error) {
	books, err := ledger.Open(ctx, w)
	if err != nil {
		return Made{}, err
	}
	sessions, err := w.Notes(ctx, "sessions")
	if err != nil {
		return Made{}, err
	}
	sortByStart(sessions)
	var made Made
	gone, err := r.removedClaims(ctx, books)
	if err != nil {
		return Made{}, err
	}
	if gone != nil {
		made.Pages = append(made.Pages, *gone)
	}
	added := 0
	var proposals []Page
	for _, s := range sessions {
		if err := ctx.Err(); err != nil {
			return Made{}, err
		}
		version := s.Prop("end")
		if me := s.Prop("me"); me != "" {
			version += " " + me
		}
		if salience.Tier(s.Prop("tier")) == salience.Brief || r.done("facts", s.ID(), version) {
			continue
		}
		links := vault.Parse(s.Path, []byte("[["+strings.Trim(s.Prop("transcript"), "[]")+"]]")).Links()
		if len(links) == 0 {
			continue
		}
		n, err := w.Note(vault.Path(links[0].Target + ".md"))
		if err != nil {
			made.skip(s.Path, err)
			continue
		}
		t := vault.ParseTranscript(n)
		c := r.readConversation(n)
		for _, st := range lastingStatements(c.said) {
			claim, ok := r.claim(c, t, st)
			if !ok {
				continue
			}
			if _, fresh := books.Learn(cmp.Or(s.Prop("domain"), "general"), cmp.Or(s.Prop("topic"), "general"), claim); !fresh {
				continue
			}
			added++
			if p, ok := r.contradicts(ctx, w, books, claim); ok && len(proposals) < maxProposals {
				proposals = append(proposals, p)
			}
		}
		made.Sources = append(made.Sources, string(s.Path))
		made.Done = append(made.Done, Input{s.ID(), version})
	}
	for _, e := range books.Changed() {
		made.edit(e.Path, e.Over, e.Data)
	}
	made.Pages = append(made.Pages, proposals...)
	for p, hash := range books.Left() {
		made.Ledgers = append(made.Ledgers, Input{string(p), string(hash)})
	}
	made.Subject = count(added, "claim") + " in " + count(len(made.Pages), "ledger")
	return made, nil
}

func sortByStart(sessions []*vault.Note) {
	slices.SortStableFunc(sessions, func(a, b *vault.Note) int {
		return cmp.Or(strings.Compare(a.Prop("start"), b.Prop("start")), strings.Compare(string(a.Path), string(b.Path)))
	})
}

// lastingStatements are the statements of a conversation that may become claims,
// the best first, at most factsPerSitting.
func lastingStatements(said []extract.Statement) []extract.Statement {
	var out []extract.Statement
	for _, s := range said {
		if s.Kind.Lasting() && s.Score >= factScore && (s.Kind != extract.Task || dated.MatchString(s.Text)) && !similarToAny(s, out) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b extract.Statement) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), factsPerSitting)]
}

// dated tells a task that is worth keeping from what somebody says that they
// will try next: it names a day.
var dated = regexp.MustCompile(`(?i)\b(?:\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?|tomorrow|tonight|next (?:week|month|year)|from now on|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`)

// claim makes a claim of a statement, after proving that its quote stands in
// the turn that it names.
func (r *Runner) claim(c conversation, t *vault.Transcript, s extract.Statement) (vault.Claim, bool) {
	turn, ok := t.Turn(s.Turn)
	if !ok || !strings.Contains(vault.Fold(turn.Text), s.Quote) {
		return vault.Claim{}, false
	}
	if f := r.cfg.Forgotten; f != nil && (f.Has(s.Text) || f.Has(s.Quote)) {
		return vault.Claim{}, false
	}
	day := cmp.Or(turn.Time.Date(), c.start.Date())
	return vault.Claim{
		ID:         vault.ContentID("f", 6, strings.ToLower(s.Text)),
		Text:       s.Text,
		Kind:       string(s.Kind),
		Confidence: confidence(s),
		Importance: -1,
		FirstSeen:  day,
		LastSeen:   day,
		From:       []vault.Evidence{{Link: vault.LinkToBlock(c.path, s.Turn, ""), Quote: s.Quote}},
	}, true
}

// confidence is how sure the rules are that the statement is of its kind: 0.7,
// and up to 0.9 for statements that name numbers and names.
func confidence(s extract.Statement) float64 { return min(0.9, 0.7+max(0, s.Score-factScore)/2) }
