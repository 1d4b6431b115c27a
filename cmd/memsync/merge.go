package main

import (
	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

func newMergeCommand(a *app) *cobra.Command {
	opts := amendOptions{}
	cmd := &cobra.Command{
		Use:     "merge ID OTHER",
		GroupID: groupVault,
		Short:   "Make one claim of two that say the same",
		Long: `Make one claim of two: the first keeps its words and gets the evidence and the
days of the other, whose line goes. merged_from names it.`,
		Example: `  memsync merge f-4k7q f-9m2w
  memsync merge f-4k7q f-9m2w --json`,
		Args: words(2, 2, "the ids of two claims"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.amend(cmd.Context(), "merge", opts, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Merge(cmd.Context(), args[0], args[1])
				return amended{rep}, err
			})
		},
	}
	opts.flags(cmd)
	return cmd
}
