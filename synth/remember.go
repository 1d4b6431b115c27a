package synth

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/pass"
)

// Brought is what bring wrote down: a session's transcripts.
type Brought struct {
	// Conversations are the ids of the conversations, new or known.
	Conversations []string
	// Claims are things that were asked to be remembered. A proof needs its quote
	// only: it is looked for in the conversations.
	Claims []ops.Create
}

// Remembered is what came of the end of a session.
type Remembered struct {
	// Commit is the one commit, empty where nothing was new.
	Commit string `json:"commit"`
	// Passes say what each pass did within it.
	Passes []Report `json:"passes"`
	// Transcripts are those that were written.
	Transcripts []vault.Path `json:"transcripts"`
	// Claims say what became of the things that were asked to be remembered.
	Claims ops.Result `json:"claims"`
}

// Remember is the write path at the end of a session: bring writes what was said
// as transcripts, and the passes distil just those transcripts, whatever else
// waits. The summary is compared with older ones, claims are filed, the pages that
// depend on them are made anew, and all of it is one commit, so that one revert
// takes it back. Where bring or a pass fails, what was written by then is still
// committed: what was said is never lost, and what is not distilled waits.
func (r *Runner) Remember(ctx context.Context, sources []string, bring func(ctx context.Context, change *pass.Pass) (Brought, error)) (done Remembered, err error) {
	done.Passes, done.Transcripts = []Report{}, []vault.Path{}
	done.Claims = ops.Result{Applied: []ops.Done{}, Rejected: []ops.Rejection{}}
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
	brought, err := bring(ctx, change)
	if raw, readErr := r.v.Read(r.v.Layout().Forgotten()); readErr == nil {
		r.cfg.Forgotten = vault.ParseForgotten(raw) // it may have grown
	}
	r.only = map[vault.Path]bool{}
	for _, p := range change.Written() {
		if p.Under(r.v.Layout().Folder("transcripts")) {
			r.only[p] = true
			done.Transcripts = append(done.Transcripts, p)
		}
	}
	if err == nil && len(r.only)+len(brought.Claims) > 0 {
		err = r.distil(ctx, brought, &done)
	}
	if !change.Changed() {
		return done, errors.Join(err, change.Abandon())
	}
	res, commitErr := change.Commit(context.WithoutCancel(ctx), r.remembered(len(done.Claims.Applied)), strings.Join(r.notes, "\n"))
	if res.Made() {
		done.Commit = res.Commit.ID.String()
	}
	return done, errors.Join(err, commitErr)
}

// distil files the claims that were given, then runs the passes.
func (r *Runner) distil(ctx context.Context, b Brought, done *Remembered) error {
	w := NewView(r.v)
	if len(b.Claims) > 0 {
		claims, err := r.prove(ctx, w, b)
		if err != nil {
			return err
		}
		var rep Report
		if done.Claims, rep, err = r.Operate(ctx, ops.Operations{Create: claims}, false); err != nil {
			return err
		}
		done.Passes = append(done.Passes, rep)
		w = NewView(r.v)
	}
	reports, err := r.run(ctx, w, names)
	done.Passes = append(done.Passes, reports...)
	return err
}

// prove finds the turns in which the quotes of claims stand. A quote that stands
// nowhere is left for the validator to refuse.
func (r *Runner) prove(ctx context.Context, w *View, b Brought) ([]ops.Create, error) {
	paths, err := w.Paths(ctx, "transcripts")
	if err != nil {
		return nil, err
	}
	var said []*vault.Transcript
	for _, p := range paths {
		head, err := w.Head(p)
		if err != nil || !slices.Contains(b.Conversations, head.Prop("conversation")) {
			continue
		}
		n, err := w.Note(p)
		if err != nil {
			return nil, err
		}
		said = append(said, vault.ParseTranscript(n))
	}
	claims := slices.Clone(b.Claims)
	for i := range claims {
		claims[i].Provenance = slices.Clone(claims[i].Provenance)
		for j, p := range claims[i].Provenance {
			if p.Transcript == "" {
				claims[i].Provenance[j] = whereSaid(said, p)
			}
		}
	}
	return claims, nil
}

// whereSaid completes a proof with the turn in which its quote stands, the
// person's before others'.
func whereSaid(said []*vault.Transcript, p ops.Proof) ops.Proof {
	quote := vault.Fold(p.Quote)
	found := false
	for _, t := range said {
		for _, turn := range t.Turns {
			if !found && p.Transcript == "" {
				p.Transcript, p.Turn = t.Path.Stem(), turn.ID
			}
			if strings.Contains(vault.Fold(turn.Text), quote) && (!found || turn.Sender == "user") {
				p.Transcript, p.Turn, found = t.Path.Stem(), turn.ID, true
				if turn.Sender == "user" {
					return p
				}
			}
		}
	}
	return p
}

// remembered is the first line of the commit of Remember.
func (r *Runner) remembered(claims int) string {
	var titles []string
	for p := range r.only {
		if n, err := r.v.Head(p); err == nil {
			titles = append(titles, vault.Parse(p, n).Title())
		}
	}
	slices.Sort(titles)
	switch len(titles) {
	case 0:
		return "remember: " + count(claims, "claim")
	case 1:
		return "remember: " + clipWords(titles[0], 10)
	}
	return "remember: " + count(len(titles), "session")
}
