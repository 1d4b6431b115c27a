package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

func newRateCommand(a *app) *cobra.Command {
	opts := amendOptions{}
	cmd := &cobra.Command{
		Use:     "rate ID IMPORTANCE",
		GroupID: groupVault,
		Short:   "Say how much a claim or a session matters",
		Long: `Say how much a claim, a session or a month matters, from 0 to 1, or "none" to
take the rating away. Search and context go by it. The ID is a claim's block id,
or a session's id or path.`,
		Example: `  memsync rate f-4k7q 0.9
  memsync rate f-4k7q none`,
		Args: words(2, 2, "the id of a claim or a session, and a number from 0 to 1"),
		RunE: func(cmd *cobra.Command, args []string) error {
			importance := -1.0
			if args[1] != "none" {
				var err error
				if importance, err = strconv.ParseFloat(args[1], 64); err != nil || !(importance >= 0 && importance <= 1) {
					return usagef("%q is neither a number from 0 to 1 nor none", args[1])
				}
			}
			return a.amend(cmd.Context(), "rate", opts, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Rate(cmd.Context(), args[0], importance)
				return amended{rep}, err
			})
		},
	}
	opts.flags(cmd)
	return cmd
}
