// Package index finds what is in a vault.
//
// It is the read path's engine: Update and Sync bring the index in step with
// the notes, Search answers. The index is a cache beside the vault. It can be
// deleted at any moment; damaged files are moved aside and built again, and each
// answer says what it was missing when it was made (Result.Notes).
//
// The way of a note: package chunk cuts it into turns, passages and claims;
// package lexical makes terms of their words and an embed.Embedder makes vectors
// of their meaning; package store keeps all of that, in one transaction a batch.
// The way of a query: its terms' postings and its vector meet the corpus, which
// is held in memory as columns, in package rank; the best chunks are read from
// the store.
//
// A search asks no lock and waits for no writer. One process should update an
// index at a time; nothing breaks where two do.
package index

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/sqlite"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// ErrDamaged is wrapped by the errors of an index whose file cannot be trusted.
// The damaged file has been moved aside: Sync fills a new one.
var ErrDamaged = store.ErrDamaged

// An Index is an open index. It may be used by several goroutines.
type Index struct {
	dir string
	e   embed.Embedder
	cfg Config

	// mu guards st, which is replaced when a rebuilt index takes its place.
	// Whoever uses st holds it for reading.
	mu   sync.RWMutex
	st   *sqlite.Store
	name string // of st's file in dir

	cacheMu sync.Mutex
	cache   *sqlite.Cache

	snapMu sync.Mutex
	snap   *snapshot

	room sync.Pool // *[]float32, for the cosines of a search

	gatherMu sync.Mutex
	gathered *gathered

	calMu sync.Mutex
	cal   *embed.Calibration

	rateMu  sync.Mutex
	ratings map[string]float64 // nil until they are read

	noteMu sync.Mutex
	notes  []string // what opening had to do, until an answer said it
}

// A Config says how an index works. Its zero value works.
type Config struct {
	// Log gets what its owner should know; nil discards.
	Log *slog.Logger
	// Now is the clock. Without one every file counts as just written and is
	// read to see whether it changed.
	Now func() time.Time
	// Progress is called from time to time with how many of the changed notes
	// are done, and of how many; 0 where that is not known.
	Progress func(done, of int)
	// Redact takes secrets out of text before it is indexed; nil keeps all.
	Redact func(text string) string
	// RedactAfter is Redact for a turn of a conversation: what a bare answer holds is
	// known by the turn before it. nil is Redact.
	RedactAfter func(previous, text string) string
	// Resolve returns the embedder of another model than the index's own, nil
	// where there is none. It lets searches by meaning go on in the old space
	// while the vectors of a new model are made.
	Resolve func(m embed.Model) embed.Embedder
	// Workers is how many notes are prepared at once; 0 is one a core.
	Workers int
	// CacheBytes bounds the vectors that are kept for texts that are no longer
	// there; 0 is 256 MiB.
	CacheBytes int64
	// CachePath is the file of the vector cache; "" is vectors.db in the index's
	// folder.
	CachePath string
	// Discarded is called after a damaged index was moved aside: the one in use
	// is empty until it is brought in step. It must not block.
	Discarded func()
	// Frozen opens the index as it lies there and writes nothing: it can be
	// searched and not updated.
	Frozen bool
	// Fresh says whether the index is in step with the vault, where somebody
	// knows; nil leaves Result.Fresh unknown.
	Fresh func() bool
}

// Open opens the index in dir, a folder of its own, and makes it where it is not
// there. It starts nothing. A nil embedder gives an index without meaning:
// keywords only.
func Open(ctx context.Context, dir string, e embed.Embedder, cfg Config) (*Index, error) {
	if cfg.Log == nil {
		cfg.Log = slog.New(slog.DiscardHandler)
	}
	if cfg.Now == nil {
		cfg.Now = func() time.Time { return time.Time{} }
	}
	if cfg.Workers <= 0 {
		cfg.Workers = runtime.GOMAXPROCS(0)
	}
	if cfg.CachePath == "" {
		cfg.CachePath = filepath.Join(dir, "vectors.db")
	}
	x := &Index{dir: dir, e: e, cfg: cfg}
	x.room.New = func() any { return new([]float32) }
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if err := x.reopen(ctx); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	return x, nil
}

// Close closes the index's files.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.cacheMu.Lock()
	defer x.cacheMu.Unlock()
	err := x.st.Close()
	if x.cache != nil {
		err = errors.Join(err, x.cache.Close())
	}
	return err
}

// pointer names the file of the index in use. A rebuilt index is a new file
// that takes the old one's place in it, at once.
const pointer = "CURRENT"

// firstStore is the file of an index that was never rebuilt.
const firstStore = "index-1.db"

var storeName = lazyregexp.New(`^index-([0-9]+)\.db$`)

// current is the name of the file in use, that of a first one where there is none.
func (x *Index) current() string {
	text, err := os.ReadFile(filepath.Join(x.dir, pointer))
	if name := strings.TrimSpace(string(text)); err == nil && storeName.MatchString(name) {
		return name
	}
	return firstStore
}

// reopen opens the file in use. The caller holds mu, or nobody else has x yet.
func (x *Index) reopen(ctx context.Context) error {
	name := x.current()
	open := sqlite.Open
	if x.cfg.Frozen {
		open = sqlite.OpenFrozen
	}
	st, err := open(ctx, filepath.Join(x.dir, name))
	if err != nil {
		return err
	}
	x.tell(st.Notes()...)
	if x.st != nil {
		err = x.st.Close()
	}
	x.st, x.name = st, name
	if !x.cfg.Frozen {
		x.sweep()
	}
	return err
}

// sweep deletes the files of indexes that were replaced or never finished.
func (x *Index) sweep() {
	entries, _ := os.ReadDir(x.dir)
	number := func(name string) int {
		m := storeName.FindStringSubmatch(name)
		if m == nil {
			return -1
		}
		n, _ := strconv.Atoi(m[1])
		return n
	}
	for _, e := range entries {
		base := strings.TrimSuffix(strings.TrimSuffix(e.Name(), "-wal"), "-shm")
		// A higher number is an index that another process may be building.
		if n := number(base); n >= 0 && n < number(x.name) {
			_ = os.Remove(filepath.Join(x.dir, e.Name()))
		}
	}
}

// tell keeps a sentence for the next answer.
func (x *Index) tell(notes ...string) {
	for _, n := range notes {
		x.cfg.Log.Warn("index", "note", n)
	}
	x.noteMu.Lock()
	x.notes = append(x.notes, notes...)
	x.noteMu.Unlock()
}

// told returns what was kept for the answer, once.
func (x *Index) told() []string {
	x.noteMu.Lock()
	defer x.noteMu.Unlock()
	out := x.notes
	x.notes = nil
	return out
}

// use calls fn with the store in use. A store that another process replaced
// meanwhile is left for its successor; one that turns out to be damaged is moved
// aside and replaced by an empty one, and the error says so.
func (x *Index) use(ctx context.Context, fn func(store.Store) error) error {
	for try := 0; ; try++ {
		st, name, err := x.useOnce(ctx, fn)
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case name != x.current() && try < 3:
			continue // its file was deleted under it
		case errors.Is(err, store.ErrDamaged) && st != nil && !x.cfg.Frozen:
			return errors.Join(err, x.discard(ctx, st, err))
		}
		return err
	}
}

func (x *Index) useOnce(ctx context.Context, fn func(store.Store) error) (*sqlite.Store, string, error) {
	x.mu.RLock()
	defer func() { x.mu.RUnlock() }()
	if x.name != x.current() {
		x.mu.RUnlock()
		err := x.follow(ctx)
		x.mu.RLock()
		if err != nil {
			return nil, x.name, err
		}
	}
	return x.st, x.name, fn(x.st)
}

// follow opens the store that took the place of the one that is open.
func (x *Index) follow(ctx context.Context) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.name == x.current() {
		return nil
	}
	return x.reopen(ctx)
}

// discard moves a damaged store aside and opens an empty one.
func (x *Index) discard(ctx context.Context, bad *sqlite.Store, why error) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.st != bad {
		return nil // somebody else was faster
	}
	_ = bad.Close()
	note, err := sqlite.MoveAside(bad.Path(), why)
	if err != nil {
		return err
	}
	x.tell(note)
	st, err := sqlite.Open(ctx, bad.Path())
	if err != nil {
		return err
	}
	x.st = st
	if x.cfg.Discarded != nil {
		x.cfg.Discarded()
	}
	return nil
}

// view calls fn with a reader of the store in use.
func (x *Index) view(ctx context.Context, fn func(store.Reader) error) error {
	return x.use(ctx, func(st store.Store) error { return st.View(ctx, fn) })
}

// vectorCache opens the cache at its first use.
func (x *Index) vectorCache(ctx context.Context) (*sqlite.Cache, error) {
	x.cacheMu.Lock()
	defer x.cacheMu.Unlock()
	if x.cache == nil {
		c, err := sqlite.OpenCache(ctx, x.cfg.CachePath, x.cfg.CacheBytes)
		if err != nil {
			return nil, err
		}
		x.tell(c.Notes()...)
		x.cache = c
	}
	return x.cache, nil
}

// Rest gives back memory that only updates need, and what SQLite keeps of the
// index's files. It is for a process that keeps an index open for long; the next
// use takes it again.
func (x *Index) Rest() {
	x.mu.RLock()
	defer x.mu.RUnlock()
	x.st.Rest()
	x.cacheMu.Lock()
	defer x.cacheMu.Unlock()
	if x.cache != nil {
		x.cache.Rest()
	}
}

// Rebuild builds a new index from a source beside the one in use, which answers
// meanwhile, and puts it in its place. Texts that were embedded before are not
// embedded again.
func (x *Index) Rebuild(ctx context.Context, src Source) (Report, error) {
	n := 1
	if m := storeName.FindStringSubmatch(x.current()); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	name := fmt.Sprintf("index-%d.db", n+1)
	path := filepath.Join(x.dir, name)
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(path + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return Report{}, fmt.Errorf("index: rebuild: %w", err)
		}
	}
	st, err := sqlite.Open(ctx, path)
	if err != nil {
		return Report{}, fmt.Errorf("index: rebuild: %w", err)
	}
	report, err := x.sync(ctx, st, src)
	if err = errors.Join(err, st.Close()); err != nil {
		return report, fmt.Errorf("index: rebuild: %w", err)
	}
	if err := x.point(name); err != nil {
		return report, fmt.Errorf("index: rebuild: %w", err)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	return report, x.reopen(ctx)
}

// point makes a file the one in use.
func (x *Index) point(name string) error {
	f, err := os.CreateTemp(x.dir, pointer+".*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(name + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(x.dir, pointer))
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
