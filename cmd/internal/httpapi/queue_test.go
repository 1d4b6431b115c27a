package httpapi

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
)

// So many work, so many wait, and the next is turned away; who waits goes on when
// there is room, and who went away meanwhile leaves no place taken.
func TestQueue(t *testing.T) {
	q := newQueue(1, 1)
	started, end := make(chan struct{}), make(chan struct{})
	slow := func() (any, error) { close(started); <-end; return 1, nil }
	var running sync.WaitGroup
	running.Go(func() {
		if _, err := q.within(t.Context(), true, slow); err != nil {
			t.Error(err)
		}
	})
	<-started
	gone, leave := context.WithCancel(t.Context())
	var left sync.WaitGroup
	left.Go(func() {
		if _, err := q.within(gone, true, slow); !errors.Is(err, errBusy) {
			t.Errorf("one that went away: %v", err)
		}
	})
	for len(q.places) < 2 { // until the second one waits
		runtime.Gosched()
	}
	quick := func() (any, error) { return 2, nil }
	if _, err := q.within(t.Context(), true, quick); !errors.Is(err, errBusy) {
		t.Errorf("the third: %v", err)
	}
	if v, err := q.within(t.Context(), false, quick); err != nil || v != 2 {
		t.Errorf("what is no search: %v, %v", v, err)
	}
	leave()
	left.Wait()
	running.Go(func() {
		if v, err := q.within(t.Context(), true, quick); err != nil || v != 2 {
			t.Errorf("the one that waited: %v, %v", v, err)
		}
	})
	close(end)
	running.Wait()
	if len(q.places)+len(q.work) != 0 {
		t.Error("places are left taken")
	}
}
