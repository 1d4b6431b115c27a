package hooks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A Record says where the file of a session is that wants to be imported.
type Record struct {
	Event      string    `json:"event"`
	Session    string    `json:"session"`
	Transcript string    `json:"transcript"`
	Cwd        string    `json:"cwd"`
	At         time.Time `json:"at"`
	// Attempts counts the imports that failed.
	Attempts int `json:"attempts,omitempty"`
}

// A Queue is a folder of records, one a session file: a session that is queued
// again takes its own place. It lies in the vault's state folder.
type Queue struct{ dir string }

// QueueIn is the queue in a vault's state folder. It makes nothing.
func QueueIn(state string) Queue { return Queue{filepath.Join(state, "sessions")} }

// Make makes the queue's folder where there is none, open to its owner alone.
func (q Queue) Make() error { return os.MkdirAll(q.dir, 0o700) }

// Dir is the queue's folder.
func (q Queue) Dir() string { return q.dir }

const (
	maxQueue    = 1000 // records; a person who runs that many agents has a daemon
	maxAttempts = 5    // a file that fails so often is not a session
	queued      = ".json"
	taken       = ".work" // a record that is being worked on
)

// Put queues a record. It is on the disk, whole, when Put returns.
func (q Queue) Put(r Record) (err error) {
	if !filepath.IsAbs(r.Transcript) {
		return fmt.Errorf("the host named no session file (%q)", r.Transcript)
	}
	if err := q.Make(); err != nil {
		return err
	}
	if names, err := q.names(); err == nil && len(names) >= maxQueue {
		return fmt.Errorf("%d sessions wait already", len(names))
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(q.dir, "new-*.tmp")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(append(raw, '\n')); err != nil {
		return errors.Join(err, f.Close())
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(filepath.Clean(r.Transcript)))
	return os.Rename(f.Name(), filepath.Join(q.dir, hex.EncodeToString(sum[:8])+queued))
}

// Len is how many records wait.
func (q Queue) Len() int {
	names, _ := q.names() // a queue that is not there is empty
	return len(names)
}

// names are the files of records, also of those that a process which died had
// taken.
func (q Queue) names() ([]string, error) {
	entries, err := os.ReadDir(q.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if ext := filepath.Ext(e.Name()); ext == queued || ext == taken {
			names = append(names, e.Name())
		}
	}
	return names, err
}

// Work hands each record to do, oldest first, and forgets it when do succeeds. A
// record whose file is gone is forgotten too; one that fails is tried again the
// next time, a few times. One process may work at a time: whoever calls holds the
// vault's lock. The error joins all failures and says what was given up.
func (q Queue) Work(ctx context.Context, do func(context.Context, Record) error) (done int, err error) {
	names, err := q.names()
	if err != nil {
		return 0, err
	}
	type waiting struct {
		name string
		Record
	}
	var all []waiting
	for _, name := range names {
		r, err := q.read(name)
		if err != nil { // not ours, or damaged: nothing can be made of it
			_ = os.Remove(filepath.Join(q.dir, name))
			continue
		}
		all = append(all, waiting{name, r})
	}
	slices.SortStableFunc(all, func(a, b waiting) int { return a.At.Compare(b.At) })
	var failed []error
	for _, w := range all {
		if ctx.Err() != nil {
			return done, errors.Join(append(failed, ctx.Err())...)
		}
		ok, err := q.one(ctx, w.name, w.Record, do)
		if ok {
			done++
		}
		failed = append(failed, err)
	}
	return done, errors.Join(failed...)
}

// one works on one record. While it does, the session may be queued again.
func (q Queue) one(ctx context.Context, name string, r Record, do func(context.Context, Record) error) (ok bool, err error) {
	work := filepath.Join(q.dir, strings.TrimSuffix(name, filepath.Ext(name))+taken)
	err = os.Rename(filepath.Join(q.dir, name), work)
	if errors.Is(err, fs.ErrNotExist) { // the same session stood twice
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if _, err := os.Stat(r.Transcript); errors.Is(err, fs.ErrNotExist) {
		return false, os.Remove(work)
	}
	if err := do(ctx, r); err == nil {
		return true, os.Remove(work)
	} else if ctx.Err() != nil {
		return false, err // it stays taken, and is found again
	} else if r.Attempts++; r.Attempts >= maxAttempts {
		return false, errors.Join(fmt.Errorf("%s is given up after %d attempts: %w", r.Transcript, r.Attempts, err), os.Remove(work))
	} else {
		return false, errors.Join(err, q.Put(r), os.Remove(work))
	}
}

func (q Queue) read(name string) (r Record, err error) {
	raw, err := os.ReadFile(filepath.Join(q.dir, name))
	if err == nil {
		err = json.Unmarshal(raw, &r)
	}
	if err == nil && r.Transcript == "" {
		err = errors.New("no session file")
	}
	return r, err
}
