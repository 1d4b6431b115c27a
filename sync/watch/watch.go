package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/memsync/memsync/vault"
)

// ErrGone is wrapped by Run's error when the vault's folder is no longer the one
// that was watched: it was deleted, moved, unmounted, or put there anew.
var ErrGone = errors.New("the vault's folder went away")

// A Tree is what is watched; *vault.Vault is one.
type Tree interface {
	// Dir is the folder, absolute and without symbolic links.
	Dir() string
	// Ignored reports whether a file or folder is of no interest.
	Ignored(p vault.Path, isDir bool) bool
}

// A Config says how a Watcher works. Its zero value works.
type Config struct {
	// Quiet is how long the vault must be still before it is looked at; 0 is
	// 60 ms, enough for an editor to write its file and move it into place.
	Quiet time.Duration
	// Longest is how long a vault that is never still waits; 0 is 1 s.
	Longest time.Duration
	// Tick is how often to look where nothing happened; 0 is one minute.
	Tick time.Duration
	// Poll is how often to look while some folders cannot be watched; 0 is 5 s.
	Poll time.Duration
	// Owed is how long after a look at single files everything is looked at; 0
	// is 5 s.
	Owed time.Duration
	// Folders bounds the folders that are watched; 0 leaves it to the system.
	// The others are polled.
	Folders int
	// Changed is told of each event that concerns the vault. It must not block.
	Changed func()
	// Log gets what its owner should know; nil discards.
	Log *slog.Logger
	// Now is the clock for Status.
	Now func() time.Time
}

// A Watcher calls for a look at a vault whenever one may be worth while.
type Watcher struct {
	tree Tree
	cfg  Config
	root fs.FileInfo

	hints chan struct{} // capacity 1: one hint says as much as many
	now   chan struct{} // the same, for those who do not want to wait

	seen atomic.Int64 // hints so far
	done atomic.Int64 // how many of them the last good look covers

	mu      sync.Mutex
	news    news
	status  Status
	waiters []waiter

	folders folders // belongs to the goroutine of Run, but for its counts
}

// A Status says how the watching goes.
type Status struct {
	// Folders are watched, Polled are looked at every few seconds instead,
	// because Why.
	Folders int    `json:"folders"`
	Polled  int    `json:"polled"`
	Why     string `json:"why,omitempty"`
	// Events and Overflows count since the start.
	Events    int64 `json:"events"`
	Overflows int64 `json:"overflows"`
	// Looks counts reconciles; Last is when the last good one began, Took how
	// long it was, Error what the last one failed with, empty where it did not.
	Looks int64         `json:"looks"`
	Last  time.Time     `json:"last,omitzero"`
	Took  time.Duration `json:"took_ns"`
	Error string        `json:"error,omitempty"`
	// InStep says that nothing happened since Last that is known of.
	InStep bool `json:"in_step"`
}

// New makes a watcher of a tree. It starts nothing.
func New(tree Tree, cfg Config) *Watcher {
	def := func(d *time.Duration, otherwise time.Duration) {
		if *d <= 0 {
			*d = otherwise
		}
	}
	def(&cfg.Quiet, 60*time.Millisecond)
	def(&cfg.Longest, time.Second)
	def(&cfg.Tick, time.Minute)
	def(&cfg.Poll, 5*time.Second)
	def(&cfg.Owed, 5*time.Second)
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = func() time.Time { return time.Time{} }
	}
	if cfg.Changed == nil {
		cfg.Changed = func() {}
	}
	return &Watcher{
		tree: tree, cfg: cfg,
		hints: make(chan struct{}, 1), now: make(chan struct{}, 1),
		news: news{all: true}, folders: newFolders(cfg.Folders),
	}
}

// A Look is what is to be compared with the vault: everything, or, where nothing
// but a few files seems to have changed, these first and everything a little
// later.
type Look struct {
	All   bool
	Paths []vault.Path
}

// Run watches until ctx is done, and calls reconcile at once and then whenever
// the vault may have changed, never twice at the same time. An error of
// reconcile is kept for Status and it is called again soon; one that wraps
// ErrGone ends Run.
func (w *Watcher) Run(ctx context.Context, reconcile func(context.Context, Look) error) error {
	root, err := os.Stat(w.tree.Dir())
	if err != nil {
		return fmt.Errorf("watch %s: %w", w.tree.Dir(), ErrGone)
	}
	w.root = root
	n, err := fsnotify.NewBufferedWatcher(eventBuffer)
	if err != nil {
		w.cfg.Log.Warn("folders cannot be watched and are polled", "error", err)
		w.folders.refused = err
	} else {
		w.folders.n, w.folders.refused = n, remote(w.tree.Dir())
		var pumping sync.WaitGroup
		pumping.Go(func() { w.pump(n.Events, n.Errors) })
		defer pumping.Wait()
		defer n.Close() // ends pump; runs before the Wait
	}
	w.Hint()
	w.Now()
	look := func() (bool, error) { return w.look(ctx, reconcile) }
	p := pace{quiet: w.cfg.Quiet, longest: w.cfg.Longest, tick: w.tick, retry: time.Second, owed: w.cfg.Owed}
	return coalesce(ctx, p, w.hints, w.now, look, func(err error) bool { return errors.Is(err, ErrGone) })
}

// eventBuffer is how many events may wait for pump beside those that the system
// keeps. They are small, and pump does next to nothing.
const eventBuffer = 4096

// Hint says that the vault may have changed.
func (w *Watcher) Hint() {
	w.seen.Add(1)
	Tell(w.hints)
}

// All says that what was seen before counts no more: the next look is at
// everything, and until it came nothing is in step.
func (w *Watcher) All() {
	w.mu.Lock()
	w.news = news{all: true}
	w.mu.Unlock()
	w.Hint()
	w.Now()
}

// Now asks for a look without waiting for quiet.
func (w *Watcher) Now() { Tell(w.now) }

// Tell says something on a channel that holds one word: one says as much as many.
func Tell(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// look brings the watched folders up to date and then calls reconcile, in this
// order: a folder must be watched before it is read.
func (w *Watcher) look(ctx context.Context, reconcile func(context.Context, Look) error) (part bool, err error) {
	covers := w.seen.Load()
	began := w.cfg.Now()
	what, err := w.followFolders(ctx)
	if err == nil {
		err = reconcile(ctx, what)
	}
	if err == nil {
		w.done.Store(covers)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.status.Looks++
	w.status.Error = ""
	if err != nil {
		w.news.all = true
		w.status.Error = err.Error()
		if ctx.Err() == nil {
			w.cfg.Log.Warn("the vault could not be looked at", "error", err)
		}
		return false, err
	}
	w.status.Last, w.status.Took = began, w.cfg.Now().Sub(began)
	w.wake(covers)
	return !what.All, nil
}

// InStep reports whether the last good look came after everything that is known
// to have happened. Where folders are polled it cannot know, and says false.
func (w *Watcher) InStep() bool {
	covered := w.done.Load()
	return covered > 0 && covered == w.seen.Load() && w.folders.polled.Load() == 0
}

// Status says how the watching goes.
func (w *Watcher) Status() Status {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.status
	s.Folders, s.Polled = int(w.folders.watched.Load()), int(w.folders.polled.Load())
	s.InStep = w.InStep()
	if s.Polled > 0 {
		s.Why, _ = w.folders.why.Load().(string)
	}
	return s
}

// tick is how soon to look where nothing is heard: a daemon that need not poll
// sleeps, so that the machine can.
func (w *Watcher) tick() time.Duration {
	if w.folders.polled.Load() > 0 {
		return min(w.cfg.Poll, w.cfg.Tick)
	}
	return w.cfg.Tick
}
