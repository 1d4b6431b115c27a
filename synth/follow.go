package synth

import (
	"context"
	"errors"
	"strings"
)

// dependents are the passes that write what claims and pages are shown on: a claim
// that the person accepted, pinned or forgot is not to be read otherwise there.
var dependents = []string{"topics", "profile", "boot"}

// theirs are the changes that the person asks for by name. No gate holds them back,
// and a vault that is set to propose makes no proposals of them.
var theirs = []string{"review", "pin", "rate", "merge", "forget"}

// commitFollowed makes one commit of a change and, where the Config says so, of the
// pages that depend on it. Where those cannot be made, the change is committed all
// the same and the error says why.
func (r *Runner) commitFollowed(ctx context.Context, name string, w *View, made Made) (rep Report, err error) {
	if !r.cfg.Follow || r.cfg.DryRun || r.joint != nil {
		return r.commit(ctx, name, w, made)
	}
	change, err := r.cfg.Begin(name, made.Sources)
	if err != nil {
		return Report{}, err
	}
	r.joint = change
	defer func() { r.joint, r.notes = nil, nil }()
	rep, err = r.commit(ctx, name, w, made)
	if err != nil || !change.Changed() {
		return rep, errors.Join(err, change.Abandon())
	}
	rep.Followed, err = r.run(ctx, NewView(r.v), dependents)
	subject := rep.Subject
	if subject == "" { // nothing but proposals came of it
		subject = name + ": " + made.Subject
	}
	res, commitErr := change.Commit(context.WithoutCancel(ctx), subject, strings.Join(r.notes, "\n"))
	if res.Made() {
		rep.Commit, rep.Subject = res.Commit.ID.String(), res.Commit.Subject
	}
	return rep, errors.Join(err, commitErr)
}
