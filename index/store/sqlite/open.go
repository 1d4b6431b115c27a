// Package sqlite keeps the index in one SQLite file, in pure Go.
//
// The file is in WAL mode: one process writes at a time, and nobody who reads
// waits for it. Each batch is one transaction. The last ones may be lost with
// the power, which the next look at the vault repairs; half of one is never
// there.
//
// A file that is torn, cut short, foreign or newer is moved aside, never read
// and never deleted without a trace: Open says what it did in Notes.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"github.com/memsync/memsync/index/store"
)

// A Store keeps an index in one file. It implements store.Store.
type Store struct {
	path  string
	write *sql.DB // one connection
	read  *sql.DB

	writing sync.Mutex
	notes   []string
}

var _ store.Store = (*Store)(nil)

// Open opens the index in the file at path and makes it where it is not there.
// A file that cannot be used is moved aside first; Notes says so.
func Open(ctx context.Context, path string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, err
	}
	if err := create(path); err != nil {
		return nil, err
	}
	s, err := open(ctx, path)
	if err == nil || !errors.Is(err, store.ErrDamaged) {
		return s, err
	}
	note, err := MoveAside(path, err)
	if err != nil {
		return nil, err
	}
	if err = create(path); err != nil {
		return nil, err
	}
	if s, err = open(ctx, path); err != nil {
		return nil, err
	}
	s.notes = append(s.notes, note)
	return s, nil
}

// Notes are sentences about what Open had to do.
func (s *Store) Notes() []string { return s.notes }

// Path is the store's file.
func (s *Store) Path() string { return s.path }

func open(ctx context.Context, path string) (*Store, error) {
	write, err := connect(path, true, writeCache)
	if err != nil {
		return nil, err
	}
	read, err := connect(path, false, readCache)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	s := &Store{path: path, write: write, read: read}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(trouble(path, err), s.Close())
	}
	return s, nil
}

// useWAL puts a file in which there is nothing yet into WAL mode, by way of a pool of one
// connection. Two processes may do so at once, and SQLite waits for nobody then: the one
// that comes second tries again, until the first has done it.
func useWAL(ctx context.Context, db *sql.DB) (err error) {
	const tries, pause = 200, 25 * time.Millisecond
	defer func() {
		_, patient := db.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf(`PRAGMA busy_timeout = %d`, patience))
		err = errors.Join(err, patient)
	}()
	for n := 1; ; n++ {
		_, err = db.ExecContext(ctx, `PRAGMA busy_timeout = 0; PRAGMA journal_mode = wal`)
		var e *sqlite.Error
		if !errors.As(err, &e) || e.Code()&0xff != lib.SQLITE_BUSY || n == tries {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}

// create makes an empty file where there is none. Connections do not: one that is
// opened after the file was replaced must not bring it back, empty.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// How many KiB of pages a connection keeps. A page that is not kept comes from the
// system's cache of files.
const (
	writeCache  = 3072 // most of what one batch changes
	vectorCache = 1024 // blocks are put at the end, and read once
	readCache   = 1024
)

// connect makes a pool of connections with so much cache each. Pages of 8 KiB search a
// twentieth faster than these of 4 and take 10 MB more memory.
//
// That the file is in WAL mode stands in the file. A connection that asked for it
// anew would have to lock everybody out where somebody has emptied the file, and would
// wait for as long as anybody has it open.
func connect(path string, write bool, cache int) (*sql.DB, error) {
	q := url.Values{"mode": {"rw"}, "_pragma": {"page_size(4096)", fmt.Sprintf("busy_timeout(%d)", patience), "synchronous(normal)",
		"journal_size_limit(33554432)", "temp_store(memory)", fmt.Sprintf("cache_size(-%d)", cache)}}
	n := connections(write)
	if write {
		q.Set("_txlock", "immediate")
	} else {
		q.Add("_pragma", "query_only(1)")
	}
	u := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(path), RawQuery: q.Encode()}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(n)
	db.SetMaxIdleConns(n)
	return db, nil
}

// connections is how many a pool has.
func connections(write bool) int {
	if write {
		return 1
	}
	return max(4, runtime.GOMAXPROCS(0))
}

// Rest closes the connections that nobody uses, which gives their memory back. The
// next use opens others.
func (s *Store) Rest() {
	rest(s.read, false)
	rest(s.write, true)
}

func rest(db *sql.DB, write bool) {
	db.SetMaxIdleConns(0)
	db.SetMaxIdleConns(connections(write))
}

// prepare checks that the file is an index of ours, and makes a new one in an
// empty file.
func (s *Store) prepare(ctx context.Context) error {
	var app, version, tables int64
	row := s.read.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
		(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`)
	if err := row.Scan(&app, &version, &tables); err != nil {
		// A reader cannot make the file; the first connection that writes does.
		row := s.write.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id),
			(SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema)`)
		if err := row.Scan(&app, &version, &tables); err != nil {
			return err
		}
	}
	switch {
	case tables == 0 && app == 0:
		return s.fill(ctx)
	case app != applicationID:
		return fmt.Errorf("%w: it is another program's database", store.ErrDamaged)
	case version > schemaVersion:
		return fmt.Errorf("%w: a newer memsync wrote it (format %d)", store.ErrDamaged, version)
	case version != schemaVersion:
		return fmt.Errorf("%w: an older memsync wrote it (format %d)", store.ErrDamaged, version)
	}
	if err := s.View(ctx, s.probe); err != nil && ctx.Err() == nil {
		return fmt.Errorf("%w: %w", store.ErrDamaged, err)
	}
	return ctx.Err()
}

// probe asks every table for a row, so that a file with parts missing shows
// itself before it is used.
func (s *Store) probe(r store.Reader) error {
	for _, query := range []string{
		`SELECT ` + noteColumns + ` FROM notes LIMIT 1`,
		`SELECT ` + chunkColumns + ` FROM chunks c JOIN speakers s ON s.row = c.speaker LIMIT 1`,
		`SELECT row, rev, records FROM segments LIMIT 1`,
		`SELECT model, segment, missing, data FROM vectors LIMIT 1`,
		`SELECT doc FROM postings WHERE term = '' LIMIT 1`,
	} {
		rows, err := r.(*reader).tx.Query(query)
		if err != nil {
			return err
		}
		rows.Next()
		if err := errors.Join(rows.Err(), rows.Close()); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) fill(ctx context.Context) error {
	if err := useWAL(ctx, s.write); err != nil {
		return err
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var tables int
	if err := tx.QueryRowContext(ctx, `SELECT count(*) FROM sqlite_schema`).Scan(&tables); err != nil || tables > 0 {
		return err // another process was first
	}
	version := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d;", applicationID, schemaVersion)
	if _, err := tx.ExecContext(ctx, schema+version); err != nil {
		return err
	}
	return tx.Commit()
}

// Close closes the store's files.
func (s *Store) Close() error { return errors.Join(s.read.Close(), s.write.Close()) }

// keptAside is how many unusable files are kept; older ones are deleted, so that
// a machine that tears files does not fill its disk with them.
const keptAside = 2

// MoveAside gives an unusable file another name and says so.
func MoveAside(path string, why error) (note string, err error) {
	for i := keptAside; i >= 1; i-- {
		from := fmt.Sprintf("%s.damaged-%d", path, i)
		if i == keptAside {
			_ = os.Remove(from)
			continue
		}
		_ = os.Rename(from, fmt.Sprintf("%s.damaged-%d", path, i+1))
	}
	to := path + ".damaged-1"
	moved := os.Rename(path, to)
	if moved != nil && !errors.Is(moved, os.ErrNotExist) {
		return "", fmt.Errorf("move the damaged index aside: %w", moved)
	}
	// The journal belongs to the file that went; a new file must not find it.
	for _, suffix := range []string{"-wal", "-shm", "-journal"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("remove the journal of a damaged index: %w", err)
		}
	}
	if moved != nil {
		return fmt.Sprintf("%v; it is built again", why), nil
	}
	return fmt.Sprintf("%v; it was moved to %s and is built again", why, to), nil
}
