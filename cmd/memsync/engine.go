package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// openOwnIndex opens the vault's index as it is.
func (a *app) openOwnIndex(ctx context.Context, s *session) (*index.Index, error) {
	return a.openIndexIn(ctx, s, filepath.Join(s.places.Cache, "index"), s.vectors())
}

// vectors is the file of the vault's cache of vectors.
func (s *session) vectors() string { return filepath.Join(s.places.Cache, "index", "vectors.db") }

// openIndexIn opens an index of the vault that lies in dir. Vectors come from the
// cache in the file vectors.
func (a *app) openIndexIn(ctx context.Context, s *session, dir, vectors string) (*index.Index, error) {
	return a.openIndexAs(ctx, s, dir, index.Config{
		CachePath: vectors, Discarded: a.discarded(), Progress: func(int, int) { a.longer() },
	})
}

// openIndexAs opens an index with what every index of the vault has in its Config.
func (a *app) openIndexAs(ctx context.Context, s *session, dir string, cfg index.Config) (*index.Index, error) {
	e, err := a.embedder(s.settings)
	if err != nil {
		return nil, err
	}
	if cfg.RedactAfter, err = s.strictAfter(); err != nil {
		return nil, err
	}
	cfg.Redact = func(text string) string { return cfg.RedactAfter("", text) }
	cfg.Log, cfg.Now, cfg.Resolve, cfg.Fresh = a.log(), a.now, otherEmbedder, a.fresh
	return index.Open(ctx, dir, a.recorded(s, e), cfg)
}

// alone runs work as the only process that updates the index. It reports false,
// and does nothing, while another one does.
func (a *app) alone(ctx context.Context, s *session, work func() error) (bool, error) {
	if a.hosts(s) {
		return true, a.hostUpdate(ctx, work)
	}
	lock, err := vault.Acquire(filepath.Join(s.places.State, "index"), vault.Holder{PID: os.Getpid(), What: "index", Since: a.now()})
	var locked *vault.LockedError
	if errors.As(err, &locked) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if err = work(); err == nil {
		noteReconcile(s.places.State, a.now())
	}
	return true, errors.Join(err, lock.Release())
}

// updateIndex brings the index in step with the vault.
func (a *app) updateIndex(ctx context.Context, s *session) (r index.Report, err error) {
	x, err := a.openIndex(ctx, s)
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	bar := a.progress()
	bar.Start("indexing", -1, output.Items)
	defer bar.Done()
	mine, err := a.alone(ctx, s, func() (err error) {
		r, err = x.Sync(ctx, s.vault)
		return err
	})
	if err == nil && !mine {
		a.notice("another process is updating the index; it will find these notes as well")
	}
	return r, err
}

// A reader is an index that answers, and what its answers should say.
type reader struct {
	*openedIndex
	// read returns a note of the vault that the index shows.
	read func(p vault.Path) ([]byte, error)
	// fresh says that the index is in step with that vault.
	fresh bool
	notes []string
}

// openReader opens the index for a question, in step with the vault. While
// another process updates it, the answer comes from what is there and says so;
// where it cannot be written, from a copy. With at, a revision or a date, it is
// the index of the vault as it was then.
func (a *app) openReader(ctx context.Context, s *session, at string) (*reader, error) {
	r := &reader{read: s.vault.Read, fresh: true}
	defer a.working("reading what changed")()
	err := a.openToRead(ctx, s, r, at)
	if why := unwritable(err); why != nil {
		err = a.readAside(ctx, s, r, at, why)
	}
	if err != nil && r.openedIndex != nil {
		err = errors.Join(err, r.Close())
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// openToRead opens the index for a question where it can be written. An error
// leaves what it opened to the caller.
func (a *app) openToRead(ctx context.Context, s *session, r *reader, at string) (err error) {
	if r.openedIndex, err = a.openIndex(ctx, s); err != nil {
		return err
	}
	x := r.openedIndex
	if at != "" {
		return a.goBack(ctx, s, r, at)
	}
	if a.hosts(s) {
		r.fresh = a.host.Settle(ctx)
		return nil
	}
	var warming sync.WaitGroup
	warming.Go(func() { x.Warm(ctx) }) // most often nothing changed
	mine, err := a.alone(ctx, s, func() error {
		report, err := x.Sync(ctx, s.vault)
		r.notes = report.Notes
		return err
	})
	warming.Wait()
	if err == nil && !mine {
		var behind int
		if behind, err = x.Behind(ctx, s.vault); behind > 0 {
			r.fresh = false
			r.notes = append(r.notes, fmt.Sprintf("another process is updating the index; %s may be missing from this answer",
				output.Count(behind, "note that changed", "notes that changed")))
		}
	}
	return err
}
