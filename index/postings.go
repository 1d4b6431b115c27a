package index

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// Reading the postings of a term from the store costs more than everything else
// that a search does, and an edit of one note makes a new corpus. So they are kept
// twice: by position for the corpus at hand, and by chunk row, which outlives it: a
// row is never used for another chunk, so the terms of a row hold for as long as it
// is there, and what an edit adds are the terms of its new rows.

// The bounds of the postings that are kept for the next query, by position and by row:
// 16 MB and 8 MB.
const (
	maxPlaced = 2 << 20
	maxRows   = 1 << 20
)

// maxCarried bounds the new chunks whose terms are read so that old postings can be
// kept: beyond, what an import wrote, asking for each term again costs less.
const maxCarried = 1024

// A postings keeps what was read of terms, until it is full and begins anew.
type postings[P any] struct {
	mu    sync.Mutex
	of    map[string][]P
	held  int
	most  int  // a bound of held
	moved bool // a newer snapshot has them
}

func (k *postings[P]) get(term string) ([]P, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, ok := k.of[term]
	return p, ok
}

func (k *postings[P]) put(term string, p []P) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.moved {
		return
	}
	if k.of == nil || k.held+len(p) > k.most {
		k.of, k.held = make(map[string][]P), 0
	}
	k.of[term] = p
	k.held += len(p) + 8
}

func (s *snapshot) postingsOf(ctx context.Context, r store.Reader, term string) ([]rank.Posting, error) {
	if p, ok := s.placed.get(term); ok {
		return p, nil
	}
	found, ok := s.rows.get(term)
	if !ok {
		var err error
		if found, err = r.Postings(ctx, term); err != nil {
			return nil, err
		}
		s.rows.put(term, found)
	}
	p := s.place(found)
	s.placed.put(term, p)
	return p, nil
}

// place turns rows into positions, both in ascending order. Rows of chunks that are
// gone are left out.
func (s *snapshot) place(found []store.Posting) []rank.Posting {
	out := make([]rank.Posting, 0, len(found))
	from := 0 // the first position whose row may be the next one's
	for _, p := range found {
		end := from
		for step := 1; end < len(s.chunks) && s.chunks[end] < p.Chunk; step *= 2 {
			from = end + 1
			end += step
		}
		i, ok := slices.BinarySearch(s.chunks[from:min(end+1, len(s.chunks))], p.Chunk)
		from += i
		if ok {
			out = append(out, rank.Posting{Pos: int32(from), TF: p.TF})
		}
	}
	return out
}

// carry takes over what an older snapshot of the same store knows of filters; it takes
// the postings by row away from it and adds those of the chunks that came since. Where that cannot be
// done, the terms are read again as they are asked for. A list that somebody still
// reads for the older one is the same as far as it goes there.
func (s *snapshot) carry(ctx context.Context, r store.Reader, old *snapshot) {
	if old == nil || len(old.chunks) == 0 || old.stamp.Generation >= s.stamp.Generation {
		return
	}
	last := old.chunks[len(old.chunks)-1]
	at, _ := slices.BinarySearch(s.chunks, last+1)
	if len(s.chunks)-at > maxCarried {
		return
	}
	added, notes, ok := postingsFrom(ctx, r, s.chunks[at:])
	if !ok {
		return
	}
	s.carryFilters(old, notes)
	old.rows.mu.Lock()
	defer old.rows.mu.Unlock()
	s.rows.of, s.rows.held = old.rows.of, old.rows.held
	old.rows.of, old.rows.moved = nil, true
	for term, more := range added {
		if p, ok := s.rows.of[term]; ok {
			s.rows.of[term] = append(p, more...)
			s.rows.held += len(more)
		}
	}
	if s.rows.held > s.rows.most {
		s.rows.of, s.rows.held = nil, 0
	}
}

// postingsFrom works out the postings of chunks from what the store keeps of them,
// as prepare did, and returns their notes by row. It reports false where they are not
// what prepare wrote.
func postingsFrom(ctx context.Context, r store.Reader, rows []uint32) (map[string][]store.Posting, map[int64]store.Note, bool) {
	want := make([]int64, len(rows))
	for i, row := range rows {
		want[i] = int64(row)
	}
	chunks, err := r.Chunks(ctx, want)
	if err != nil || len(chunks) != len(rows) {
		return nil, nil, false
	}
	var of []int64
	for _, c := range chunks {
		if n := len(of); n == 0 || of[n-1] != c.Note {
			of = append(of, c.Note)
		}
	}
	list, err := r.Notes(ctx, of)
	if err != nil || len(list) != len(of) {
		return nil, nil, false
	}
	notes := make(map[int64]store.Note, len(list))
	for _, n := range list {
		notes[n.Row] = n
	}
	out := make(map[string][]store.Posting)
	for _, c := range chunks {
		n := notes[c.Note]
		terms := termsOf(c, n, c.Row == n.First)
		if len(terms) != c.Len {
			return nil, nil, false
		}
		for _, t := range terms {
			p := out[t]
			if k := len(p); k > 0 && p[k-1].Chunk == uint32(c.Row) {
				p[k-1].TF++
			} else {
				out[t] = append(p, store.Posting{Chunk: uint32(c.Row), TF: 1})
			}
		}
	}
	return out, notes, true
}

// termsOf are the terms by which a chunk is found; first says that it is its note's
// first one.
func termsOf(c store.Chunk, n store.Note, first bool) []string {
	if (chunk.Kind(c.Kind) == chunk.Turn || n.Type == string(vault.TypeRendering)) && strings.TrimSpace(c.Text) == "" {
		return nil
	}
	return lexical.Analyze(indexed(c, n, first))
}
