package eval

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
)

// Depth is how many documents a query's run lists.
const Depth = 100

// A Searcher answers the queries of the set that it indexed.
type Searcher interface {
	// Search returns the best documents of the set, by their ordinals, best first.
	Search(ctx context.Context, q Query, mode rank.Mode, w *rank.Weights, limit int) ([]int, error)
	Close() error
}

// Options say what Run runs.
type Options struct {
	// Mode is the mode of search; the zero value is hybrid.
	Mode rank.Mode
	// Weights tune the ranking; nil is the product's.
	Weights *rank.Weights
	// Embedder makes the vectors; nil leaves keywords.
	Embedder embed.Embedder
	// Open indexes a set. Nil is OpenIndex, the product's own index.
	Open func(ctx context.Context, s *Set, e embed.Embedder) (Searcher, error)
	// Progress is called with the name of each set before it is run.
	Progress func(name string)
}

// Run indexes every set below root, searches its queries and returns the scores.
// Where out is not "" it also writes one TREC run a set, out/<set>.run.
func Run(ctx context.Context, root, out string, o Options) (Report, error) {
	dirs, err := Find(root)
	if err != nil {
		return nil, err
	}
	if o.Open == nil {
		o.Open = OpenIndex
	}
	report := make(Report)
	for _, dir := range dirs {
		s, err := Load(root, dir)
		if err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress(s.Name)
		}
		x, err := o.Open(ctx, s, o.Embedder)
		if err != nil {
			return nil, fmt.Errorf("eval: %s: %w", s.Name, err)
		}
		err = runSet(ctx, x, s, out, o, report)
		if cerr := x.Close(); err == nil {
			err = cerr
		}
		if err != nil {
			return nil, fmt.Errorf("eval: %s: %w", s.Name, err)
		}
	}
	return report, nil
}

func runSet(ctx context.Context, x Searcher, s *Set, out string, o Options, report Report) error {
	groups := s.groups()
	ranked := make([][]string, len(s.Queries))
	for i, q := range s.Queries {
		docs, err := x.Search(ctx, q, o.Mode, o.Weights, Depth)
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		for _, d := range docs {
			ranked[i] = append(ranked[i], s.Docs[d].ID)
		}
		report.Add(s, groups, q, ranked[i])
	}
	if out == "" {
		return nil
	}
	return writeRun(filepath.Join(out, filepath.FromSlash(s.Name)+".run"), s, ranked)
}

// groups maps each document to its group.
func (s *Set) groups() map[string]string {
	m := make(map[string]string, len(s.Docs))
	for _, d := range s.Docs {
		m[d.ID] = d.Group
	}
	return m
}

// writeRun writes "query Q0 document rank score tag" lines. The score falls with
// the rank, since only the order is the product's promise.
func writeRun(path string, s *Set, ranked [][]string) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if cerr := f.Close(); err == nil {
			err = cerr
		}
	}()
	w := bufio.NewWriter(f)
	for i, q := range s.Queries {
		for n, d := range ranked[i] {
			fmt.Fprintf(w, "%s Q0 %s %d %d memsync\n", q.ID, d, n+1, Depth-n)
		}
	}
	return w.Flush()
}
