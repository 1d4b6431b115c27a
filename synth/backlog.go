package synth

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
)

// A Backlog is how much waits to be distilled.
type Backlog struct {
	// Conversations counts the transcripts that wait.
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
		b.UpTo = q.waits[0].created[:min(10, len(q.waits[0].created))]
	}
	if r.cfg.State != "" && !r.cfg.DryRun {
		b.keep(r.cfg.State)
	}
	return b, nil
}

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
