package main

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// The daemon looks at a batch that somebody left, with longer and longer pauses, and
// not at all while there is none.
func TestBatchesArePolled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithCancel(t.Context())
		var there atomic.Bool
		start := time.Now()
		var looks []time.Duration
		done := make(chan struct{})
		hints := make(chan struct{})
		go func() {
			defer close(done)
			pollBatches(ctx, hints, there.Load, func() {
				looks = append(looks, time.Since(start).Round(time.Minute))
				if len(looks) == 5 || len(looks) == 7 { // it came
					there.Store(false)
				}
			})
		}()
		time.Sleep(time.Hour + time.Second)
		there.Store(true) // submitted, or found at the start of a daemon
		hints <- struct{}{}
		time.Sleep(2 * time.Hour)
		there.Store(true)
		hints <- struct{}{}
		time.Sleep(time.Hour)
		stop()
		<-done
		want := []time.Duration{61, 63, 67, 75, 91, 181, 183}
		for i := range want {
			want[i] *= time.Minute
		}
		if !slices.Equal(looks, want) {
			t.Errorf("looked after %v, want %v", looks, want)
		}
	})
}

// The longest pause is bounded, however long a batch takes.
func TestBatchPausesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(t.Context(), 24*time.Hour)
		defer stop()
		n := 0
		pollBatches(ctx, nil, func() bool { return true }, func() { n++ })
		if n < 45 || n > 60 {
			t.Errorf("%d looks in a day", n)
		}
	})
}
