package synth

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/memsync/memsync/vault"
)

// A Backlog is how much waits to be distilled.
type Backlog struct {
	// Conversations counts the transcripts that wait, for a summary or for their facts.
	Conversations int `json:"conversations"`
	// UpTo is the day of the newest of them, empty for none.
	UpTo string `json:"up_to"`
}

// String is a sentence, empty where nothing waits.
func (b Backlog) String() string {
	switch b.Conversations {
	case 0:
		return ""
	case 1:
		return "1 conversation of " + b.UpTo + " is not distilled yet."
	}
	return count(b.Conversations, "conversation") + " up to " + b.UpTo + " are not distilled yet."
}

// SayBacklog has MEMORY.md say what waits, after an import that is distilled later.
// No other pass runs.
func (r *Runner) SayBacklog(ctx context.Context) ([]Report, error) {
	return r.run(ctx, NewView(r.v), []string{"boot"})
}

// Backlog counts what waits now.
func (r *Runner) Backlog(ctx context.Context) (Backlog, error) {
	r.heads = nil
	return r.backlog(ctx, NewView(r.v))
}

func (r *Runner) backlog(ctx context.Context, w *View) (b Backlog, err error) {
	var made Made
	q, err := r.pending(ctx, w, &made)
	if err != nil {
		return b, err
	}
	if b.Conversations = len(q.waits); b.Conversations > 0 {
		b.UpTo = isoDay(q.waits[0].created)
	}
	if err := r.owes(ctx, w, q, &b); err != nil {
		return b, err
	}
	if r.cfg.State != "" && !r.cfg.DryRun {
		b.keep(r.cfg.State)
	}
	return b, nil
}

// owes counts the conversations that have a session and whose facts wait for a model.
func (r *Runner) owes(ctx context.Context, w *View, q queue, b *Backlog) error {
	sessions, err := w.Notes(ctx, "sessions")
	if err != nil {
		return err
	}
	counted := map[vault.Path]bool{}
	for _, p := range q.waits {
		counted[p.path] = true
	}
	for s, from := range w.sittings(sessions) {
		if r.owed(from) && !counted[from.path] {
			counted[from.path] = true
			b.Conversations++
			b.UpTo = max(b.UpTo, isoDay(s.Prop("start")))
		}
	}
	return nil
}

// isoDay is the day of a time as a property has it.
func isoDay(stamp string) string { return stamp[:min(10, len(stamp))] }

// Counting what waits reads the beginning of every transcript, which is too much
// for an answer that is to come within milliseconds. So whoever counts leaves the
// count in the vault's state folder, and answers read it there.

const backlogFile = "backlog.json"

// keep writes the count down where it is another. One that cannot be kept is told
// to nobody: the next run counts again.
func (b Backlog) keep(state string) {
	if b == LastBacklog(state) {
		return
	}
	raw, err := json.Marshal(b)
	if err != nil {
		return
	}
	file := filepath.Join(state, backlogFile)
	if os.WriteFile(file+".tmp", raw, 0o600) == nil {
		_ = os.Rename(file+".tmp", file)
	}
}

// LastBacklog is the backlog as it was last counted by an import, a run of the
// passes or Backlog; none where nobody has counted.
func LastBacklog(state string) (b Backlog) {
	raw, err := os.ReadFile(filepath.Join(state, backlogFile))
	if err != nil || json.Unmarshal(raw, &b) != nil || b.Conversations < 0 || strings.ContainsAny(b.UpTo, "\r\n") {
		return Backlog{}
	}
	return b
}
