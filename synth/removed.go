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
// while no daemon watched. They join what is forgotten, and the summaries say them
// no more.
func (r *Runner) removedClaims(ctx context.Context, w *View, books *ledger.Books, made *Made) error {
	if r.cfg.History == nil {
		return nil
	}
	var gone []vault.Claim
	look := func(p vault.Path) error {
		missing, err := r.forgetMissing(ctx, p, books)
		gone = append(gone, missing...)
		return err
	}
	for _, p := range books.Paths() {
		if r.done("ledgers", string(p), string(books.Hash(p))) {
			continue // as it was left, or looked at before
		}
		if err := look(p); err != nil {
			return err
		}
	}
	for path := range r.seen["ledgers"] {
		p := vault.Path(path)
		if books.Has(p) || r.v.Exists(p) {
			continue
		}
		if err := look(p); err != nil {
			return err
		}
	}
	if len(gone) == 0 {
		return nil
	}
	for _, c := range gone {
		if err := r.unsay(ctx, w, c, made); err != nil {
			return err
		}
	}
	made.Pages = append(made.Pages, r.forgottenPage())
	return nil
}

// forgetMissing adds to what is forgotten the claims of a ledger as memsync last
// wrote it that now stand in no ledger. It returns those that were not forgotten
// before.
func (r *Runner) forgetMissing(ctx context.Context, p vault.Path, books *ledger.Books) ([]vault.Claim, error) {
	was, _, err := r.cfg.History.LastBy(ctx, p, history.MachineEmail)
	if errors.Is(err, history.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if raw, err := r.v.Read(p); err == nil && vault.Torn(was, raw) != "" {
		return nil, nil // a save that broke off deleted nothing
	}
	var gone []vault.Claim
	for _, c := range vault.Parse(p, was).Claims() {
		if books.Holds(c) {
			continue
		}
		if err := r.remembersRemoved(); err != nil {
			return nil, err
		}
		texts := []string{c.Text}
		for _, e := range c.From {
			if e.Quote != "" {
				texts = append(texts, e.Quote)
			}
		}
		if r.cfg.Forgotten.Add(texts...) {
			gone = append(gone, c)
		}
	}
	return gone, nil
}
