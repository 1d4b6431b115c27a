package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault/privacy"
)

type revealOptions struct {
	yes bool
}

func newRevealCommand(a *app) *cobra.Command {
	var opts revealOptions
	cmd := &cobra.Command{
		Use:     "reveal [ID...]",
		GroupID: groupRead,
		Short:   "Show secrets that were taken out of the vault",
		Long: `Show the secret behind a mark such as [otp 7f2k9q3mwx]: its id is the second
word. Secrets are kept for you alone, outside the vault, so that neither git nor
a model ever sees them.

You are asked before a secret is shown; where nobody can be asked, --yes must
say so. Without an id the marks are listed, with their places and without their
secrets.`,
		Example: `  memsync reveal
  memsync reveal 7f2k9q3mwx --yes`,
		Args: words(0, -1, ""),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runReveal(cmd.Context(), a, args, opts)
		},
	}
	cmd.Flags().BoolVarP(&opts.yes, "yes", "y", false, "show them without asking")
	return cmd
}

func runReveal(ctx context.Context, a *app, ids []string, opts revealOptions) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	store, err := privacy.OpenOriginals(s.places.Data, nil)
	if err != nil {
		return err
	}
	if len(ids) == 0 {
		kept, err := store.List()
		if err != nil {
			return err
		}
		var r revealResult
		for _, o := range kept {
			r.Originals = append(r.Originals, newOriginal(o, false))
		}
		return a.print(r)
	}
	var r revealResult
	for _, id := range ids {
		o, err := store.Get(markID(id))
		if err != nil {
			return err
		}
		r.Originals = append(r.Originals, newOriginal(o, true))
	}
	if !opts.yes {
		if err := a.confirm(ctx, "Show "+output.Count(len(ids), "secret", "secrets")+" here?"); err != nil {
			return err
		}
	}
	return a.print(r)
}

// markID is the id in what a person copies out of a note: the id alone, or the
// mark with its brackets.
func markID(text string) string {
	if marks := privacy.Marks(text); len(marks) > 0 {
		return marks[0].ID
	}
	return strings.ToLower(text)
}

// errDeclined is what a person's "no" comes to.
var errDeclined = errors.New("nothing was shown")

// confirm asks a person on the terminal. Where there is none it fails, and says
// how to do without.
func (a *app) confirm(ctx context.Context, question string) error {
	if !output.IsTerminal(a.stderr) {
		return usagef("nobody can be asked here: add --yes")
	}
	fmt.Fprintf(a.stderr, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() { // a read from a terminal cannot be called off
		line, _ := bufio.NewReader(a.stdin).ReadString('\n')
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case said := <-answer:
		if said == "y" || said == "yes" {
			return nil
		}
		return errDeclined
	}
}

type revealResult struct {
	Originals []original `json:"originals"`
}

// An original is a secret and where its mark stands.
type original struct {
	ID    string `json:"id"`
	Class string `json:"class"`
	// Secret is there only where it was asked for by its id.
	Secret string   `json:"secret,omitempty"`
	Where  []string `json:"where"`
	Seen   string   `json:"seen"`
}

func newOriginal(o privacy.Original, open bool) original {
	out := original{ID: o.ID, Class: string(o.Class), Seen: rfc3339(o.Seen.Truncate(time.Second))}
	for place := range strings.SplitSeq(o.Where, "\n") {
		if place != "" {
			out.Where = append(out.Where, place)
		}
	}
	if open {
		out.Secret = o.Text
	}
	return out
}

func (r revealResult) Text(p *output.Page) {
	if len(r.Originals) == 0 {
		p.Println("No secret was taken out of this vault.")
	}
	for _, o := range r.Originals {
		if o.Secret != "" {
			p.Printf("%s\n", output.Plain(o.Secret))
			continue
		}
		p.Printf("%s  %-11s  %s\n", o.ID, o.Class, p.Dim(output.Plain(strings.Join(o.Where, ", "))))
	}
}
