package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// This file looks for claims in force that do not go together with a new one. Where
// the later of two says itself that it corrects ("actually", "no longer", "X, not
// Y"), it takes the other's place. Where it does not say so, the person decides.

// sameMatter is the share of content words, numbers apart, from which two claims
// are about the same matter, so that another number or a "not" contradicts.
const sameMatter = 0.75

// leastShared is how many words two claims have in common at least that are about
// the same matter: of fewer nothing can be told.
const leastShared = 3

// By these words in common claims are looked up, so that not all are compared. They
// are few because what a denial says of whom is compared word by word then
// (extract.Refutes).
const (
	refutedShared = 1
	refutedMatter = 0.5
)

// A conflict is two claims that cannot both hold. The later one corrects the earlier
// one where it says so itself.
type conflict struct {
	before, after vault.Claim
	why           string
	corrects      bool
}

// contradiction finds a claim in force that the new one contradicts: what one says,
// the other denies, or they are the same matter with other numbers. What happened
// twice with other numbers is no contradiction, and of two claims of one day it
// cannot be told which is the later, unless one conversation holds both.
func contradiction(books *ledger.Books, c vault.Claim) (conflict, bool) {
	if c.FirstSeen == "" || len(c.From) == 0 {
		return conflict{}, false
	}
	near := books.Sharing(c.Text, refutedShared, refutedMatter)
	for _, old := range near {
		found, ordered := inTime(old, c)
		if !ordered {
			continue
		}
		after, before := found.after.From[0].Quote, found.before.From[0].Quote
		switch {
		case extract.Refutes(after, before):
			found.why, found.corrects = "One says what the other denies", extract.TakesBack(after)
			return found, true
		case extract.Instead(after, found.before.Text):
			found.why, found.corrects = "One says itself what it puts in the place of the other", true
			return found, true
		}
	}
	for _, old := range near {
		if shared, least := extract.Shared(old.Text, c.Text); shared < leastShared || float64(shared) < sameMatter*float64(least) {
			continue
		}
		if old.Kind != c.Kind || old.FirstSeen == c.FirstSeen {
			continue
		}
		found, ordered := inTime(old, c)
		if !ordered {
			continue
		}
		switch {
		case extract.Denies(old.Text, c.Text):
			found.why = "One says what the other denies"
			return found, true
		case c.Kind != "event" && c.Kind != "task" && !extract.SameNumbers(old.Text, c.Text) && extract.HasNumbers(old.Text) && extract.HasNumbers(c.Text):
			found.why = "They name different numbers"
			return found, true
		}
	}
	return conflict{}, false
}

// inTime puts two claims in the order in which they were said.
func inTime(a, b vault.Claim) (conflict, bool) {
	if a.ID == b.ID || a.FirstSeen == "" || len(a.From) == 0 || len(b.From) == 0 {
		return conflict{}, false
	}
	x, y := a.From[0].Link, b.From[0].Link
	by := strings.Compare(a.FirstSeen, b.FirstSeen)
	if by == 0 && x.Target == y.Target {
		by = cmp.Or(cmp.Compare(len(x.Block), len(y.Block)), strings.Compare(x.Block, y.Block))
	}
	if by > 0 {
		a, b = b, a
	}
	return conflict{before: a, after: b}, by != 0
}

// contradicts settles what a new claim contradicts: a correction takes the place of
// what it corrects, and of everything else a proposal is made that the later claim
// takes the earlier one's place. Both stand until the person decides.
func (r *Runner) contradicts(ctx context.Context, w *View, books *ledger.Books, c vault.Claim) (Page, bool) {
	found, ok := contradiction(books, c)
	if !ok {
		return Page{}, false
	}
	old, c := found.before, found.after
	_, target, _ := books.Find(old.ID)
	saidSince := old.LastSeen > c.FirstSeen
	if found.corrects && !saidSince && !theirsToChange(w, old, target) && supersede(books, old.ID, c.ID) == nil {
		return Page{}, false
	}
	return r.propose(ctx, w, review.Proposal{
		Title:  "Contradiction: " + clipWords(c.Text, 8),
		Action: review.Supersede, Target: target, Created: c.LastSeen,
		Reason: fmt.Sprintf("%s: in %s %q, by %s %q. Accepting lets the later one stand; declining keeps both.", found.why, monthOf(old.FirstSeen), old.Text, monthOf(c.FirstSeen), c.Text),
		Diff:   "-" + old.Format() + "\n+" + c.Format() + "\n",
		From:   []vault.Evidence{old.From[0], c.From[0]},
	})
}

// theirsToChange reports whether only the person changes a claim: they pinned or
// confirmed it, or it stands in their schema.
func theirsToChange(w *View, c vault.Claim, at vault.Path) bool {
	return c.Pin == "user" || c.Status == "confirmed" || at.Under(w.Layout().Folder("schema"))
}

// anew is a claim that is said again after it was superseded: a claim of its own. One
// that was said before that day stays with the superseded line.
func anew(books *ledger.Books, c vault.Claim) vault.Claim {
	for old, _, ok := books.Find(c.ID); ok && old.Superseded && old.Until != "" && c.FirstSeen > old.Until; old, _, ok = books.Find(c.ID) {
		c.ID = vault.ContentID("f", 6, strings.ToLower(c.Text), old.Until)
	}
	return c
}

// supersede has a claim take the place of another, with the day from which it does.
func supersede(books *ledger.Books, old, by string) error {
	c, at, _ := books.Find(by)
	_, was, _ := books.Find(old)
	link := vault.Link{Block: old}
	if at != was {
		link.Target = was.Stem()
	}
	if !slices.Contains(c.Supersedes, old) {
		if err := books.Edit(by, func(n *vault.Note) error { return n.SetClaimField(by, "supersedes", link.String()) }); err != nil {
			return err
		}
	}
	return books.Edit(old, func(n *vault.Note) error { return n.Supersede(old, c.FirstSeen) })
}
