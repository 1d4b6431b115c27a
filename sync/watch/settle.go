package watch

import (
	"context"
	"time"
)

// A waiter wants to know when a look covers the hints it has seen.
type waiter struct {
	covers int64
	done   chan struct{}
}

// Settle asks for a look at what happened so far, waits for it at most so long
// and reports whether it came. It returns at once where there is nothing to wait
// for.
func (w *Watcher) Settle(ctx context.Context, most time.Duration) bool {
	if w.InStep() {
		return true
	}
	me := waiter{w.seen.Load(), make(chan struct{})}
	w.mu.Lock()
	w.waiters = append(w.waiters, me)
	w.mu.Unlock()
	w.Now()
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-me.done:
		return w.folders.polled.Load() == 0
	case <-t.C:
	case <-ctx.Done():
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.waiters {
		if other.done == me.done {
			w.waiters = append(w.waiters[:i], w.waiters[i+1:]...)
			break
		}
	}
	return false
}

// wake tells those whose hints a look has covered. The caller holds mu.
func (w *Watcher) wake(covers int64) {
	kept := w.waiters[:0]
	for _, other := range w.waiters {
		if other.covers <= covers {
			close(other.done)
		} else {
			kept = append(kept, other)
		}
	}
	clear(w.waiters[len(kept):])
	w.waiters = kept
}
