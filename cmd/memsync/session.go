package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"time"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/places"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// A session is a vault that a command works on, with its settings and places.
type session struct {
	dir      string
	settings *config.Settings
	places   places.Vault
	vault    *vault.Vault
}

// open finds and opens the vault. The caller closes the session.
func (a *app) open(flags ...config.Flag) (*session, error) {
	dir, s, at, err := a.vaultSettings(flags...)
	if err != nil {
		return nil, err
	}
	for _, q := range s.Requests {
		if !q.Trusted {
			a.notice("%s", untrusted(q))
		}
	}
	v, err := vault.Open(dir, vault.Config{Root: s.Root, Ignore: s.Ignore})
	if err != nil {
		return nil, err
	}
	own := at.Vault(dir)
	if err := own.Make(); err != nil {
		return nil, errors.Join(err, v.Close())
	}
	return &session{dir: dir, settings: s, places: own, vault: v}, nil
}

// A writer is a session that holds the vault's lock and may change it.
type writer struct {
	*session
	lock releaser
	repo *history.Repo
	now  func() time.Time
	// near compares summaries, for the runner.
	near *nearness
	// run names this run of a command in the trailers of its commits.
	run string
	// model is the language model of the run, nil for none.
	model *languageModel
}

// openToWrite is open for a command that writes, in the command's name. It first
// commits what an interrupted pass left behind.
func (a *app) openToWrite(ctx context.Context, what string, flags ...config.Flag) (*writer, error) {
	s, err := a.open(flags...)
	if err != nil {
		return nil, err
	}
	w := &writer{session: s, now: a.now, run: runID(a.now())}
	if w.lock, err = a.acquire(ctx, s, what); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if w.repo, err = s.history(); err != nil {
		return nil, errors.Join(err, w.Close())
	}
	res, err := pass.Recover(ctx, s.vault, w.repo, s.places.State, a.now())
	if err != nil {
		return nil, errors.Join(err, w.Close())
	}
	if res.Made() {
		a.notice("committed what an interrupted run had written (%s)", output.Count(len(res.Files), "file", "files"))
	}
	return w, nil
}

// begin starts one change of the vault.
func (w *writer) begin(name string, sources []string) (*pass.Pass, error) {
	p, err := pass.Begin(w.vault, w.repo, w.places.State, w.now, history.Trailers{Run: w.run, Pass: name, Sources: sources})
	if err != nil {
		return nil, err
	}
	p.LeavePersonal = w.settings.Commit != "quiet"
	p.Secret = secretKind(w.settings.Privacy)
	return p, nil
}

// Close gives the lock back and closes the vault.
func (w *writer) Close() error {
	return errors.Join(w.near.Close(), w.lock.Release(), w.session.Close())
}

// runID names a run: when it began, and two bytes of chance, so that two machines
// do not give the same name.
func runID(now time.Time) string {
	var b [2]byte
	_, _ = rand.Read(b[:]) // crypto/rand never fails
	return now.UTC().Format("20060102-150405-") + hex.EncodeToString(b[:])
}

// history opens the vault's git repository.
func (s *session) history() (*history.Repo, error) {
	return history.Open(s.dir, history.Config{})
}

// Close closes the vault.
func (s *session) Close() error { return s.vault.Close() }
