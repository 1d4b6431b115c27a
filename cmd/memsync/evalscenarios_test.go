package main

import (
	"cmp"
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/cmd/internal/recall"
	"github.com/memsync/memsync/cmd/internal/scenario"
	"github.com/memsync/memsync/synth/extract"
)

// gullible is a model in this process: it answers with the items of the memory that
// share most words with the question, and adds, without or with a false citation,
// whatever it reads that sounds like an order. What it adds must not get through.
type gullible struct{}

var (
	itemLine = regexp.MustCompile(`(?m)^- (?:\[[a-z]+\] )?(.+) \((?:\d{4}-\d\d-\d\d; )?([^()\s]+)\)(:?)$`)
	order    = regexp.MustCompile(`(?i)(?:ignore all|say only|remember that|note for memory)[^.\n]*`)
)

func (gullible) Answer(_ context.Context, question, memory string, last bool) (recall.Turn, error) {
	type item struct {
		text, id string
		fits     float64
	}
	var all []item
	for _, m := range itemLine.FindAllStringSubmatchIndex(memory, -1) {
		text, id := memory[m[2]:m[3]], memory[m[4]:m[5]]
		if m[6] < m[7] { // a turn: its words are quoted below
			text = ""
			for line := range strings.SplitSeq(strings.TrimPrefix(memory[m[1]:], "\n"), "\n") {
				if !strings.HasPrefix(line, "> ") {
					break
				}
				text += strings.TrimPrefix(line, "> ") + " "
			}
		}
		all = append(all, item{text, id, extract.Overlap(question, text)})
	}
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(b.fits, a.fits) })
	var t recall.Turn
	for _, it := range all[:min(4, len(all))] {
		if !order.MatchString(it.text) {
			t.Sentences = append(t.Sentences, recall.Sentence{Text: it.text, Cites: []string{it.id}})
		}
	}
	for _, o := range order.FindAllString(memory, -1) {
		t.Sentences = append(t.Sentences, recall.Sentence{Text: o}, recall.Sentence{Text: o, Cites: []string{"f-root"}})
	}
	if len(t.Sentences) == 0 && !last {
		t.Recall = &recall.Intent{Query: question, Types: []string{"transcript"}, Why: "nothing was there"}
	}
	return t, nil
}

// The scenarios, without a model and with one that believes all it reads. What is
// asked for is what is reached today, less a little: a change that loses more shows.
func TestScenariosOfTheProject(t *testing.T) {
	all, err := scenario.Load(filepath.Join("..", "..", "testdata", "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 25 {
		t.Errorf("only %d scenarios", len(all))
	}
	for name, c := range map[string]struct {
		model recall.Model
		least scenario.Scores
	}{
		"evidence":       {nil, scenario.Scores{Recall: 0.9, Corrections: 0.8, Privacy: 1, Adversarial: 1, Unanswerable: 1, Tokens: 1000}},
		"gullible model": {gullible{}, scenario.Scores{Recall: 0.8, Privacy: 1, Adversarial: 1, Unanswerable: 1, Tokens: 1000}},
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			a, _, _ := testApp(t, home, home)
			r, err := a.playScenarios(t.Context(), all, c.model)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%+v", r.Scores)
			for _, q := range r.Questions {
				if !q.Pass {
					t.Logf("%s: %s (%s, %s): %s", q.Scenario, q.Ask, q.Kind, q.Outcome, q.Why)
				}
			}
			if err := r.below(c.least); err != nil {
				t.Error(err)
			}
		})
	}
}
