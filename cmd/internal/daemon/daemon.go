package daemon

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A Config says what a daemon works on. All but the times and Log is needed.
type Config struct {
	// Dir is the vault's folder, State its state folder.
	Dir, State string
	// Socket is where commands are taken; "" takes none.
	Socket string
	// Holder describes this process to those who find the vault locked.
	Holder vault.Holder
	// Version is the program's: commands of another version are sent away.
	Version string
	// Hold takes whatever else only one process may have, and returns how to
	// give it back; nil for nothing.
	Hold func(ctx context.Context) (func() error, error)
	// Open opens the vault. It is called at the start, and again after the
	// vault's folder or its settings changed.
	Open func(ctx context.Context) (*Opened, error)
	// Serve runs a command of another process and returns its exit status.
	Serve func(ctx context.Context, r Request, stdin io.Reader, stdout, stderr io.Writer) int
	// Beat is how often State is written; 0 is 30 s. Each wakes the machine.
	Beat time.Duration
	// Beats is called with every beat, for what is only found by looking now and
	// then. It returns at once.
	Beats func()
	// DecideQuiet is how long review/ must be still before what was ticked there
	// is carried out; 0 is 2 s.
	DecideQuiet time.Duration
	// Again is how soon edits that could not be committed are looked at again; 0
	// is a minute.
	Again time.Duration
	// Watch says how the vault is watched.
	Watch watch.Config
	Log   *slog.Logger
	Now   func() time.Time
	// Ready is called once the vault was brought in step for the first time.
	Ready func()
}

// An Opened vault is what a daemon works with until its settings change.
type Opened struct {
	Vault *vault.Vault
	// Repo is the vault's repository, nil where there is none.
	Repo  *history.Repo
	Index *index.Index
	// Edits commits what the person edits, once nothing changed for Quiet; nil
	// where there is no repository. With FollowOnly they commit by themselves, and
	// what they removed so is learned from their commits.
	Edits      *watch.Edits
	Quiet      time.Duration
	FollowOnly bool
	// Decide carries out what the person ticked in review/, in a commit of its
	// own; nil for nobody does. It is called in the turn to write the vault.
	Decide func(ctx context.Context) (Decided, error)
	// Settings are the files that what was opened depends on.
	Settings []string

	head    string // where the branch was at the last look
	watcher *watch.Watcher
	users   sync.WaitGroup
}

// close waits until nobody uses what was opened, and closes it. Once ctx is done
// it waits no longer than commands have to end; what is still in use then is left
// to the end of the process.
func (o *Opened) close(ctx context.Context) error {
	free := make(chan struct{})
	go func() {
		o.users.Wait()
		close(free)
	}()
	select {
	case <-free:
		return errors.Join(o.Index.Close(), o.Vault.Close())
	case <-ctx.Done():
	}
	select {
	case <-free:
		return errors.Join(o.Index.Close(), o.Vault.Close())
	case <-time.After(grace):
		return nil
	}
}

// A Daemon follows one vault.
type Daemon struct {
	cfg Config

	writer turns // one change of the vault at a time
	update turns // one update of the index at a time

	mu    sync.Mutex
	now   *Opened // nil while the vault is not there or is opened anew
	state State
	// rested is the change of the index after which memory was last given back.
	rested time.Time

	ready sync.Once
}

// New makes a daemon. It starts nothing and takes no lock.
func New(cfg Config) *Daemon {
	if cfg.Beat <= 0 {
		cfg.Beat = 30 * time.Second
	}
	if cfg.Again <= 0 {
		cfg.Again = lookAgain
	}
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Beats == nil {
		cfg.Beats = func() {}
	}
	if cfg.Ready == nil {
		cfg.Ready = func() {}
	}
	return &Daemon{
		cfg: cfg, writer: newTurn(), update: newTurn(),
		state: State{PID: cfg.Holder.PID, Since: cfg.Holder.Since, Version: cfg.Version, Vault: cfg.Dir, Socket: cfg.Socket},
	}
}

// Run takes the vault's lock and follows the vault until ctx is done. It fails
// with a *vault.LockedError where another process holds the lock.
func (d *Daemon) Run(ctx context.Context) (err error) {
	lock, err := vault.Acquire(d.cfg.State, d.cfg.Holder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Release()) }()
	defer os.Remove(stateFile(d.cfg.State))
	if d.cfg.Hold != nil {
		giveBack, held := d.cfg.Hold(ctx)
		if held != nil {
			return held
		}
		defer func() { err = errors.Join(err, giveBack()) }()
	}
	first, err := d.cfg.Open(ctx)
	if err != nil {
		return err
	}
	if err := d.recover(ctx, first); err != nil {
		return errors.Join(err, first.close(ctx))
	}
	ctx, stop := context.WithCancel(ctx)
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	if d.cfg.Socket != "" {
		l, err := listen(d.cfg.Socket)
		if err != nil {
			return errors.Join(fmt.Errorf("socket: %w", err), first.close(ctx))
		}
		running.Go(func() { d.serve(ctx, l) })
	}
	d.show() // before anybody is told that it is ready: the socket stands in it
	running.Go(func() { d.beat(ctx) })
	return d.follow(ctx, first)
}

// errSettings ends following what was opened with settings that changed.
var errSettings = errors.New("the settings changed")

// follow follows the vault through all its changes of place and settings.
func (d *Daemon) follow(ctx context.Context, o *Opened) error {
	for {
		why := d.followOpened(ctx, o)
		if err := d.withdraw(ctx, o); err != nil {
			d.cfg.Log.Warn("closing the index", "error", err)
		}
		if ctx.Err() != nil {
			return nil
		}
		d.cfg.Log.Info("opening the vault again", "because", why)
		if o = d.reopen(ctx, why); o == nil {
			return nil
		}
	}
}

// reopenEvery is how often a vault that is not there is looked for.
const reopenEvery = time.Second

// reopen opens the vault, as soon as it is there and its settings can be read;
// nil when ctx is done first.
func (d *Daemon) reopen(ctx context.Context, why error) *Opened {
	t := time.NewTicker(reopenEvery)
	defer t.Stop()
	for {
		o, err := d.cfg.Open(ctx)
		if err == nil {
			if err = d.recover(ctx, o); err == nil {
				d.set(func(s *State) { s.Error = "" })
				return o
			}
			err = errors.Join(err, o.close(ctx))
		}
		d.set(func(s *State) { s.Error = fmt.Sprintf("%v: %v", why, err) })
		select {
		case <-ctx.Done():
			return nil
		case <-t.C:
		}
	}
}

// withdraw takes what was opened out of use.
func (d *Daemon) withdraw(ctx context.Context, o *Opened) error {
	d.mu.Lock()
	d.now = nil
	d.state.Watch = o.watcher.Status()
	d.state.Watch.InStep, d.state.Watch.Folders, d.state.Watch.Polled = false, 0, 0
	d.mu.Unlock()
	return o.close(ctx)
}

// Open returns what the daemon has open, and a function that says it is no longer
// used; nil while there is nothing.
func (d *Daemon) Open() (*Opened, func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.now == nil {
		return nil, func() {}
	}
	d.now.users.Add(1)
	return d.now, d.now.users.Done
}

// Write waits for the turn to write the vault and returns a function that ends it.
func (d *Daemon) Write(ctx context.Context, what string) (end func(), err error) {
	if err := d.writer.take(ctx); err != nil {
		return nil, err
	}
	d.set(func(s *State) { s.Writing = what })
	return func() {
		d.set(func(s *State) { s.Writing = "" })
		d.writer.give()
	}, nil
}

// Update waits for the turn to update the index and returns a function that ends
// it.
func (d *Daemon) Update(ctx context.Context) (end func(), err error) {
	if err := d.update.take(ctx); err != nil {
		return nil, err
	}
	return d.update.give, nil
}

// settle is how long a question waits for edits that were just made. A reader
// waits for no writer: what is not in step by then is said to be missing.
const settle = 300 * time.Millisecond

// Settle gives the newest edits a moment to get into the index, and reports
// whether the index is in step with the vault.
func (d *Daemon) Settle(ctx context.Context) bool {
	o, done := d.Open()
	defer done()
	return o != nil && o.watcher.Settle(ctx, settle)
}

// Lost says that the index lost what it held: everything is looked at again.
func (d *Daemon) Lost() {
	o, done := d.Open()
	defer done()
	if o != nil {
		o.watcher.All()
	}
}

// InStep reports whether the index is in step with the vault, as far as is known.
func (d *Daemon) InStep() bool {
	o, done := d.Open()
	defer done()
	return o != nil && o.watcher.InStep()
}
