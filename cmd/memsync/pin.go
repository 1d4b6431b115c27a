package main

import (
	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

func newPinCommand(a *app) *cobra.Command {
	off := false
	cmd := &cobra.Command{
		Use:     "pin ID",
		GroupID: groupVault,
		Short:   "Keep a claim at hand",
		Long: `Pin a claim: it stands in the profile and in MEMORY.md before all others, does
not fade, and no assistant may change it. The ID is the block id at the end of
its line, as memsync search and get show it.`,
		Example: `  memsync pin f-4k7q
  memsync pin f-4k7q --off`,
		Args: words(1, 1, "the id of one claim"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), "pin", false, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Pin(cmd.Context(), args[0], !off)
				return amended{rep}, err
			})
		},
	}
	cmd.Flags().BoolVar(&off, "off", false, "let go of it")
	return cmd
}
