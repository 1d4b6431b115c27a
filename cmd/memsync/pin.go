package main

import (
	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

func newPinCommand(a *app) *cobra.Command {
	off, opts := false, amendOptions{}
	cmd := &cobra.Command{
		Use:     "pin ID",
		GroupID: groupVault,
		Short:   "Keep a claim, a session or a topic at hand",
		Long: `Pin a claim: it stands in the profile and in MEMORY.md before all others, does
not fade, and no assistant may change it. Its ID is the block id at the end of
its line. A session, a month or a topic is pinned by its id or path, as memsync
search and get show them: it ranks higher, and a session stays out of the
archive. Other notes say why they cannot be pinned.`,
		Example: `  memsync pin f-4k7q
  memsync pin ss-2025-08-09-7f2k9q --off`,
		Args: words(1, 1, "the id of a claim, a session, a month or a topic"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), "pin", opts, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Pin(cmd.Context(), args[0], !off)
				return amended{rep}, err
			})
		},
	}
	opts.flags(cmd)
	cmd.Flags().BoolVar(&off, "off", false, "let go of it")
	return cmd
}
