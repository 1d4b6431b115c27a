package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/memsync/memsync/index/store"
)

// Check reads the whole file: SQLite's own structure, every checksum, and that
// manifest, chunks, records and keywords agree in number.
func (s *Store) Check(ctx context.Context) error {
	return s.View(ctx, func(view store.Reader) error {
		r := view.(*reader)
		// FTS5 looks whether another connection changed it when it is asked for
		// words, not when it is checked, and would take its old map of the file
		// for the file's fault.
		if _, err := r.Postings(ctx, "a"); err != nil {
			return err
		}
		text := func(rows *sql.Rows) (t string, err error) { err = rows.Scan(&t); return t, err }
		found, err := all(ctx, r.tx, text, `PRAGMA integrity_check(1)`)
		if err != nil {
			return err
		}
		if len(found) != 1 || found[0] != "ok" {
			return fmt.Errorf("%w: %v", store.ErrDamaged, found)
		}
		segments, err := r.Segments(ctx, r.stamp.Model, nil)
		if err != nil {
			return err
		}
		records := 0
		last := uint32(0)
		for _, seg := range segments {
			for _, rec := range seg.Records {
				if rec.Chunk <= last {
					return fmt.Errorf("%w: chunk %d is out of order", store.ErrDamaged, rec.Chunk)
				}
				last = rec.Chunk
			}
			records += len(seg.Records)
		}
		var notes, chunks, sum int
		err = r.tx.QueryRowContext(ctx, `SELECT (SELECT count(*) FROM notes), (SELECT count(*) FROM chunks),
			(SELECT coalesce(sum(count), 0) FROM notes)`).Scan(&notes, &chunks, &sum)
		if err != nil {
			return err
		}
		if notes != r.stamp.Notes || chunks != r.stamp.Chunks || records != chunks || sum != chunks {
			return fmt.Errorf("%w: it counts %d notes and %d chunks, and holds %d notes, %d chunks, %d records",
				store.ErrDamaged, r.stamp.Notes, r.stamp.Chunks, notes, chunks, records)
		}
		return nil
	})
}
