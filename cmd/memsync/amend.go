package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
		Follow:        opts.follow,
	}
	if w.model = a.languageModel(w.session, opts.dryRun); w.model != nil {
		cfg.Writer, cfg.Parallel = w.model.Writer, w.settings.LLM.Concurrency
		cfg.Bulk = w.model.bulk(w.places.State, a.now, opts)
	}
	return synth.NewRunner(w.vault, cfg), nil
}

// amendOptions say how a command changes what is remembered.
type amendOptions struct {
	dryRun bool
	// later leaves the pages that depend on the change to the next run.
	later bool
}

func (o *amendOptions) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&o.later, "later", false, "leave topics, profile.md and MEMORY.md to the next memsync synth")
}

// amend opens the vault, has its runner change it and brings the index in step.
// what names the command.
func (a *app) amend(ctx context.Context, what string, opts amendOptions, change func(r *synth.Runner) (output.Result, error)) (err error) {
	w, err := a.openToWrite(ctx, what)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	r, err := a.runner(w, synthOptions{dryRun: opts.dryRun, follow: !opts.later})
	if err != nil {
		return err
	}
	res, err := change(r)
	if err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	if !opts.dryRun {
		if _, err := a.updateIndex(ctx, w.session); err != nil {
			return err
		}
	}
	if err := a.print(res); err != nil {
		return err
	}
	if done, ok := res.(amended); ok {
		return waits(done.Followed)
	}
	return nil
}

// amended is the answer of a command that makes one commit.
type amended struct{ synth.Report }

func (r amended) Text(p *output.Page) {
	showPass(p, r.Report)
	showFollowed(p, r.Followed)
}

// showFollowed names the pages that were made anew in the same commit.
func showFollowed(p *output.Page, reports []synth.Report) {
	var pages []string
	for _, r := range reports {
		for _, path := range r.Written {
			pages = append(pages, output.Plain(string(path)))
		}
		for _, s := range r.Skipped {
			p.Printf("  %s %s: %s\n", p.Warn("note:"), output.Plain(string(s.Path)), output.Plain(s.Reason))
		}
		showModel(p, r.Model)
	}
	if shown := pages[:min(len(pages), followedShown)]; len(shown) > 0 {
		line := strings.Join(shown, ", ")
		if more := len(pages) - len(shown); more > 0 {
			line += " and " + output.Count(more, "other page", "other pages")
		}
		p.Println("  with it: " + line)
	}
}

// followedShown bounds the pages that are named.
const followedShown = 6
