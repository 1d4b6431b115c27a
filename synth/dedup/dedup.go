// Package dedup decides what becomes of a new session summary that resembles an
// older one: source 1's bands, its heuristics, and a judge for what lies between.
//
// The bands are in the scale of bge-m3's cosines. Each embedder brings its own
// calibration (index/embed), so the same numbers mean the same with any model.
// Without a model that judges, Rules do: they compare the summaries line by line
// and never write a word that neither has.
package dedup

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memsync/memsync/synth/extract"
)

// The bands and bounds of source 1.
const (
	DuplicateAt = 0.92 // at or above: a duplicate
	OverlapAt   = 0.80 // at or above: to be judged
	ShortAt     = 0.90 // at or above, a short summary is dropped without asking
	ShortText   = 60   // characters below which a summary is short
	TopM        = 10   // older summaries that are looked at
	// Rest is how long a merged summary is left alone, so that no chain of merges
	// wears it down.
	Rest = 24 * time.Hour
)

// An Embedder compares texts. Its similarity is calibrated: 0.92 means the same
// with every model.
type Embedder interface {
	// Similar returns how much text resembles each of the others, from -1 to 1.
	Similar(ctx context.Context, text string, others []string) ([]float64, error)
}

// A Summary is one that is in memory already.
type Summary struct {
	ID       string
	Text     string
	MergedAt time.Time // when something was merged into it; zero for never
}

// An Action is what becomes of two summaries. The words are those of source 1.
type Action string

// The actions.
const (
	KeepBoth   Action = "KEEP_BOTH"
	DiscardNew Action = "DISCARD_NEW"
	UpdateOld  Action = "UPDATE_OLD"
	Merge      Action = "MERGE"
)

// A Verdict is a judge's word: for Merge and UpdateOld the one summary that is
// kept.
type Verdict struct {
	Action  Action `json:"action"`
	Summary string `json:"summary_1,omitempty"`
}

// A Judge decides about two summaries that overlap.
type Judge interface {
	Judge(ctx context.Context, old, fresh string) (Verdict, error)
}

// A Decision is what becomes of a new summary.
type Decision struct {
	Verdict
	// Old is the summary that it was compared with; empty where none resembles it.
	Old        Summary
	Similarity float64
	Why        string
}

// Decide compares a new summary with those in memory. Where nothing resembles it,
// or the one that does was merged a day ago at most, both are kept.
func Decide(ctx context.Context, e Embedder, j Judge, fresh string, old []Summary, now time.Time) (Decision, error) {
	keep := Decision{Verdict: Verdict{Action: KeepBoth}}
	if len(old) == 0 {
		return keep, nil
	}
	texts := make([]string, len(old))
	for i, s := range old {
		texts[i] = s.Text
	}
	sims, err := e.Similar(ctx, fresh, texts)
	if err != nil {
		return keep, fmt.Errorf("compare summaries: %w", err)
	}
	order := make([]int, len(old))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(sims[b], sims[a]) })
	for _, i := range order[:min(TopM, len(order))] {
		if sims[i] < OverlapAt {
			break
		}
		d, err := decide(ctx, j, fresh, old[i], sims[i], now)
		if err != nil || d.Action != KeepBoth {
			return d, err
		}
	}
	return keep, nil
}

func decide(ctx context.Context, j Judge, fresh string, old Summary, sim float64, now time.Time) (Decision, error) {
	d := Decision{Old: old, Similarity: sim}
	resting := !old.MergedAt.IsZero() && now.Sub(old.MergedAt) < Rest
	switch {
	case utf8.RuneCountInString(strings.TrimSpace(fresh)) < ShortText && sim >= ShortAt && !changed(fresh, old.Text):
		d.Action, d.Why = DiscardNew, "short, and known"
	case sim >= DuplicateAt && len(novel(fresh, old.Text)) == 0:
		d.Action, d.Why = DiscardNew, "a duplicate"
	case resting:
		d.Action, d.Why = KeepBoth, "the other was merged within a day"
	case sim >= DuplicateAt:
		d.Action, d.Why = Merge, "a duplicate that says more"
		d.Summary = union(old.Text, fresh)
		if changed(fresh, old.Text) {
			d.Action, d.Why, d.Summary = UpdateOld, "a duplicate that says what changed", union(fresh, old.Text)
		}
	default:
		v, err := j.Judge(ctx, old.Text, fresh)
		if err != nil {
			return d, fmt.Errorf("judge: %w", err)
		}
		d.Verdict, d.Why = v, "judged"
	}
	return d, nil
}

// change are words that say that something is no longer as it was.
var change = regexp.MustCompile(`(?i)\b(?:moved (?:to|from|into)|now|no longer|instead of|switched|changed|anymore|any more|replaced|postponed|cancelled|canceled|gave up|quit|renamed|actually|rather than)\b`)

// denial are words that turn what is said around.
var denial = regexp.MustCompile(`(?i)\b(?:no longer|not|never|instead of|rather than|cancell?ed|gave up)\b|n't\b`)

func changes(text string) bool { return change.MatchString(text) }

// changed reports whether something that only the new summary says is a change.
func changed(fresh, old string) bool { return slices.ContainsFunc(novel(fresh, old), changes) }

// Rules judge without a model.
type Rules struct{}

// Judge compares line by line. What adds nothing is dropped; what says all that
// the old one says, or says what changed, takes its place; two that say mostly
// the same become one; others are kept.
func (Rules) Judge(_ context.Context, old, fresh string) (Verdict, error) {
	more, lost := novel(fresh, old), novel(old, fresh)
	lines := len(items(fresh))
	switch {
	case len(more) == 0:
		return Verdict{Action: DiscardNew}, nil
	case len(lost) == 0:
		return Verdict{UpdateOld, fresh}, nil
	case changed(fresh, old) && related(old, fresh):
		return Verdict{UpdateOld, union(fresh, old)}, nil
	case 2*len(more) <= lines:
		return Verdict{Merge, union(old, fresh)}, nil
	}
	return Verdict{Action: KeepBoth}, nil
}

// items are what a summary says: its list items, or its sentences.
func items(text string) []string {
	var list, prose []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			list = append(list, rest)
		} else if line != "" && !strings.HasPrefix(line, "About ") {
			prose = append(prose, extract.Sentences(line)...)
		}
	}
	return append(list, prose...)
}

// sameItem is the share of content words from which two lines say the same, where
// their numbers agree.
const sameItem = 0.6

// novel are the items of a that b does not have.
func novel(a, b string) []string {
	has := items(b)
	var out []string
	for _, x := range items(a) {
		if !slices.ContainsFunc(has, func(y string) bool { return same(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

func same(a, b string) bool {
	a, b = bare(a), bare(b)
	if denial.MatchString(a) != denial.MatchString(b) {
		return false
	}
	if changes(a) != changes(b) && extract.Missing(a, b)+extract.Missing(b, a) > 1 {
		return false // one of them says what the other was before
	}
	return extract.SameNumbers(a, b) && extract.Overlap(a, b) >= sameItem
}

// related reports whether some item of each is about the same, whatever the
// numbers say.
func related(a, b string) bool {
	for _, x := range items(a) {
		for _, y := range items(b) {
			if shared, least := extract.Shared(bare(x), bare(y)); least > 0 && 2*shared >= least {
				return true
			}
		}
	}
	return false
}

var citation = regexp.MustCompile(`\s*\(?\[\[[^\]]*\]\]\)?`)

func bare(s string) string { return citation.ReplaceAllString(s, "") }

// union is a summary of all that first says, and of what second adds and does not
// contradict: a line about the same with other numbers is left out, since first
// stands.
func union(first, second string) string {
	lines := strings.TrimRight(first, "\n")
	var added []string
	for _, x := range novel(second, first) {
		contradicted := slices.ContainsFunc(items(first), func(y string) bool {
			shared, least := extract.Shared(bare(x), bare(y))
			return least > 1 && 2*shared >= least
		})
		if !contradicted {
			added = append(added, "- "+x)
		}
	}
	if len(added) == 0 {
		return lines + "\n"
	}
	if !strings.Contains(lines, "- ") {
		var list []string
		for _, x := range items(first) {
			list = append(list, "- "+x)
		}
		return strings.Join(append(list, added...), "\n") + "\n"
	}
	all := strings.Split(lines, "\n")
	at := len(all)
	for i, line := range all {
		if strings.HasPrefix(line, "- ") {
			at = i + 1
		}
	}
	return strings.Join(slices.Insert(all, at, added...), "\n") + "\n"
}
