package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// A writer is one write transaction.
type writer struct {
	tx       *sql.Tx
	meta     map[string]int64
	dims     map[int64]int // of every model, by row
	segments map[int64]*segment
	stmts    map[string]*sql.Stmt
	speakers map[string]int64
	last     int64 // the last segment, 0 where it has to be looked for
}

// begin opens a write transaction; the caller ends it with finish.
func (s *Store) begin(ctx context.Context) (*writer, error) {
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, err
	}
	w := &writer{tx: tx, meta: make(map[string]int64), dims: make(map[int64]int),
		segments: make(map[int64]*segment), stmts: make(map[string]*sql.Stmt), speakers: map[string]int64{"": 0}}
	if err := w.load(ctx); err != nil {
		tx.Rollback()
		return nil, err
	}
	return w, nil
}

func (w *writer) load(ctx context.Context) error {
	type pair struct {
		key   string
		value int64
	}
	scan := func(rows *sql.Rows) (p pair, err error) { err = rows.Scan(&p.key, &p.value); return p, err }
	list, err := all(ctx, w.tx, scan, `SELECT key, value FROM meta`)
	if err != nil {
		return err
	}
	for _, p := range list {
		w.meta[p.key] = p.value
	}
	models, err := all(ctx, w.tx, scan, `SELECT row, dim FROM models`)
	for _, p := range models {
		var row int64
		if _, err := fmt.Sscan(p.key, &row); err != nil {
			return err
		}
		w.dims[row] = int(p.value)
	}
	return err
}

// exec runs a statement that is used many times.
func (w *writer) exec(ctx context.Context, query string, args ...any) error {
	st, ok := w.stmts[query]
	if !ok {
		var err error
		if st, err = w.tx.PrepareContext(ctx, query); err != nil {
			return err
		}
		w.stmts[query] = st
	}
	_, err := st.ExecContext(ctx, args...)
	return err
}

// next hands out a number that is never used again.
func (w *writer) next(what string, n int) int64 {
	first := w.meta[what]
	w.meta[what] += int64(n)
	return first
}

// commit writes what is held in memory and ends the transaction.
func (w *writer) commit(ctx context.Context) error {
	for _, row := range slices.Sorted(maps.Keys(w.segments)) {
		if err := w.saveSegment(ctx, w.segments[row]); err != nil {
			return err
		}
	}
	w.meta["generation"]++
	for key, value := range w.meta {
		if err := w.exec(ctx, `UPDATE meta SET value = ? WHERE key = ?`, value, key); err != nil {
			return err
		}
	}
	return w.tx.Commit()
}

// change runs fn in a write transaction.
func (s *Store) change(ctx context.Context, fn func(*writer) error) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	w, err := s.begin(ctx)
	if err != nil {
		return trouble(s.path, err)
	}
	defer w.tx.Rollback()
	if err := fn(w); err != nil {
		return trouble(s.path, err)
	}
	return trouble(s.path, w.commit(ctx))
}

// Apply makes a batch visible, whole or not at all.
func (s *Store) Apply(ctx context.Context, b store.Batch) error {
	return s.change(ctx, func(w *writer) error {
		model, err := w.model(ctx, b.Model)
		if err != nil {
			return err
		}
		gone := slices.Clone(b.Remove)
		for _, p := range b.Put {
			gone = append(gone, p.Note.Path)
		}
		if err := w.remove(ctx, gone); err != nil {
			return err
		}
		for _, p := range b.Put {
			if err := w.put(ctx, p, model); err != nil {
				return fmt.Errorf("%s: %w", p.Note.Path, err)
			}
		}
		for _, n := range b.Touch {
			if err := w.exec(ctx, `UPDATE notes SET size = ?, mtime = ? WHERE path = ?`, n.Size, n.MTime, n.Path); err != nil {
				return err
			}
		}
		return nil
	})
}

// model returns the row of a model and makes it where it is new. The first model
// is the one that searches use.
func (w *writer) model(ctx context.Context, m store.Model) (int64, error) {
	if m.Dim == 0 {
		return 0, nil
	}
	row, err := modelRow(ctx, w.tx, m)
	if err != nil || row != 0 {
		return row, err
	}
	res, err := w.tx.ExecContext(ctx, `INSERT INTO models (name, dim) VALUES (?, ?)`, m.Name, m.Dim)
	if err != nil {
		return 0, err
	}
	if row, err = res.LastInsertId(); err != nil {
		return 0, err
	}
	w.dims[row] = m.Dim
	if w.meta["model"] == 0 {
		w.meta["model"] = row
	}
	return row, nil
}

// remove takes notes out. Paths that are not there are passed over.
func (w *writer) remove(ctx context.Context, paths []string) error {
	if w.meta["notes"] == 0 {
		return nil
	}
	dead := make(map[int64]map[uint32]bool) // by segment, notes
	for _, path := range paths {
		var note, first int64
		var count int
		err := w.tx.QueryRowContext(ctx, `SELECT row, first, count FROM notes WHERE path = ?`, path).Scan(&note, &first, &count)
		if err == sql.ErrNoRows {
			continue
		}
		if err != nil {
			return err
		}
		for _, query := range []string{`DELETE FROM terms WHERE rowid BETWEEN ? AND ?`, `DELETE FROM chunks WHERE row BETWEEN ? AND ?`} {
			if err := w.exec(ctx, query, first, first+int64(count)-1); err != nil {
				return err
			}
		}
		if err := w.exec(ctx, `DELETE FROM notes WHERE row = ?`, note); err != nil {
			return err
		}
		w.meta["notes"]--
		w.meta["chunks"] -= int64(count)
		var seg int64
		if err := w.tx.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM segments WHERE row <= ?`, first).Scan(&seg); err != nil {
			return err
		}
		if dead[seg] == nil {
			dead[seg] = make(map[uint32]bool)
		}
		dead[seg][uint32(note)] = true
	}
	for row, notes := range dead {
		seg, err := w.segment(ctx, row)
		if err != nil {
			return err
		}
		seg.keep(func(r store.Record) bool { return !notes[r.Note] })
	}
	return w.join(ctx)
}

// join puts neighbours together that have become small, so that a vault that is
// edited for years does not fall into segments of one note each.
func (w *writer) join(ctx context.Context) error {
	w.last = 0
	for _, row := range slices.Sorted(maps.Keys(w.segments)) {
		seg := w.segments[row]
		if len(seg.records) > segmentGoal/4 {
			continue
		}
		var before int64
		if err := w.tx.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM segments WHERE row < ?`, row).Scan(&before); err != nil {
			return err
		}
		if before == 0 {
			continue
		}
		to, err := w.segment(ctx, before)
		if err != nil {
			return err
		}
		if len(to.records)+len(seg.records) > segmentGoal {
			continue
		}
		to.records = append(to.records, seg.records...)
		for m := range to.vectors {
			to.vectors[m] = append(to.vectors[m], seg.vectors[m]...)
		}
		seg.keep(func(store.Record) bool { return false })
		if err := w.saveSegment(ctx, seg); err != nil { // deletes it
			return err
		}
		delete(w.segments, row)
	}
	return nil
}

// put adds a note that is not there.
func (w *writer) put(ctx context.Context, p store.Put, model int64) error {
	n := p.Note
	note := w.next("next_note", 1)
	first := w.next("next_chunk", len(p.Chunks))
	if first+int64(len(p.Chunks)) > 1<<32 {
		return fmt.Errorf("%w: its row numbers are used up", store.ErrDamaged)
	}
	err := w.exec(ctx, `INSERT INTO notes (row, path, hash, size, mtime, id, type, title, source, domain, conversation, provider,
		tags, aliases, created, updated, problem, first, count) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`,
		note, n.Path, n.Hash, n.Size, n.MTime, n.ID, n.Type, n.Title, n.Source, n.Domain, n.Conversation, n.Provider,
		writeList(n.Tags), writeList(n.Aliases), n.Created, n.Updated, n.Problem, first, len(p.Chunks))
	if err != nil {
		return err
	}
	w.meta["notes"]++
	w.meta["chunks"] += int64(len(p.Chunks))
	if len(p.Chunks) == 0 {
		return nil
	}
	seg, err := w.tail(ctx, first, len(p.Chunks))
	if err != nil {
		return err
	}
	for i, c := range p.Chunks {
		row := first + int64(i)
		speaker, err := w.speaker(ctx, c.Speaker)
		if err != nil {
			return err
		}
		err = w.exec(ctx, `INSERT INTO chunks VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)`, row, note, c.Kind, c.Start, c.End, c.Line,
			c.Heading, c.Turn, c.Ordinal, c.Part, c.Message, speaker, c.Time, c.Label, c.Text, c.Len, c.Flags, c.Importance, c.Salience)
		if err != nil {
			return err
		}
		if c.Terms != "" {
			if err := w.exec(ctx, `INSERT INTO terms (rowid, words) VALUES (?, ?)`, row, c.Terms); err != nil {
				return err
			}
		}
		seg.add(store.Record{Chunk: uint32(row), Note: uint32(note), Len: uint32(c.Len), Ordinal: int32(c.Ordinal), Time: c.Time,
			Speaker: uint32(speaker), Flags: c.Flags, Kind: c.Kind, Importance: c.Importance, Salience: c.Salience}, model, c.Vector)
	}
	return nil
}

// speaker returns the row of a name and makes it where it is new.
func (w *writer) speaker(ctx context.Context, name string) (int64, error) {
	if row, ok := w.speakers[name]; ok {
		return row, nil
	}
	var row int64
	err := w.tx.QueryRowContext(ctx, `SELECT row FROM speakers WHERE name = ?`, name).Scan(&row)
	if err == sql.ErrNoRows {
		err = w.tx.QueryRowContext(ctx, `INSERT INTO speakers (row, name) SELECT count(*), ? FROM speakers RETURNING row`, name).Scan(&row)
	}
	if err == nil {
		w.speakers[name] = row
	}
	return row, err
}

// tail returns the segment for n new records that begin at a chunk row.
func (w *writer) tail(ctx context.Context, first int64, n int) (*segment, error) {
	if w.last == 0 {
		err := w.tx.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM segments`).Scan(&w.last)
		if err != nil {
			return nil, err
		}
	}
	if w.last > 0 {
		seg, err := w.segment(ctx, w.last)
		if err != nil || len(seg.records) == 0 || len(seg.records)+n <= segmentGoal {
			return seg, err
		}
	}
	w.last = first
	seg := &segment{row: first, vectors: make(map[int64][]byte), dims: w.dims}
	w.segments[first] = seg
	return seg, nil
}

// segment returns a segment to be changed.
func (w *writer) segment(ctx context.Context, row int64) (*segment, error) {
	if seg, ok := w.segments[row]; ok {
		return seg, nil
	}
	seg := &segment{row: row, vectors: make(map[int64][]byte), dims: w.dims}
	var sealed []byte
	err := w.tx.QueryRowContext(ctx, `SELECT records FROM segments WHERE row = ?`, row).Scan(&sealed)
	if err != nil {
		if err == sql.ErrNoRows {
			err = fmt.Errorf("%w: a segment is not there", store.ErrDamaged)
		}
		return nil, err
	}
	if seg.records, err = readRecords(sealed); err != nil {
		return nil, err
	}
	for m, dim := range w.dims {
		var sealed []byte
		err := w.tx.QueryRowContext(ctx, `SELECT data FROM vectors WHERE model = ? AND segment = ?`, m, row).Scan(&sealed)
		switch {
		case err == sql.ErrNoRows:
			for range seg.records {
				seg.vectors[m] = vector.PackMissing(seg.vectors[m], dim)
			}
			continue
		case err != nil:
			return nil, err
		}
		v, err := unseal(sealed)
		if err != nil {
			return nil, err
		}
		if len(v) != len(seg.records)*vector.Size(dim) {
			return nil, fmt.Errorf("%w: vectors and chunks differ in number", store.ErrDamaged)
		}
		seg.vectors[m] = v
	}
	w.segments[row] = seg
	return seg, nil
}

// saveSegment writes a segment, or deletes it when nothing is left in it.
func (w *writer) saveSegment(ctx context.Context, seg *segment) error {
	if len(seg.records) == 0 {
		if err := w.exec(ctx, `DELETE FROM segments WHERE row = ?`, seg.row); err != nil {
			return err
		}
		return w.exec(ctx, `DELETE FROM vectors WHERE segment = ?`, seg.row)
	}
	packed := make([]byte, 0, len(seg.records)*recordSize+4)
	for _, r := range seg.records {
		packed = appendRecord(packed, r)
	}
	err := w.exec(ctx, `INSERT INTO segments (row, rev, records) VALUES (?, ?, ?)
		ON CONFLICT (row) DO UPDATE SET rev = excluded.rev, records = excluded.records`, seg.row, w.next("next_rev", 1), seal(packed))
	if err != nil {
		return err
	}
	for m, v := range seg.vectors {
		missing := seg.missing(m)
		err := w.exec(ctx, `INSERT INTO vectors (model, segment, missing, data) VALUES (?, ?, ?, ?)
			ON CONFLICT (model, segment) DO UPDATE SET missing = excluded.missing, data = excluded.data`, m, seg.row, missing, seal(v))
		if err != nil {
			return err
		}
	}
	return nil
}

// SetVectors adds vectors of a model by chunk row.
func (s *Store) SetVectors(ctx context.Context, m store.Model, vectors map[int64][]byte) error {
	if m.Dim <= 0 {
		return fmt.Errorf("the dimension of model %s is not known", m.Name)
	}
	return s.change(ctx, func(w *writer) error {
		model, err := w.model(ctx, m)
		if err != nil {
			return err
		}
		for _, row := range slices.Sorted(maps.Keys(vectors)) {
			var at int64
			err := w.tx.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM segments WHERE row <= ?`, row).Scan(&at)
			if err != nil {
				return err
			}
			if at == 0 || len(vectors[row]) != vector.Size(m.Dim) {
				continue
			}
			seg, err := w.segment(ctx, at)
			if err != nil {
				return err
			}
			i, found := slices.BinarySearchFunc(seg.records, uint32(row), func(r store.Record, row uint32) int {
				return int(int64(r.Chunk) - int64(row))
			})
			if found {
				copy(seg.vectors[model][i*vector.Size(m.Dim):], vectors[row])
			}
		}
		return nil
	})
}

// UseModel makes a model the one that searches use.
func (s *Store) UseModel(ctx context.Context, m store.Model) error {
	return s.change(ctx, func(w *writer) error {
		row, err := w.model(ctx, m)
		if err != nil {
			return err
		}
		if row == 0 {
			return fmt.Errorf("the dimension of model %s is not known", m.Name)
		}
		w.meta["model"] = row
		for _, query := range []string{`DELETE FROM vectors WHERE model <> ?`, `DELETE FROM models WHERE row <> ?`} {
			if err := w.exec(ctx, query, row); err != nil {
				return err
			}
		}
		return nil
	})
}
