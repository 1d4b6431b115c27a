package answer

import (
	"context"
	"strings"

	"github.com/memsync/memsync/index/pack"
)

// A ContextRequest asks for a pack.
type ContextRequest struct {
	Message string `json:"message"`
	// Intent is plan, reflect, recall, decide or nudge; "" has it detected.
	Intent string `json:"intent"`
	// Preset is small or large; "" is small.
	Preset string `json:"preset"`
	// Budget bounds the whole pack in tokens; 0 is the preset's.
	Budget int `json:"budget"`
	// Turns are the last turns of the conversation, oldest first.
	Turns []pack.Turn `json:"turns"`
}

// MaxBudget is the largest budget: what a model with a context of 200,000 tokens
// could read.
const MaxBudget = 200_000

// maxTurns bounds how many turns are looked at, the newest ones.
const maxTurns = 200

// Context packs the context for a message. A question for a secret gives a pack
// that holds the refusal.
func (m *Memory) Context(ctx context.Context, r ContextRequest) (pack.Pack, error) {
	began := m.cfg.Now()
	p, err := m.Pack(ctx, r)
	if err == nil {
		m.cfg.Log.add(packRecord(m.Clean(r.Message), p, m.cfg.Now().Sub(began), began))
	}
	return p, err
}

// Pack is Context for a question that keeps a record of its own.
func (m *Memory) Pack(ctx context.Context, r ContextRequest) (pack.Pack, error) {
	began := m.cfg.Now()
	req := pack.Request{Message: r.Message, Budget: r.Budget, Turns: r.Turns, Now: began}
	if strings.TrimSpace(r.Message) == "" {
		return pack.Pack{}, badRequest("message: it is empty")
	}
	if r.Budget < 0 || r.Budget > MaxBudget {
		return pack.Pack{}, badRequest("budget: %d is outside 1 to %d", r.Budget, MaxBudget)
	}
	var err error
	if req.Caps, err = pack.Preset(r.Preset); err != nil {
		return pack.Pack{}, badRequest("preset: %v", err)
	}
	if r.Intent != "" {
		if req.Intent, err = pack.ParseIntent(r.Intent); err != nil {
			return pack.Pack{}, badRequest("intent: %v", err)
		}
	}
	req.Turns = req.Turns[max(0, len(req.Turns)-maxTurns):]
	req.Stale = m.Stale(ctx)
	if m.cfg.Backlog != nil {
		req.Backlog = m.cfg.Backlog()
	}
	return m.maker.Make(ctx, req)
}
