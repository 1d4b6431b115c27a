// Package pass makes one change of a vault: notes are written, then they become
// one commit.
//
// Every note is written down in a journal before it is written to the vault, so
// that a process which dies in between leaves no work of its own behind that
// looks like the person's: the next one commits it (Recover). A page that memsync
// generates is never written over what the person made of it: Generate merges
// the two, with what memsync last wrote as the base, and where they contradict
// each other it leaves the page and says so.
package pass

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/merge"
)

// A History is the part of a repository that a pass needs; *history.Repo is one.
type History interface {
	Commit(ctx context.Context, c history.Change) (history.Result, error)
	// LastBy returns the file at p as the newest commit by the author with the
	// e-mail address left it. The error wraps history.ErrNotFound where that
	// author never committed the file, or deleted it.
	LastBy(ctx context.Context, p vault.Path, email string) ([]byte, history.Commit, error)
}

// A Pass collects the writes of one change. Its methods may be called from
// several goroutines.
type Pass struct {
	v        *vault.Vault
	repo     History
	journal  *journal
	now      func() time.Time
	trailers history.Trailers

	mu    sync.Mutex
	files map[vault.Path]vault.Hash
}

// Begin starts a pass. state is the vault's state folder, where the journal
// lies; the caller holds the vault's lock and has called Recover. repo may be
// nil for a vault that is no repository: nothing is committed then.
func Begin(v *vault.Vault, repo History, state string, now func() time.Time, t history.Trailers) (*Pass, error) {
	j, err := openJournal(state, t)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return &Pass{v: v, repo: repo, journal: j, now: now, trailers: t, files: map[vault.Path]vault.Hash{}}, nil
}

// Write is vault.Vault's Write, remembered for the commit.
func (p *Pass) Write(path vault.Path, old vault.Hash, data []byte) error {
	hash := vault.HashOf(data)
	if err := p.note(path, hash); err != nil {
		return err
	}
	if err := p.v.Write(path, old, data); err != nil {
		p.forget(path)
		return err
	}
	return nil
}

// Remove is vault.Vault's Remove, remembered for the commit.
func (p *Pass) Remove(path vault.Path, old vault.Hash) error {
	if err := p.note(path, vault.NoFile); err != nil {
		return err
	}
	if err := p.v.Remove(path, old); err != nil {
		p.forget(path)
		return err
	}
	return nil
}

func (p *Pass) note(path vault.Path, hash vault.Hash) error {
	if err := p.journal.add(path, hash); err != nil {
		return fmt.Errorf("journal: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[path] = hash
	return nil
}

// forget drops a write that failed. Its line in the journal stays and is
// harmless: what is not on disk as it says is not committed.
func (p *Pass) forget(path vault.Path) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.files, path)
}

// Changed reports whether anything was written.
func (p *Pass) Changed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.files) > 0
}

// Commit makes the writes of the pass one commit and ends the pass. A pass that
// wrote nothing makes none. On an error the notes stay as they were written and
// the next Recover commits them.
func (p *Pass) Commit(ctx context.Context, subject, body string) (history.Result, error) {
	p.mu.Lock()
	files := maps.Clone(p.files)
	p.mu.Unlock()
	if p.repo == nil || len(files) == 0 {
		return history.Result{}, p.journal.clear()
	}
	who := history.Machine(p.now())
	c := history.Change{Author: who, Committer: who, Subject: subject, Body: body, Trailers: p.trailers}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		c.Files = append(c.Files, history.File{Path: path, Hash: files[path]})
	}
	res, err := p.repo.Commit(ctx, c)
	if err != nil {
		return res, fmt.Errorf("commit: %w", errors.Join(err, p.journal.close()))
	}
	return res, p.journal.clear()
}

// Abandon ends a pass without a commit; what it wrote stays, and the next
// Recover commits it.
func (p *Pass) Abandon() error { return p.journal.close() }

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

// Generate writes a page that memsync generates. The new text is data; what the
// person changed in the page since memsync last wrote it is kept.
func (p *Pass) Generate(ctx context.Context, path vault.Path, data []byte) (Outcome, error) {
	outcome, old, next, err := p.Preview(ctx, path, data)
	if err != nil || outcome != Written && outcome != Merged {
		return outcome, err
	}
	return outcome, p.Write(path, old, next)
}

// Preview says what Generate would do, and for Written and Merged which bytes it
// would write over which.
func (p *Pass) Preview(ctx context.Context, path vault.Path, data []byte) (o Outcome, old vault.Hash, next []byte, err error) {
	current, err := p.v.Read(path)
	exists := err == nil
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Same, "", nil, err
	}
	if exists && string(current) == string(data) {
		return Same, "", nil, nil
	}
	base, ours, err := p.base(ctx, path)
	switch {
	case err != nil:
		return Same, "", nil, err
	case !exists && ours:
		return Removed, "", nil, nil
	case !exists:
		return Written, vault.NoFile, data, nil
	case !ours:
		return Foreign, "", nil, nil
	case string(base) == string(data):
		return Same, "", nil, nil // nothing new; the person's edits stay
	case string(base) == string(current):
		return Written, vault.HashOf(current), data, nil
	}
	merged, conflicts := merge.Three(base, current, data)
	switch {
	case len(conflicts) > 0:
		return Conflicted, "", nil, nil
	case string(merged) == string(current):
		return Same, "", nil, nil
	}
	return Merged, vault.HashOf(current), merged, nil
}

// base is the page as memsync last wrote it.
func (p *Pass) base(ctx context.Context, path vault.Path) ([]byte, bool, error) {
	if p.repo == nil {
		return nil, false, nil
	}
	base, _, err := p.repo.LastBy(ctx, path, history.MachineEmail)
	switch {
	case errors.Is(err, history.ErrNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, fmt.Errorf("%s: what memsync last wrote: %w", path, err)
	}
	return base, true, nil
}
