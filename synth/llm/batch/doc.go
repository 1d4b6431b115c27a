// Package batch sends bulk work through a provider's batch interface, which costs
// half and answers within a day.
//
// One request goes first. Its reply is checked, and only a prompt that works on
// one is sent with all. Batches are polled until they end; what failed, expired or
// came back wrong goes into another batch, a few times. Every step is noted in a
// state file before the next, so that a run that was stopped, or whose machine
// was, goes on where it was: it finds its batches by their ids and fetches what
// they made. The file holds ids and hashes and no text; replies stay with the
// provider until they are asked for.
package batch

import (
	"context"
	"errors"
	"time"

	"github.com/memsync/memsync/synth/llm"
)

// A Service is a provider's batch interface.
type Service interface {
	// Submit starts a batch and returns its id. The tag comes back from Find.
	Submit(ctx context.Context, tag string, items []Item) (id string, err error)
	// Find returns the id of a batch that was submitted since then under the tag
	// and with the number of items, or "": what a crash cut off the note of. The
	// batches in not are others.
	Find(ctx context.Context, tag string, since time.Time, items int, not []string) (id string, err error)
	// State looks at a batch.
	State(ctx context.Context, id string) (State, error)
	// Results calls yield for each result of a batch that has ended, in any order.
	Results(ctx context.Context, id string, yield func(Result)) error
	// Name is the model's.
	Name() string
}

// An Item is one request. ID is letters, digits, hyphens and underscores, 64 at
// most.
type Item struct {
	ID      string
	Request llm.Request
}

// A State is where a batch is.
type State string

// The states of a batch.
const (
	Running State = "running"
	// Ended batches have results, though not of every item.
	Ended State = "ended"
	// Failed batches have none: the provider did not take them.
	Failed State = "failed"
	// Gone batches are not known to the provider any more.
	Gone State = "gone"
)

// A Result is what came of one item. Err wraps llm.ErrRefused where another try
// is of no use.
type Result struct {
	ID    string
	Reply llm.Reply
	Err   error
}

// ErrProbe is wrapped where the first request's reply does not pass: nothing else
// was sent.
var ErrProbe = errors.New("the first request of the batch did not pass")

// ErrRunning is wrapped where a batch is under way and Config.Stay is over. The
// same call goes on where it was.
var ErrRunning = errors.New("a batch is under way")

// ErrExpired is what became of items that the provider did not come to in time.
var ErrExpired = errors.New("the batch expired before its turn came")
