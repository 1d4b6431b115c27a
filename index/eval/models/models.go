// Package models compares embedding models on a person's own notes.
//
// How well a model does on public sets says little about one person's words, so
// it is measured on those: a sample of the summaries of their conversations is
// indexed by the product's own chunks and ranking, questions with known answers
// are asked of it, and it is counted how often the right summary comes first, or
// among the first few. Questions are either the person's, from a file, or made
// here: the message with which they began a conversation should find what came
// of it. A vault without summaries is asked for its notes by their titles, each
// of which is then hidden in its note.
//
// Everything happens in a folder of its own that is deleted at the end: neither
// the person's index nor their cache of vectors is touched, so that a model that
// is only tried leaves nothing behind. Text goes through the same Redact as in
// the index before a model sees it.
package models

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

// Scores say how well the right notes were found, as shares of 1.
type Scores struct {
	// Recall1, Recall5 and Recall10 are the share of questions that have a right
	// note among the first so many.
	Recall1  float64 `json:"recall_1"`
	Recall5  float64 `json:"recall_5"`
	Recall10 float64 `json:"recall_10"`
	// MRR is the mean of 1/rank of the first right note, 0 beyond the tenth.
	MRR float64 `json:"mrr"`
}

// depth is how many notes a question may look through.
const depth = 10

func (s *Scores) add(rank int) {
	if rank < 1 || rank > depth {
		return
	}
	s.Recall10++
	s.MRR += 1 / float64(rank)
	if rank <= 5 {
		s.Recall5++
	}
	if rank == 1 {
		s.Recall1++
	}
}

func (s *Scores) over(n int) {
	for _, v := range []*float64{&s.Recall1, &s.Recall5, &s.Recall10, &s.MRR} {
		*v /= float64(max(n, 1))
	}
}

// A Report says what a model is worth on a sample.
type Report struct {
	Model embed.Model
	// Vector is search by meaning alone, Hybrid with keywords beside it.
	Vector, Hybrid Scores
	// Chunks were embedded, ChunksPerSecond of them by one process that waits for
	// each answer. QueryTook is the median time that a question's vector took.
	Chunks          int
	ChunksPerSecond float64
	QueryTook       time.Duration
	// Separation is embed.Separation on the probes, and Share what the model's
	// vectors are given in hybrid search for it.
	Separation, Share float64
	Calibration       embed.Calibration
}

// A Config says how models are compared.
type Config struct {
	// Redact takes secrets out of text before it is embedded; nil keeps all.
	Redact func(string) string
	// Now is the clock that embedding is timed by.
	Now func() time.Time
}

// Measure indexes a sample with a model and asks its questions. An error of the
// model, such as one that wraps embed.ErrDown, ends it.
func Measure(ctx context.Context, s *Sample, e embed.Embedder, cfg Config) (r Report, err error) {
	if r.Separation, err = embed.Separation(ctx, e, embed.Probes()); err != nil {
		return r, err
	}
	if r.Calibration, err = embed.Calibrate(ctx, e, embed.Sample()); err != nil {
		return r, err
	}
	r.Model, r.Share = e.Model(), embed.Share(r.Separation)
	if own, known := e.(embed.Rated); known {
		r.Share = own.Share()
	}
	t := &timed{Embedder: e, share: r.Share, now: cfg.Now}
	x, done, err := open(ctx, s, t, cfg)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, done()) }()
	if r.Vector, err = ask(ctx, x, s, rank.Vector); err != nil {
		return r, err
	}
	if r.Hybrid, err = ask(ctx, x, s, rank.Hybrid); err != nil {
		return r, err
	}
	r.Chunks = t.documents
	if t.busy > 0 {
		r.ChunksPerSecond = float64(t.documents) / t.busy.Seconds()
	}
	if slices.Sort(t.queries); len(t.queries) > 0 {
		r.QueryTook = t.queries[len(t.queries)/2]
	}
	return r, nil
}

// Keywords asks a sample's questions without any model, which is what a model
// must be better than.
func Keywords(ctx context.Context, s *Sample, cfg Config) (scores Scores, err error) {
	x, done, err := open(ctx, s, nil, cfg)
	if err != nil {
		return scores, err
	}
	defer func() { err = errors.Join(err, done()) }()
	return ask(ctx, x, s, rank.Keyword)
}

// open indexes the sample in a folder of its own, which done deletes.
func open(ctx context.Context, s *Sample, e embed.Embedder, cfg Config) (x *index.Index, done func() error, err error) {
	dir, err := os.MkdirTemp("", "memsync-eval-")
	if err != nil {
		return nil, nil, err
	}
	// One worker asks the model for one group after the other, so that the time
	// that the model takes is seen by itself.
	if x, err = index.Open(ctx, dir, e, index.Config{Redact: cfg.Redact, Workers: 1}); err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	done = func() error { return errors.Join(x.Close(), os.RemoveAll(dir)) }
	report, err := x.Update(ctx, func(yield func(index.Change) bool) {
		for _, n := range s.Notes {
			if !yield(index.Change{Path: n.Path, Read: func() ([]byte, error) { return n.Text, nil }}) {
				return
			}
		}
	})
	if err == nil && report.Pending > 0 {
		err = fmt.Errorf("%w: %d of %d chunks are without a vector", embed.ErrDown, report.Pending, report.Chunks)
		if t, ok := e.(*timed); ok && t.failed != nil {
			err = t.failed
		}
	}
	if err != nil {
		return nil, nil, errors.Join(err, done())
	}
	return x, done, nil
}

// hitsPerNote is how many chunks are asked for where a note is wanted.
const hitsPerNote = 4

// ask asks the questions of a sample in one mode.
func ask(ctx context.Context, x *index.Index, s *Sample, mode rank.Mode) (Scores, error) {
	var scores Scores
	for _, q := range s.Questions {
		r, err := x.Search(ctx, index.Query{Text: q.Text, Mode: mode, Limit: depth * hitsPerNote})
		if err != nil {
			return scores, err
		}
		if r.Mode != mode && len(r.Notes) > 0 {
			return scores, errors.New(r.Notes[0])
		}
		seen := make(map[vault.Path]bool)
		for _, h := range r.Hits {
			if seen[h.Path] {
				continue
			}
			if seen[h.Path] = true; q.Right[h.Path] {
				scores.add(len(seen))
				break
			}
		}
	}
	scores.over(len(s.Questions))
	return scores, nil
}

// timed is an embedder whose answers are timed. It is used by one goroutine.
type timed struct {
	embed.Embedder
	share     float64
	now       func() time.Time
	documents int
	busy      time.Duration
	queries   []time.Duration
	failed    error
}

// Share says what the model was measured to deserve, so that the index does not
// measure it again.
func (t *timed) Share() float64 { return t.share }

func (t *timed) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	began := t.now()
	vs, err := t.Embedder.Embed(ctx, texts, as)
	took := t.now().Sub(began)
	switch {
	case err != nil:
		t.failed = err
	case as == embed.Query:
		t.queries = append(t.queries, took)
	default:
		t.documents += len(texts)
		t.busy += took
	}
	return vs, err
}
