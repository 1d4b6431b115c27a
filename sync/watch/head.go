package watch

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/vault/history"
)

// headFile, in the state folder, says where the branch was when it was last
// looked at, so that the person's own use of git in between is understood.
const headFile = "head.json"

type seenHead struct {
	Branch string     `json:"branch"`
	At     history.ID `json:"at"`
	// Taken are the commits that the branch was moved away from, the newest
	// move last.
	Taken []history.ID `json:"taken"`
	// Decided says that the person has committed since: what was taken back and
	// holds nothing any more is forgotten at the next look.
	Decided bool `json:"decided,omitempty"`
}

// followHead learns from where the branch went since the last look. Commits that
// the person made or reverted may have removed claims. A branch that was moved
// away from commits, by a reset, an amend or a rebase, means that the person
// dropped them: what these held is returned, and is not committed again.
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
		taken = append(taken, &takenView{id: id, view: view})
	}
	return taken, nil
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
	seen := e.readSeen()
	return e.writeSeen(seenHead{Branch: branch, At: at, Taken: seen.Taken, Decided: seen.Decided})
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
