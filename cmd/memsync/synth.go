package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/vault"
)

type synthOptions struct {
	passes  []string
	dryRun  bool
	since   string
	rewrite bool
	follow  bool
	wait    bool
	noWait  bool
}

func newSynthCommand(a *app) *cobra.Command {
	var opts synthOptions
	cmd := &cobra.Command{
		Use:     "synth",
		GroupID: groupVault,
		Short:   "Distil transcripts into summaries, facts, topics and a profile",
		Long: `Run the passes that distil transcripts: session summaries, facts with their
quotes, topic pages, the profile and MEMORY.md. Each pass is one commit, and a
pass whose inputs have not changed writes nothing. What you edited stays.

Conversations are summed up newest first and a few hundred at a time, each time
with a commit, so that a run can be stopped and goes on where it was. Where
more than synth.whole wait, only the most salient go deep; see
docs/salience.md. With --since the older ones are left for a later run, and
status says how many wait.

With a language model (llm.provider) the passes ask it and check what it says;
where it cannot be reached nothing is written for what it was to write, and the
next run goes on there. --rewrite sums up again what another model or none has
summed up. With llm.batch many summaries go as a batch, which the provider
answers within a day at half the price; a run waits two minutes for it and
leaves the rest to a later run, or with --wait until it is there; with --no-wait
it looks once. A daemon (memsync watch) looks by itself.

With --dry-run nothing is written and the changes are printed as a diff. With a
language model nothing is sent to it either: the calls are counted, with their
tokens and cost at most, and the diff is what would be written without it.`,
		Example: `  memsync synth
  memsync synth --since 2025-01-01
  memsync synth --pass profile,boot --dry-run`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runSynth(cmd.Context(), a, opts)
		},
	}
	f := cmd.Flags()
	f.StringSliceVar(&opts.passes, "pass", nil, "only these passes: "+strings.Join(synth.Names(), ", "))
	f.StringVar(&opts.since, "since", "", "sum up only conversations that began on or after this day; older ones wait")
	f.BoolVar(&opts.rewrite, "rewrite", false, "have the language model sum up again what it has not summed up itself")
	f.BoolVar(&opts.wait, "wait", false, "wait for batches of the language model until they are answered")
	f.BoolVar(&opts.noWait, "no-wait", false, "look once for batches of the language model and do not wait for them")
	f.BoolVar(&opts.dryRun, "dry-run", false, "write nothing and print what would change")
	_ = cmd.RegisterFlagCompletionFunc("pass", cobra.FixedCompletions(synth.Names(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runSynth(ctx context.Context, a *app, opts synthOptions) (err error) {
	for _, name := range opts.passes {
		if !slices.Contains(synth.Names(), name) {
			return usagef("--pass: there is no pass %q; there are %s", name, strings.Join(synth.Names(), ", "))
		}
	}
	if opts.wait && opts.noWait {
		return usagef("--wait and --no-wait contradict each other")
	}
	w, err := a.openToWrite(ctx, "synth")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	if !opts.dryRun {
		a.learnQueued(ctx, w)
	}
	var r synthResult
	r.Passes, err = a.synthesise(ctx, w, opts)
	if err != nil {
		return err
	}
	r.Calls = w.model.calls(opts.dryRun)
	if !opts.dryRun {
		if _, err := a.updateIndex(ctx, w.session); err != nil {
			return err
		}
	}
	if err := a.print(r); err != nil {
		return err
	}
	return waits(r.Passes)
}

// waits is an error where something waits for the language model.
func waits(passes []synth.Report) error {
	for _, p := range passes {
		if p.Model != nil && p.Model.Waits > 0 {
			return &partlyError{fmt.Errorf("%s: the language model could not be asked, and what it was to write waits for the next run: %s", p.Pass, p.Model.Why)}
		}
	}
	return nil
}

// synthesise runs the passes over the vault.
func (a *app) synthesise(ctx context.Context, w *writer, opts synthOptions) ([]synth.Report, error) {
	runner, err := a.runner(w, opts)
	if err != nil {
		return nil, err
	}
	bar := a.progress()
	bar.Start("distilling", -1, output.Items)
	defer bar.Done()
	reports, err := runner.Run(ctx, opts.passes...)
	err = errors.Join(err, w.near.Close())
	if err != nil {
		return reports, fmt.Errorf("synth: %w", err)
	}
	if !opts.dryRun {
		a.refreshCopies(ctx, w.session)
	}
	return reports, nil
}

// sayBacklog has MEMORY.md and packs say how much is imported and not distilled.
func (a *app) sayBacklog(ctx context.Context, w *writer) error {
	runner, err := a.runner(w, synthOptions{})
	if err != nil {
		return err
	}
	_, err = runner.SayBacklog(ctx)
	return errors.Join(err, w.near.Close())
}

// forgotten reads what the person removed from this memory.
func (s *session) forgotten() (*vault.Forgotten, error) {
	p := s.vault.Layout().Forgotten()
	if !s.vault.Exists(p) {
		return vault.ParseForgotten(nil), nil
	}
	raw, err := s.vault.Read(p)
	if err != nil {
		return nil, err
	}
	return vault.ParseForgotten(raw), nil
}

type synthResult struct {
	Passes []synth.Report `json:"passes"`
	// Calls are those of the language model, nil without one.
	Calls *modelCalls `json:"calls,omitempty"`
}

func (r synthResult) Text(p *output.Page) {
	for _, pass := range r.Passes {
		showPass(p, pass)
	}
	r.Calls.text(p)
}

func showPass(p *output.Page, r synth.Report) {
	switch {
	case r.Subject != "":
		p.Println(r.Subject)
	case len(r.Written) == 0:
		p.Println(p.Dim(r.Pass + ": nothing new"))
	default:
		p.Printf("%s: %s\n", r.Pass, output.Count(len(r.Written), "note", "notes"))
	}
	showModel(p, r.Model)
	for _, n := range r.Notes {
		p.Println("  " + output.Plain(n))
	}
	for _, s := range r.Skipped {
		p.Printf("  %s %s: %s\n", p.Warn("note:"), output.Plain(string(s.Path)), output.Plain(s.Reason))
	}
	showPatch(p, r.Diff)
}

// showPatch writes a diff with its sides coloured.
func showPatch(p *output.Page, patch string) {
	for line := range strings.Lines(output.Plain(patch)) {
		text := strings.TrimRight(line, "\n")
		switch {
		case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
			text = p.Bold(text)
		case strings.HasPrefix(line, "@@"):
			text = p.Dim(text)
		case strings.HasPrefix(line, "+"):
			text = p.Added(text)
		case strings.HasPrefix(line, "-"):
			text = p.Removed(text)
		}
		p.Println(text)
	}
}
