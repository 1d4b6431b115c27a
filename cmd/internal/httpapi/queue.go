package httpapi

import (
	"context"
	"errors"
	"runtime"
)

// A queue bounds the work that is done at a time. Searches use the processor and
// nothing else, so more of them at once make each slower and none sooner; those
// that come while too many wait are turned away at once, which costs nothing, and
// may come again.
type queue struct {
	places chan struct{} // of those that work or wait
	work   chan struct{}
}

// atOnce is how many searches are done at a time: one more than there are
// processors, since a search reads files too.
func atOnce() int { return runtime.GOMAXPROCS(0) + 1 }

func newQueue(atOnce, waiting int) *queue {
	return &queue{make(chan struct{}, atOnce+waiting), make(chan struct{}, atOnce)}
}

// errBusy is said to those that are turned away.
var errBusy = errors.New("there are more searches than can be done; try again in a second")

// within does the work when it is its turn. What is not bounded is done at once.
func (q *queue) within(ctx context.Context, bounded bool, do func() (any, error)) (any, error) {
	if !bounded {
		return do()
	}
	select {
	case q.places <- struct{}{}:
		defer func() { <-q.places }()
	default:
		return nil, errBusy
	}
	select {
	case q.work <- struct{}{}:
		defer func() { <-q.work }()
	case <-ctx.Done():
		return nil, errBusy
	}
	return do()
}
