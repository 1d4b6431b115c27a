package eval

import (
	"context"
	"fmt"
	"io"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
)

// A Variant is the ranking with something changed.
type Variant struct {
	Name string
	Mode rank.Mode
	// Change edits the product's weights; nil leaves them.
	Change func(w *rank.Weights)
}

// Variants are the ablations of docs/retrieval.md: the single modes, and hybrid
// without each of its parts.
var Variants = []Variant{
	{Name: "hybrid", Mode: rank.Hybrid},
	{Name: "keyword", Mode: rank.Keyword},
	{Name: "vector", Mode: rank.Vector},
	{Name: "keyword, plain BM25", Mode: rank.Keyword, Change: bare},
	{Name: "vector, plain cosine", Mode: rank.Vector, Change: bare},
	{Name: "hybrid, plain lists", Mode: rank.Hybrid, Change: bare},
	{Name: "without vectors", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Vector = 0 }},
	{Name: "without related words", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Related = 0 }},
	{Name: "without neighbours", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Near = [2]float64{} }},
	{Name: "without question to answer", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Answer = 1 }},
	{Name: "without the conversation", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Note = 0 }},
	{Name: "without substance", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Substance = 0 }},
	{Name: "without people", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Speaker, w.Self, w.Tells = 0, 0, 0 }},
	{Name: "without who tells of themselves", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Tells = 0 }},
	{Name: "without standing instructions", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Directive = 0 }},
	{Name: "without heeding requests", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Standing = 0 }},
	{Name: "without contrast", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Contrast = 0 }},
	{Name: "without feedback", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Feedback = 0 }},
	{Name: "without times", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Time = 0 }},
	{Name: "without recency", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Recency = 0 }},
	{Name: "equal shares", Mode: rank.Hybrid, Change: func(w *rank.Weights) { w.Keyword, w.Vector = 0.5, 0.5 }},
}

// bare takes away all that is more than the two ranked lists.
func bare(w *rank.Weights) {
	w.Related, w.Near, w.Note, w.Substance = 0, [2]float64{}, 0, 0
	w.Speaker, w.Self, w.Tells, w.Time, w.Directive, w.Standing = 0, 0, 0, 0, 0, 0
	w.Feedback, w.Contrast, w.Recency = 0, 0, 0
}

// column is a figure of the ablation table.
type column struct {
	title         string
	family, level string
	value         func(m *Measures) float64
}

func frac(k int) func(*Measures) float64 { return func(m *Measures) float64 { return m.FracAt(k) } }
func anyOf(k int) func(*Measures) float64 {
	return func(m *Measures) float64 { return m.AnyAt(k) }
}
func all(k int) func(*Measures) float64 { return func(m *Measures) float64 { return m.AllAt(k) } }

var columns = []column{
	{"LoCoMo turn frac@10", "locomo", "doc", frac(10)},
	{"frac@50", "locomo", "doc", frac(50)},
	{"session any@5", "locomo", "group", anyOf(5)},
	{"REALTALK turn frac@10", "realtalk", "doc", frac(10)},
	{"frac@50", "realtalk", "doc", frac(50)},
	{"BEAM exchange any@5", "beam-100k", "group", anyOf(5)},
	{"frac@10", "beam-100k", "group", frac(10)},
	{"LongMemEval pool all@5", "longmemeval-pool", "doc", all(5)},
	{"any@5", "longmemeval-pool", "doc", anyOf(5)},
}

// Ablation indexes every set below root once, searches it under each variant and
// writes the table as markdown.
func Ablation(ctx context.Context, root string, e embed.Embedder, w io.Writer) error {
	dirs, err := Find(root)
	if err != nil {
		return err
	}
	reports := make([]Report, len(Variants))
	for i := range reports {
		reports[i] = make(Report)
	}
	for _, dir := range dirs {
		s, err := Load(root, dir)
		if err != nil {
			return err
		}
		m, err := NewMemory(ctx, s, e)
		if err != nil {
			return fmt.Errorf("eval: %s: %w", s.Name, err)
		}
		for i, v := range Variants {
			weights := rank.DefaultWeights()
			if v.Change != nil {
				v.Change(&weights)
			}
			if err := runSet(ctx, m, s, "", Options{Mode: v.Mode, Weights: &weights}, reports[i]); err != nil {
				return fmt.Errorf("eval: %s: %w", s.Name, err)
			}
		}
	}
	return writeTable(w, reports)
}

func writeTable(w io.Writer, reports []Report) error {
	head, rule := "| ranking |", "|---|"
	for _, c := range columns {
		head += " " + c.title + " |"
		rule += "---|"
	}
	if _, err := fmt.Fprintf(w, "%s\n%s\n", head, rule); err != nil {
		return err
	}
	for i, v := range Variants {
		line := "| " + v.Name + " |"
		for _, c := range columns {
			m := reports[i][Row{c.family, c.level, "all"}]
			if m == nil {
				line += " - |"
				continue
			}
			line += fmt.Sprintf(" %.3f |", c.value(m))
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}
