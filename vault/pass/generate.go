package pass

import (
	"context"
	"errors"
	"io/fs"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

// An Outcome is what came of a generated page.
type Outcome int

// The outcomes of Generate.
const (
	// Same: the page says already what it should.
	Same Outcome = iota
	// Written: the page is new, or was as memsync left it.
	Written
	// Merged: the person's edits and the new text went together.
	Merged
	// Conflicted: they contradict each other. The person's page stays.
	Conflicted
	// Removed: the person deleted the page. It stays deleted.
	Removed
	// Foreign: a page that memsync never wrote stands there. It stays.
	Foreign
)

// A Plan is what is to be done about one generated page.
type Plan struct {
	Path    vault.Path
	Outcome Outcome
	// From is what the page was called when memsync last made it, where the person
	// renamed it since; else empty.
	From vault.Path
	// Next is what the page is to hold, for Written and Merged.
	Next []byte

	old  vault.Hash
	base baseEdit
	left leftBase
}

// Edit is a plan to write next over the note that old is the hash of.
func Edit(p vault.Path, old vault.Hash, next []byte) Plan {
	return Plan{Path: p, Outcome: Written, Next: next, old: old}
}

// Writes reports whether the page is to be written.
func (p Plan) Writes() bool { return p.Outcome == Written || p.Outcome == Merged }

// A baseEdit brings the stored base of a page up to date.
type baseEdit struct {
	old  vault.Hash
	next []byte // nil takes the base away
	do   bool
}

// Generate writes a page that memsync generates. The new text is data; what the
// person changed in the page since memsync last wrote it is kept.
func (p *Pass) Generate(ctx context.Context, path vault.Path, data []byte) (Outcome, error) {
	plan, err := p.Plan(ctx, path, data)
	if err != nil {
		return Same, err
	}
	return plan.Outcome, p.Carry(ctx, plan)
}

// Carry does what a plan says.
func (p *Pass) Carry(ctx context.Context, plan Plan) error {
	if plan.From != "" && plan.Writes() { // a rename is one commit of theirs
		if err := p.Preserve(ctx, plan.From, plan.Path); err != nil {
			return err
		}
	}
	if b := plan.base; b.do {
		path := p.v.Layout().Base(plan.Path)
		if b.next == nil {
			if err := p.Remove(path, b.old); err != nil {
				return err
			}
		} else if err := p.Write(ctx, path, b.old, b.next); err != nil {
			return err
		}
	}
	if plan.left.path != "" && plan.Writes() {
		if err := p.Remove(plan.left.path, plan.left.hash); err != nil {
			return err
		}
	}
	if !plan.Writes() {
		return nil
	}
	return p.Write(ctx, plan.Path, plan.old, plan.Next)
}

// Plan says what Generate would do.
//
// The base of the merge is what memsync last made of the page. Where the person
// has not touched the page, that is the page. Where they have, the page on disk
// is the merged one, so what memsync made stands beside it in the vault
// (Layout.Base) and takes part in every revert and checkout that the page takes
// part in.
func (p *Pass) Plan(ctx context.Context, path vault.Path, data []byte) (Plan, error) {
	plan := Plan{Path: path}
	current, err := p.v.Read(path)
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return plan, err
	}
	stored, err := p.v.Read(p.v.Layout().Base(path))
	hasStored := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return plan, err
	}
	setBase := func(next []byte) {
		switch {
		case next != nil && hasStored && string(stored) != string(next):
			plan.base = baseEdit{vault.HashOf(stored), next, true}
		case next != nil && !hasStored:
			plan.base = baseEdit{vault.NoFile, next, true}
		case next == nil && hasStored:
			plan.base = baseEdit{vault.HashOf(stored), nil, true}
		}
	}
	if exists && string(current) == string(data) {
		setBase(nil)
		return plan, nil
	}
	base, ours := stored, hasStored
	switch wrote, own := p.wrote(path); {
	case hasStored:
	case own && wrote == vault.NoFile: // taken away by this pass, which may think again
	case own && exists && wrote == vault.HashOf(current):
		base, ours = current, true
	default:
		m, err := p.lastMade(ctx, path)
		if err == nil && !m.ours && exists {
			m, err = p.lastMadeOf(ctx, current)
		}
		if err != nil {
			return plan, err
		}
		base, ours = m.page, m.ours
		if ours && exists {
			plan.From, plan.left = m.renamed(path), m.left
		}
	}
	switch {
	case !exists && ours:
		plan.Outcome = Removed
		return plan, nil
	case !exists:
		plan.Outcome, plan.Next = Written, data
		return plan, nil
	case !ours:
		plan.Outcome = Foreign
		return plan, nil
	case string(base) == string(data):
		return plan, nil // nothing new; the person's edits stay
	}
	plan.old = vault.HashOf(current)
	if string(base) == string(current) {
		plan.Outcome, plan.Next = Written, data
		setBase(nil)
		return plan, nil
	}
	merged, conflicts := merge.Three(base, current, data)
	switch {
	case len(conflicts) > 0:
		plan.Outcome = Conflicted
		return plan, nil
	case string(merged) != string(current):
		plan.Outcome, plan.Next = Merged, merged
	}
	setBase(data)
	return plan, nil
}

// Wrote reports whether a file is as this pass has written it.
func (p *Pass) Wrote(path vault.Path, hash vault.Hash) bool {
	wrote, own := p.wrote(path)
	return own && wrote == hash
}

func (p *Pass) wrote(path vault.Path) (hash vault.Hash, own bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	hash, own = p.files[path]
	return hash, own
}
