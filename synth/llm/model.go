package llm

import "context"

// A Model completes requests. Implementations may be used by several goroutines.
type Model interface {
	// Complete sends one request and returns the reply. Errors wrap ErrDown,
	// ErrRefused or ErrAnswer where they are the server's doing.
	Complete(ctx context.Context, req Request) (Reply, error)
	// Name is the model's name as its provider knows it.
	Name() string
}

// A Request is what a model is asked.
type Request struct {
	// Pass names the use for the ledger: "summaries", "judge".
	Pass string
	// System says what the model is to do.
	System string
	// Messages are the exchange so far, the person's side first.
	Messages []Message
	// Schema, where it is set, is the form of the reply. A provider that can hold
	// the model to it does.
	Schema *Schema
	// MaxTokens bounds the reply; 0 is DefaultMaxTokens.
	MaxTokens int
}

// DefaultMaxTokens bounds a reply that has no bound of its own. The longest of
// ours, the operations of a long conversation, is about half of it.
const DefaultMaxTokens = 4096

// A Message is one turn of the exchange with the model.
type Message struct {
	// Assistant says that the model wrote it.
	Assistant bool
	Text      string
}

// A Reply is what came back.
type Reply struct {
	Text string
	// Model is the model that answered, as the server names it.
	Model string
	Usage Usage
	// Cut says that the reply ended at the bound on its length.
	Cut bool
	// Declined says that the server itself marked the reply as a refusal.
	Declined bool
}

// A Usage counts tokens as the server does.
type Usage struct {
	In  int `json:"in"`
	Out int `json:"out"`
}

// Add returns the sum.
func (u Usage) Add(v Usage) Usage { return Usage{u.In + v.In, u.Out + v.Out} }

// outTokens is the bound on the reply.
func (r Request) outTokens() int {
	if r.MaxTokens > 0 {
		return r.MaxTokens
	}
	return DefaultMaxTokens
}
