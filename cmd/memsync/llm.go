package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"time"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/anthropic"
	"github.com/memsync/memsync/synth/llm/batch"
	"github.com/memsync/memsync/synth/llm/openai"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/synth/llm/prompt"
	"github.com/memsync/memsync/vault"
)

// A provider is a language model and its interface for bulk work.
type provider interface {
	llm.Model
	batch.Service
}

// A languageModel is the model of the settings, ready for a run: within its
// limits, and noted in the ledger of calls.
type languageModel struct {
	// Writer asks it.
	Writer *passes.Writer
	// Batches are its interface for bulk work, nil where it is not to be used.
	Batches batch.Service
	Budget  *llm.Budget
	Ledger  *llm.Ledger
	// Counter counts instead of asking, in a dry run.
	Counter *llm.Counter
}

// languageModel is the model of the settings, nil for none. Where something is
// missing to ask it, its answers say so, and what needs it waits.
func (a *app) languageModel(s *session, dryRun bool) *languageModel {
	set := s.settings.LLM
	if set.Provider == "none" {
		return nil
	}
	m := &languageModel{Ledger: llm.NewLedger(s.places.State)}
	m.Budget = &llm.Budget{MaxTokens: set.MaxTokensPerRun, MaxCost: set.MaxCostPerRun}
	m.Budget.Price, _ = llm.PriceOf(set.Model)
	w := &passes.Writer{Secret: secret()}
	m.Writer = w
	p, err := a.provider(set)
	if err == nil {
		w.Prompts, err = prompt.Load(s.ownPrompt)
	}
	switch {
	case dryRun && set.Model != "": // which needs no key
		m.Counter = llm.NewCounter(set.Model)
		w.Model = m.Counter
	case err != nil:
		w.Model, w.Prompts = missing{set.Model, err}, nil
	default:
		w.Model = llm.NewCaller(p, llm.Config{
			Timeout: set.Timeout, Concurrency: set.Concurrency, Budget: m.Budget, Ledger: m.Ledger, Now: a.now,
		})
	}
	if err == nil && set.Batch {
		m.Batches = p
	}
	return m
}

// batchStay is how long a run waits for a batch, with the vault's lock, where it is
// not told to wait to the end; batchFile is where the state folder keeps it.
const (
	batchStay = 2 * time.Minute
	batchFile = "llm-batch.json"
)

// bulk is the interface for bulk work, nil where it is not to be used.
func (m *languageModel) bulk(state string, now func() time.Time, opts synthOptions) *synth.Bulk {
	if m.Batches == nil {
		return nil
	}
	b := &synth.Bulk{Service: m.Batches, Config: batch.Config{
		StateFile: filepath.Join(state, batchFile), Budget: m.Budget, Ledger: m.Ledger, Now: now, Poll: 15 * time.Second, Stay: batchStay,
	}}
	switch {
	case opts.wait:
		b.Config.Poll, b.Config.Stay = time.Minute, 0
	case opts.noWait: // others wait for the vault meanwhile
		b.Config.Poll, b.Config.Stay, b.Config.Retries = time.Second, time.Nanosecond, 1
	}
	return b
}

// provider is the model that the settings name. It connects to nothing yet.
func (a *app) provider(set config.LLM) (provider, error) {
	if set.Model == "" {
		return nil, &config.Error{Name: "llm.model", Text: "must be set for the provider " + set.Provider}
	}
	key := ""
	if set.APIKeyEnv != "" {
		if key, _ = a.env(set.APIKeyEnv); key == "" {
			return nil, &config.Error{Name: "llm.api_key_env", Text: "the variable " + set.APIKeyEnv + " is not set"}
		}
	}
	if set.Provider == "anthropic" {
		return anthropic.New(set.BaseURL, set.Model, key, nil)
	}
	return openai.New(set.BaseURL, set.Model, key, nil)
}

// ownPrompt is the vault's own prompt of a name. A session without a vault has none.
func (s *session) ownPrompt(name string) ([]byte, error) {
	if s.vault == nil {
		return nil, fs.ErrNotExist
	}
	p, err := vault.ParsePath(path.Join(s.settings.Root, prompt.Folder, name+".md"))
	if err != nil {
		return nil, err
	}
	raw, err := s.vault.Read(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fs.ErrNotExist
	}
	return raw, err
}

// missing is a model that cannot be asked.
type missing struct {
	name string
	err  error
}

func (m missing) Name() string { return m.name }

func (m missing) Complete(context.Context, llm.Request) (llm.Reply, error) {
	return llm.Reply{}, fmt.Errorf("%w: %w", llm.ErrRefused, m.err)
}
