package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

// runner makes the runner of the vault's passes.
func (a *app) runner(w *writer, opts synthOptions) (*synth.Runner, error) {
	forgotten, err := w.forgotten()
	if err != nil {
		return nil, err
	}
	since, err := day(opts.since, "--since", 0)
	if err != nil {
		return nil, err
	}
	if w.near == nil {
		w.near = a.near(w)
	}
	cfg := synth.Config{
		Me:          w.settings.Me,
		Since:       since,
		Shares:      shares(w.settings.Synth),
		Now:         a.now,
		Forgotten:   forgotten,
		History:     w.repo,
		Secret:      secret(),
		DryRun:      opts.dryRun,
		Gate:        w.settings.Review == "gate",
		MaxSessions: w.settings.Synth.MaxSessions,
		State:       w.places.State,
		Near:        w.near,
		Priority:    w.priorityOf(),
		Begin:       w.begin,

		SummaryTokens: w.settings.Synth.SummaryTokens,
		Rewrite:       opts.rewrite,
	}
	if w.model = a.languageModel(w.session, opts.dryRun); w.model != nil {
		cfg.Writer, cfg.Parallel = w.model.Writer, w.settings.LLM.Concurrency
		cfg.Bulk = w.model.bulk(w.places.State, a.now, opts.wait)
	}
	return synth.NewRunner(w.vault, cfg), nil
}

// amend opens the vault, has its runner change it and brings the index in step.
// what names the command.
func (a *app) amend(ctx context.Context, what string, dryRun bool, change func(r *synth.Runner) (output.Result, error)) (err error) {
	w, err := a.openToWrite(ctx, what)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	r, err := a.runner(w, synthOptions{dryRun: dryRun})
	if err != nil {
		return err
	}
	res, err := change(r)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !dryRun {
		if _, err := a.updateIndex(ctx, w.session); err != nil {
			return err
		}
	}
	return a.print(res)
}

// amended is the answer of a command that makes one commit.
type amended struct{ synth.Report }

func (r amended) Text(p *output.Page) { showPass(p, r.Report) }
