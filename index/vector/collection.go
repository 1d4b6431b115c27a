package vector

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	chromem "github.com/philippgille/chromem-go"
)

// A Collection holds named vectors in memory and finds the nearest ones. It is
// safe for concurrent use.
type Collection struct {
	dim int
	c   *chromem.Collection
}

// A Match names a vector and gives its cosine with the query.
type Match struct {
	Name   string
	Cosine float32
}

// NewCollection makes an empty collection of vectors with dim components.
func NewCollection(dim int) (*Collection, error) {
	never := func(context.Context, string) ([]float32, error) {
		return nil, errors.New("vectors are embedded before they are added")
	}
	c, err := chromem.NewDB().CreateCollection("vectors", nil, never)
	if err != nil {
		return nil, fmt.Errorf("vector: %w", err)
	}
	return &Collection{dim: dim, c: c}, nil
}

// Len is the number of vectors.
func (c *Collection) Len() int { return c.c.Count() }

// Add puts a unit vector under a name, in place of the one that had it. A zero
// vector is near to nothing and is not kept.
func (c *Collection) Add(ctx context.Context, name string, v []float32) error {
	if name == "" {
		return errors.New("vector: a vector needs a name")
	}
	if len(v) != c.dim {
		return fmt.Errorf("vector: %s has %d components, want %d", name, len(v), c.dim)
	}
	if !slices.ContainsFunc(v, func(x float32) bool { return x != 0 }) {
		return c.Remove(ctx, name)
	}
	return c.c.AddDocument(ctx, chromem.Document{ID: name, Embedding: slices.Clone(v)})
}

// Remove takes vectors away; names that are not there are passed over.
func (c *Collection) Remove(ctx context.Context, names ...string) error {
	if len(names) == 0 {
		return nil // chromem-go would refuse
	}
	return c.c.Delete(ctx, nil, nil, names...)
}

// Nearest returns the k vectors nearest to v that keep accepts, nearest first,
// by name where they are equally near. A nil keep accepts all.
func (c *Collection) Nearest(ctx context.Context, v []float32, k int, keep func(name string) bool) ([]Match, error) {
	if len(v) != c.dim {
		return nil, fmt.Errorf("vector: the query has %d components, want %d", len(v), c.dim)
	}
	zero := !slices.ContainsFunc(v, func(x float32) bool { return x != 0 })
	if k <= 0 || zero || c.Len() == 0 {
		return nil, ctx.Err()
	}
	// A filter may refuse the nearest ones, so more are asked for until enough
	// pass. chromem-go errors when asked for more than it has, and says nothing
	// of a context that ended.
	for want := k; ; want *= 4 {
		n := c.Len()
		all := want >= n
		found, err := c.c.QueryEmbedding(ctx, v, min(want, n), nil, nil)
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, fmt.Errorf("vector: %w", err)
		}
		var out []Match
		for _, r := range found {
			if keep == nil || keep(r.ID) {
				out = append(out, Match{r.ID, r.Similarity})
			}
		}
		if len(out) >= k || all {
			slices.SortFunc(out, func(a, b Match) int {
				return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Name, b.Name))
			})
			return out[:min(k, len(out))], nil
		}
	}
}
