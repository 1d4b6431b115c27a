package main

import (
	"errors"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/output"
)

func newEvalLogCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "log",
		Short: "Sum up what this memory was asked on this machine",
		Long: `Sum up the retrieval log: how many questions of which kind, to how many nothing
was found, how many were refused, how long answers took and how long packs were.
The log stays on this machine; search.log: false keeps none.`,
		Example: `  memsync eval log
  memsync eval log --json`,
		Args: words(0, 0, ""),
		RunE: func(*cobra.Command, []string) error {
			return runEvalLog(a)
		},
	}
}

func runEvalLog(a *app) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	records, err := answer.OpenLog(s.places.State).Records()
	if err != nil {
		return err
	}
	return a.print(evalLogResult{answer.Summarise(records)})
}

type evalLogResult struct{ answer.Summary }

func (r evalLogResult) Text(p *output.Page) {
	if r.Records == 0 {
		p.Println("Nothing was asked yet, or search.log is off.")
		return
	}
	p.Printf("%s from %.10s to %.10s\n", output.Count(r.Records, "question", "questions"), r.Since, r.Until)
	for _, kind := range slices.Sorted(maps.Keys(r.Kinds)) {
		p.Printf("  %-9s %d\n", kind, r.Kinds[kind])
	}
	p.Printf("nothing found %d, refused %d\n", r.Empty, r.Refused)
	p.Printf("p50 %.1f ms, p99 %.1f ms; %.1f items picked\n", r.P50MS, r.P99MS, r.MeanPicked)
	if r.MeanTokens > 0 {
		p.Printf("packs of %.0f tokens\n", r.MeanTokens)
	}
}
