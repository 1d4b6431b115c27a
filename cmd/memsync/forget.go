package main

import (
	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

func newForgetCommand(a *app) *cobra.Command {
	opts := amendOptions{}
	cmd := &cobra.Command{
		Use:     "forget ID...",
		GroupID: groupVault,
		Short:   "Take claims away for good",
		Long: `Take claims out of memory. Their lines go, and the lines of summaries that say
them. Salted hashes of their words stay in .memory-forgotten, so that they are
not learned again from the same words, on this machine or another. Deleting the
lines yourself does the same, but leaves the summaries.

Git's history still holds them, as it holds all that ever stood in the vault.`,
		Example: `  memsync forget f-4k7q
  memsync forget f-4k7q f-9m2w --json`,
		Args: words(1, -1, "the ids of claims"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), "forget", opts, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Forget(cmd.Context(), args...)
				return amended{rep}, err
			})
		},
	}
	opts.flags(cmd)
	return cmd
}
