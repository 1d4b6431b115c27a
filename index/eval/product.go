package eval

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

// product is the product's own index over a set, in a folder of its own that is
// deleted at the end.
type product struct {
	dir   string
	index *index.Index
	docs  map[string]int // by id
}

// OpenIndex indexes a set as the product would index it after an import: one
// transcript a group, in the order of the corpus, and one turn a document.
func OpenIndex(ctx context.Context, s *Set, e embed.Embedder) (Searcher, error) {
	dir, err := os.MkdirTemp("", "memsync-eval-")
	if err != nil {
		return nil, err
	}
	p := &product{dir: dir, docs: make(map[string]int, len(s.Docs))}
	for i, d := range s.Docs {
		p.docs[d.ID] = i
	}
	if p.index, err = index.Open(ctx, dir, e, index.Config{}); err != nil {
		_ = os.RemoveAll(dir)
		return nil, err
	}
	if err := p.fill(ctx, s); err != nil {
		_ = p.Close()
		return nil, err
	}
	return p, nil
}

func (p *product) fill(ctx context.Context, s *Set) error {
	notes := s.transcripts()
	report, err := p.index.Update(ctx, func(yield func(index.Change) bool) {
		for i, text := range notes {
			c := index.Change{
				Path: vault.Path(fmt.Sprintf("transcripts/%05d.md", i+1)),
				Read: func() ([]byte, error) { return text, nil },
			}
			if !yield(c) {
				return
			}
		}
	})
	if err == nil && len(report.Problems) > 0 {
		err = fmt.Errorf("%s: %s", report.Problems[0].Path, report.Problems[0].Text)
	}
	return err
}

// nobody is who speaks where a set does not say it.
const nobody = "user"

// transcripts formats the set's groups as transcript notes.
func (s *Set) transcripts() [][]byte {
	var order []string
	turns := make(map[string][]vault.Turn)
	for _, d := range s.Docs {
		if turns[d.Group] == nil {
			order = append(order, d.Group)
		}
		t := vault.Turn{Sender: cmp.Or(d.Speaker, nobody), MessageID: d.ID, Text: d.Text}
		if d.Title != "" {
			t.Text = d.Title + "\n\n" + d.Text
		}
		if at := ParseTime(d.Time); !at.IsZero() {
			t.Time = vault.Stamp{Time: at, Floating: true}
		}
		turns[d.Group] = append(turns[d.Group], t)
	}
	out := make([][]byte, len(order))
	for i, g := range order {
		head := fmt.Sprintf("---\ntype: transcript\ntitle: %05d\n---\n\n", i+1)
		out[i] = append([]byte(head), vault.FormatTurns(1, turns[g])...)
	}
	return out
}

// chunksPerDocument is how many chunks are asked for where a document is wanted:
// the parts of one long turn are several hits.
const chunksPerDocument = 4

func (p *product) Search(ctx context.Context, q Query, mode rank.Mode, w *rank.Weights, limit int) ([]int, error) {
	r, err := p.index.Search(ctx, index.Query{Text: q.Text, Mode: mode, Weights: w, Limit: limit * chunksPerDocument, Now: p.asked(q)})
	if err != nil {
		return nil, err
	}
	var out []int
	seen := make(map[int]bool)
	for _, h := range r.Hits {
		for _, id := range h.MessageIDs {
			if d, ok := p.docs[id]; ok && !seen[d] && len(out) < limit {
				seen[d] = true
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// asked is when the query was asked; where the set does not say, the index's
// default.
func (p *product) asked(q Query) time.Time { return ParseTime(q.Time) }

func (p *product) Close() error {
	err := p.index.Close()
	if rerr := os.RemoveAll(p.dir); err == nil {
		err = rerr
	}
	return err
}
