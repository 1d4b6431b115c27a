package daemon

import (
	"context"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault"
)

// A Decided is what became of the boxes that were ticked in proposals.
type Decided struct {
	// Commit carries the decisions out, empty where there were none.
	Commit string
	// Skipped could not be carried out; their notes stay.
	Skipped []watch.Held
}

// decideQuiet is how long review/ must be still before ticked boxes are acted on:
// a person who ticked the wrong one has so long to think again.
const decideQuiet = 2 * time.Second

// maybeTicked reports whether a look may have found a ticked box.
func (o *Opened) maybeTicked(look watch.Look, r index.Report) bool {
	if o.Decide == nil || !r.Changed() {
		return false
	}
	if look.All {
		return true
	}
	for _, p := range look.Paths {
		if p.Under(o.reviewFolder()) {
			return true
		}
	}
	return false
}

func (o *Opened) reviewFolder() vault.Path { return o.Vault.Layout().Folder("review") }

// decide carries out what the person ticked in review/, once they let go of it.
func (d *Daemon) decide(ctx context.Context, o *Opened, ticked <-chan struct{}) {
	quiet := d.cfg.DecideQuiet
	if quiet <= 0 {
		quiet = decideQuiet
	}
	wait := time.NewTimer(quiet) // what was ticked while nobody looked
	defer wait.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticked:
			wait.Reset(quiet)
		case <-wait.C:
			if again := d.decideOnce(ctx, o); again {
				wait.Reset(max(quiet, d.cfg.Again))
			}
		}
	}
}

// decideOnce carries out decisions now. It reports whether to try again by itself.
func (d *Daemon) decideOnce(ctx context.Context, o *Opened) (again bool) {
	end, err := d.Write(ctx, "carrying out your decisions")
	if err != nil {
		return false
	}
	defer end()
	var done Decided
	if err = d.recover(ctx, o); err == nil {
		done, err = o.Decide(ctx)
	}
	if ctx.Err() != nil {
		return false
	}
	d.set(func(s *State) {
		s.Review.Skipped, s.Review.Error = done.Skipped, ""
		if err != nil {
			s.Review.Error = err.Error()
		}
		if done.Commit != "" {
			s.Review.Commit, s.Review.When = done.Commit, d.cfg.Now()
		}
	})
	switch {
	case err != nil:
		d.cfg.Log.Warn("decisions in review/ are not carried out", "error", err)
	case done.Commit != "":
		d.cfg.Log.Info("carried out decisions in review/", "hash", done.Commit[:10], "skipped", len(done.Skipped))
	case len(done.Skipped) > 0:
		d.cfg.Log.Warn("decisions in review/ cannot be carried out", "proposals", len(done.Skipped))
	}
	return err != nil
}
