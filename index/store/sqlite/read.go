package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// A reader is one read transaction.
type reader struct {
	tx    *sql.Tx
	stamp store.Stamp
}

// View calls fn with the store as it is now.
func (s *Store) View(ctx context.Context, fn func(store.Reader) error) error {
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return trouble(s.path, err)
	}
	defer tx.Rollback()
	r := &reader{tx: tx}
	if err := r.readStamp(ctx); err != nil {
		return trouble(s.path, err)
	}
	return trouble(s.path, fn(r))
}

func (r *reader) readStamp(ctx context.Context) error {
	rows, err := r.tx.QueryContext(ctx, `SELECT key, value FROM meta`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var model, walked, at int64
	for rows.Next() {
		var key string
		var value int64
		if err := rows.Scan(&key, &value); err != nil {
			return err
		}
		switch key {
		case "generation":
			r.stamp.Generation = value
		case "notes":
			r.stamp.Notes = int(value)
		case "chunks":
			r.stamp.Chunks = int(value)
		case "model":
			model = value
		case "walked":
			walked = value
		case "walked_at":
			at = value
		}
	}
	if at == r.stamp.Generation {
		r.stamp.Walked = uint64(walked)
	}
	if err := rows.Err(); err != nil || model == 0 {
		return err
	}
	return r.tx.QueryRowContext(ctx, `SELECT name, dim FROM models WHERE row = ?`, model).
		Scan(&r.stamp.Model.Name, &r.stamp.Model.Dim)
}

func (r *reader) Stamp() store.Stamp { return r.stamp }

func (r *reader) Segments(ctx context.Context, m store.Model, have map[int64]int64) ([]store.Segment, error) {
	rows, err := r.tx.QueryContext(ctx, `SELECT row, rev FROM segments ORDER BY row`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []store.Segment
	for rows.Next() {
		var s store.Segment
		if err := rows.Scan(&s.Row, &s.Rev); err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	model, err := modelRow(ctx, r.tx, m)
	if err != nil {
		return nil, err
	}
	var fill *sql.Stmt
	for i := range out {
		s := &out[i]
		if rev, ok := have[s.Row]; ok && rev == s.Rev {
			continue
		}
		if fill == nil {
			if fill, err = r.tx.PrepareContext(ctx, fillSegment); err != nil {
				return nil, err
			}
			defer fill.Close()
		}
		if err := r.fill(ctx, fill, s, model, m.Dim); err != nil {
			return nil, err
		}
	}
	return out, nil
}

const fillSegment = `SELECT s.records, v.data FROM segments s
	LEFT JOIN vectors v ON v.model = ? AND v.segment = s.row WHERE s.row = ?`

func (r *reader) fill(ctx context.Context, fill *sql.Stmt, s *store.Segment, model int64, dim int) error {
	rows, err := fill.QueryContext(ctx, model, s.Row)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		return rows.Err()
	}
	var records, data sql.RawBytes
	if err := rows.Scan(&records, &data); err != nil {
		return err
	}
	if s.Records, err = readRecords(records); err != nil {
		return err
	}
	if data == nil {
		return nil
	}
	v, err := unseal(data)
	if err != nil {
		return err
	}
	if len(v) != len(s.Records)*vector.Size(dim) {
		return fmt.Errorf("%w: vectors and chunks differ in number", store.ErrDamaged)
	}
	// A driver leaves alone what it handed out last, and this is the only row: the
	// memory is the segment's.
	s.Vectors = slices.Clip(v)
	return nil
}

// queryer is a transaction or a connection.
type queryer interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// modelRow returns the row of a model, 0 where the store does not know it.
func modelRow(ctx context.Context, q queryer, m store.Model) (int64, error) {
	var row int64
	err := q.QueryRowContext(ctx, `SELECT coalesce(max(row), 0) FROM models WHERE name = ? AND dim = ?`, m.Name, m.Dim).Scan(&row)
	return row, err
}

func (r *reader) Speakers(ctx context.Context) ([]string, error) {
	rows, err := r.tx.QueryContext(ctx, `SELECT row, name FROM speakers ORDER BY row`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var row int
		var name string
		if err := rows.Scan(&row, &name); err != nil {
			return nil, err
		}
		if row != len(out) {
			return nil, fmt.Errorf("%w: a speaker is not there", store.ErrDamaged)
		}
		out = append(out, name)
	}
	return out, rows.Err()
}

// Postings reads a term's chunks as one text: as many rows would cost three times
// as much, and a text that is no blob is copied twice on its way here. The table is
// in the order of the chunks.
func (r *reader) Postings(ctx context.Context, term string) ([]store.Posting, error) {
	rows, err := r.tx.QueryContext(ctx, `SELECT CAST(group_concat(doc, ' ') || ' ' AS BLOB) FROM postings WHERE term = ?`, term)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list sql.RawBytes
	if rows.Next() {
		if err := rows.Scan(&list); err != nil {
			return nil, err
		}
	}
	out := make([]store.Posting, 0, bytes.Count(list, []byte{' '}))
	chunk := uint32(0)
	for _, c := range list {
		if c != ' ' {
			chunk = chunk*10 + uint32(c-'0')
			continue
		}
		if n := len(out); n > 0 && out[n-1].Chunk == chunk {
			out[n-1].TF++
		} else {
			out = append(out, store.Posting{Chunk: chunk, TF: 1})
		}
		chunk = 0
	}
	if len(out) < cap(out)*3/4 {
		out = slices.Clone(out) // it is kept
	}
	return out, rows.Err()
}

const chunkColumns = `c.row, c.note, c.kind, c.start, c.stop, c.line, c.heading, c.turn, c.ordinal, c.part, c.message,
	s.name, c.time, c.label, c.text, c.len, c.flags, c.importance, c.salience`

func scanChunk(rows *sql.Rows) (store.Chunk, error) {
	var c store.Chunk
	err := rows.Scan(&c.Row, &c.Note, &c.Kind, &c.Start, &c.End, &c.Line, &c.Heading, &c.Turn, &c.Ordinal, &c.Part, &c.Message,
		&c.Speaker, &c.Time, &c.Label, &c.Text, &c.Len, &c.Flags, &c.Importance, &c.Salience)
	return c, err
}

func (r *reader) Chunks(ctx context.Context, want []int64) ([]store.Chunk, error) {
	return byRow(ctx, r.tx, want, `SELECT `+chunkColumns+` FROM chunks c JOIN speakers s ON s.row = c.speaker WHERE c.row IN `,
		scanChunk, func(c store.Chunk) int64 { return c.Row })
}

const noteColumns = `row, path, hash, size, mtime, id, type, title, source, domain, conversation, provider, tags, aliases,
	created, updated, problem, first, count`

func scanNote(rows *sql.Rows) (store.Note, error) {
	var n store.Note
	var tags, aliases string
	err := rows.Scan(&n.Row, &n.Path, &n.Hash, &n.Size, &n.MTime, &n.ID, &n.Type, &n.Title, &n.Source, &n.Domain,
		&n.Conversation, &n.Provider, &tags, &aliases, &n.Created, &n.Updated, &n.Problem, &n.First, &n.Count)
	if err == nil {
		n.Tags, err = readList(tags)
	}
	if err == nil {
		n.Aliases, err = readList(aliases)
	}
	return n, err
}

func (r *reader) Notes(ctx context.Context, want []int64) ([]store.Note, error) {
	return byRow(ctx, r.tx, want, `SELECT `+noteColumns+` FROM notes WHERE row IN `,
		scanNote, func(n store.Note) int64 { return n.Row })
}

// byRow reads rows by their numbers and returns them in the order asked.
func byRow[T any](ctx context.Context, q queryer, want []int64, query string, scan func(*sql.Rows) (T, error), row func(T) int64) ([]T, error) {
	const atOnce = 500
	found := make(map[int64]T, len(want))
	for part := range slices.Chunk(want, atOnce) {
		args := make([]any, len(part))
		for i, r := range part {
			args[i] = r
		}
		list, err := all(ctx, q, scan, query+`(?`+strings.Repeat(`,?`, len(part)-1)+`)`, args...)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			found[row(t)] = t
		}
	}
	out := make([]T, 0, len(want))
	for _, r := range want {
		if t, ok := found[r]; ok {
			out = append(out, t)
		}
	}
	return out, nil
}

func all[T any](ctx context.Context, q queryer, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		t, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

func (r *reader) Find(ctx context.Context, id string) ([]store.Note, error) {
	return all(ctx, r.tx, scanNote, `SELECT `+noteColumns+` FROM notes WHERE id = ? OR path IN (?, ?) ORDER BY path`, id, id, id+".md")
}

func (r *reader) Named(ctx context.Context, id string) ([]store.Chunk, error) {
	return all(ctx, r.tx, scanChunk, `SELECT `+chunkColumns+` FROM chunks c JOIN speakers s ON s.row = c.speaker
		WHERE c.turn = ?1 AND c.kind = ?2 OR c.message = ?1 AND c.message <> '' ORDER BY c.row`, id, uint8(chunk.Claim))
}

func (r *reader) Problems(ctx context.Context) ([]store.Note, error) {
	return all(ctx, r.tx, scanNote, `SELECT `+noteColumns+` FROM notes WHERE problem <> '' ORDER BY path`)
}

func (r *reader) Select(ctx context.Context, f store.Filter) ([]int64, error) {
	var where []string
	var args []any
	in := func(column string, values []string) {
		if len(values) == 0 {
			return
		}
		where = append(where, column+` IN (?`+strings.Repeat(`,?`, len(values)-1)+`)`)
		for _, v := range values {
			args = append(args, strings.ToLower(v))
		}
	}
	in("lower(type)", f.Types)
	in("lower(source)", f.Sources)
	in("lower(domain)", f.Domains)
	if len(f.Tags) > 0 {
		var any []string
		for _, t := range f.Tags {
			t = strings.ToLower(strings.TrimPrefix(t, "#"))
			any = append(any, `lower(value) = ? OR lower(value) LIKE ? ESCAPE '\'`)
			args = append(args, t, escapeLike(t)+"/%")
		}
		where = append(where, `EXISTS (SELECT 1 FROM json_each(tags) WHERE `+strings.Join(any, " OR ")+`)`)
	}
	query := `SELECT row FROM notes`
	if len(where) > 0 {
		query += ` WHERE ` + strings.Join(where, " AND ")
	}
	return all(ctx, r.tx, func(rows *sql.Rows) (row int64, err error) { err = rows.Scan(&row); return row, err }, query, args...)
}

func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

func (r *reader) Manifest(ctx context.Context, yield func(store.Note) error) error {
	rows, err := r.tx.QueryContext(ctx, `SELECT row, path, hash, size, mtime FROM notes ORDER BY path`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var n store.Note
		if err := rows.Scan(&n.Row, &n.Path, &n.Hash, &n.Size, &n.MTime); err != nil {
			return err
		}
		if err := yield(n); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (r *reader) Pending(ctx context.Context, m store.Model, limit int) ([]store.Chunk, int, error) {
	model, err := modelRow(ctx, r.tx, m)
	if err != nil {
		return nil, 0, err
	}
	type part struct {
		row     int64
		missing int // -1: the segment has no vectors of the model
	}
	scan := func(rows *sql.Rows) (p part, err error) { err = rows.Scan(&p.row, &p.missing); return p, err }
	parts, err := all(ctx, r.tx, scan, `SELECT s.row, coalesce(v.missing, -1) FROM segments s
		LEFT JOIN vectors v ON v.model = ? AND v.segment = s.row WHERE coalesce(v.missing, -1) <> 0 ORDER BY s.row`, model)
	if err != nil {
		return nil, 0, err
	}
	if len(parts) == 0 {
		return nil, 0, nil
	}
	fill, err := r.tx.PrepareContext(ctx, fillSegment)
	if err != nil {
		return nil, 0, err
	}
	defer fill.Close()
	var want []int64
	total := 0
	for _, p := range parts {
		s := store.Segment{Row: p.row}
		if err := r.fill(ctx, fill, &s, model, m.Dim); err != nil {
			return nil, 0, err
		}
		size := vector.Size(m.Dim)
		for i, rec := range s.Records {
			if s.Vectors == nil || vector.Missing(s.Vectors[i*size:]) {
				if total++; len(want) < limit {
					want = append(want, int64(rec.Chunk))
				}
			}
		}
	}
	chunks, err := r.Chunks(ctx, want)
	return chunks, total, err
}

func readList(text string) ([]string, error) {
	if text == "[]" {
		return nil, nil
	}
	var list []string
	err := json.Unmarshal([]byte(text), &list)
	return list, err
}

func writeList(list []string) string {
	if len(list) == 0 {
		return "[]"
	}
	b, _ := json.Marshal(list) // strings always marshal
	return string(b)
}
