package sqlite

import (
	"context"
	"errors"
	"fmt"
)

// Copy writes the store as it is now into a new file at path. Nobody who reads or
// writes the store waits for it.
func (s *Store) Copy(ctx context.Context, path string) error {
	if err := create(path); err != nil { // with our mode; it must be empty
		return fmt.Errorf("copy the index: %w", err)
	}
	// A connection that may only query may not copy either.
	db, err := connect(s.path, true, readCache)
	if err != nil {
		return fmt.Errorf("copy the index: %w", err)
	}
	_, err = db.ExecContext(ctx, `VACUUM INTO ?`, path)
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("copy the index: %w", trouble(path, err))
	}
	return nil
}
