package main

import (
	"context"
	"slices"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault/history"
)

// decideTicked carries out the boxes that are ticked in proposals, as
// memsync review accept and decline do. The daemon has the turn to write.
func (a *app) decideTicked(ctx context.Context, s *session, repo *history.Repo) (daemon.Decided, error) {
	var done daemon.Decided
	open, err := synth.Proposals(ctx, synth.NewView(s.vault))
	if err != nil || !slices.ContainsFunc(open, func(p review.Proposal) bool { return !p.Undecided() }) {
		return done, err
	}
	if err := repo.Busy(); err != nil {
		return done, err
	}
	w := &writer{session: s, repo: repo, now: a.now, run: runID(a.now())}
	r, err := a.runner(w, synthOptions{follow: true})
	if err != nil {
		return done, err
	}
	rep, err := r.Decide(ctx)
	done.Commit = rep.Commit
	for _, one := range rep.Skipped {
		done.Skipped = append(done.Skipped, watch.Held{Path: one.Path, Reason: one.Reason})
	}
	return done, err
}
