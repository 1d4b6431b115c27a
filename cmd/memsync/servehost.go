package main

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/daemon"
)

// hostHTTP answers over HTTP in the daemon, at http.addr, until ctx is done. Port 0
// there means that it does not. An address that is taken, by the daemon of another
// vault perhaps, is a warning: everything else works without.
func (a *app) hostHTTP(ctx context.Context, d *daemon.Daemon) {
	for { // only the daemon that got the vault answers for it
		if o, done := d.Open(); o != nil {
			done()
			break
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(50 * time.Millisecond):
		}
	}
	s, err := a.open()
	if err != nil {
		a.log().Warn("http", "error", err)
		return
	}
	defer s.Close()
	if _, port, err := net.SplitHostPort(s.settings.HTTP.Addr); err != nil || port == "0" {
		return
	}
	cfg, err := a.httpConfig(s)
	if err != nil {
		a.log().Warn("http", "error", err)
		return
	}
	h := &hosted{a: a, s: s, d: d}
	cfg.Open = h.open
	l, err := cfg.Listen(ctx)
	if err != nil {
		a.log().Warn("http", "error", err)
		return
	}
	a.log().Info("answering", "url", "http://"+l.Addr().String())
	if err := cfg.Serve(ctx, l); err != nil {
		a.log().Warn("http", "error", err)
	}
}

// hosted answers from what the daemon has open.
type hosted struct {
	a *app
	s *session
	d *daemon.Daemon

	mu sync.Mutex
	of *daemon.Opened // what m answers from
	m  *answer.Memory
}

// open is an httpapi.Config's.
func (h *hosted) open(context.Context) (*answer.Memory, func(), error) {
	o, done := h.d.Open()
	if o == nil {
		return nil, nil, errors.New("the daemon is opening the vault")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.of != o {
		s := *h.s
		s.vault = o.Vault
		m, err := h.a.memoryOf(&s, o.Index, func(context.Context) string {
			if h.d.InStep() {
				return ""
			}
			return indexBehind
		})
		if err != nil {
			done()
			return nil, nil, err
		}
		h.of, h.m = o, m
	}
	return h.m, done, nil
}
