package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

type indexOptions struct {
	rebuild bool
}

func newIndexCommand(a *app) *cobra.Command {
	var opts indexOptions
	cmd := &cobra.Command{
		Use:     "index",
		GroupID: groupVault,
		Short:   "Bring the search index in step with the notes",
		Long: `Bring the search index in step with the notes, once. Only what changed is read.
Searching does this by itself; the command is for scripts, and with --rebuild
for building the index anew beside the old one, which answers meanwhile.`,
		Example: `  memsync index
  memsync index --rebuild --json`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runIndex(cmd.Context(), a, opts)
		},
	}
	cmd.Flags().BoolVar(&opts.rebuild, "rebuild", false, "build the index anew from the notes")
	return cmd
}

func runIndex(ctx context.Context, a *app, opts indexOptions) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var r indexResult
	if opts.rebuild {
		r, err = rebuild(ctx, a, s)
	} else {
		r.Report, err = a.updateIndex(ctx, s)
	}
	if err != nil {
		return err
	}
	return a.print(r)
}

func rebuild(ctx context.Context, a *app, s *session) (r indexResult, err error) {
	x, err := a.openIndex(ctx, s)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	bar := a.progress()
	bar.Start("building the index", -1, output.Items)
	defer bar.Done()
	mine, err := a.alone(ctx, s, func() (err error) {
		r.Report, err = x.Rebuild(ctx, s.vault)
		return err
	})
	if err == nil && !mine {
		err = &vault.LockedError{}
	}
	return r, err
}

type indexResult struct{ index.Report }

func (r indexResult) Text(p *output.Page) {
	p.Printf("%s: %d new, %d changed, %d gone, %d unchanged; %s, %d embedded, %d known from before; %.1f s\n",
		p.Bold("index"), r.Added, r.Updated, r.Removed, r.Unchanged,
		output.Count(r.Chunks, "chunk", "chunks"), r.Embedded, r.Cached, r.Took.Seconds())
	for _, q := range r.Problems {
		p.Printf("  %s %s: %s\n", p.Warn("note:"), output.Plain(q.Path), output.Plain(q.Text))
	}
	for _, n := range r.Notes {
		p.Println(p.Dim("(" + n + ")"))
	}
}
