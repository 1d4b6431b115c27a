package synth

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// A Decision is the person's word on a proposal.
type Decision struct {
	// ID is the proposal's id, or its path.
	ID     string
	Accept bool
}

// ErrNoProposal is wrapped where a decision names no open proposal.
var ErrNoProposal = errors.New("there is no such proposal")

// Proposals are the open proposals of a vault, in order of their paths. Notes in
// review/ that are no proposals are the person's and left alone.
func Proposals(ctx context.Context, w *View) ([]review.Proposal, error) {
	notes, err := w.Notes(ctx, "review")
	if err != nil {
		return nil, err
	}
	out := []review.Proposal{}
	for _, n := range notes {
		if p, err := review.Parse(n); err == nil {
			out = append(out, p)
		}
	}
	return out, nil
}

// Decide carries out what the person decided: the decisions given, and the boxes
// that are ticked in the notes. It is one commit of the pass "review". A proposal
// that cannot be carried out stays, and the report says why.
func (r *Runner) Decide(ctx context.Context, decisions ...Decision) (Report, error) {
	w := NewView(r.v)
	open, err := Proposals(ctx, w)
	if err != nil {
		return Report{}, err
	}
	for _, d := range decisions {
		found := false
		for i := range open {
			if p := &open[i]; p.ID == d.ID || string(p.Path) == d.ID || p.Path.Stem() == d.ID || p.Path.Name() == d.ID {
				p.Accepted, p.Declined, found = d.Accept, !d.Accept, true
			}
		}
		if !found {
			return Report{}, fmt.Errorf("%s: %w", d.ID, ErrNoProposal)
		}
	}
	made, err := r.decided(ctx, w, open)
	if err != nil {
		return Report{}, err
	}
	if len(made.Pages)+len(made.Skipped) == 0 {
		return Report{Pass: "review", Written: []vault.Path{}, Skipped: []Skipped{}}, nil
	}
	return r.commitFollowed(ctx, "review", w, made)
}

// decided makes the pages of what was decided.
func (r *Runner) decided(ctx context.Context, w *View, open []review.Proposal) (Made, error) {
	var made Made
	books, err := ledger.Open(ctx, w)
	if err != nil {
		return made, err
	}
	day := r.cfg.Now().UTC().Format("2006-01-02")
	var accepted, declined []string
	for _, p := range open {
		if p.Undecided() {
			continue
		}
		if p.Declined {
			if err := r.remembersRemoved(); err != nil {
				return made, err
			}
			r.cfg.Forgotten.Add(p.Key())
			declined = append(declined, p.Title)
		} else if err := r.accept(w, p, books, day, &made); err != nil {
			made.skip(p.Path, err)
			continue
		} else {
			accepted = append(accepted, p.Title)
		}
		raw, err := r.v.Read(p.Path)
		if err != nil {
			return made, err
		}
		made.Pages = append(made.Pages, Page{Path: p.Path, Over: vault.HashOf(raw), Edit: true, Remove: true})
		made.Sources = append(made.Sources, string(p.Path))
	}
	for _, e := range books.Changed() {
		made.edit(e.Path, e.Over, e.Data)
	}
	if len(declined) > 0 {
		made.Pages = append(made.Pages, r.forgottenPage())
	}
	made.Subject = verdicts(accepted, declined)
	return made, nil
}

// Bounds of what a commit's subject says of proposals: so many titles, and so many
// words of each. The others are in the commit's files.
const (
	titlesShown = 3
	titleWords  = 10
)

// verdicts says what was decided, with the titles of the proposals.
func verdicts(accepted, declined []string) string {
	var parts []string
	shown := 0
	for _, v := range []struct {
		verb   string
		titles []string
	}{{"accepted", accepted}, {"declined", declined}} {
		if len(v.titles) == 0 {
			continue
		}
		part := fmt.Sprintf("%d %s", len(v.titles), v.verb)
		if n := min(len(v.titles), titlesShown-shown); n > 0 {
			shown += n
			var names []string
			for _, t := range v.titles[:n] {
				names = append(names, clipWords(strings.TrimRight(t, ". "), titleWords))
			}
			part += ": " + strings.Join(names, "; ")
			if more := len(v.titles) - n; more > 0 {
				part += fmt.Sprintf("; and %d more", more)
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ", ")
}

func (r *Runner) accept(w *View, p review.Proposal, books *ledger.Books, day string, made *Made) error {
	switch p.Action {
	case review.Notice:
		return nil
	case review.Create, review.Supersede:
		return p.ToLedger(books, day)
	case review.Replace:
		pages, err := p.ToPages(func(path vault.Path) []byte {
			raw, err := r.v.Read(path)
			if err != nil {
				return nil
			}
			return raw
		})
		if err != nil {
			return err
		}
		for _, page := range pages {
			if !w.Layout().Owns(page.Path) {
				return fmt.Errorf("%s: %s is not memsync's to write", p.Path, page.Path)
			}
			made.edit(page.Path, page.Over, page.Data)
		}
		return nil
	}
	return fmt.Errorf("%s: %q is no action", p.Path, p.Action)
}

// remembersRemoved sees to it that there is a set to add to.
func (r *Runner) remembersRemoved() error {
	if f := r.cfg.Forgotten; f != nil && f.HasSalt() {
		return nil
	}
	f, err := vault.NewForgotten(r.cfg.Chance)
	r.cfg.Forgotten = f
	return err
}

// forgottenPage is the file of what was removed, as it is to be written.
func (r *Runner) forgottenPage() Page {
	page := Page{Path: r.v.Layout().Forgotten(), Data: r.cfg.Forgotten.Bytes(), Over: vault.NoFile, Edit: true}
	if raw, err := r.v.Read(page.Path); err == nil {
		page.Over = vault.HashOf(raw)
	}
	return page
}

// Reword puts the claim that an open proposal adds into other words. The proposal
// still waits.
func (r *Runner) Reword(ctx context.Context, id, text string) (Report, error) {
	w := NewView(r.v)
	open, err := Proposals(ctx, w)
	if err != nil {
		return Report{}, err
	}
	for _, p := range open {
		if p.ID != id && string(p.Path) != id && p.Path.Name() != id {
			continue
		}
		raw, err := r.v.Read(p.Path)
		if err != nil {
			return Report{}, err
		}
		next, err := p.Reword(string(raw), text)
		if err != nil {
			return Report{}, err
		}
		made := Made{Subject: "reworded " + p.ID}
		made.edit(p.Path, vault.HashOf(raw), []byte(next))
		return r.commit(ctx, "review", w, made)
	}
	return Report{}, fmt.Errorf("%s: %w", id, ErrNoProposal)
}
