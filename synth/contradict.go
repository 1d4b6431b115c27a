package synth

import (
	"context"
	"fmt"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// sameMatter is the share of content words, numbers apart, from which two claims
// are about the same matter, so that another number or a "not" contradicts.
const sameMatter = 0.75

// leastShared is how many words two claims have in common at least that are about
// the same matter: of fewer nothing can be told. It is also by what the claims are
// looked up, so that not all are compared.
const leastShared = 3

// contradiction finds a claim in force, of the same kind and said on another day,
// that the new one contradicts: the same matter with other numbers, or denied. What
// happened twice with other numbers is no contradiction.
func contradiction(books *ledger.Books, c vault.Claim) (vault.Claim, string) {
	for _, old := range books.Sharing(c.Text, leastShared, sameMatter) {
		if old.ID == c.ID || old.Kind != c.Kind || old.FirstSeen == c.FirstSeen || old.FirstSeen == "" || len(old.From) == 0 {
			continue
		}
		switch {
		case extract.Denies(old.Text, c.Text):
			return old, "One says what the other denies"
		case c.Kind != "event" && c.Kind != "task" && !extract.SameNumbers(old.Text, c.Text) && extract.HasNumbers(old.Text) && extract.HasNumbers(c.Text):
			return old, "They name different numbers"
		}
	}
	return vault.Claim{}, ""
}

// contradicts proposes that the later of two claims takes the earlier one's place.
// Both stand until the person decides.
func (r *Runner) contradicts(ctx context.Context, w *View, books *ledger.Books, c vault.Claim) (Page, bool) {
	old, why := contradiction(books, c)
	if why == "" {
		return Page{}, false
	}
	if old.FirstSeen > c.FirstSeen {
		old, c = c, old
	}
	_, target, _ := books.Find(old.ID)
	return r.propose(ctx, w, review.Proposal{
		Title:  "Contradiction: " + clipWords(c.Text, 8),
		Action: review.Supersede, Target: target, Created: c.LastSeen,
		Reason: fmt.Sprintf("%s: in %s %q, by %s %q. Accepting lets the later one stand; declining keeps both.", why, monthOf(old.FirstSeen), old.Text, monthOf(c.FirstSeen), c.Text),
		Diff:   "-" + old.Format() + "\n+" + c.Format() + "\n",
		From:   []vault.Evidence{old.From[0], c.From[0]},
	})
}
