package main

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/recall"
)

type askOptions struct {
	preset string
	trace  bool
}

func newAskCommand(a *app) *cobra.Command {
	var opts askOptions
	cmd := &cobra.Command{
		Use:     "ask QUESTION...",
		GroupID: groupRead,
		Short:   "Answer a question from memory, with its sources",
		Long: `Answer a question from memory: what is known of you is loaded, summaries and
the words themselves are retrieved, and the language model of the settings
answers from them or asks for at most three more recalls. Each sentence must
cite what was found, and its numbers must stand there, or it is dropped; what
is not in memory is said to be so, and a question for a secret is refused.

Without a language model the answer is the evidence, and says so.`,
		Example: `  memsync ask when did I decide to rent the oven
  memsync ask --trace --json "who reviews the demo?"`,
		Args: words(1, -1, "the question"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAsk(cmd.Context(), a, strings.Join(args, " "), opts)
		},
	}
	f := cmd.Flags()
	f.StringVar(&opts.preset, "preset", "", "how much may be looked at: small (default) or large")
	f.BoolVar(&opts.trace, "trace", false, "show every step")
	return cmd
}

func runAsk(ctx context.Context, a *app, question string, opts askOptions) (err error) {
	m, s, done, err := a.openMemory(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	cfg := recall.Config{Preset: opts.preset}
	if l := a.languageModel(s, false); l != nil {
		cfg.Model = recall.LLM{Model: l.Writer.Model, Prompts: l.Writer.Prompts}
	}
	asked := a.working("asking")
	r, err := recall.Ask(ctx, m, question, cfg)
	asked()
	if err != nil {
		return asUsage(err)
	}
	if r.Outcome == recall.Refused {
		return errors.New(r.Answer)
	}
	if !opts.trace {
		r.Trace = nil
	}
	return a.print(askResult{r})
}

type askResult struct{ recall.Result }

func (r askResult) Text(p *output.Page) {
	switch r.Outcome {
	case recall.Evidence:
		p.Println(p.Dim(output.Plain("(" + r.Note + ")")))
	case recall.NotInMemory:
		p.Println(r.Answer)
	}
	if r.Outcome != recall.NotInMemory {
		p.Println(output.Plain(strings.TrimRight(r.Answer, "\n")))
	}
	if r.Outcome == recall.Answered {
		for _, c := range r.Citations {
			p.Printf("  %s  %s:%d\n", c.ID, output.Plain(c.Path), c.Line)
		}
	}
	if r.Outcome != recall.Evidence && !r.Fresh {
		p.Println(p.Dim(output.Plain("(" + r.Notice + ")")))
	}
	for _, s := range r.Trace {
		p.Println(p.Dim(strings.TrimRight("- "+s.State+": "+output.Plain(s.What)+" "+strings.Join(s.IDs, " "), " ")))
	}
}
