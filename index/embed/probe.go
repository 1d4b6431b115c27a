package embed

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"strings"
)

// A Probe is a question with the note that answers it in other words. Four that
// follow each other are of one subject, so that each has three wrong answers
// that are hard to tell from the right one.
type Probe struct{ Question, Answer string }

//go:embed probes.tsv
var probesText string

// subject is how many probes are of one subject.
const subject = 4

// Probes returns the questions that models are rated on, made for this purpose.
func Probes() []Probe {
	var out []Probe
	for line := range strings.Lines(probesText) {
		if q, a, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			out = append(out, Probe{q, a})
		}
	}
	return out
}

// Separation is how often a model puts the right answer of a probe above a wrong
// one of the same subject: half for a model that guesses, below 1 also for one
// that never fails, since the probes are few.
func Separation(ctx context.Context, e Embedder, probes []Probe) (float64, error) {
	var questions, answers []string
	for _, p := range probes {
		questions, answers = append(questions, p.Question), append(answers, p.Answer)
	}
	q, err := embedAll(ctx, e, questions, Query)
	if err != nil {
		return 0, err
	}
	a, err := embedAll(ctx, e, answers, Document)
	if err != nil {
		return 0, err
	}
	var right, pairs float64
	for i := range q {
		for j := i - i%subject; j < min(i-i%subject+subject, len(a)); j++ {
			if i == j {
				continue
			}
			pairs++
			switch own, other := cosine(q[i], a[i]), cosine(q[i], a[j]); {
			case own > other:
				right++
			case own == other:
				right += 0.5
			}
		}
	}
	return (right + 0.5) / (pairs + 1), nil
}

func embedAll(ctx context.Context, e Embedder, texts []string, as Purpose) ([][]float32, error) {
	vs, err := e.Embed(ctx, texts, as)
	if err != nil {
		return nil, err
	}
	if len(vs) != len(texts) {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", ErrAnswer, len(vs), len(texts))
	}
	for _, v := range vs {
		if len(v) != len(vs[0]) {
			return nil, fmt.Errorf("%w: vectors of different size", ErrAnswer)
		}
	}
	return vs, nil
}

func cosine(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	var sum float64
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// keywordOdds is what keywords are worth beside a model, as log-odds of a right
// judgement. The built-in model separates the probes with log-odds of 1.82 and
// did best on the development sets (docs/retrieval.md) with a share of 0.35; so
// 1.82 / (1.82 + 3.38) is 0.35.
const keywordOdds = 3.38

// MinShare keeps a model that does no better than guessing in the race, for what
// no keyword finds.
const MinShare = 0.1

// Share is the share of relevance that a model's vectors deserve in hybrid
// search, beside keywords. Of two who judge independently each deserves a vote
// in proportion to the log-odds that it is right.
func Share(separation float64) float64 {
	odds := math.Log(separation / (1 - separation))
	if math.IsNaN(odds) || odds <= 0 {
		return MinShare
	}
	if math.IsInf(odds, 1) {
		return 1
	}
	return max(odds/(odds+keywordOdds), MinShare)
}

// A Rated embedder knows its share without being measured.
type Rated interface{ Share() float64 }

// Rate returns the share of a model, measured on the probes unless it is known.
func Rate(ctx context.Context, e Embedder) (float64, error) {
	if r, ok := e.(Rated); ok {
		return r.Share(), nil
	}
	s, err := Separation(ctx, e, Probes())
	if err != nil {
		return 0, fmt.Errorf("rate: %w", err)
	}
	return Share(s), nil
}
