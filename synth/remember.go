package synth

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/pass"
)

// Remembered is what came of the end of a session.
type Remembered struct {
	// Commit is the one commit, empty where nothing was new.
	Commit string `json:"commit"`
	// Passes say what each pass did within it.
	Passes []Report `json:"passes"`
}

// Remember is the write path at the end of a session: bring writes what was said
// as transcripts, and the passes distil just those transcripts, whatever else
// waits. The summary is compared with older ones, claims are filed, the pages that
// depend on them are made anew, and all of it is one commit, so that one revert
// takes it back. Where bring or a pass fails, what was written by then is still
// committed: what was said is never lost, and what is not distilled waits.
func (r *Runner) Remember(ctx context.Context, sources []string, bring func(ctx context.Context, change *pass.Pass) error) (done Remembered, err error) {
	done.Passes = []Report{}
	if r.cfg.DryRun {
		return done, errors.New("what was said can be remembered only by writing it")
	}
	if rep, err := r.Decide(ctx); err != nil {
		return done, err
	} else if len(rep.Written)+len(rep.Skipped) > 0 {
		done.Passes = append(done.Passes, rep)
	}
	change, err := r.cfg.Begin("remember", sources)
	if err != nil {
		return done, err
	}
	r.joint = change
	defer func() { r.joint, r.only, r.notes = nil, nil, nil }()
	err = bring(ctx, change)
	if raw, readErr := r.v.Read(r.v.Layout().Forgotten()); readErr == nil {
		r.cfg.Forgotten = vault.ParseForgotten(raw) // it may have grown
	}
	r.only = map[vault.Path]bool{}
	for _, p := range change.Written() {
		if p.Under(r.v.Layout().Folder("transcripts")) {
			r.only[p] = true
		}
	}
	if err == nil && len(r.only) > 0 {
		var reports []Report
		reports, err = r.run(ctx, NewView(r.v), names)
		done.Passes = append(done.Passes, reports...)
	}
	if !change.Changed() {
		return done, errors.Join(err, change.Abandon())
	}
	res, commitErr := change.Commit(context.WithoutCancel(ctx), r.remembered(), strings.Join(r.notes, "\n"))
	if res.Made() {
		done.Commit = res.Commit.ID.String()
	}
	return done, errors.Join(err, commitErr)
}

// remembered is the first line of the commit of Remember.
func (r *Runner) remembered() string {
	var titles []string
	for p := range r.only {
		if n, err := r.v.Head(p); err == nil {
			titles = append(titles, vault.Parse(p, n).Title())
		}
	}
	slices.Sort(titles)
	switch len(titles) {
	case 0:
		return "remember: nothing that was distilled"
	case 1:
		return "remember: " + clipWords(titles[0], 10)
	}
	return "remember: " + count(len(titles), "session")
}
