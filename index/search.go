package index

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
	"github.com/memsync/memsync/vault"
)

// ErrEmptyQuery is returned for a query that says nothing.
var ErrEmptyQuery = errors.New("the query is empty")

// defaultLimit is how many hits are given where nobody says.
const defaultLimit = 10

// A Query asks for what is in the notes.
type Query struct {
	Text string
	// Mode says which evidence counts; the zero value is hybrid.
	Mode rank.Mode
	// Limit is the number of hits wanted; 0 is 10.
	Limit int
	// Types, Sources, Domains and Tags keep notes that have one of them.
	Types, Sources, Domains, Tags []string
	// Since and Until keep what was said or is dated in [Since, Until); zero
	// means no bound.
	Since, Until time.Time
	// Now is the time that "last week" refers to; zero is Config.Now.
	Now time.Time
	// Weights tune the ranking; nil is what it was measured with.
	Weights *rank.Weights
	// Bare leaves the snippets out, for a caller that reads the notes themselves.
	Bare bool
}

// A Result is an answer and what should be known about it.
type Result struct {
	Hits []Hit
	// Mode is the mode that was answered in, which differs from the one asked
	// for where the model did not answer.
	Mode rank.Mode
	// Notes are sentences about what is missing or stale.
	Notes []string
	// Fresh says whether the index is in step with the vault; nil where nobody
	// knows.
	Fresh *bool
	// Chunks and Documents are how much was searched, and Generation names the
	// state of the index that it was searched in.
	Chunks, Documents int
	Generation        int64
	Took              time.Duration
}

// A Hit is a chunk that was found.
type Hit struct {
	// ID names the chunk for Get: the note's id and the block or line.
	ID string
	// NoteID, Path, Line, EndLine and Span say where it stands.
	NoteID  string
	Path    vault.Path
	Line    int
	Span    vault.Span
	Kind    chunk.Kind
	Type    string
	Title   string
	Heading string
	// Text is the chunk's text, secrets taken out; Snippet the part of it that
	// is nearest to the query.
	Text, Snippet string
	Score         float64
	Parts         rank.Parts
	// Turn is the block id of the turn or claim; Speaker and Time belong to it.
	Turn    string
	Speaker string
	Time    time.Time
	// ConversationID and MessageIDs are the provider's.
	ConversationID   string
	MessageIDs       []string
	Provider, Source string
	Superseded       bool
	// Same are chunks that say nearly the same and stood below this one, nearest
	// first, at most maxSame of them.
	Same []Place
}

// A Place is where a chunk stands, as in a Hit.
type Place struct {
	ID   string
	Path vault.Path
	Line int
}

// maxSame bounds the places that a hit names: a line that is in every note of a
// vault is found once, not read a thousand times.
const maxSame = 10

// Search answers a query.
func (x *Index) Search(ctx context.Context, q Query) (Result, error) {
	r, lists, err := x.SearchEach(ctx, q, []Part{{Limit: q.Limit, Types: q.Types}})
	if err != nil {
		return Result{}, err
	}
	r.Hits = lists[0]
	return r, nil
}

// A Part is one of several lists of hits for the same query: how many, and of
// which types.
type Part struct {
	Limit int
	Types []string
}

// SearchEach answers a query with several lists, which is little more work than
// one. Each list is what Search gives with the part's limit and types in place of
// the query's. The result has no hits of its own.
func (x *Index) SearchEach(ctx context.Context, q Query, parts []Part) (Result, [][]Hit, error) {
	began := x.cfg.Now()
	if strings.TrimSpace(q.Text) == "" {
		return Result{}, nil, ErrEmptyQuery
	}
	if q.Now.IsZero() {
		q.Now = began
	}
	result, lists := Result{Mode: q.Mode, Hits: []Hit{}}, [][]Hit(nil)
	text := vault.Searchable(strings.ToValidUTF8(q.Text, " "))
	err := x.use(ctx, func(st store.Store) error {
		vec, model, err := x.queryVector(ctx, st, q.Mode, text, &result)
		if err != nil {
			return err
		}
		return st.View(ctx, func(r store.Reader) error {
			if r.Stamp().Model != model {
				vec = nil
			}
			lists, err = x.search(ctx, st, r, q, parts, text, vec, &result)
			return err
		})
	})
	if err != nil {
		return Result{}, nil, fmt.Errorf("search: %w", err)
	}
	result.Notes = append(x.told(), result.Notes...)
	if x.cfg.Fresh != nil {
		fresh := x.cfg.Fresh()
		result.Fresh = &fresh
		if !fresh {
			result.Notes = append(result.Notes, "the index is behind the vault: the newest edits are not in this answer")
		}
	}
	result.Took = x.cfg.Now().Sub(began)
	return result, lists, nil
}

// queryVector embeds the query in the space that the store's vectors are in. A
// model that does not answer leaves keywords.
func (x *Index) queryVector(ctx context.Context, st store.Store, mode rank.Mode, text string, result *Result) ([]float32, store.Model, error) {
	var stamp store.Stamp
	err := st.View(ctx, func(r store.Reader) error { stamp = r.Stamp(); return nil })
	if err != nil || mode == rank.Keyword || stamp.Chunks == 0 {
		return nil, stamp.Model, err
	}
	degrade := func(format string, args ...any) ([]float32, store.Model, error) {
		result.Notes = append(result.Notes, fmt.Sprintf(format, args...))
		result.Mode = rank.Keyword
		return nil, stamp.Model, nil
	}
	if x.e == nil && x.cfg.Resolve == nil {
		return degrade("no embedding model is set: this answer is from keywords only")
	}
	if stamp.Model.Dim == 0 {
		return degrade("nothing is embedded yet: this answer is from keywords only")
	}
	e := x.embedderOf(stamp.Model)
	if e == nil {
		return degrade("the index is being embedded with another model: until that is done answers are from keywords only")
	}
	vs, err := e.Embed(ctx, []string{text}, embed.Query)
	switch {
	case ctx.Err() != nil:
		return nil, stamp.Model, ctx.Err()
	case err != nil:
		return degrade("the embedding model did not answer (%v): this answer is from keywords only", err)
	case len(vs) != 1 || len(vs[0]) != stamp.Model.Dim:
		return degrade("the embedding model answered with a vector of another size: this answer is from keywords only")
	}
	return vs[0], stamp.Model, nil
}

// embedderOf returns the embedder of the space that the store's vectors are in.
func (x *Index) embedderOf(m store.Model) embed.Embedder {
	if x.e != nil {
		if own := x.e.Model(); own.ID == m.Name && (own.Dim == m.Dim || own.Dim == 0) {
			return x.e
		}
	}
	if x.cfg.Resolve != nil {
		return x.cfg.Resolve(embed.Model{ID: m.Name, Dim: m.Dim})
	}
	return nil
}

func (x *Index) search(ctx context.Context, st store.Store, r store.Reader, q Query, parts []Part, text string, vec []float32, result *Result) ([][]Hit, error) {
	lists := make([][]Hit, len(parts))
	for i := range lists {
		lists[i] = []Hit{}
	}
	s, err := x.snapshotOf(ctx, st, r)
	if err != nil {
		return nil, err
	}
	result.Chunks, result.Documents, result.Generation = s.stamp.Chunks, s.stamp.Notes, s.stamp.Generation
	if s.corpus.Size() == 0 {
		result.Notes = append(result.Notes, "the index holds no notes yet")
		return lists, nil
	}
	var cosines []float32
	var scanning sync.WaitGroup // of the vectors, beside the postings
	if vec != nil && result.Mode != rank.Keyword {
		room := x.room.Get().(*[]float32)
		defer x.room.Put(room)
		defer scanning.Wait()
		scanning.Go(func() {
			*room = vector.Cosines(slices.Grow((*room)[:0], len(s.chunks)), vec, s.vectors...)
			cosines = *room
		})
	}
	rq := rank.Query{Text: text, Mode: result.Mode, Now: q.Now, Weights: q.Weights}
	if rq.Mode != rank.Vector {
		if rq.Terms, err = s.terms(ctx, r, lexical.Query(text), rq.Mode == rank.Hybrid); err != nil {
			return nil, err
		}
	}
	if vec != nil && rq.Mode != rank.Keyword {
		if rq.Weights == nil {
			rq.Weights = x.weights(s.stamp.Model)
		}
		scanning.Wait()
		rq.Cosine = cosines
		rq.Near = func(pos []int32) []float32 {
			return vector.Cosines(make([]float32, 0, len(s.chunks)), vector.Mean(len(vec), pos, s.vectors...), s.vectors...)
		}
		if s.missing > 0 {
			result.Notes = append(result.Notes, fmt.Sprintf(
				"%d of %d chunks wait for the embedding model: they are found by keywords only", s.missing, len(s.chunks)))
		}
	}
	var asked []rank.Part
	var of []int // the place in parts of each
	for i, p := range parts {
		q.Types = p.Types
		filter, kept, err := s.filter(ctx, r, q)
		if err != nil {
			return nil, err
		}
		if kept {
			if p.Limit <= 0 {
				p.Limit = defaultLimit
			}
			limit := p.Limit
			if s.rendered {
				limit *= 2 // a turn may be found by its words and by its rendering
			}
			asked, of = append(asked, rank.Part{Filter: filter, Limit: limit}), append(of, i)
		}
	}
	if len(asked) == 0 {
		result.Notes = append(result.Notes, "no note passes the filters")
		return lists, nil
	}
	rows := make(map[int32]store.Chunk)
	rq.TermsOf = func(pos int32) []string {
		c, err := s.chunk(ctx, r, rows, pos)
		if err != nil {
			return nil
		}
		return lexical.Analyze(c.Text)
	}
	rq.Ahead = func(pos []int32) { _ = s.read(ctx, r, rows, pos) } // chunk says what cannot be read
	for i, found := range rank.SearchEach(&s.corpus, rq, asked) {
		hits, err := s.hits(ctx, r, rows, found, rq.Terms, q.Bare)
		if err != nil {
			return nil, err
		}
		if s.rendered {
			hits = hits[:min(len(hits), (asked[i].Limit+1)/2)]
		}
		lists[of[i]] = hits
	}
	if why := unmatched(lists, asked, s.corpus.Size(), rq); why != "" {
		result.Notes = append(result.Notes, why)
	}
	return lists, nil
}

// filter makes the query's conditions into one on positions, nil where there are
// none. It reports whether any note can pass.
func (s *snapshot) filter(ctx context.Context, r store.Reader, q Query) (func(int32) bool, bool, error) {
	f := store.Filter{Types: withRenderings(q.Types), Sources: q.Sources, Domains: q.Domains, Tags: q.Tags}
	var passes []bool // by rank.Corpus.Note
	if len(f.Types)+len(f.Sources)+len(f.Domains)+len(f.Tags) > 0 {
		var err error
		if passes, err = s.selected(ctx, r, f); err != nil || passes == nil {
			return nil, false, err
		}
	}
	if passes == nil && q.Since.IsZero() && q.Until.IsZero() {
		return nil, true, nil
	}
	since, until := int64(math.MinInt64), int64(math.MaxInt64)
	if !q.Since.IsZero() {
		since = q.Since.Unix()
	}
	if !q.Until.IsZero() {
		until = q.Until.Unix()
	}
	dated := !q.Since.IsZero() || !q.Until.IsZero()
	c := &s.corpus
	return func(pos int32) bool {
		if passes != nil && !passes[c.Note[pos]] {
			return false
		}
		t := c.Time[pos]
		return !dated || t != 0 && t >= since && t < until
	}, true, nil
}

// read reads the chunks at some positions that are not in rows yet, at once.
func (s *snapshot) read(ctx context.Context, r store.Reader, rows map[int32]store.Chunk, pos []int32) error {
	var missing []int64
	at := make(map[int64]int32, len(pos))
	for _, p := range pos {
		if _, ok := rows[p]; !ok {
			row := int64(s.chunks[p])
			missing, at[row] = append(missing, row), p
		}
	}
	if len(missing) == 0 {
		return nil
	}
	found, err := r.Chunks(ctx, missing)
	for _, c := range found {
		rows[at[c.Row]] = c
	}
	return err
}

// chunk reads the chunk at a position, once.
func (s *snapshot) chunk(ctx context.Context, r store.Reader, rows map[int32]store.Chunk, pos int32) (store.Chunk, error) {
	if c, ok := rows[pos]; ok {
		return c, nil
	}
	found, err := r.Chunks(ctx, []int64{int64(s.chunks[pos])})
	if err != nil {
		return store.Chunk{}, err
	}
	if len(found) != 1 {
		return store.Chunk{}, fmt.Errorf("%w: a chunk is not there", store.ErrDamaged)
	}
	rows[pos] = found[0]
	return found[0], nil
}

func (s *snapshot) hits(ctx context.Context, r store.Reader, rows map[int32]store.Chunk, found []rank.Hit, terms []rank.Term, bare bool) ([]Hit, error) {
	out := make([]Hit, 0, len(found))
	notes := make(map[int64]store.Note)
	wanted := make(map[string]bool, len(terms))
	for _, t := range terms {
		wanted[t.Text] = true
	}
	var of []int64
	var pos []int32
	for _, h := range found {
		pos = append(append(pos, h.Pos), same(h)...)
	}
	if err := s.read(ctx, r, rows, pos); err != nil {
		return nil, err
	}
	for _, p := range pos {
		c, err := s.chunk(ctx, r, rows, p)
		if err != nil {
			return nil, err
		}
		of = append(of, c.Note)
	}
	slices.Sort(of)
	list, err := r.Notes(ctx, slices.Compact(of))
	if err != nil {
		return nil, err
	}
	for _, n := range list {
		notes[n.Row] = n
	}
	shown := make(map[int64]bool, len(found))
	for _, h := range found {
		c := rows[h.Pos]
		n, ok := notes[c.Note]
		if !ok {
			return nil, fmt.Errorf("%w: a note is not there", store.ErrDamaged)
		}
		if n, c, ok, err = original(ctx, r, n, c); err != nil {
			return nil, err
		}
		if !ok || shown[c.Row] {
			continue
		}
		shown[c.Row] = true
		hit := hitOf(n, c)
		hit.Score, hit.Parts = h.Score, h.Parts
		if !bare {
			hit.Snippet = snippet(c.Text, wanted)
		}
		for _, p := range same(h) {
			if n, ok := notes[rows[p].Note]; ok && n.Type != string(vault.TypeRendering) {
				o := hitOf(n, rows[p])
				hit.Same = append(hit.Same, Place{o.ID, o.Path, o.Line})
			}
		}
		out = append(out, hit)
	}
	return out, nil
}

// same are the positions of the places that a hit names.
func same(h rank.Hit) []int32 { return h.Same[:min(len(h.Same), maxSame)] }

// hitOf describes a chunk.
func hitOf(n store.Note, c store.Chunk) Hit {
	h := Hit{
		ID: n.ID, NoteID: n.ID, Path: vault.Path(n.Path), Line: c.Line, Span: vault.Span{Start: c.Start, End: c.End},
		Kind: chunk.Kind(c.Kind), Type: n.Type, Title: n.Title, Heading: c.Heading, Text: c.Text,
		Turn: c.Turn, Speaker: c.Speaker, ConversationID: n.Conversation, Provider: n.Provider, Source: n.Source,
		Superseded: c.Flags&store.Superseded != 0, MessageIDs: []string{},
	}
	if c.Time != 0 {
		h.Time = time.Unix(c.Time, 0).UTC()
	}
	if c.Message != "" {
		h.MessageIDs = append(h.MessageIDs, c.Message)
	}
	switch {
	case c.Turn != "":
		h.ID += "#^" + c.Turn
	case n.Count > 1:
		h.ID += fmt.Sprintf("#L%d", c.Line)
	}
	return h
}
