package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/boot"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault"
)

type bootOptions struct {
	lines, bytes int
}

func newBootCommand(a *app) *cobra.Command {
	var opts bootOptions
	cmd := &cobra.Command{
		Use:     "boot",
		GroupID: groupRead,
		Short:   "Print what an assistant should know when it starts",
		Long: `Print the start-up context: MEMORY.md with the profile in its place, what is in
force and one line a topic. It is fitted to the host's limits, by default 200
lines and 25 KB, and says what did not fit.`,
		Example: `  memsync boot
  memsync boot --lines 60 --json`,
		Args: words(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			return runBoot(a, opts)
		},
	}
	cmd.Flags().IntVar(&opts.lines, "lines", 0, "at most so many lines (default 200)")
	cmd.Flags().IntVar(&opts.bytes, "bytes", 0, "at most so many bytes (default 25000)")
	return cmd
}

func runBoot(a *app, opts bootOptions) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	c, err := boot.Make(s.vault, boot.Limits{Lines: opts.lines, Bytes: opts.bytes})
	if err != nil {
		return err
	}
	clean, err := s.strict() // the person may have written a secret into a page
	if err != nil {
		return err
	}
	return a.print(bootResult{Context: clean(c.Text), Dropped: c.Dropped, Sources: c.Sources})
}

type bootResult struct {
	Context string `json:"context"`
	// Dropped are the lines that did not fit.
	Dropped int          `json:"dropped"`
	Sources []vault.Path `json:"sources"`
}

func (r bootResult) Text(p *output.Page) { p.Printf("%s", output.Plain(r.Context)) }
