package watch

import (
	"context"
	"errors"
	"io/fs"
	"time"

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
		gone, err := e.lostBetween(ctx, c.Parents[0], c.ID)
		if err != nil {
			return seen, err
		}
		if err := e.forget(ctx, gone, o); err != nil {
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
	return e.forget(ctx, theirs, o)
}

// lostBetween lists what stands in one commit and neither in another nor in the
// vault as it is.
func (e *Edits) lostBetween(ctx context.Context, from, to history.ID) ([]string, error) {
	was, err := e.repo.At(ctx, from.String())
	if err != nil {
		return nil, err
	}
	is, err := e.repo.At(ctx, to.String())
	if err != nil {
		return nil, err
	}
	before, err := was.Files(ctx)
	if err != nil {
		return nil, err
	}
	after, err := is.Files(ctx)
	if err != nil {
		return nil, err
	}
	same := make(map[history.Blob]bool, len(after))
	for _, f := range after {
		same[f] = true
	}
	var changes []change
	for _, f := range before {
		if same[f] || !f.Path.IsNote() {
			continue
		}
		raw, err := was.Read(f.Path)
		if err != nil {
			return nil, err
		}
		changes = append(changes, change{path: f.Path, before: raw})
	}
	if len(changes) == 0 {
		return nil, nil
	}
	// What stands in the vault now, anywhere that changed, is not lost.
	clear(same)
	for _, f := range before {
		same[f] = true
	}
	for _, f := range after {
		if !same[f] && f.Path.IsNote() {
			changes = append(changes, change{path: f.Path})
		}
	}
	for i := range changes {
		raw, err := e.v.Read(changes[i].path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		changes[i].after = raw
	}
	return lost(changes), nil
}
