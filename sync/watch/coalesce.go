package watch

import (
	"context"
	"time"
)

// A pace says how hints become work.
type pace struct {
	// quiet is how long no hint must come before the work is done, longest how
	// long a stream of hints can put it off.
	quiet, longest time.Duration
	// tick is how long nothing at all may happen, as things are.
	tick func() time.Duration
	// retry is how soon work that failed is done again at first; it doubles up
	// to tick. owed is how soon work that was done in part is done in full.
	retry, owed time.Duration
}

// coalesce calls work for hints: once for many that come together, and never at
// the same time twice. A word on now does away with the waiting. Work says whether
// it was done in part, and is then owed in full. It returns when ctx is done, or
// when an error of work is one that ends it.
func coalesce(ctx context.Context, p pace, hints, now <-chan struct{}, work func() (part bool, err error), ends func(error) bool) error {
	wait := p.tick()
	retry := p.retry
	for {
		if !gather(ctx, p, wait, hints, now) {
			return ctx.Err()
		}
		wait = p.tick()
		switch part, err := work(); {
		case err == nil:
			if retry = p.retry; part {
				wait = p.owed
			}
		case ctx.Err() != nil:
			return ctx.Err()
		case ends(err):
			return err
		default:
			wait = min(retry, p.tick())
			retry *= 2
		}
	}
}

// gather waits for a time to work. It reports false when ctx is done.
func gather(ctx context.Context, p pace, wait time.Duration, hints, now <-chan struct{}) bool {
	idle := time.NewTimer(wait)
	defer idle.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-idle.C:
		return true
	case <-now:
		return true
	case <-hints:
	}
	quiet, longest := time.NewTimer(p.quiet), time.NewTimer(p.longest)
	defer quiet.Stop()
	defer longest.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-hints:
			quiet.Reset(p.quiet)
		case <-quiet.C:
			return true
		case <-longest.C:
			return true
		case <-now:
			return true
		}
	}
}
