package synth

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault"
)

// ErrNoClaim is wrapped where an id names no claim.
var ErrNoClaim = errors.New("there is no such claim")

// amend changes the ledgers as the person asks and makes it one commit.
func (r *Runner) amend(ctx context.Context, name, subject string, change func(b *ledger.Books) error) (Report, error) {
	w := NewView(r.v)
	books, err := ledger.Open(ctx, w)
	if err != nil {
		return Report{}, err
	}
	if err := change(books); err != nil {
		return Report{}, err
	}
	made := Made{Subject: subject}
	for _, c := range r.forgot {
		if err := r.unsay(ctx, w, c, &made); err != nil {
			return Report{}, err
		}
	}
	for _, e := range books.Changed() {
		made.edit(e.Path, e.Over, e.Data)
	}
	if f := r.cfg.Forgotten; f != nil {
		page := r.forgottenPage()
		if f.HasSalt() && page.Over != vault.HashOf(page.Data) {
			made.Pages = append(made.Pages, page)
		}
	}
	return r.commitFollowed(ctx, name, w, made)
}

func find(b *ledger.Books, id string) (vault.Claim, error) {
	id = blockOf(id)
	c, _, ok := b.Find(id)
	if !ok {
		return c, fmt.Errorf("%s: %w", id, ErrNoClaim)
	}
	return c, nil
}

// Forget takes claims away for good: their lines go, and salted hashes of their
// words stay, so that they are not learned again from what was said. The lines of
// summaries that say them go too; transcripts are what was said, and git's history
// keeps all.
func (r *Runner) Forget(ctx context.Context, ids ...string) (Report, error) {
	return r.amend(ctx, "forget", count(len(ids), "claim"), func(b *ledger.Books) error {
		var gone []vault.Claim
		for _, id := range ids {
			c, err := find(b, id)
			if err != nil {
				return err
			}
			gone = append(gone, c)
		}
		if err := r.remembersRemoved(); err != nil {
			return err
		}
		r.forgot = gone
		for _, c := range gone {
			r.cfg.Forgotten.Add(c.Text)
			for _, e := range c.From {
				if e.Quote != "" {
					r.cfg.Forgotten.Add(e.Quote)
				}
			}
			if err := b.Edit(c.ID, func(n *vault.Note) error { return n.RemoveClaim(c.ID) }); err != nil {
				return err
			}
		}
		return nil
	})
}

// Merge makes one claim of two that say the same: the first keeps its words and
// gets the evidence and the days of the second, whose line goes.
func (r *Runner) Merge(ctx context.Context, into, from string) (Report, error) {
	return r.amend(ctx, "merge", from+" into "+into, func(b *ledger.Books) error {
		keep, err := find(b, into)
		if err != nil {
			return err
		}
		gone, err := find(b, from)
		if err != nil {
			return err
		}
		if keep.ID == gone.ID {
			return fmt.Errorf("%s cannot be merged into itself", keep.ID)
		}
		if err := r.remembersRemoved(); err != nil {
			return err
		}
		r.cfg.Forgotten.Add(gone.Text)
		if keep.FirstSeen == "" || gone.FirstSeen != "" && gone.FirstSeen < keep.FirstSeen {
			keep.FirstSeen = gone.FirstSeen
		}
		keep.LastSeen = max(keep.LastSeen, gone.LastSeen)
		for _, e := range gone.From {
			if !slices.ContainsFunc(keep.From, func(k vault.Evidence) bool { return k == e }) {
				keep.From = append(keep.From, e)
			}
		}
		keep.Extra = append(keep.Extra, vault.Field{Key: "merged_from", Value: gone.ID})
		if err := b.Edit(keep.ID, func(n *vault.Note) error { return n.ReplaceClaim(keep.ID, keep) }); err != nil {
			return err
		}
		return b.Edit(gone.ID, func(n *vault.Note) error { return n.RemoveClaim(gone.ID) })
	})
}

// Operate applies memory operations: what the validator refuses is in the result,
// the rest is one commit. person says that the person gives them.
func (r *Runner) Operate(ctx context.Context, o ops.Operations, person bool) (ops.Result, Report, error) {
	w := NewView(r.v)
	if err := r.remembersRemoved(); err != nil {
		return ops.Result{}, Report{}, err
	}
	res, err := ops.Apply(ctx, w, o, ops.Config{
		Secret: r.cfg.Secret, Forgotten: r.cfg.Forgotten, Today: r.cfg.Now().UTC().Format("2006-01-02"), Person: person,
	})
	if err != nil {
		return res, Report{}, err
	}
	made := Made{Subject: fmt.Sprintf("%d applied, %d refused", len(res.Applied), len(res.Rejected)), Sources: res.Sources}
	for _, e := range res.Edits {
		made.edit(e.Path, e.Over, e.Data)
	}
	if res.Forget {
		made.Pages = append(made.Pages, r.forgottenPage())
	}
	commit := r.commit
	if slices.ContainsFunc(res.Applied, func(d ops.Done) bool { return d.Op != "create" }) {
		commit = r.commitFollowed // what no longer holds is not to be read anywhere
	}
	rep, err := commit(ctx, "ops", w, made)
	return res, rep, err
}
