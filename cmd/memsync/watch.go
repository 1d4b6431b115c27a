package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/privacy"
)

type watchOptions struct {
	logFile string
	service serviceOptions
}

func newWatchCommand(a *app) *cobra.Command {
	var opts watchOptions
	cmd := &cobra.Command{
		Use:     "watch",
		GroupID: groupVault,
		Short:   "Follow the vault: index every edit, commit yours, answer other commands",
		Long: `Follow the vault until stopped. Every edit is searchable within a blink. Once
nothing changed for a while (commit_quiet, 30 s), what you edited is committed
in your name; with commit: manual it waits for memsync commit, with commit: off
that is left to your git. While it runs it holds the vault's lock, and the other
commands are carried out by it.

With --install it is started at every login, by systemd or launchd.`,
		Example: `  memsync watch
  memsync watch --install --dry-run
  memsync watch --status --json`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if opts.service.asked() {
				return runService(a, opts.service)
			}
			return runWatch(cmd.Context(), a, opts)
		},
	}
	cmd.Flags().StringVar(&opts.logFile, "log", "", "write the log to this file, in turns of 5 MB, instead of standard error")
	opts.service.flags(cmd)
	return cmd
}

func runWatch(ctx context.Context, a *app, opts watchOptions) (err error) {
	a.stays()
	dir, _, at, err := a.vaultSettings()
	if err != nil {
		return err
	}
	own := at.Vault(dir)
	if err := own.Make(); err != nil {
		return err
	}
	log, closeLog, err := a.watchLog(opts.logFile)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeLog()) }()
	runtime, _ := a.env("XDG_RUNTIME_DIR")
	notify := daemon.NewNotifier(a.env)
	a.logger, a.vaultFlag, a.hostOf = log, dir, own.State
	queue, batches := make(chan struct{}, 1), make(chan struct{}, 1)
	cfg := daemon.Config{
		Dir: dir, State: own.State, Version: buildID(),
		Socket: daemon.SocketPath(runtime, own.State, os.TempDir(), os.Getuid()),
		Holder: vault.Holder{PID: os.Getpid(), What: "watch", Since: a.now()},
		Hold:   func(ctx context.Context) (func() error, error) { return a.keepIndex(ctx, own.State) },
		Open:   a.openWatched,
		Serve:  a.serve,
		Beats:  func() { watch.Tell(queue); watch.Tell(batches) },
		Log:    log, Now: a.now,
		Ready: func() {
			if err := notify.Ready(); err != nil {
				log.Warn("sd_notify", "error", err)
			}
		},
	}
	d := daemon.New(cfg)
	a.host, a.fresh = d, d.InStep
	ctx, stop := context.WithCancel(ctx)
	var beside sync.WaitGroup
	defer beside.Wait()
	defer stop()
	beside.Go(func() { notify.Watchdog(ctx, func() bool { return !d.Stuck(a.now()) }) })
	beside.Go(func() { a.followQueue(ctx, own.State, queue) })
	beside.Go(func() { a.followBatches(ctx, own.State, batches) })
	beside.Go(func() { a.hostHTTP(ctx, d) })
	beside.Go(func() {
		<-ctx.Done()
		_ = notify.Stopping() // systemd sees the end all the same
	})
	log.Info("watching", "vault", dir, "socket", cfg.Socket)
	if err = d.Run(ctx); err == nil {
		log.Info("stopped")
	}
	if last := d.State().Watch.Last; !last.IsZero() {
		noteReconcile(own.State, last)
	}
	return err
}

// keepIndex takes the right to update the index for as long as the daemon runs.
// Another process may be about to finish an update of its own.
func (a *app) keepIndex(ctx context.Context, state string) (release func() error, err error) {
	const tries, pause = 100, 100 * time.Millisecond
	for n := 0; ; n++ {
		lock, err := vault.Acquire(filepath.Join(state, "index"), vault.Holder{PID: os.Getpid(), What: "watch", Since: a.now()})
		var locked *vault.LockedError
		switch {
		case err == nil:
			return lock.Release, nil
		case !errors.As(err, &locked) || n == tries:
			return nil, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(pause):
		}
	}
}

// openWatched opens the vault for the daemon, with its settings as they are now.
func (a *app) openWatched(ctx context.Context) (o *daemon.Opened, err error) {
	s, err := a.open()
	if err != nil {
		return nil, err
	}
	x, err := a.openOwnIndex(ctx, s)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	o = &daemon.Opened{Vault: s.vault, Index: x, Quiet: s.settings.CommitQuiet}
	_, _, at, err := a.settings()
	if err != nil {
		return nil, errors.Join(err, x.Close(), s.Close())
	}
	o.Settings = []string{filepath.Join(s.dir, ".memoryrc"), filepath.Join(s.dir, vault.IgnoreFile), at.UserConfig()}
	o.Repo, err = s.history()
	if errors.Is(err, history.ErrNoRepository) {
		a.log().Warn("the vault is no git repository: nothing is committed", "try", "memsync init")
		return o, nil
	}
	if err != nil {
		return nil, errors.Join(err, x.Close(), s.Close())
	}
	o.Edits = watch.NewEdits(s.vault, o.Repo, a.editsConfig(s))
	o.FollowOnly = s.settings.Commit != "quiet"
	o.Decide = func(ctx context.Context) (daemon.Decided, error) { return a.decideTicked(ctx, s, o.Repo) }
	return o, nil
}

// secretKind returns a function that names the first secret in a text which the
// settings do not keep.
func secretKind(p privacy.Policy) func(string) string {
	var classes []privacy.Class
	for _, c := range p.Classes() {
		if c.Secret() {
			classes = append(classes, c)
		}
	}
	d := privacy.New(privacy.Config{Classes: classes})
	return func(text string) string {
		if found := d.Find(text); len(found) > 0 {
			return string(found[0].Class)
		}
		return ""
	}
}

// watchLog is where the daemon's log goes: a file of its own, the journal, or
// standard error.
func (a *app) watchLog(file string) (*slog.Logger, func() error, error) {
	level := slog.LevelInfo
	if a.verbose > 0 {
		level = slog.LevelDebug
	}
	opts := &slog.HandlerOptions{Level: level}
	nothing := func() error { return nil }
	if file != "" {
		f, err := daemon.OpenLog(file, 0)
		if err != nil {
			return nil, nothing, fmt.Errorf("--log: %w", err)
		}
		return slog.New(slog.NewTextHandler(f, opts)), f.Close, nil
	}
	if _, journal := a.env("JOURNAL_STREAM"); journal {
		opts.ReplaceAttr = func(groups []string, attr slog.Attr) slog.Attr {
			if attr.Key == slog.TimeKey && len(groups) == 0 {
				return slog.Attr{} // the journal has its own
			}
			return attr
		}
	}
	return slog.New(slog.NewTextHandler(a.stderr, opts)), nothing, nil
}

// daemonNow is what the vault's daemon says of itself; nil where none runs. One
// that was killed left its words behind, and its process is gone.
func daemonNow(state string) *daemon.State {
	s := daemon.ReadState(state)
	if s.PID == 0 || !alive(s.PID) || s.PID != vault.ReadHolder(state).PID {
		return nil
	}
	return &s
}

// ago says how long ago something was.
func ago(now, t time.Time) string {
	if t.IsZero() {
		return "never"
	}
	return now.Sub(t).Round(time.Second).String() + " ago"
}
