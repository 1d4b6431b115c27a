package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/eval/models"
)

// builtinModel is the name of the model inside the program.
const builtinModel = "builtin"

type evalEmbeddersOptions struct {
	sample  int
	queries string
}

func newEvalEmbeddersCommand(a *app) *cobra.Command {
	var opts evalEmbeddersOptions
	cmd := &cobra.Command{
		Use:   "embedders [MODEL...]",
		Short: "Compare embedding models on your own notes",
		Long: `Compare embedding models on a sample of your own summaries: how often each finds
the right one by meaning alone and beside keywords, how fast it is, and which of
its similarities mean the same and nearly the same. MODEL is builtin or a model
of the endpoint that embedding.base_url names; by default builtin and the one of
the settings. The endpoint gets the text of the sample, secrets taken out.

The questions are the messages with which you began the conversations; without
summaries, notes are asked for by their titles. Your own questions are better:
--queries reads a file with one a line, then a tab and the id, path or title of
the note that answers it. Your index and its vectors are not touched.`,
		Example: `  memsync eval embedders
  memsync eval embedders builtin bge-m3 nomic-embed-text --queries questions.tsv`,
		Args: words(0, -1, "the models to compare"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEvalEmbedders(cmd.Context(), a, args, opts)
		},
	}
	cmd.Flags().IntVar(&opts.sample, "sample", 200, "how many notes to ask for")
	cmd.Flags().StringVar(&opts.queries, "queries", "", "a file of questions, each with the note that answers it after a tab")
	return cmd
}

func runEvalEmbedders(ctx context.Context, a *app, names []string, opts evalEmbeddersOptions) (err error) {
	if opts.sample < 2 {
		return usagef("--sample: %d notes are too few to tell apart", opts.sample)
	}
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	clean, err := s.strict()
	if err != nil {
		return err
	}
	sample, err := a.embedderSample(ctx, s, opts, clean)
	if err != nil {
		return err
	}
	names = modelNames(names, s.settings.Embedding)
	cfg := models.Config{Redact: clean, Now: a.now}
	r := embeddersResult{What: string(sample.What), Notes: len(sample.Notes), Of: sample.Of, Questions: len(sample.Questions)}
	bar := a.progress()
	bar.Start("models", int64(len(names)), output.Items)
	defer bar.Done()
	if r.Keywords, err = models.Keywords(ctx, sample, cfg); err != nil {
		return err
	}
	var failed []error
	for _, name := range names {
		row, err := a.measureModel(ctx, s, sample, name, cfg)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("eval embedders: %w", err))
		}
		r.Models = append(r.Models, row)
		bar.Add(1)
	}
	if len(failed) == len(names) {
		return errors.Join(failed...)
	}
	if err := a.print(r); err != nil || len(failed) == 0 {
		return err
	}
	return &partlyError{errors.Join(failed...)}
}

// embedderSample is what the models are compared on.
func (a *app) embedderSample(ctx context.Context, s *session, opts evalEmbeddersOptions, clean func(string) string) (*models.Sample, error) {
	if opts.queries == "" {
		sample, err := models.Draw(ctx, s.vault, opts.sample, clean)
		if errors.Is(err, models.ErrTooFew) {
			return nil, fmt.Errorf("eval embedders: %w; import a chat history first, or bring questions with --queries", err)
		}
		return sample, err
	}
	paths, err := a.absolute([]string{opts.queries})
	if err != nil {
		return nil, err
	}
	f, err := os.Open(paths[0])
	if err != nil {
		return nil, fmt.Errorf("--queries: %w", err)
	}
	defer f.Close()
	find, err := models.Finder(ctx, s.vault)
	if err != nil {
		return nil, err
	}
	questions, err := models.Read(f, opts.queries, find)
	if err != nil {
		return nil, err
	}
	return models.Around(ctx, s.vault, opts.sample, questions)
}

// modelNames are the models to compare, once each.
func modelNames(names []string, e config.Embedding) []string {
	if len(names) == 0 {
		names = []string{builtinModel}
		if e.Provider != "builtin" && e.Model != "" {
			names = append(names, e.Model)
		}
	}
	var out []string
	for _, n := range names {
		if !slices.Contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// namedModel is the model of a name. Prefixes and dimensions are those of the
// settings' own model and of no other.
func (a *app) namedModel(s *session, name string) (embed.Embedder, error) {
	if name == builtinModel {
		return builtin.Open()
	}
	e := s.settings.Embedding
	if e.Provider == "builtin" && e.BaseURL == "" {
		return nil, fmt.Errorf("embedding.base_url names no endpoint that could have the model %s", name)
	}
	if name != e.Model {
		e.Model, e.Dimensions, e.QueryPrefix, e.DocumentPrefix = name, 0, "", ""
	}
	return a.endpointModel(e)
}

// measureModel is the row of one model. What keeps it from being measured is in
// the row and is the error.
func (a *app) measureModel(ctx context.Context, s *session, sample *models.Sample, name string, cfg models.Config) (embedderRow, error) {
	row := embedderRow{Model: name}
	e, err := a.namedModel(s, name)
	var r models.Report
	if err == nil {
		r, err = models.Measure(ctx, sample, e, cfg)
	}
	if err != nil {
		row.Error = err.Error()
		return row, err
	}
	c := r.Calibration
	row.Dimensions, row.Vector, row.Hybrid = r.Model.Dim, &r.Vector, &r.Hybrid
	row.Chunks, row.ChunksPerSecond, row.QueryMS = r.Chunks, math.Round(r.ChunksPerSecond), ms(r.QueryTook)
	row.Separation, row.Share = r.Separation, r.Share
	row.Duplicate, row.Overlap, row.Typical, row.Agreement = c.Duplicate, c.Overlap, c.Typical, c.Agreement
	return row, nil
}

type embeddersResult struct {
	// What is summaries, notes (by their titles) or own (your questions).
	What string `json:"what"`
	// Notes were searched, of so many that there are of their kind.
	Notes     int           `json:"notes"`
	Of        int           `json:"of"`
	Questions int           `json:"questions"`
	Keywords  models.Scores `json:"keywords"`
	Models    []embedderRow `json:"models"`
}

// An embedderRow is what one model is worth.
type embedderRow struct {
	Model      string `json:"model"`
	Dimensions int    `json:"dimensions"`
	// Vector is search by meaning alone, Hybrid with keywords beside it; both are
	// missing where the model did not answer.
	Vector          *models.Scores `json:"vector,omitempty"`
	Hybrid          *models.Scores `json:"hybrid,omitempty"`
	Chunks          int            `json:"chunks"`
	ChunksPerSecond float64        `json:"chunks_per_second"`
	QueryMS         float64        `json:"query_ms"`
	// Separation is how often the model puts the right answer of a probe above a
	// wrong one; Share what its vectors count for in hybrid search.
	Separation float64 `json:"separation"`
	Share      float64 `json:"share"`
	// Duplicate and Overlap are the cosines from which on two summaries are taken
	// for the same, or for much the same; Typical is that of unrelated ones. Agreement
	// is how often that is right on a labelled sample.
	Duplicate float64 `json:"duplicate"`
	Overlap   float64 `json:"overlap"`
	Typical   float64 `json:"typical"`
	Agreement float64 `json:"agreement"`
	// Error says why the model could not be measured.
	Error string `json:"error,omitempty"`
}

func (r embeddersResult) Text(p *output.Page) {
	asked := map[string]string{
		string(models.Summaries): "asked for by the messages that began the conversations",
		string(models.Titled):    "asked for by their titles",
		string(models.Own):       "asked for by your questions",
	}
	p.Printf("%s of %d, %s: %s\n", p.Bold(output.Count(r.Notes, "note", "notes")), r.Of, asked[r.What], output.Count(r.Questions, "question", "questions"))
	t := tabwriter.NewWriter(p, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "model\tfound by\trecall@1\trecall@5\trecall@10\tmrr\t")
	found := func(model, by string, s models.Scores) {
		fmt.Fprintf(t, "%s\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t\n", output.Plain(model), by, s.Recall1, s.Recall5, s.Recall10, s.MRR)
	}
	found("none", "keywords", r.Keywords)
	for _, m := range r.Models {
		if m.Error == "" {
			found(m.Model, "meaning", *m.Vector)
			found(m.Model, "both", *m.Hybrid)
		}
	}
	t.Flush()
	p.Println()
	fmt.Fprintln(t, "model\tdimensions\tchunks/s\tms/query\tseparation\tshare\tduplicate\toverlap\tagreement\t")
	for _, m := range r.Models {
		if m.Error == "" {
			fmt.Fprintf(t, "%s\t%d\t%.0f\t%.1f\t%.3f\t%.2f\t%.2f\t%.2f\t%.2f\t\n", output.Plain(m.Model), m.Dimensions,
				m.ChunksPerSecond, m.QueryMS, m.Separation, m.Share, m.Duplicate, m.Overlap, m.Agreement)
		}
	}
	t.Flush()
	if r.Questions > 0 {
		p.Println(p.Dim(fmt.Sprintf("(one question is %.3f)", 1/float64(r.Questions))))
	}
}
