// Package dedup decides what becomes of a new session summary that resembles an
// older one: source 1's bands, its heuristics, and a judge for what lies between.
//
// The bands are in the scale of bge-m3's cosines. Each embedder brings its own
// calibration (index/embed), so the same numbers mean the same with any model.
// Without a model that judges, Rules do: they compare the summaries line by line
// and never write a word that neither has.
//
// A cosine alone takes nothing from memory. That of short texts is noisy: two
// greetings, or two lines of one form, are alike and say different things. So what
// is decided without a model needs evidence as well: words that both summaries
// have, and the more of them the shorter they are (grounded).
//
// Which of two comes new depends on the order in which histories are imported, so
// nothing else does: the earlier session is the one that is kept, and the later
// is compared with it as if it came second.
package dedup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
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

// ErrSimilar is wrapped where the embedder could not compare the summaries.
var ErrSimilar = errors.New("the summaries could not be compared")

// A Summary is what a session came to.
type Summary struct {
	ID       string
	Text     string
	MergedAt time.Time // when something was merged into it; zero for never
	// When the session began, zero where unknown, and its transcript, which decides
	// between two that began together.
	When       time.Time
	Transcript string
	reading    *reading // nil until Read
}

// Before reports whether s is of an earlier session than o.
func (s Summary) Before(o Summary) bool {
	if s.When.IsZero() || o.When.IsZero() {
		return false
	}
	return cmp.Or(s.When.Compare(o.When), strings.Compare(s.Transcript, o.Transcript)) < 0
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

// A Verdict is a judge's word: for Merge and UpdateOld the text of the one summary
// that is kept.
type Verdict struct {
	Action  Action `json:"action"`
	Summary string `json:"summary_1,omitempty"`
}

// A Judge decides about two summaries that overlap, of which old is of the
// earlier session.
type Judge interface {
	Judge(ctx context.Context, old, fresh Summary) (Verdict, error)
}

// A Decision is what becomes of a new summary. Its action is about the later of the
// two sessions: DiscardNew says that the earlier one stands as it is.
type Decision struct {
	Verdict
	// Old is the summary that it was compared with; empty where none resembles it.
	Old Summary
	// NewFirst says that the new summary is of the earlier session, so that it is
	// kept and Old goes into it.
	NewFirst   bool
	Similarity float64
	Why        string
}

// Decide compares a new summary with those in memory. Where nothing resembles it,
// or the one that does was merged a day ago at most, both are kept. An error that
// wraps ErrSimilar is the embedder's, any other the judge's.
func Decide(ctx context.Context, e Embedder, j Judge, fresh Summary, old []Summary, now time.Time) (Decision, error) {
	keep := Decision{Verdict: Verdict{Action: KeepBoth}}
	if len(old) == 0 {
		return keep, nil
	}
	fresh = fresh.Read()
	texts := make([]string, len(old))
	for i, s := range old {
		texts[i] = s.Read().reading.bare
	}
	sims, err := e.Similar(ctx, fresh.reading.bare, texts)
	if err != nil {
		return keep, fmt.Errorf("%w: %w", ErrSimilar, err)
	}
	order := make([]int, len(old))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(sims[b], sims[a]), old[a].When.Compare(old[b].When), strings.Compare(old[a].Transcript, old[b].Transcript))
	})
	for _, i := range order[:min(TopM, len(order))] {
		if sims[i] < OverlapAt {
			break
		}
		earlier, later, first := old[i].Read(), fresh, fresh.Before(old[i])
		if first {
			earlier, later = later, earlier
		}
		resting := !old[i].MergedAt.IsZero() && now.Sub(old[i].MergedAt) < Rest
		d, err := decide(ctx, j, later, earlier, sims[i], resting)
		d.Old, d.NewFirst, d.Similarity = old[i], first, sims[i]
		if err != nil || d.Action != KeepBoth {
			return d, err
		}
	}
	return keep, nil
}

// decide decides about a later and an earlier summary.
func decide(ctx context.Context, j Judge, fresh, old Summary, sim float64, resting bool) (d Decision, err error) {
	x, y := fresh.reading, old.reading
	updates := changed(x, y)
	short := utf8.RuneCountInString(strings.TrimSpace(x.bare)) < ShortText
	switch {
	case short && sim >= ShortAt && !changes(fresh.Text) && knownIn(x, y):
		d.Action, d.Why = DiscardNew, "short, and known"
	case sim >= DuplicateAt && len(news(x, y)) == 0 && len(x.items()) > 0:
		d.Action, d.Why = DiscardNew, "a duplicate"
	case resting:
		d.Action, d.Why = KeepBoth, "one of them was merged within a day"
	case sim >= DuplicateAt && !updates && disagree(x, y):
		d.Action, d.Why = KeepBoth, "they contradict each other"
	case sim >= DuplicateAt && (updates || grounded(x, y)):
		d.Action, d.Why = Merge, "a duplicate that says more"
		d.Summary = Union(old.Text, fresh.Text)
		if updates {
			d.Action, d.Why, d.Summary = UpdateOld, "a duplicate that says what changed", Union(fresh.Text, old.Text)
		}
	default:
		v, err := j.Judge(ctx, old, fresh)
		if err != nil {
			return d, fmt.Errorf("judge: %w", err)
		}
		d.Verdict, d.Why = v, "judged"
	}
	return d, nil
}

// change are words that say that something is no longer as it was.
var change = lazyregexp.New(`(?i)\b(?:moved (?:to|from|into)|now|no longer|instead of|switched|changed|anymore|any more|replaced|postponed|cancelled|canceled|gave up|quit|renamed|actually|rather than)\b`)

// denial are words that turn what is said around.
var denial = lazyregexp.New(`(?i)\b(?:no longer|not|never|instead of|rather than|cancell?ed|gave up)\b|n't\b`)

func changes(text string) bool { return change.MatchString(text) }

// changed reports whether a line of the new summary says what is otherwise now than
// the older one says: it has a word of change, and is about the same as a line there.
func changed(fresh, old *reading) bool {
	return slices.ContainsFunc(news(fresh, old), func(i int) bool { return fresh.lines()[i].changes && related(fresh.lines()[i], old) })
}

// Rules judge without a model.
type Rules struct{}

// Judge compares line by line. What adds nothing is dropped; what says all that
// the old one says, or says what changed, takes its place; two that say mostly
// the same become one. Others are kept, and so are two that have too little in
// common for an embedder to be believed.
func (Rules) Judge(_ context.Context, old, fresh Summary) (Verdict, error) {
	x, y := fresh.Read().reading, old.Read().reading
	more, lost := news(x, y), news(y, x)
	lines := len(x.items())
	switch {
	case changed(x, y) && len(lost) > 0:
		return Verdict{UpdateOld, Union(fresh.Text, old.Text)}, nil
	case !grounded(x, y):
		return Verdict{Action: KeepBoth}, nil
	case len(more) == 0:
		return Verdict{Action: DiscardNew}, nil
	case len(lost) == 0:
		return Verdict{UpdateOld, fresh.Text}, nil
	case 2*len(more) <= lines && !disagree(x, y):
		return Verdict{Merge, Union(old.Text, fresh.Text)}, nil
	}
	return Verdict{Action: KeepBoth}, nil
}
