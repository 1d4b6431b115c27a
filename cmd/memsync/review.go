package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/review"
)

func newReviewCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "review",
		GroupID: groupVault,
		Short:   "Decide what waits for you",
		Long: `Proposals are notes in review/: what memsync would change and leaves to you.
Accept or decline them here, or tick a box in the note. What is declined is
remembered and not proposed again. Without a word it lists what waits.`,
		Example: `  memsync review
  memsync review accept pr-8h4t`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runReviewList(cmd.Context(), a) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "List what waits", Args: words(0, 0, ""),
			Long: `List the open proposals with their ids, the oldest first, and what each would
change. The same notes lie in review/ and can be read in Obsidian.`,
			Example: "  memsync review list\n  memsync review list --json",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runReviewList(cmd.Context(), a) },
		},
		&cobra.Command{
			Use: "show ID", Short: "Show one proposal", Args: words(1, 1, "the id of one proposal"),
			Long: `Show a proposal: why it is made, what it would change, and the words that were
said, with links to the turns in which they stand.`,
			Example: "  memsync review show pr-8h4t\n  memsync review show pr-8h4t --json",
			RunE:    func(cmd *cobra.Command, args []string) error { return runReviewShow(cmd.Context(), a, args[0]) },
		},
		newDecideCommand(a, "accept", "Carry proposals out", true),
		newDecideCommand(a, "decline", "Drop proposals, for good", false),
		newReviewEditCommand(a),
	)
	return cmd
}

func newDecideCommand(a *app, name, short string, accept bool) *cobra.Command {
	opts := amendOptions{}
	cmd := &cobra.Command{
		Use: name + " ID...", Short: short, Args: words(1, -1, "the ids of proposals"),
		Long:    short + ", all of those named in one commit, with the pages that\ndepend on them. The proposals' notes go; the history keeps them.",
		Example: "  memsync review " + name + " pr-8h4t\n  memsync review " + name + " pr-8h4t pr-2k9d --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			var all []synth.Decision
			for _, id := range args {
				all = append(all, synth.Decision{ID: id, Accept: accept})
			}
			var rep synth.Report
			err := a.amend(cmd.Context(), "review", opts, func(r *synth.Runner) (output.Result, error) {
				var err error
				rep, err = r.Decide(cmd.Context(), all...)
				return amended{rep}, err
			})
			if err == nil && len(rep.Skipped) > 0 {
				return &partlyError{fmt.Errorf("review: %s could not be carried out", output.Count(len(rep.Skipped), "proposal", "proposals"))}
			}
			return err
		},
	}
	opts.flags(cmd)
	return cmd
}

func newReviewEditCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "edit ID WORDS...", Short: "Put what a proposal adds into other words", Args: words(2, -1, "the id of a proposal and the words"),
		Long: `Put the claim that a proposal adds into your words. It still waits: accept it
afterwards. Proposals for whole pages are edited in their notes.`,
		Example: "  memsync review edit pr-8h4t Run a half marathon in the autumn.\n  memsync review edit pr-8h4t 'No calls before ten.' --json",
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), "review", amendOptions{later: true}, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Reword(cmd.Context(), args[0], strings.Join(args[1:], " "))
				return amended{rep}, err
			})
		},
	}
}

// proposals reads what waits.
func (a *app) proposals(ctx context.Context) (open []review.Proposal, err error) {
	s, err := a.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	return synth.Proposals(ctx, synth.NewView(s.vault))
}

func runReviewList(ctx context.Context, a *app) error {
	open, err := a.proposals(ctx)
	if err != nil {
		return err
	}
	return a.print(proposalsResult{open})
}

func runReviewShow(ctx context.Context, a *app, id string) error {
	open, err := a.proposals(ctx)
	if err != nil {
		return err
	}
	for _, p := range open {
		if p.ID == id || string(p.Path) == id || p.Path.Name() == id {
			return a.print(proposalResult{p})
		}
	}
	return fmt.Errorf("review: %s: %w", id, synth.ErrNoProposal)
}

type proposalsResult struct {
	Proposals []review.Proposal `json:"proposals"`
}

func (r proposalsResult) Text(p *output.Page) {
	if len(r.Proposals) == 0 {
		p.Println("Nothing waits.")
	}
	for _, one := range r.Proposals {
		p.Printf("%s  %s  %s\n", p.Bold(one.ID), one.Created, output.Plain(one.Title))
	}
}

type proposalResult struct{ review.Proposal }

func (r proposalResult) Text(p *output.Page) {
	p.Printf("%s\n%s\n\n%s\n\n", p.Bold(output.Plain(r.Title)), p.Dim(output.Plain(string(r.Path))), output.Plain(r.Reason))
	showPatch(p, r.Diff)
	for _, e := range r.From {
		p.Printf("\n  %q\n  %s\n", output.Plain(e.Quote), p.Dim(output.Plain(e.Link.String())))
	}
}
