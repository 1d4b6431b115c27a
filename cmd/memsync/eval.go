package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/eval"
)

func newEvalCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "eval",
		GroupID: groupOther,
		Short:   "Measure how well memory is found",
		Long: `Measure how well search finds what it should, with the product's own chunks,
vectors and ranking.`,
		Example: `  memsync eval retrieval ~/sets
  memsync eval retrieval ~/sets --runs /tmp/runs --mode keyword`,
		Args: a.noSuchCommand,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	cmd.AddCommand(newEvalRetrievalCommand(a), newEvalLogCommand(a), newEvalScenariosCommand(a), newEvalEmbeddersCommand(a))
	return cmd
}

type evalOptions struct {
	runs, mode string
}

func newEvalRetrievalCommand(a *app) *cobra.Command {
	var opts evalOptions
	cmd := &cobra.Command{
		Use:   "retrieval ROOT",
		Short: "Search labelled sets and score what is found",
		Long: `Index every set below ROOT that has the BEIR layout (corpus.jsonl,
queries.jsonl, qrels/test.tsv), search its queries and score the documents and
their groups. With --runs, write one run in TREC format a set, OUT/<set>.run,
for any scorer.`,
		Example: `  memsync eval retrieval ~/sets
  memsync eval retrieval ~/sets/locomo --runs /tmp/runs --mode vector --json`,
		Args: words(1, 1, "the folder of the sets"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEvalRetrieval(cmd.Context(), a, args[0], opts)
		},
	}
	cmd.Flags().StringVar(&opts.runs, "runs", "", "the folder that gets one TREC run a set")
	cmd.Flags().StringVar(&opts.mode, "mode", "", "hybrid, keyword or vector (default: search.mode, hybrid)")
	return cmd
}

func runEvalRetrieval(ctx context.Context, a *app, root string, opts evalOptions) error {
	var flags []config.Flag
	if opts.mode != "" {
		flags = append(flags, config.Flag{Key: "search.mode", Flag: "--mode", Value: opts.mode})
	}
	_, s, _, err := a.settings(flags...)
	if err != nil {
		return err
	}
	e, err := a.embedder(s)
	if err != nil {
		return err
	}
	bar := a.progress()
	bar.Start("sets", -1, output.Items)
	defer bar.Done()
	report, err := eval.Run(ctx, root, opts.runs, eval.Options{
		Mode: mode(s.Search.Mode), Embedder: e,
		Progress: func(name string) {
			bar.Add(1)
			a.log().Info("set", "name", name)
		},
	})
	if err != nil {
		return err
	}
	r := evalResult{Root: root, Mode: s.Search.Mode}
	if e != nil {
		r.Model = e.Model().String()
	}
	for _, row := range report.Rows() {
		m := report[row]
		r.Rows = append(r.Rows, evalRow{
			Family: row.Family, Level: row.Level, Category: row.Category, Queries: m.N,
			Any5: m.AnyAt(5), Any10: m.AnyAt(10), Frac10: m.FracAt(10), Frac50: m.FracAt(50),
			All5: m.AllAt(5), All10: m.AllAt(10), MRR: m.MeanRR(),
		})
	}
	return a.print(r)
}

type evalResult struct {
	Root  string    `json:"root"`
	Mode  string    `json:"mode"`
	Model string    `json:"model"`
	Rows  []evalRow `json:"rows"`
}

// An evalRow is how the queries of one family and category fared, as shares of 1.
type evalRow struct {
	Family string `json:"family"`
	// Level is doc, the document itself, or group: its session or exchange.
	Level string `json:"level"`
	// Category is the set's own, all for every query.
	Category string `json:"category"`
	Queries  int    `json:"queries"`
	// Any: at least one right item among the first so many; Frac: the share of
	// the right items; All: every one of them.
	Any5   float64 `json:"any_5"`
	Any10  float64 `json:"any_10"`
	Frac10 float64 `json:"frac_10"`
	Frac50 float64 `json:"frac_50"`
	All5   float64 `json:"all_5"`
	All10  float64 `json:"all_10"`
	MRR    float64 `json:"mrr"`
}

func (r evalResult) Text(p *output.Page) {
	p.Printf("%s, model %s\n", p.Bold(r.Mode), orNone(r.Model))
	t := tabwriter.NewWriter(p, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "family\tlevel\tcategory\tn\tany@5\tany@10\tfrac@10\tfrac@50\tall@5\tall@10\tmrr\t")
	for _, m := range r.Rows {
		fmt.Fprintf(t, "%s\t%s\t%s\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t\n",
			m.Family, m.Level, m.Category, m.Queries, m.Any5, m.Any10, m.Frac10, m.Frac50, m.All5, m.All10, m.MRR)
	}
	t.Flush()
}
