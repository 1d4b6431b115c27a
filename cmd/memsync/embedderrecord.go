package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/synth/llm"
)

// A recordedEmbedder keeps on record how an endpoint does, so that status can say
// so and need not ask it.
type recordedEmbedder struct {
	embed.Embedder
	model, state string
	now          func() time.Time

	mu     sync.Mutex
	failed bool
	wrote  time.Time
}

// recordEvery is how often a call that went as the one before is written down.
const recordEvery = 10 * time.Second

// Embed embeds, and writes down how it went.
func (e *recordedEmbedder) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	out, err := e.Embedder.Embed(ctx, texts, as)
	if err == nil || !errors.Is(ctx.Err(), context.Canceled) {
		e.note(err)
	}
	return out, err
}

// note writes down how a call went. A record that cannot be written is missing in
// status, and changes nothing else.
func (e *recordedEmbedder) note(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := e.now()
	if failed := err != nil; failed == e.failed && now.Sub(e.wrote) < recordEvery && !e.wrote.IsZero() {
		return
	}
	e.failed, e.wrote = err != nil, now
	h := readEmbedderHealth(e.state, e.model)
	h.LastCall = now
	if err == nil {
		h.LastAnswer, h.FailingSince = now, time.Time{}
	} else {
		h.LastError = llm.Clip(err.Error(), maxRecorded)
		if h.FailingSince.IsZero() {
			h.FailingSince = now
		}
	}
	raw, err := json.Marshal(embedderRecord{e.model, h})
	if err != nil {
		return
	}
	name := embedderFile(e.state)
	if os.WriteFile(name+".tmp", raw, 0o600) == nil {
		_ = os.Rename(name+".tmp", name)
	}
}

// maxRecorded bounds what is kept of an error, in characters.
const maxRecorded = 300

// An embedderRecord is the file in the vault's state folder.
type embedderRecord struct {
	Model string `json:"model"`
	llm.Health
}

func embedderFile(state string) string { return filepath.Join(state, "embedding.json") }

// readEmbedderHealth says how a model did; the zero Health where nothing is known
// of it.
func readEmbedderHealth(state, model string) llm.Health {
	var r embedderRecord
	raw, err := os.ReadFile(embedderFile(state))
	if err != nil || json.Unmarshal(raw, &r) != nil || r.Model != model {
		return llm.Health{}
	}
	return r.Health
}

// recorded has an endpoint's calls recorded; the built-in model is asked over no
// network, and none is nil.
func (a *app) recorded(s *session, e embed.Embedder) embed.Embedder {
	if e == nil || s.settings.Embedding.Provider == "builtin" {
		return e
	}
	return &recordedEmbedder{Embedder: e, model: s.settings.Embedding.Model, state: s.places.State, now: a.now}
}
