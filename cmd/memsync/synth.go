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
	passes []string
	dryRun bool
	since  string
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
with a commit, so that a run can be stopped and goes on where it was. Where more
than synth.whole wait, only the most salient go deep; see docs/salience.md. With
--since the older ones are left for a later run, and status says how many wait.

With --dry-run nothing is written and the changes are printed as a diff.`,
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
	if !opts.dryRun {
		if _, err := a.updateIndex(ctx, w.session); err != nil {
			return err
		}
	}
	return a.print(r)
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
	if err != nil {
		return reports, fmt.Errorf("synth: %w", err)
	}
	if !opts.dryRun {
		a.refreshCopies(ctx, w.session)
	}
	return reports, nil
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
}

func (r synthResult) Text(p *output.Page) {
	for _, pass := range r.Passes {
		showPass(p, pass)
	}
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
