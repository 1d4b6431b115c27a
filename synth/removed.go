package synth

import (
	"context"
	"errors"

	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// removedClaims looks in the ledgers for claims that memsync wrote and that now
// stand nowhere: the person took them out, with an editor or with git, perhaps
// while no daemon watched. They join what is forgotten, and the page returned
// says so in the vault; nil where nothing is gone.
func (r *Runner) removedClaims(ctx context.Context, books *ledger.Books) (*Page, error) {
	if r.cfg.History == nil {
		return nil, nil
	}
	added := false
	for _, p := range books.Paths() {
		if r.done("ledgers", string(p), string(books.Hash(p))) {
			continue // as it was left, or looked at before
		}
		gone, err := r.forgetMissing(ctx, p, books)
		if err != nil {
			return nil, err
		}
		added = added || gone
	}
	for path := range r.seen["ledgers"] {
		p := vault.Path(path)
		if books.Has(p) || r.v.Exists(p) {
			continue
		}
		gone, err := r.forgetMissing(ctx, p, books)
		if err != nil {
			return nil, err
		}
		added = added || gone
	}
	if !added {
		return nil, nil
	}
	page := r.forgottenPage()
	return &page, nil
}

// forgetMissing adds to what is forgotten the claims of a ledger as memsync last
// wrote it that now stand in no ledger. It reports whether there were any.
func (r *Runner) forgetMissing(ctx context.Context, p vault.Path, books *ledger.Books) (bool, error) {
	was, _, err := r.cfg.History.LastBy(ctx, p, history.MachineEmail)
	if errors.Is(err, history.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if raw, err := r.v.Read(p); err == nil && vault.Torn(was, raw) != "" {
		return false, nil // a save that broke off deleted nothing
	}
	added := false
	for _, c := range vault.Parse(p, was).Claims() {
		if books.Holds(c) {
			continue
		}
		if err := r.remembersRemoved(); err != nil {
			return false, err
		}
		texts := []string{c.Text}
		for _, e := range c.From {
			if e.Quote != "" {
				texts = append(texts, e.Quote)
			}
		}
		added = r.cfg.Forgotten.Add(texts...) || added
	}
	return added, nil
}
