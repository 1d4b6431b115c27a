package main

import (
	"context"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/synth/llm/batch"
)

// The pauses between two looks at a batch that is with the provider: most are
// answered within the hour, and a day is what the providers promise.
const (
	firstBatchLook = time.Minute
	mostBatchPause = 30 * time.Minute
	// noticeBatch is how often the daemon looks whether a batch is still there.
	noticeBatch = 10 * time.Second
)

// followBatches has the daemon fetch what batches of the language model bring, until
// ctx is done: those that a command submitted and left, or that were under way when
// the daemon before this one ended. On hints it looks whether there are any.
func (a *app) followBatches(ctx context.Context, state string, hints <-chan struct{}) {
	wd, err := a.getwd()
	if err != nil {
		wd = state // no path is resolved against it
	}
	file := filepath.Join(state, batchFile)
	pollBatches(ctx, hints, func() bool { return batch.Pending(file) }, func() {
		var said strings.Builder
		status := a.serve(ctx, daemon.Request{
			Args: []string{"synth", "--no-wait", "--vault=" + a.vaultFlag}, Dir: wd, Env: a.environment(),
		}, strings.NewReader(""), io.Discard, &said)
		a.log().Info("looked for the batches of the language model", "status", status, "notices", said.String())
	})
}

// pollBatches calls look while there is a batch, after pauses that double, and from
// the first pause again for the next one. Where there is none it waits for a hint.
func pollBatches(ctx context.Context, hints <-chan struct{}, pending func() bool, look func()) {
	for {
		pause, waited := firstBatchLook, time.Duration(0)
		for pending() {
			select {
			case <-ctx.Done():
				return
			case <-time.After(noticeBatch):
			}
			if waited += noticeBatch; waited >= pause && pending() {
				look()
				pause, waited = min(2*pause, mostBatchPause), 0
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-hints:
		}
	}
}
