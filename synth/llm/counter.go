package llm

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// A Counter is a Model that sends nothing: it counts what it is asked, for a run
// that only wants to know what it would cost. Every answer is ErrCounted.
type Counter struct {
	name string

	mu     sync.Mutex
	passes map[string]Estimate
}

var _ Model = (*Counter)(nil)

// NewCounter counts for the model of that name.
func NewCounter(name string) *Counter { return &Counter{name: name, passes: map[string]Estimate{}} }

// Name is the model's that it counts for.
func (c *Counter) Name() string { return c.name }

// Complete counts the request.
func (c *Counter) Complete(ctx context.Context, req Request) (Reply, error) {
	if err := ctx.Err(); err != nil {
		return Reply{}, err
	}
	c.count(req, false)
	return Reply{}, ErrCounted
}

// Batched counts requests that would go into a batch.
func (c *Counter) Batched(requests ...Request) {
	for _, req := range requests {
		c.count(req, true)
	}
}

func (c *Counter) count(req Request, batch bool) {
	one := EstimateOf(c.name, batch, req)
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.passes[req.Pass]
	e.Pass = req.Pass
	e.Requests, e.Tokens, e.Cost, e.PriceKnown = e.Requests+1, e.Tokens.Add(one.Tokens), e.Cost+one.Cost, one.PriceKnown
	c.passes[req.Pass] = e
}

// Estimates are what was counted, a line for each pass, in the order of their
// names.
func (c *Counter) Estimates() []Estimate {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.SortedFunc(maps.Values(c.passes), func(a, b Estimate) int { return strings.Compare(a.Pass, b.Pass) })
}
