package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// A command runs in a process of its own, or in the daemon that holds the vault.
// There it uses the daemon's index and takes turns instead of locks; all else is
// the same.

// hosts reports whether this runs in the daemon of a session's vault.
func (a *app) hosts(s *session) bool { return a.host != nil && a.hostOf == s.places.State }

// discarded is what to do when the index was damaged and is empty now: the daemon
// builds it again, and says meanwhile that it is not in step. A process of its own
// does so at its next look.
func (a *app) discarded() func() {
	if a.host == nil {
		return nil
	}
	return a.host.Lost
}

// A releaser is the right to write the vault, until it is given back.
type releaser interface{ Release() error }

// acquire takes the vault's lock, or the turn to write it.
func (a *app) acquire(ctx context.Context, s *session, what string) (releaser, error) {
	if !a.hosts(s) {
		return vault.Acquire(s.places.State, vault.Holder{PID: os.Getpid(), What: what, Since: a.now()})
	}
	end, err := a.host.Write(ctx, what)
	if err != nil {
		return nil, err
	}
	return release(end), nil
}

type release func()

func (r release) Release() error {
	r()
	return nil
}

// hostUpdate runs work as the only one in the daemon that updates the index.
func (a *app) hostUpdate(ctx context.Context, work func() error) error {
	end, err := a.host.Update(ctx)
	if err != nil {
		return err
	}
	defer end()
	return work()
}

// absolute makes the paths that a person typed absolute: a daemon is in another
// folder than they are.
func (a *app) absolute(paths []string) ([]string, error) {
	wd, err := a.getwd()
	if err != nil {
		return nil, err
	}
	out := make([]string, len(paths))
	for i, p := range paths {
		if out[i] = p; !filepath.IsAbs(p) {
			out[i] = filepath.Join(wd, p)
		}
	}
	return out, nil
}

// An openedIndex is an index of this command's own, or the daemon's.
type openedIndex struct {
	*index.Index
	shared func() // says that the daemon's is no longer used
	dir    string // is deleted with the index, "" for none
}

// Close closes the index, or leaves it to the daemon.
func (x *openedIndex) Close() error {
	if x.shared == nil {
		err := x.Index.Close()
		if x.dir != "" {
			err = errors.Join(err, os.RemoveAll(x.dir))
		}
		return err
	}
	x.shared()
	x.shared = func() {}
	return nil
}

// openIndex opens the vault's index as it is, or takes the daemon's.
func (a *app) openIndex(ctx context.Context, s *session) (*openedIndex, error) {
	if a.hosts(s) {
		if o, done := a.host.Open(); o != nil {
			return &openedIndex{Index: o.Index, shared: done}, nil
		}
	}
	x, err := a.openOwnIndex(ctx, s)
	if err != nil {
		return nil, err
	}
	return &openedIndex{Index: x}, nil
}
