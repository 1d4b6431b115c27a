package watch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// headFile, in the state folder, says where the branch was when it was last
// looked at, so that the person's own use of git in between is understood.
const headFile = "head.json"

type seenHead struct {
	Branch string     `json:"branch"`
	At     history.ID `json:"at"`
	// Taken are the commits that the branch was moved back from, the newest
	// move last.
	Taken []history.ID `json:"taken"`
}

// followHead learns from where the branch went since the last look. Commits that
// the person made or reverted may have removed claims. A branch that was moved
// back means that the person took commits back: what these held is returned, and
// is not committed again.
func (e *Edits) followHead(ctx context.Context, o *Outcome) (taken takenBack, err error) {
	seen := e.readSeen()
	branch, at, err := e.newest(ctx)
	if err != nil || at.IsZero() {
		return nil, err
	}
	if seen.At.IsZero() || seen.Branch != branch {
		return nil, e.writeSeen(seenHead{Branch: branch, At: at})
	}
	if seen.At != at {
		if seen, err = e.moved(ctx, seen, at, o); err != nil {
			return nil, err
		}
		if err := e.writeSeen(seen); err != nil {
			return nil, err
		}
	}
	for _, id := range seen.Taken {
		view, err := e.repo.At(ctx, id.String())
		if errors.Is(err, history.ErrNotFound) {
			continue // git has collected it
		}
		if err != nil {
			return nil, err
		}
		taken = append(taken, view)
	}
	return taken, nil
}

// takenBack is the vault as it was at commits that the person took back.
type takenBack []*history.View

// maxTaken bounds how many of them are remembered.
const maxTaken = 10

// has reports whether a file stood there as it is now; nil is a file that is gone.
func (t takenBack) has(p vault.Path, raw []byte) bool {
	for _, view := range t {
		was, err := view.Read(p)
		if raw == nil && errors.Is(err, history.ErrNotFound) || raw != nil && err == nil && bytes.Equal(was, raw) {
			return true
		}
	}
	return false
}

// maxFollowed bounds the commits that are gone through after a move.
const maxFollowed = 5000

// moved looks at what lies between two places of the branch.
func (e *Edits) moved(ctx context.Context, seen seenHead, at history.ID, o *Outcome) (seenHead, error) {
	next := seenHead{Branch: seen.Branch, At: at}
	ahead, isAhead, err := e.between(ctx, seen.At, at)
	if err != nil {
		return seen, err
	}
	if isAhead {
		for _, c := range ahead {
			if c.ByMachine() || len(c.Parents) != 1 {
				continue
			}
			if err := e.forgetBetween(ctx, c.Parents[0], c.ID, o); err != nil {
				return seen, err
			}
		}
		next.Taken = seen.Taken
		if len(ahead) > 0 && !ahead[0].ByMachine() {
			next.Taken = nil // they have decided by now
		}
		return next, nil
	}
	if _, isBehind, err := e.between(ctx, at, seen.At); err != nil || !isBehind {
		return next, err // another line of history: nothing can be said
	}
	next.Taken = append(seen.Taken, seen.At)
	next.Taken = next.Taken[max(0, len(next.Taken)-maxTaken):]
	return next, e.forgetBetween(ctx, seen.At, at, o)
}

// between lists the commits after one up to another, newest first, and reports
// whether the one is an ancestor of the other.
func (e *Edits) between(ctx context.Context, from, to history.ID) ([]history.Commit, bool, error) {
	all, err := e.repo.Log(ctx, history.LogOptions{From: to.String(), Limit: maxFollowed})
	if err != nil {
		if errors.Is(err, history.ErrNotFound) {
			err = nil
		}
		return nil, false, err
	}
	for i, c := range all {
		if c.ID == from {
			return all[:i], true, nil
		}
	}
	return nil, false, nil
}

// forgetBetween remembers the claims that stand in one commit and neither in
// another nor in the vault as it is.
func (e *Edits) forgetBetween(ctx context.Context, from, to history.ID, o *Outcome) error {
	was, err := e.repo.At(ctx, from.String())
	if err != nil {
		return err
	}
	is, err := e.repo.At(ctx, to.String())
	if err != nil {
		return err
	}
	before, err := was.Files(ctx)
	if err != nil {
		return err
	}
	after, err := is.Files(ctx)
	if err != nil {
		return err
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
			return err
		}
		changes = append(changes, change{path: f.Path, before: raw})
	}
	if len(changes) == 0 {
		return nil
	}
	// What stands in the vault now, anywhere that changed, is not lost.
	same = make(map[history.Blob]bool, len(before))
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
			return err
		}
		changes[i].after = raw
	}
	return e.forget(ctx, lost(changes), o)
}

func (e *Edits) readSeen() seenHead {
	var s seenHead
	raw, err := os.ReadFile(filepath.Join(e.cfg.State, headFile))
	if err != nil || json.Unmarshal(raw, &s) != nil {
		return seenHead{}
	}
	return s
}

// newest returns the branch and its newest commit that changed the vault.
func (e *Edits) newest(ctx context.Context) (string, history.ID, error) {
	branch, at, err := e.repo.Head()
	if err != nil || at.IsZero() {
		return branch, at, err
	}
	last, err := e.repo.Log(ctx, history.LogOptions{Limit: 1})
	if err != nil || len(last) == 0 {
		return branch, history.ID{}, err
	}
	return branch, last[0].ID, nil
}

// rememberHead says that the branch is where memsync left it.
func (e *Edits) rememberHead(ctx context.Context) error {
	branch, at, err := e.newest(ctx)
	if err != nil {
		return err
	}
	return e.writeSeen(seenHead{Branch: branch, At: at, Taken: e.readSeen().Taken})
}

func (e *Edits) writeSeen(s seenHead) error {
	raw, err := json.Marshal(s)
	if err != nil {
		return err
	}
	name := filepath.Join(e.cfg.State, headFile)
	if err := os.WriteFile(name+".tmp", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(name+".tmp", name)
}
