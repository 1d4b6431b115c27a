package synth

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
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
	if err := r.removedClaims(ctx, w, books, &made); err != nil {
		return Made{}, err
	}
	waits := func(s *vault.Note, from sitting) bool {
		return salience.Tier(s.Prop("tier")) != salience.Brief && !r.tried["facts\x00"+from.id] && !r.knows(from)
	}
	var coming []vault.Path
	for s, from := range w.sittings(sessions) {
		if waits(s, from) {
			coming = append(coming, from.path)
		}
	}
	model := r.newProposer(books, coming)
	added := 0
	var proposals []Page
	for s, from := range w.sittings(sessions) {
		if err := ctx.Err(); err != nil {
			return Made{}, err
		}
		if !waits(s, from) {
			continue
		}
		if made.More = model.full(); made.More {
			break
		}
		r.tried["facts\x00"+from.id] = true
		said, err := model.next(ctx, from.path)
		if err != nil {
			return Made{}, err
		}
		switch said.end {
		case later:
			made.Done = append(made.Done, Input{waiting + from.id, from.version})
			continue
		case byModel:
			n, p, err := r.operate(ctx, w, books, s, said.ops, &made)
			if err != nil {
				return Made{}, err
			}
			added, proposals = added+n, append(proposals, p...)
			made.Sources = append(made.Sources, string(s.Path))
			made.Done = append(made.Done, r.learned(from)...)
			continue
		}
		n, err := w.Note(from.path)
		if err != nil {
			made.skip(s.Path, err)
			continue
		}
		c := r.recall(n)
		lasting := lastingStatements(c.said)
		var t *vault.Transcript
		if len(lasting) > 0 {
			t = vault.ParseTranscript(n)
		}
		about := sync.OnceValue(func() map[string]float64 { return subjectsOf(c.texts) })
		for _, st := range lasting {
			claim, ok := r.claim(c, t, st)
			if !ok {
				continue
			}
			claim = anew(books, claim)
			domain, topic := r.place(ctx, books, claim.Kind, claim.Text, about)
			if _, fresh := books.Learn(domain, topic, claim); !fresh {
				continue
			}
			added++
			if p, ok := r.contradicts(ctx, w, books, claim); ok && len(proposals) < maxProposals {
				proposals = append(proposals, p)
			}
		}
		made.Sources = append(made.Sources, string(s.Path))
		made.Done = append(made.Done, r.learned(from)...)
	}
	ledgers := books.Changed()
	for _, e := range ledgers {
		made.edit(e.Path, e.Over, e.Data)
	}
	made.Pages = append(made.Pages, proposals[:min(len(proposals), maxProposals)]...)
	for p, hash := range books.Left() {
		made.Ledgers = append(made.Ledgers, Input{string(p), string(hash)})
	}
	made.Subject = count(added, "claim") + " in " + count(len(ledgers), "ledger")
	return made, nil
}

// knows reports whether the facts of a conversation are filed: by anybody, or
// where the run is to write anew, by this model.
func (r *Runner) knows(from sitting) bool {
	if by := r.modelVersion("operations"); r.cfg.Rewrite && by != "" {
		return r.done("facts", "by "+from.id, from.version+" "+by)
	}
	return r.done("facts", from.id, from.version)
}

// waiting begins the note that the facts of a conversation are for a later run, since
// the model did not answer. It is what tells a conversation that waits from one of
// which another machine has filed the facts.
const waiting = "waits "

// owed reports whether the facts of a conversation are for a later run.
func (r *Runner) owed(from sitting) bool {
	return r.done("facts", waiting+from.id, from.version) && !r.done("facts", from.id, from.version)
}

// learned says that the facts of a conversation are filed, and by which model.
func (r *Runner) learned(from sitting) []Input {
	in := []Input{{from.id, from.version}}
	if by := r.modelVersion("operations"); by != "" {
		in = append(in, Input{"by " + from.id, from.version + " " + by})
	}
	return in
}

func sortByStart(sessions []*vault.Note) {
	slices.SortStableFunc(sessions, func(a, b *vault.Note) int {
		return cmp.Or(strings.Compare(a.Prop("start"), b.Prop("start")), strings.Compare(string(a.Path), string(b.Path)))
	})
}

// lastingStatements are the statements of a conversation that may become claims,
// the best first, at most factsPerSitting.
func lastingStatements(said []extract.Statement) []extract.Statement {
	said = slices.Clone(said)
	slices.SortStableFunc(said, func(a, b extract.Statement) int { return cmp.Compare(b.Score, a.Score) })
	var out []extract.Statement
	for _, s := range said {
		if s.Kind.Lasting() && s.Score >= factScore && (s.Kind != extract.Task || dated.MatchString(s.Text)) && !saidIn(s, out) {
			out = append(out, s)
		}
	}
	return out[:min(len(out), factsPerSitting)]
}

// saidIn reports whether a claim says what s says: nearly all of it, or much of it
// where both are of one kind. A rule is not said by an event that follows it.
func saidIn(s extract.Statement, claims []extract.Statement) bool {
	return slices.ContainsFunc(claims, func(c extract.Statement) bool {
		return extract.Similar(s.Text, c.Text, sameLine) || s.Kind == c.Kind && extract.Similar(s.Text, c.Text, similarText)
	})
}

// dated tells a task that is worth keeping from what somebody says that they
// will try next: it names a day.
var dated = lazyregexp.New(`(?i)\b(?:\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)|\d{1,2}[./]\d{1,2}\b|(?:january|february|march|april|may|june|july|august|september|october|november|december) \d{1,2}|at \d{1,2}|tomorrow|tonight|next (?:week|month|year)|from now on|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`)

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
	claim := vault.Claim{
		ID:         vault.ContentID("f", 6, strings.ToLower(s.Text)),
		Text:       s.Text,
		Kind:       string(s.Kind),
		Confidence: confidence(s),
		Importance: -1,
		FirstSeen:  day,
		LastSeen:   day,
		From:       []vault.Evidence{{Link: vault.LinkToBlock(c.path, s.Turn, ""), Quote: s.Quote}},
	}
	// One line that reads as a secret would hold back its whole ledger.
	if secret := r.cfg.Secret; secret != nil && (secret(claim.Text) || secret(s.Quote)) {
		return vault.Claim{}, false
	}
	return claim, true
}

// confidence is how sure the rules are that the statement is of its kind: 0.7,
// and up to 0.9 for statements that name numbers and names.
func confidence(s extract.Statement) float64 { return min(0.9, 0.7+max(0, s.Score-factScore)/2) }
