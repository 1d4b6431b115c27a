package main

import (
	"errors"
	"os"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/places"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A session is a vault that a command works on, with its settings and places.
type session struct {
	dir      string
	settings *config.Settings
	places   places.Vault
	vault    *vault.Vault
	lock     *vault.Lock
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

// openToWrite is open for a command that writes: it takes the vault's lock, in
// the command's name.
func (a *app) openToWrite(what string, flags ...config.Flag) (*session, error) {
	s, err := a.open(flags...)
	if err != nil {
		return nil, err
	}
	s.lock, err = vault.Acquire(s.places.State, vault.Holder{PID: os.Getpid(), What: what, Since: a.now()})
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if err := s.vault.Sweep(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// history opens the vault's git repository.
func (s *session) history() (*history.Repo, error) {
	return history.Open(s.dir, history.Config{})
}

// Close gives the lock back and closes the vault.
func (s *session) Close() error {
	var err error
	if s.lock != nil {
		err = s.lock.Release()
	}
	return errors.Join(err, s.vault.Close())
}
