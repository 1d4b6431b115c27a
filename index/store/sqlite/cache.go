package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// A Cache keeps vectors by what they were computed from, in a file of its own:
// it outlives the index, so that building that again asks no model anything.
//
// Vectors lie in blocks of those that were put together. Beyond its bound the
// cache drops the oldest blocks.
type Cache struct {
	path  string
	db    *sql.DB
	limit int64
	notes []string

	mu    sync.Mutex
	known known
	from  int64 // the oldest block that known may hold
	upto  int64 // the last block that known holds
	total int64 // bytes of vectors, as far as uncounted allows
	// uncounted is how many times Put may go by total before it counts anew:
	// other processes put vectors as well.
	uncounted int
}

// countEvery is how often Put counts the bytes of the whole cache, which reads
// each of its blocks.
const countEvery = 1000

var _ store.VectorCache = (*Cache)(nil)

// DefaultCacheBytes bounds a cache that is given no bound: a million vectors of
// the built-in model, or a quarter million of a large one.
const DefaultCacheBytes = 256 << 20

const cacheID = 0x6d737663 // "msvc"

// OpenCache opens the cache in the file at path and makes it where it is not
// there. limit bounds its vectors in bytes; 0 means DefaultCacheBytes.
func OpenCache(ctx context.Context, path string, limit int64) (*Cache, error) {
	if limit <= 0 {
		limit = DefaultCacheBytes
	}
	if err := create(path); err != nil {
		return nil, err
	}
	c, err := openCache(ctx, path, limit)
	if err == nil || !errors.Is(err, store.ErrDamaged) {
		return c, err
	}
	note, err := MoveAside(path, err)
	if err != nil {
		return nil, err
	}
	if err = create(path); err != nil {
		return nil, err
	}
	if c, err = openCache(ctx, path, limit); err != nil {
		return nil, err
	}
	c.notes = append(c.notes, note)
	return c, nil
}

func openCache(ctx context.Context, path string, limit int64) (*Cache, error) {
	db, err := connect(path, true, vectorCache)
	if err != nil {
		return nil, err
	}
	c := &Cache{path: path, db: db, limit: limit}
	var app, tables int64
	err = db.QueryRowContext(ctx, `SELECT (SELECT application_id FROM pragma_application_id), (SELECT count(*) FROM sqlite_schema)`).
		Scan(&app, &tables)
	if err == nil && tables == 0 && app == 0 {
		err = useWAL(ctx, db)
	}
	if err == nil && tables == 0 && app == 0 {
		_, err = db.ExecContext(ctx, fmt.Sprintf(`BEGIN IMMEDIATE;
			CREATE TABLE IF NOT EXISTS blocks (row INTEGER PRIMARY KEY AUTOINCREMENT, dim INTEGER NOT NULL, keys BLOB NOT NULL, data BLOB NOT NULL);
			PRAGMA application_id = %d; COMMIT`, cacheID))
		app = cacheID
	}
	if err == nil && app != cacheID {
		err = fmt.Errorf("%w: it is another program's database", store.ErrDamaged)
	}
	if err != nil {
		return nil, errors.Join(trouble(path, err), db.Close())
	}
	return c, nil
}

// Notes are sentences about what OpenCache had to do.
func (c *Cache) Notes() []string { return c.notes }

// Close closes the cache's file.
func (c *Cache) Close() error { return c.db.Close() }

// Rest gives back the memory that knowing all keys takes, some 3 % of the vectors',
// and that of the connection. The next Get reads them again.
func (c *Cache) Rest() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.known, c.from, c.upto = nil, 0, 0
	rest(c.db, true)
}

// forgetEvery is how many blocks must have been dropped before known forgets them.
const forgetEvery = 1000

// learn reads the keys of blocks that were written since it last looked.
func (c *Cache) learn(ctx context.Context) error {
	rows, err := c.db.QueryContext(ctx, `SELECT row, keys FROM blocks WHERE row > ? ORDER BY row`, c.upto)
	if err != nil {
		return err
	}
	defer rows.Close()
	var came known
	for rows.Next() {
		var block int64
		var keys sql.RawBytes
		if err := rows.Scan(&block, &keys); err != nil {
			return err
		}
		for ; len(keys) >= len(store.Key{}); keys = keys[len(store.Key{}):] {
			came = append(came, spot(store.Key(keys), block))
		}
		c.upto = block
	}
	c.known = c.known.with(came)
	return errors.Join(rows.Err(), rows.Close(), c.forget(ctx))
}

// forget takes blocks out of known that were dropped since it last looked.
func (c *Cache) forget(ctx context.Context) error {
	var oldest int64
	err := c.db.QueryRowContext(ctx, `SELECT coalesce(min(row), 0) FROM blocks`).Scan(&oldest)
	if err == nil && oldest >= c.from+forgetEvery {
		c.known, c.from = c.known.since(oldest), oldest
	}
	return err
}

// Get returns the vectors that are known, nil for those that are not.
func (c *Cache) Get(ctx context.Context, dim int, keys []store.Key) ([][]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.learn(ctx); err != nil {
		return nil, trouble(c.path, err)
	}
	out := make([][]byte, len(keys))
	byBlock := make(map[int64][]int)
	for i, k := range keys {
		for block := range c.known.blocks(k) {
			byBlock[block] = append(byBlock[block], i)
		}
	}
	for block, wanted := range byBlock {
		var its int
		var names, sealed []byte
		err := c.db.QueryRowContext(ctx, `SELECT dim, keys, data FROM blocks WHERE row = ?`, block).Scan(&its, &names, &sealed)
		if errors.Is(err, sql.ErrNoRows) || err == nil && dim != 0 && its != dim {
			continue // dropped by another process
		}
		if err != nil {
			return nil, trouble(c.path, err)
		}
		data, err := unseal(sealed)
		if err != nil {
			continue // these are computed again
		}
		size := vector.Size(its)
		place := make(map[store.Key]int, len(names)/len(store.Key{}))
		for n := range len(names) / len(store.Key{}) {
			place[store.Key(names[n*len(store.Key{}):])] = n * size
		}
		for _, i := range wanted {
			if at, ok := place[keys[i]]; ok && at+size <= len(data) {
				out[i] = data[at : at+size : at+size]
			}
		}
	}
	return out, nil
}

// Put keeps vectors of one dimension.
func (c *Cache) Put(ctx context.Context, dim int, keys []store.Key, vectors [][]byte) error {
	if len(keys) == 0 {
		return nil
	}
	var names, data []byte
	for i, v := range vectors {
		if len(v) != vector.Size(dim) {
			return fmt.Errorf("vector cache: a vector of %d bytes, want %d", len(v), vector.Size(dim))
		}
		names = append(names, keys[i][:]...)
		data = append(data, v...)
	}
	sealed := seal(data)
	c.mu.Lock()
	defer c.mu.Unlock()
	tx, err := c.db.BeginTx(ctx, nil)
	if err != nil {
		return trouble(c.path, err)
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO blocks (dim, keys, data) VALUES (?, ?, ?)`, dim, names, sealed); err != nil {
		return trouble(c.path, err)
	}
	total, uncounted := c.total+int64(len(sealed)), c.uncounted-1
	if uncounted < 0 {
		if err := tx.QueryRowContext(ctx, `SELECT coalesce(sum(length(data)), 0) FROM blocks`).Scan(&total); err != nil {
			return trouble(c.path, err)
		}
		uncounted = countEvery
	}
	for total > c.limit {
		var oldest, size int64
		err := tx.QueryRowContext(ctx, `SELECT row, length(data) FROM blocks ORDER BY row LIMIT 1`).Scan(&oldest, &size)
		if errors.Is(err, sql.ErrNoRows) {
			break
		}
		if err == nil {
			_, err = tx.ExecContext(ctx, `DELETE FROM blocks WHERE row = ?`, oldest)
		}
		if err != nil {
			return trouble(c.path, err)
		}
		total -= size
	}
	if err := tx.Commit(); err != nil {
		return trouble(c.path, err)
	}
	c.total, c.uncounted = total, uncounted
	return nil
}
