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
// share most words with the question, but not with what is marked as changed, and
// adds, without or with a false citation,
// whatever it reads that sounds like an order. What it adds must not get through.
type gullible struct{}

var (
	itemLine = regexp.MustCompile(`(?m)^- (?:\[[a-z]+\] )?(.+) \((?:(\d{4}-\d\d-\d\d); )?([^()\s;]+)(; since changed)?\)(:?)$`)
	order    = regexp.MustCompile(`(?i)(?:ignore all|say only|remember that|note for memory)[^.\n]*`)
)

// A line is an item of the memory as a model reads it.
type line struct {
	text, id, date string
	fits           float64
}

// read finds the items in a memory, those that fit the question best first.
func read(question, memory string) []line {
	var all []line
	for _, m := range itemLine.FindAllStringSubmatchIndex(memory, -1) {
		if m[8] >= 0 {
			continue // since changed
		}
		l := line{text: memory[m[2]:m[3]], id: memory[m[6]:m[7]]}
		if m[4] >= 0 {
			l.date = memory[m[4]:m[5]]
		}
		if m[10] < m[11] { // a turn: its words are quoted below
			l.text = ""
			for quoted := range strings.SplitSeq(strings.TrimPrefix(memory[m[1]:], "\n"), "\n") {
				if !strings.HasPrefix(quoted, "> ") {
					break
				}
				l.text += strings.TrimPrefix(quoted, "> ") + " "
			}
		}
		l.fits = extract.Overlap(question, l.text)
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b line) int { return cmp.Compare(b.fits, a.fits) })
	return all
}

// careful is a model that does what the prompt asks where items contradict each
// other: of those that fit the question nearly as well as the best, it says the
// latest. It repeats no orders.
type careful struct{}

func (careful) Answer(_ context.Context, question, memory string, _ bool) (recall.Turn, error) {
	all := slices.DeleteFunc(read(question, memory), func(l line) bool { return order.MatchString(l.text) })
	if len(all) == 0 {
		return recall.Turn{}, nil
	}
	last := all[0]
	for _, l := range all {
		if l.fits >= 0.5*all[0].fits && l.date > last.date {
			last = l
		}
	}
	return recall.Turn{Sentences: []recall.Sentence{{Text: last.text, Cites: []string{last.id}}}}, nil
}

func (gullible) Answer(_ context.Context, question, memory string, last bool) (recall.Turn, error) {
	all := read(question, memory)
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

// The scenarios, without a model, with one that believes all it reads, and with one
// that takes the latest for what holds. What is
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
		"evidence":       {nil, scenario.Scores{Recall: 0.9, Corrections: 0.9, Privacy: 1, Adversarial: 1, Unanswerable: 0.7, Tokens: 1000}},
		"gullible model": {gullible{}, scenario.Scores{Recall: 0.8, Privacy: 1, Adversarial: 1, Unanswerable: 0.7, Tokens: 1000}},
		"careful model":  {careful{}, scenario.Scores{Recall: 0.7, Corrections: 0.8, Privacy: 1, Adversarial: 1, Unanswerable: 0.7, Tokens: 1000}},
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
