package daemon

import (
	"context"
	"fmt"
	"os"
	"runtime/debug"
	"sync"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault/pass"
)

// recover ends what a process that died had begun.
func (d *Daemon) recover(ctx context.Context, o *Opened) error {
	if o.Repo == nil {
		return o.Vault.Sweep()
	}
	if err := o.Repo.Recover(ctx); err != nil {
		d.cfg.Log.Warn("git repository", "error", err)
	}
	res, err := pass.Recover(ctx, o.Vault, o.Repo, d.cfg.State, d.cfg.Now())
	if err != nil {
		// A merge under way, say. What was written stays in the journal.
		d.cfg.Log.Warn("an interrupted pass is not committed yet", "error", err)
		return nil
	}
	if res.Made() {
		d.cfg.Log.Info("committed what an interrupted pass had written", "files", len(res.Files))
	}
	return nil
}

// followOpened follows the vault until ctx is done, or it must be opened anew.
// It returns why.
func (d *Daemon) followOpened(ctx context.Context, o *Opened) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	changed := make(chan struct{}, 1)
	cfg := d.cfg.Watch
	cfg.Changed, cfg.Log, cfg.Now = func() { watch.Tell(changed) }, d.cfg.Log, d.cfg.Now
	o.watcher = watch.New(o.Vault, cfg)
	d.mu.Lock()
	d.now = o
	d.mu.Unlock()

	var committing sync.WaitGroup
	defer committing.Wait()
	defer stop(nil)
	if o.Edits != nil {
		committing.Go(func() { d.commitEdits(ctx, o, changed) })
	}
	ticked := make(chan struct{}, 1)
	if o.Decide != nil {
		committing.Go(func() { d.decide(ctx, o, ticked) })
	}
	settings := stamps(o.Settings)
	err := o.watcher.Run(ctx, func(ctx context.Context, look watch.Look) error {
		if !settings.same(o.Settings) {
			stop(errSettings)
			return ctx.Err()
		}
		return d.reconcile(ctx, o, look, changed, ticked)
	})
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// reconcile brings the index in step with the vault, or with some files of it.
func (d *Daemon) reconcile(ctx context.Context, o *Opened, look watch.Look, changed, ticked chan struct{}) error {
	end, err := d.Update(ctx)
	if err != nil {
		return err
	}
	defer end()
	var report index.Report
	if look.All {
		report, err = o.Index.Sync(ctx, o.Vault)
	} else {
		report, err = o.Index.SyncPaths(ctx, o.Vault, look.Paths)
	}
	if err != nil {
		return err
	}
	moved := o.headMoved()
	if moved {
		watch.Tell(changed)
	}
	if moved || o.maybeTicked(look, report) {
		watch.Tell(ticked)
	}
	if report.Changed() {
		watch.Tell(changed)
		d.cfg.Log.Debug("indexed", "added", report.Added, "updated", report.Updated, "removed", report.Removed, "took", report.Took)
	}
	d.reconciled(look, report)
	d.ready.Do(func() {
		d.cfg.Log.Info("in step", "notes", report.Added+report.Updated+report.Unchanged, "took", report.Took)
		d.cfg.Ready()
	})
	if report.Added+report.Updated > largeUpdate {
		debug.FreeOSMemory() // what building the index took is not needed again soon
	}
	return nil
}

// headMoved reports whether the branch is elsewhere than when it was last asked: a
// commit with git changes no file of the vault, and may have to be learned from.
func (o *Opened) headMoved() bool {
	if o.Repo == nil || o.Edits == nil {
		return false
	}
	branch, at, err := o.Repo.Head()
	if err != nil {
		return false
	}
	was := o.head
	o.head = branch + " " + at.String()
	return o.head != was
}

// largeUpdate is from how many notes on an update leaves much memory behind.
const largeUpdate = 500

func (d *Daemon) reconciled(look watch.Look, r index.Report) {
	d.set(func(s *State) {
		if look.All {
			s.Pending, s.Problems = r.Pending, len(r.Problems)
		}
		if r.Changed() {
			s.Changed = d.cfg.Now()
		}
	})
}

// A stampSet tells whether files changed, by their size and time.
type stampSet []string

func stamps(files []string) stampSet {
	out := make(stampSet, len(files))
	for i, name := range files {
		if info, err := os.Stat(name); err == nil {
			out[i] = fmt.Sprint(info.Size(), info.ModTime().UnixNano())
		}
	}
	return out
}

func (s stampSet) same(files []string) bool {
	for i, now := range stamps(files) {
		if s[i] != now {
			return false
		}
	}
	return true
}

// The bounds on when edits are committed, beside the quiet time: a person who
// never pauses is committed now and then, and what waits is looked at again.
const (
	longestQuiet = 20 // times the quiet time
	lookAgain    = time.Minute
	lookSoon     = 3 * time.Second // at what is held for seconds only
)

// commitEdits commits what the person edited once nothing changed for a while.
func (d *Daemon) commitEdits(ctx context.Context, o *Opened, changed <-chan struct{}) {
	quiet := time.NewTimer(o.Quiet) // what was edited before the start
	defer quiet.Stop()
	var since time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
			if since.IsZero() {
				since = d.cfg.Now()
			}
			if d.cfg.Now().Sub(since) < longestQuiet*o.Quiet {
				quiet.Reset(o.Quiet)
			}
		case <-quiet.C:
			since = time.Time{}
			if again := d.commitOnce(ctx, o); again > 0 {
				quiet.Reset(max(o.Quiet, again))
			}
		}
	}
}

// commitOnce commits edits now. It says when to look at what is left, 0 for never.
func (d *Daemon) commitOnce(ctx context.Context, o *Opened) (again time.Duration) {
	end, err := d.Write(ctx, "committing edits")
	if err != nil {
		return 0
	}
	defer end()
	if err := d.recover(ctx, o); err != nil {
		d.cfg.Log.Warn("edits are not committed", "error", err)
		return d.cfg.Again
	}
	work := o.Edits.Commit
	if o.FollowOnly {
		work = o.Edits.Follow
	}
	out, err := work(ctx)
	if err != nil && ctx.Err() != nil {
		return 0
	}
	d.set(func(s *State) {
		s.Edits.Held, s.Edits.Waits, s.Edits.Error = out.Held, out.Waits, ""
		if err != nil {
			s.Edits.Error = err.Error()
		}
		if out.Commit != "" {
			s.Edits.Commit, s.Edits.When = out.Commit, d.cfg.Now()
		}
	})
	switch {
	case err != nil:
		d.cfg.Log.Warn("edits are not committed", "error", err)
	case out.Commit != "":
		d.cfg.Log.Info("committed edits", "files", len(out.Files), "hash", out.Commit[:10], "forgotten", out.Forgotten, "put_back", out.Withdrawn)
	case out.Forgotten+out.Withdrawn > 0:
		d.cfg.Log.Info("remembered what was removed", "forgotten", out.Forgotten, "put_back", out.Withdrawn)
	case out.Waits != "":
		d.cfg.Log.Info("edits are not committed yet", "because", out.Waits)
	}
	switch {
	case err == nil && out.Soon:
		return min(lookSoon, d.cfg.Again)
	case err != nil || out.Waits != "" || len(out.Held) > 0:
		return d.cfg.Again
	}
	return 0
}
