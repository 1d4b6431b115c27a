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
	if plan.left.path != "" && (plan.Writes() || plan.base.do) {
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
	on, err := p.onDisk(path)
	if err != nil {
		return plan, err
	}
	if on.exists && string(on.page) == string(data) {
		plan.base = on.keep(nil)
		return plan, nil
	}
	m, err := p.madeOf(ctx, path, on)
	if err != nil {
		return plan, err
	}
	switch {
	case !on.exists && m.ours:
		plan.Outcome = Removed
		return plan, nil
	case !on.exists:
		plan.Outcome, plan.Next = Written, data
		return plan, nil
	case !m.ours:
		plan.Outcome = Foreign
		return plan, nil
	case string(m.page) == string(data):
		return plan, nil // nothing new; the person's edits stay
	}
	plan.old, plan.From, plan.left = vault.HashOf(on.page), m.renamed(path), m.left
	base, current, data := namedAlike(m.page, on.page, data)
	if string(base) == string(current) {
		plan.Outcome, plan.Next = Written, data
		plan.base = on.keep(nil)
		return plan, nil
	}
	merged, conflicts := merge.Three(base, current, data)
	switch {
	case len(conflicts) > 0:
		plan.Outcome, plan.From = Conflicted, ""
		return plan, nil
	case string(merged) != string(on.page):
		plan.Outcome, plan.Next = Merged, merged
	}
	plan.base = on.keep(data)
	return plan, nil
}

// PlanEdit is a plan to write next over the note that old is the hash of: a change of
// what stands there, in place of making the page anew.
//
// In a generated page that the person has edited the change is memsync's, so what it
// last made is changed in the same way, and stands beside the page: else their edits
// would count as memsync's own, and go when it makes the page anew. With theirs the
// change is the person's too.
func (p *Pass) PlanEdit(ctx context.Context, path vault.Path, old vault.Hash, next []byte, theirs bool) (Plan, error) {
	plan := Plan{Path: path, Outcome: Written, Next: next, old: old}
	on, err := p.onDisk(path)
	if err != nil || !on.exists || vault.HashOf(on.page) != old || !vault.Parse(path, on.page).Generated() {
		return plan, err
	}
	m, err := p.madeOf(ctx, path, on)
	if err != nil || !m.ours {
		return plan, err
	}
	plan.From, plan.left = m.renamed(path), m.left
	base := m.page
	if !theirs {
		base = changedAlike(m.page, on.page, next)
	}
	if string(base) == string(next) {
		base = nil
	}
	plan.base = on.keep(base)
	return plan, nil
}

// onDisk is a page as it stands on disk, and the base that stands beside it.
type onDisk struct {
	page, base      []byte
	exists, hasBase bool
}

func (p *Pass) onDisk(path vault.Path) (on onDisk, err error) {
	read := func(path vault.Path) ([]byte, bool, error) {
		raw, err := p.v.Read(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false, nil
		}
		return raw, err == nil, err
	}
	if on.page, on.exists, err = read(path); err != nil {
		return on, err
	}
	on.base, on.hasBase, err = read(p.v.Layout().Base(path))
	return on, err
}

// keep is what it takes for next to be the base that stands beside the page; nil for
// none.
func (on onDisk) keep(next []byte) baseEdit {
	switch {
	case next != nil && on.hasBase && string(on.base) != string(next):
		return baseEdit{vault.HashOf(on.base), next, true}
	case next != nil && !on.hasBase:
		return baseEdit{vault.NoFile, next, true}
	case next == nil && on.hasBase:
		return baseEdit{vault.HashOf(on.base), nil, true}
	}
	return baseEdit{}
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
