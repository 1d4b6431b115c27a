package main

import (
	"context"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// shares are the settings' bounds of depth. A setting of 0 means none, which the
// package writes as less than 0.
func shares(s config.Synth) salience.Shares {
	part := func(percent int) float64 {
		if percent == 0 {
			return -1
		}
		return float64(percent) / 100
	}
	out := salience.Shares{Deep: part(s.DeepPercent), Brief: part(s.BriefPercent), Whole: s.Whole}
	if s.Whole == 0 {
		out.Whole = -1
	}
	return out
}

// readingRunner is a runner that only answers questions.
func (s *session) readingRunner() *synth.Runner {
	return synth.NewRunner(s.vault, synth.Config{Me: s.settings.Me, State: s.places.State, Secret: secret()})
}

// explain scores a transcript, and says in which parts the score lies.
func (s *session) explain(ctx context.Context, n *vault.Note) (salience.Score, error) {
	return s.readingRunner().Explain(ctx, n)
}

// wait counts the conversations that are imported and not distilled.
func (r *statusResult) wait(ctx context.Context, _ *app, s *session) (err error) {
	r.Backlog, err = s.readingRunner().Backlog(ctx)
	return err
}
