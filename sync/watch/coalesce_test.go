package watch

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/google/go-cmp/cmp"
)

var testPace = pace{quiet: 60 * time.Millisecond, longest: time.Second, tick: func() time.Duration { return time.Minute }, retry: time.Second, owed: 5 * time.Second}

// errPartly stands for work that was done in part.
var errPartly = errors.New("done in part")

// run calls script with a coalesce under way, and returns when work was done, in
// ms since the start.
func run(t *testing.T, work func(n int) error, script func(hint, now func())) (at []int64) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		hints, now := make(chan struct{}, 1), make(chan struct{}, 1)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() {
			ended <- coalesce(ctx, testPace, hints, now, func() (bool, error) {
				at = append(at, time.Since(start).Milliseconds())
				err := work(len(at))
				if errors.Is(err, errPartly) {
					return true, nil
				}
				return false, err
			}, func(err error) bool { return errors.Is(err, ErrGone) })
		}()
		script(func() { Tell(hints) }, func() { Tell(now) })
		synctest.Wait()
		stop()
		<-ended
	})
	return at
}

func good(int) error { return nil }

func TestManyHintsAreOneLook(t *testing.T) {
	at := run(t, good, func(hint, _ func()) {
		for range 10 {
			hint()
			time.Sleep(20 * time.Millisecond)
		}
		time.Sleep(500 * time.Millisecond)
	})
	if diff := cmp.Diff([]int64{180 + 60}, at); diff != "" {
		t.Error(diff)
	}
}

func TestAStreamOfHintsDoesNotPutItOffForever(t *testing.T) {
	at := run(t, good, func(hint, _ func()) {
		for range 75 { // 3 s of saves, 40 ms apart
			hint()
			time.Sleep(40 * time.Millisecond)
		}
		time.Sleep(time.Second)
	})
	// The last hint comes at 2960 ms: 60 ms later is a second after the third.
	if len(at) < 3 || at[0] != 1000 || at[1] < 2000 || at[1] > 2040 || at[len(at)-1] > 3080 {
		t.Error(at)
	}
}

func TestAMinuteIsAHint(t *testing.T) {
	at := run(t, good, func(_, _ func()) { time.Sleep(150 * time.Second) })
	if diff := cmp.Diff([]int64{60_000, 120_000}, at); diff != "" {
		t.Error(diff)
	}
}

func TestWorkDoneInPartIsOwed(t *testing.T) {
	at := run(t, func(n int) error {
		if n == 1 {
			return errPartly
		}
		return nil
	}, func(hint, _ func()) {
		hint()
		time.Sleep(30 * time.Second)
	})
	if diff := cmp.Diff([]int64{60, 5060}, at); diff != "" {
		t.Error(diff)
	}
}

func TestNowDoesNotWait(t *testing.T) {
	at := run(t, good, func(hint, now func()) {
		time.Sleep(time.Millisecond)
		hint()
		time.Sleep(10 * time.Millisecond)
		now()
		time.Sleep(time.Second)
	})
	if diff := cmp.Diff([]int64{11}, at); diff != "" {
		t.Error(diff)
	}
}

func TestFailedWorkIsDoneAgainLaterAndLater(t *testing.T) {
	at := run(t, func(n int) error {
		if n < 4 {
			return errors.New("the disk sleeps")
		}
		return nil
	}, func(hint, _ func()) {
		hint()
		time.Sleep(30 * time.Second)
	})
	if diff := cmp.Diff([]int64{60, 1060, 3060, 7060}, at); diff != "" {
		t.Error(diff)
	}
}

func TestAFolderThatIsGoneEndsIt(t *testing.T) {
	at := run(t, func(int) error { return ErrGone }, func(hint, _ func()) {
		hint()
		time.Sleep(time.Second)
	})
	if len(at) != 1 {
		t.Errorf("looked %d times", len(at))
	}
}

// The pump must drain whatever comes at whatever speed, also when nobody reads
// its hints.
func TestPumpNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := New(tree{dir: t.TempDir()}, Config{})
		events, errs := make(chan fsnotify.Event), make(chan error)
		ended := make(chan struct{})
		go func() {
			w.pump(events, errs)
			close(ended)
		}()
		for i := range 3 * maxNews {
			events <- fsnotify.Event{Name: fmt.Sprint(w.tree.Dir(), "/", i, ".md"), Op: fsnotify.Rename}
		}
		errs <- fsnotify.ErrEventOverflow
		events <- fsnotify.Event{Name: w.tree.Dir() + "/a.md", Op: fsnotify.Chmod}
		events <- fsnotify.Event{Name: w.tree.Dir() + "/.git/index", Op: fsnotify.Write}
		close(events)
		close(errs)
		<-ended
		s := w.Status()
		if s.Events != 3*maxNews || s.Overflows != 1 || !w.news.all || len(w.news.files) != 0 {
			t.Errorf("%+v, news %+v", s, w.news)
		}
		if len(w.hints) != 1 || w.InStep() {
			t.Errorf("%d hints, in step %v", len(w.hints), w.InStep())
		}
	})
}
