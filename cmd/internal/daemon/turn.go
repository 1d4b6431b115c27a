package daemon

import "context"

// turns are had by as many at a time as the channel holds. Unlike for a mutex,
// waiting for one can be given up.
type turns chan struct{}

// newTurn makes turns that are had by one at a time.
func newTurn() turns { return make(turns, 1) }

func (t turns) take(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (t turns) give() { <-t }
