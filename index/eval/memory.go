package eval

import (
	"cmp"
	"context"
	"math"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/index/lexical/related"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

// A Memory is the smallest index that ranks as the product does: the product's
// chunking, terms, embedding and ranking over slices, without a store. It serves
// ablations, where a set is indexed once and searched under many weights.
type Memory struct {
	corpus   rank.Corpus
	texts    []string
	doc      []int32 // index of the chunk's document
	terms    [][]string
	postings map[string][]rank.Posting
	vectors  [][]float32
	embedder embed.Embedder
	queries  map[string][]float32
}

// OpenMemory is NewMemory as Options.Open wants it.
func OpenMemory(ctx context.Context, s *Set, e embed.Embedder) (Searcher, error) {
	return NewMemory(ctx, s, e)
}

// NewMemory indexes a set: one note a group, one turn a document.
func NewMemory(ctx context.Context, s *Set, e embed.Embedder) (*Memory, error) {
	m := &Memory{postings: make(map[string][]rank.Posting), embedder: e, queries: make(map[string][]float32)}
	speakers := map[string]int32{"": 0}
	m.corpus.Speakers = []string{""}
	note, last := int32(-1), ""
	for d, doc := range s.Docs {
		if d == 0 || doc.Group != last {
			note, last = note+1, doc.Group
		}
		doc.Speaker = cmp.Or(doc.Speaker, nobody)
		if _, ok := speakers[doc.Speaker]; !ok {
			speakers[doc.Speaker] = int32(len(m.corpus.Speakers))
			m.corpus.Speakers = append(m.corpus.Speakers, doc.Speaker)
		}
		var stamp int64
		if t := ParseTime(doc.Time); !t.IsZero() {
			stamp = t.Unix()
		}
		for _, c := range chunk.Split(vault.Parse("doc.md", []byte(doc.Text))) {
			m.add(doc.Speaker+" "+doc.Title+" "+c.Search, c.Search)
			m.doc = append(m.doc, int32(d))
			m.corpus.Note = append(m.corpus.Note, note)
			m.corpus.Turn = append(m.corpus.Turn, int32(d))
			m.corpus.Speaker = append(m.corpus.Speaker, speakers[doc.Speaker])
			m.corpus.Time = append(m.corpus.Time, stamp)
			var f rank.Flag
			if rank.Asks(c.Search) {
				f |= rank.Question
			}
			if rank.Directs(c.Search) {
				f |= rank.Directive
			}
			if rank.Prefers(c.Search) {
				f |= rank.Preference
			}
			if rank.Tells(c.Search) {
				f |= rank.Personal
			}
			if doc.Speaker == "assistant" {
				f |= rank.Assistant
			}
			m.corpus.Flags = append(m.corpus.Flags, f)
		}
	}
	if e != nil {
		for from := 0; from < len(m.texts); from += 256 {
			v, err := e.Embed(ctx, m.texts[from:min(from+256, len(m.texts))], embed.Document)
			if err != nil {
				return nil, err
			}
			m.vectors = append(m.vectors, v...)
		}
	}
	return m, nil
}

func (m *Memory) add(indexed, text string) {
	pos := int32(len(m.texts))
	m.texts = append(m.texts, text)
	terms := lexical.Analyze(indexed)
	m.terms = append(m.terms, terms)
	for _, t := range terms {
		p := m.postings[t]
		if len(p) > 0 && p[len(p)-1].Pos == pos {
			p[len(p)-1].TF++
			continue
		}
		m.postings[t] = append(p, rank.Posting{Pos: pos, TF: 1})
	}
	m.corpus.Len = append(m.corpus.Len, int32(len(terms)))
	n := float64(len(m.texts))
	m.corpus.AvgLen += (float64(len(terms)) - m.corpus.AvgLen) / n
}

// Search ranks the documents for a query.
func (m *Memory) Search(ctx context.Context, q Query, mode rank.Mode, w *rank.Weights, limit int) ([]int, error) {
	rq := rank.Query{Text: q.Text, Mode: mode, Weights: w, Limit: limit * chunksPerDocument, Now: ParseTime(q.Time),
		TermsOf: func(pos int32) []string { return m.terms[pos] }}
	for _, t := range lexical.Query(q.Text) {
		term := rank.Term{Text: t, Postings: m.postings[t]}
		for r := range related.Of(t) {
			if len(term.Related) == related.Most {
				break
			}
			if m.postings[r.Text] == nil {
				continue
			}
			term.Related = append(term.Related, rank.Related{Text: r.Text, Weight: r.Weight, Postings: m.postings[r.Text]})
		}
		rq.Terms = append(rq.Terms, term)
	}
	if m.vectors != nil && mode != rank.Keyword {
		v, ok := m.queries[q.Text]
		if !ok {
			vs, err := m.embedder.Embed(ctx, []string{q.Text}, embed.Query)
			if err != nil {
				return nil, err
			}
			v = vs[0]
			m.queries[q.Text] = v
		}
		rq.Cosine = make([]float32, len(m.vectors))
		for i, x := range m.vectors {
			rq.Cosine[i] = dot(x, v)
		}
		rq.Near = m.near
	}
	var out []int
	seen := make(map[int32]bool)
	for _, h := range rank.Search(&m.corpus, rq) {
		if d := m.doc[h.Pos]; !seen[d] {
			seen[d] = true
			out = append(out, int(d))
		}
	}
	return out[:min(limit, len(out))], nil
}

// near returns the cosine of every chunk with the mean of some.
func (m *Memory) near(pos []int32) []float32 {
	mean := make([]float32, len(m.vectors[0]))
	for _, p := range pos {
		for i, x := range m.vectors[p] {
			mean[i] += x
		}
	}
	embed.Normalize(mean)
	out := make([]float32, len(m.vectors))
	for i, x := range m.vectors {
		out[i] = dot(x, mean)
	}
	return out
}

func dot(a, b []float32) float32 {
	if len(a) != len(b) {
		return float32(math.NaN())
	}
	var s float32
	for i, x := range a {
		s += x * b[i]
	}
	return s
}

// Close does nothing: there is nothing but memory.
func (m *Memory) Close() error { return nil }
