package sqlite

import (
	"context"
)

// Walked keeps a number with a generation. It is no change of the store: a reader
// that has the generation in memory keeps it.
func (s *Store) Walked(ctx context.Context, generation int64, sum uint64) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := s.write.ExecContext(ctx, `INSERT INTO meta (key, value)
		SELECT k.column1, k.column2 FROM (VALUES ('walked', ?), ('walked_at', ?)) AS k
		WHERE (SELECT value FROM meta WHERE key = 'generation') = ?
		ON CONFLICT (key) DO UPDATE SET value = excluded.value`, int64(sum), generation, generation)
	return trouble(s.path, err)
}
