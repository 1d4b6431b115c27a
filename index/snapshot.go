package index

import (
	"context"
	"slices"
	"sync"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/lexical/related"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// A snapshot is the corpus in memory, as it was at one generation of the store:
// what ranking needs of every chunk, and every vector. 50,000 chunks take some
// 18 MB. It does not change once it is made.
type snapshot struct {
	st    store.Store
	stamp store.Stamp

	corpus   rank.Corpus
	chunks   []uint32 // chunk rows, ascending
	notes    []uint32 // note rows by rank.Corpus.Note
	vectors  [][]byte // packed, a block a segment
	missing  int      // vectors that are not known
	rendered bool     // whether some chunks are renderings

	segments map[int64]store.Segment

	placed postings[rank.Posting]
	rows   postings[store.Posting]

	mu      sync.Mutex
	filters map[string]selection
}

// snapshotOf returns the corpus as the reader sees it, from memory where it did
// not change, and reading only the segments that did.
func (x *Index) snapshotOf(ctx context.Context, st store.Store, r store.Reader) (*snapshot, error) {
	x.snapMu.Lock()
	defer x.snapMu.Unlock()
	old := x.snap
	if old != nil && (old.st != st || old.stamp.Model != r.Stamp().Model) {
		old = nil
	}
	if old != nil && old.stamp.Generation == r.Stamp().Generation {
		return old, nil
	}
	have := make(map[int64]int64)
	if old != nil {
		for row, seg := range old.segments {
			have[row] = seg.Rev
		}
	}
	segments, err := r.Segments(ctx, r.Stamp().Model, have)
	if err != nil {
		return nil, err
	}
	speakers, err := r.Speakers(ctx)
	if err != nil {
		return nil, err
	}
	s := &snapshot{st: st, stamp: r.Stamp(), segments: make(map[int64]store.Segment)}
	s.placed.most, s.rows.most = maxPlaced, maxRows
	s.grow(s.stamp.Chunks)
	for _, seg := range segments {
		if seg.Records == nil && old != nil {
			seg = old.segments[seg.Row]
		}
		s.segments[seg.Row] = seg
		s.add(seg)
	}
	s.corpus.Speakers = speakers
	s.carry(ctx, r, old)
	x.snap = s
	return s, nil
}

// grow makes room for so many chunks.
func (s *snapshot) grow(n int) {
	c := &s.corpus
	s.chunks, c.Note, c.Turn = slices.Grow(s.chunks, n), slices.Grow(c.Note, n), slices.Grow(c.Turn, n)
	c.Len, c.Speaker, c.Time = slices.Grow(c.Len, n), slices.Grow(c.Speaker, n), slices.Grow(c.Time, n)
	c.Flags, c.Importance, c.Salience = slices.Grow(c.Flags, n), slices.Grow(c.Importance, n), slices.Grow(c.Salience, n)
}

func (s *snapshot) add(seg store.Segment) {
	c := &s.corpus
	n := len(seg.Records)
	for _, r := range seg.Records {
		if len(s.notes) == 0 || s.notes[len(s.notes)-1] != r.Note {
			s.notes = append(s.notes, r.Note)
		}
		s.chunks = append(s.chunks, r.Chunk)
		s.rendered = s.rendered || chunk.Kind(r.Kind) == chunk.Rendering
		c.Note = append(c.Note, int32(len(s.notes)-1))
		c.Turn = append(c.Turn, r.Ordinal)
		c.Len = append(c.Len, int32(r.Len))
		c.AvgLen += (float64(r.Len) - c.AvgLen) / float64(len(c.Len))
		c.Speaker = append(c.Speaker, int32(r.Speaker))
		c.Time = append(c.Time, r.Time)
		c.Flags = append(c.Flags, rank.Flag(r.Flags))
		c.Importance = append(c.Importance, r.Importance)
		c.Salience = append(c.Salience, r.Salience)
	}
	dim := s.stamp.Model.Dim
	if dim == 0 {
		s.missing += n
		return
	}
	block := seg.Vectors
	if block == nil {
		for range n {
			block = vector.PackMissing(block, dim)
		}
	}
	for v := block; len(v) > 0; v = v[vector.Size(dim):] {
		if vector.Missing(v) {
			s.missing++
		}
	}
	s.vectors = append(s.vectors, block)
}

// terms returns the query's terms with their postings, and with those of terms of
// like meaning where they are wanted.
func (s *snapshot) terms(ctx context.Context, r store.Reader, terms []string, relatives bool) ([]rank.Term, error) {
	out := make([]rank.Term, 0, len(terms))
	for _, t := range terms {
		p, err := s.postingsOf(ctx, r, t)
		if err != nil {
			return nil, err
		}
		term := rank.Term{Text: t, Postings: p}
		if relatives {
			if term.Related, err = s.relatives(ctx, r, t); err != nil {
				return nil, err
			}
		}
		out = append(out, term)
	}
	return out, nil
}

// relatives returns the nearest terms of like meaning that occur in the corpus.
func (s *snapshot) relatives(ctx context.Context, r store.Reader, term string) ([]rank.Related, error) {
	var out []rank.Related
	for t := range related.Of(term) {
		if len(out) == related.Most {
			break
		}
		p, err := s.postingsOf(ctx, r, t.Text)
		if err != nil {
			return nil, err
		}
		if len(p) > 0 {
			out = append(out, rank.Related{Text: t.Text, Weight: t.Weight, Postings: p})
		}
	}
	return out, nil
}
