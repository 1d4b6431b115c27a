package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
)

func newRateCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "rate ID IMPORTANCE",
		GroupID: groupVault,
		Short:   "Say how much a claim matters",
		Long: `Say how much a claim matters, from 0 to 1, or "none" to take the rating away.
Search and context go by it.`,
		Example: `  memsync rate f-4k7q 0.9
  memsync rate f-4k7q none`,
		Args: words(2, 2, "the id of a claim and a number from 0 to 1"),
		RunE: func(cmd *cobra.Command, args []string) error {
			importance := -1.0
			if args[1] != "none" {
				var err error
				if importance, err = strconv.ParseFloat(args[1], 64); err != nil || !(importance >= 0 && importance <= 1) {
					return usagef("%q is neither a number from 0 to 1 nor none", args[1])
				}
			}
			return a.amend(cmd.Context(), "rate", false, func(r *synth.Runner) (output.Result, error) {
				rep, err := r.Rate(cmd.Context(), args[0], importance)
				return amended{rep}, err
			})
		},
	}
}
