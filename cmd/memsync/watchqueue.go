package main

import (
	"context"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/memsync/memsync/cmd/internal/daemon"
	"github.com/memsync/memsync/cmd/internal/hooks"
	"github.com/memsync/memsync/sync/watch"
)

// betweenSessions is how soon the queue is looked at again after sessions were
// remembered, and afterFailure after some could not be: a merge under way, say, takes
// its time.
const (
	betweenSessions = 2 * time.Second
	afterFailure    = time.Minute
)

// followQueue has the daemon remember what hooks queue, on hints, until ctx is done.
// It hints itself when something comes into the queue.
func (a *app) followQueue(ctx context.Context, state string, hints chan struct{}) {
	wd, err := a.getwd()
	if err != nil {
		wd = state // no path is resolved against it
	}
	queue := hooks.QueueIn(state)
	var watching sync.WaitGroup
	defer watching.Wait()
	watching.Go(func() {
		err := queue.Make()
		if err == nil {
			err = watch.Folder(ctx, queue.Dir(), hints)
		}
		if err != nil {
			a.log().Info("sessions that hooks queue are looked for with each heartbeat", "because", err)
		}
	})
	pause := betweenSessions // the daemon opens the vault meanwhile
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		select {
		case <-ctx.Done():
			return
		case <-hints:
		}
		if pause = 0; queue.Len() == 0 {
			continue
		}
		var said strings.Builder
		status := a.serve(ctx, daemon.Request{
			Args: []string{"hook", "process", "--vault=" + a.vaultFlag}, Dir: wd, Env: a.environment(),
		}, strings.NewReader(""), io.Discard, &said)
		a.log().Info("remembered the sessions that hooks queued", "status", status, "notices", said.String())
		if pause = betweenSessions; status != exitDone {
			pause = afterFailure
			watch.Tell(hints)
		}
	}
}
