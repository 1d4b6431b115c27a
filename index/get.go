package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/index/store"
)

// ErrNotFound is wrapped when nothing has the id that was asked for.
var ErrNotFound = errors.New("there is nothing with that id")

// An Item is what an id names: chunks of one note, in order.
type Item struct {
	NoteID, Path, Type, Title, Source string
	// Line is the 1-based line that the item begins on.
	Line   int
	Chunks []Hit
}

// Get returns what an id names: a note by its id or path, a turn or claim by
// "note#^block", a passage by "note#L12" or "path:12", a claim by its block id
// alone, a turn by its provider's message id. Where several items have the id,
// all are returned.
func (x *Index) Get(ctx context.Context, id string) ([]Item, error) {
	var items []Item
	id = strings.TrimSpace(id)
	err := x.view(ctx, func(r store.Reader) (err error) {
		items, err = find(ctx, r, id)
		return err
	})
	if err == nil && len(items) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return nil, fmt.Errorf("get %s: %w", id, err)
	}
	return items, nil
}

func find(ctx context.Context, r store.Reader, id string) ([]Item, error) {
	if id == "" {
		return nil, nil
	}
	notes, err := r.Find(ctx, id)
	if err != nil || len(notes) > 0 {
		return itemsOf(ctx, r, notes, func(store.Chunk, []store.Chunk) bool { return true }, err)
	}
	if name, block, ok := strings.Cut(id, "#^"); ok && name != "" {
		notes, err := r.Find(ctx, name)
		return itemsOf(ctx, r, notes, func(c store.Chunk, _ []store.Chunk) bool { return c.Turn == block }, err)
	}
	if name, line, ok := cutLine(id); ok {
		notes, err := r.Find(ctx, name)
		// The passage that holds the line is the last one that begins at or
		// before it.
		return itemsOf(ctx, r, notes, func(c store.Chunk, all []store.Chunk) bool {
			i := slices.IndexFunc(all, func(o store.Chunk) bool { return o.Row == c.Row })
			return c.Line <= line && (i+1 == len(all) || all[i+1].Line > line) || i == 0 && line < c.Line
		}, err)
	}
	chunks, err := r.Named(ctx, strings.TrimPrefix(strings.TrimPrefix(id, "#"), "^"))
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, c := range chunks {
		notes, err := r.Notes(ctx, []int64{c.Note})
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			items = appendHit(items, n, c)
		}
	}
	return items, nil
}

// cutLine reads "note#L12" and "path:12".
func cutLine(id string) (name string, line int, ok bool) {
	for _, sep := range []string{"#L", ":"} {
		if i := strings.LastIndex(id, sep); i > 0 {
			if n, err := strconv.Atoi(id[i+len(sep):]); err == nil && n > 0 {
				return id[:i], n, true
			}
		}
	}
	return "", 0, false
}

// itemsOf reads the chunks of notes that keep accepts; it gets a chunk and all of
// its note's.
func itemsOf(ctx context.Context, r store.Reader, notes []store.Note, keep func(store.Chunk, []store.Chunk) bool, err error) ([]Item, error) {
	if err != nil {
		return nil, err
	}
	var items []Item
	for _, n := range notes {
		rows := make([]int64, n.Count)
		for i := range rows {
			rows[i] = n.First + int64(i)
		}
		chunks, err := r.Chunks(ctx, rows)
		if err != nil {
			return nil, err
		}
		for _, c := range chunks {
			if keep(c, chunks) {
				items = appendHit(items, n, c)
			}
		}
	}
	return items, nil
}

// appendHit adds a chunk to the last item where that is of the same note.
func appendHit(items []Item, n store.Note, c store.Chunk) []Item {
	if len(items) == 0 || items[len(items)-1].Path != n.Path {
		items = append(items, Item{NoteID: n.ID, Path: n.Path, Type: n.Type, Title: n.Title, Source: n.Source, Line: c.Line})
	}
	last := &items[len(items)-1]
	last.Chunks = append(last.Chunks, hitOf(n, c))
	return items
}
