package synth

import (
	"context"
	"errors"
	"strings"

	"github.com/memsync/memsync/synth/dedup"
	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// errJudgeWaits leaves a summary for a later run.
var errJudgeWaits = errors.New("its summary overlaps with an older one, and the model that decides does not answer")

// judge decides about summaries that overlap: the Config's, else the model, else
// the rules.
func (r *Runner) judge() dedup.Judge {
	switch {
	case r.cfg.Judge != nil:
		return r.cfg.Judge
	case r.cfg.Writer != nil:
		return modelJudge{r}
	}
	return dedup.Rules{}
}

// A modelJudge asks the model. What it cannot prove, and what would leave more than
// a quarter of the lines of the two unsaid, is decided by the rules.
type modelJudge struct{ r *Runner }

// Judge is dedup.Judge's.
func (j modelJudge) Judge(ctx context.Context, old, fresh dedup.Summary) (dedup.Verdict, error) {
	side := func(s dedup.Summary) passes.Side {
		return passes.Side{Text: Visible(s.Text), Date: vault.Stamp{Time: s.When.UTC()}.Date()}
	}
	v, end, err := ask(ctx, j.r, "judge", func(ctx context.Context, w passes.Writer) (passes.Verdict, error) {
		return w.Judge(ctx, side(old), side(fresh))
	})
	switch {
	case err != nil:
		return dedup.Verdict{}, err
	case end == later:
		return dedup.Verdict{}, errJudgeWaits
	case end == byRules:
		return dedup.Rules{}.Judge(ctx, old, fresh)
	}
	verdict := dedup.Verdict{Action: dedup.Action(v.Action)}
	if verdict.Action == dedup.Merge || verdict.Action == dedup.UpdateOld {
		var ok bool
		if verdict.Summary, ok = recite(v.Text, old.Text, fresh.Text); !ok {
			j.r.model.dropped(1)
			return dedup.Rules{}.Judge(ctx, old, fresh)
		}
	}
	if lost, of := dedup.Lost(verdict, old, fresh); float64(lost) > dedup.MaxLost*float64(of) {
		j.r.model.dropped(1)
		return dedup.Rules{}.Judge(ctx, old, fresh)
	}
	return verdict, nil
}

// recited is the share of content words that a sentence has of the line whose
// citation it gets.
const recited = 0.5

// recite gives each sentence of a merged summary the citation of the line of
// either summary that says it. It reports false where a sentence has none: nothing
// stands in memory without a source.
func recite(text string, summaries ...string) (string, bool) {
	var lines []string
	for _, s := range summaries {
		for line := range strings.Lines(s) {
			if len(vault.Parse("line.md", []byte(line)).Links()) > 0 {
				lines = append(lines, strings.TrimSpace(line))
			}
		}
	}
	var out []string
	for _, sentence := range extract.Sentences(text) {
		best, share := "", 0.0
		for _, line := range lines {
			if extract.Denies(sentence, Visible(line)) {
				continue // it says the opposite
			}
			if o := extract.Overlap(sentence, Visible(line)); o > share {
				best, share = line, o
			}
		}
		if share < recited {
			return "", false
		}
		cite := ""
		for i, l := range vault.Parse("line.md", []byte(best)).Links() {
			if i < maxCited {
				cite += " (" + l.String() + ")"
			}
		}
		out = append(out, "- "+sentence+cite)
	}
	return strings.Join(out, "\n") + "\n", len(out) > 0
}

// maxCited bounds the turns that a line of a merged summary cites.
const maxCited = 3
