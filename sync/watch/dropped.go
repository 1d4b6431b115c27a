package watch

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// maxFollowed bounds the commits that are gone through after a move.
const maxFollowed = 5000

// moved looks at what lies between two places of the branch.
func (e *Edits) moved(ctx context.Context, seen seenHead, at history.ID, o *Outcome) (seenHead, error) {
	next := seenHead{Branch: seen.Branch, At: at, Taken: seen.Taken, Decided: seen.Decided}
	was, err := e.line(ctx, seen.At)
	if err != nil {
		return seen, err
	}
	is, err := e.line(ctx, at)
	if err != nil {
		return seen, err
	}
	dropped, came := notAmong(was, is), notAmong(is, was)
	if len(dropped) == len(was) {
		return next, nil // nothing in common: another history altogether
	}
	if len(dropped) > 0 {
		next.Decided = false
	}
	for _, c := range came {
		next.Decided = next.Decided || !c.ByMachine()
	}
	if len(dropped) > 0 {
		next.Taken = append(next.Taken, seen.At)
		next.Taken = next.Taken[max(0, len(next.Taken)-maxTaken):]
		return next, e.forgetDropped(ctx, seen.At, at, dropped, came, o)
	}
	for _, c := range came {
		if c.ByMachine() || len(c.Parents) != 1 {
			continue
		}
		gone, put, err := e.between(ctx, c.Parents[0], c.ID)
		if err != nil {
			return seen, err
		}
		if err := e.forget(ctx, gone, put, o); err != nil {
			return seen, err
		}
	}
	return next, nil
}

// line lists the commits that lead to one, the newest first; none where git has
// collected it.
func (e *Edits) line(ctx context.Context, to history.ID) ([]history.Commit, error) {
	all, err := e.repo.Log(ctx, history.LogOptions{From: to.String(), Limit: maxFollowed})
	if errors.Is(err, history.ErrNotFound) {
		err = nil
	}
	return all, err
}

// notAmong lists the commits that are not among others.
func notAmong(commits, others []history.Commit) []history.Commit {
	among := make(map[history.ID]bool, len(others))
	for _, c := range others {
		among[c.ID] = true
	}
	var rest []history.Commit
	for _, c := range commits {
		if !among[c.ID] {
			rest = append(rest, c)
		}
	}
	return rest
}

// forgetDropped remembers what the vault held before the person moved the branch
// from one commit to another that does not lead to it, and holds no longer. What
// a pass of another machine took away, whose commits came in by the same move, is
// not their doing.
func (e *Edits) forgetDropped(ctx context.Context, from, to history.ID, dropped, came []history.Commit, o *Outcome) error {
	gone, err := e.lostBetween(ctx, from, to)
	if err != nil || len(gone) == 0 {
		return err
	}
	// A rebase and an amend write commits anew, and keep who made them and when.
	type mark struct {
		email string
		when  time.Time
	}
	markOf := func(c history.Commit) mark { return mark{c.Author.Email, c.Author.When.UTC()} }
	rewritten := map[mark]bool{}
	for _, c := range dropped {
		rewritten[markOf(c)] = true
	}
	machines := map[string]bool{}
	for _, c := range came {
		if !c.ByMachine() || rewritten[markOf(c)] || len(c.Parents) != 1 {
			continue
		}
		texts, err := e.lostBetween(ctx, c.Parents[0], c.ID)
		if err != nil {
			return err
		}
		for _, text := range texts {
			machines[text] = true
		}
	}
	var theirs []string
	for _, text := range gone {
		if !machines[text] {
			theirs = append(theirs, text)
		}
	}
	return e.forget(ctx, theirs, nil, o)
}

// lostBetween lists what stands in one commit and neither in another nor in the
// vault as it is.
func (e *Edits) lostBetween(ctx context.Context, from, to history.ID) ([]string, error) {
	gone, _, err := e.between(ctx, from, to)
	return gone, err
}

// between lists what stands in one commit and neither in another nor in the vault
// as it is, and what the files that differ hold in that other one and in the vault.
func (e *Edits) between(ctx context.Context, from, to history.ID) (gone []string, stand []memory, err error) {
	was, err := e.repo.At(ctx, from.String())
	if err != nil {
		return nil, nil, err
	}
	is, err := e.repo.At(ctx, to.String())
	if err != nil {
		return nil, nil, err
	}
	before, err := was.Files(ctx)
	if err != nil {
		return nil, nil, err
	}
	after, err := is.Files(ctx)
	if err != nil {
		return nil, nil, err
	}
	var left, here []change // out of the one; in the other, and on disk
	for _, p := range differing(before, after) {
		raw, err := was.Read(p)
		if err != nil {
			return nil, nil, err
		}
		left = append(left, change{path: p, before: raw})
		if here, err = e.onDisk(here, p); err != nil {
			return nil, nil, err
		}
	}
	for _, p := range differing(after, before) {
		raw, err := is.Read(p)
		if err != nil {
			return nil, nil, err
		}
		left = append(left, change{path: p, after: raw})
		if here, err = e.onDisk(here, p); err != nil {
			return nil, nil, err
		}
	}
	onDisk := map[string]bool{}
	for _, m := range standing(here) {
		onDisk[m[0]] = true
	}
	for _, m := range standing(left) {
		if onDisk[m[0]] {
			stand = append(stand, m)
		}
	}
	return lost(append(left, here...)), stand, nil
}

// differing lists the notes among files that are not so among others.
func differing(files, others []history.Blob) []vault.Path {
	same := make(map[history.Blob]bool, len(others))
	for _, f := range others {
		same[f] = true
	}
	var paths []vault.Path
	for _, f := range files {
		if !same[f] && f.Path.IsNote() {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

// onDisk adds what a file holds now, if it is there.
func (e *Edits) onDisk(changes []change, p vault.Path) ([]change, error) {
	raw, err := e.v.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return changes, nil
	}
	return append(changes, change{path: p, after: raw}), err
}
