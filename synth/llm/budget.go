package llm

import (
	"sync"

	"github.com/memsync/memsync/vault/tokens"
)

// A Budget holds a run to its ceilings. Its zero value has none, and counts. A
// request is charged at the most it can cost before it is sent, and corrected to
// what it did cost when it is back, so that many at once cannot pass a ceiling
// together.
type Budget struct {
	// MaxTokens and MaxCost (US dollars) are the ceilings; 0 is none.
	MaxTokens int
	MaxCost   float64
	// Price is what the model costs; zero for models that cost nothing or whose
	// price is not known, which MaxCost then does not bound.
	Price Price

	mu       sync.Mutex
	held     Usage // of requests that are under way
	spent    Usage
	requests int
}

// A Spending is what a run has used.
type Spending struct {
	Requests int     `json:"requests"`
	Tokens   Usage   `json:"tokens"`
	Cost     float64 `json:"cost_usd"`
}

// Spent returns what the run has used so far.
func (b *Budget) Spent() Spending {
	b.mu.Lock()
	defer b.mu.Unlock()
	return Spending{b.requests, b.spent, b.Price.Cost(b.spent)}
}

// Hold reserves what a request may use, or returns a *LimitError.
func (b *Budget) Hold(u Usage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	next := b.spent.Add(b.held).Add(u)
	if all := next.In + next.Out; b.MaxTokens > 0 && all > b.MaxTokens {
		return &LimitError{Limit: "tokens", Most: float64(b.MaxTokens), Next: float64(all)}
	}
	if cost := b.Price.Cost(next); b.MaxCost > 0 && cost > b.MaxCost {
		return &LimitError{Limit: "cost", Most: b.MaxCost, Next: cost}
	}
	b.held = b.held.Add(u)
	return nil
}

// Settle replaces what was held by what was used.
func (b *Budget) Settle(held, used Usage) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held = b.held.Add(Usage{-held.In, -held.Out})
	b.spent = b.spent.Add(used)
	b.requests++
}

// perMessage is what providers add to each message for its role, in tokens; 4 is
// OpenAI's figure and others are near it.
const perMessage = 4

// Size is the most that a request can use: its text in o200k tokens, the schema
// where one goes along, and the bound of its reply.
func Size(req Request) Usage {
	in := perMessage + tokens.Count(req.System)
	for _, m := range req.Messages {
		in += perMessage + tokens.Count(m.Text)
	}
	if req.Schema != nil {
		in += tokens.Count(string(req.Schema.JSON(true)))
	}
	return Usage{In: in, Out: req.outTokens()}
}

// An Estimate is what requests would come to at most, without sending them.
type Estimate struct {
	// Pass is what the requests are for, where they are for one thing.
	Pass     string `json:"pass,omitempty"`
	Requests int    `json:"requests"`
	Tokens   Usage  `json:"tokens"`
	// Cost is in US dollars; PriceKnown says whether the model has a price.
	Cost       float64 `json:"cost_usd"`
	PriceKnown bool    `json:"price_known"`
}

// EstimateOf adds up the sizes of requests to a model, for --dry-run. Replies
// count at their bound, so the true figures are lower.
func EstimateOf(model string, batch bool, requests ...Request) Estimate {
	e := Estimate{Requests: len(requests)}
	for _, r := range requests {
		e.Tokens = e.Tokens.Add(Size(r))
	}
	p, known := PriceOf(model)
	e.Cost, e.PriceKnown = p.Cost(e.Tokens), known
	if batch {
		e.Cost /= 2
	}
	return e
}
