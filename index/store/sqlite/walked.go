package sqlite

import (
	"context"
	"errors"
	"fmt"
)

// patience is how many milliseconds a writer waits for another process that writes.
const patience = 10_000

// Walked keeps a number with a generation. It is no change of the store: a reader
// that has the generation in memory keeps it. Whoever looks and finds nothing changed
// is a reader too, and waits for nobody: where somebody writes, nothing is kept.
func (s *Store) Walked(ctx context.Context, generation int64, sum uint64) (err error) {
	if !s.writing.TryLock() {
		return nil
	}
	defer s.writing.Unlock()
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return trouble(s.path, err)
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if _, err := conn.ExecContext(ctx, `PRAGMA busy_timeout = 0`); err != nil {
		return trouble(s.path, err)
	}
	_, err = conn.ExecContext(ctx, `INSERT INTO meta (key, value)
		SELECT k.column1, k.column2 FROM (VALUES ('walked', ?), ('walked_at', ?)) AS k
		WHERE (SELECT value FROM meta WHERE key = 'generation') = ?
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, int64(sum), generation, generation)
	_, patient := conn.ExecContext(context.WithoutCancel(ctx), fmt.Sprintf(`PRAGMA busy_timeout = %d`, patience))
	return trouble(s.path, errors.Join(err, patient))
}
