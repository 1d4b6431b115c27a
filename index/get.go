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

// Text is what the item says. Of several turns it is said who said which.
func (it Item) Text() string {
	var b strings.Builder
	turns := it.turns()
	for i, c := range it.Chunks {
		if i > 0 {
			b.WriteByte('\n')
		}
		if turns > 1 && c.Speaker != "" && (i == 0 || c.Turn != it.Chunks[i-1].Turn) {
			b.WriteString(c.Speaker + ": ")
		}
		b.WriteString(c.Text)
	}
	return b.String()
}

// ID names the item for Get: as its first chunk is named, and where it is several
// turns also its last one.
func (it Item) ID() string {
	if len(it.Chunks) == 0 {
		return it.NoteID
	}
	if it.turns() > 1 {
		return it.Chunks[0].ID + through + it.Chunks[len(it.Chunks)-1].Turn
	}
	return it.Chunks[0].ID
}

// Speaker is who says all of it, "" where several do.
func (it Item) Speaker() string {
	who := ""
	for i, c := range it.Chunks {
		if i > 0 && c.Speaker != who {
			return ""
		}
		who = c.Speaker
	}
	return who
}

// turns is how many turns or claims the item has.
func (it Item) turns() int {
	n := 0
	for i, c := range it.Chunks {
		if c.Turn != "" && (i == 0 || c.Turn != it.Chunks[i-1].Turn) {
			n++
		}
	}
	return n
}

// through stands between the first and the last of a range: note#^t0003..t0007.
const through = ".."

// Get returns what an id names: a note by its id or path, a turn or claim by
// "note#^block", turns that follow each other by "note#^first..last", a passage by
// "note#L12" or "path:12", passages by "path:12..40", a claim by its block id alone,
// a turn by its provider's message id. Where several items have the id, all are
// returned.
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
		first, last, ranged := strings.Cut(block, through)
		if !ranged {
			return itemsOf(ctx, r, notes, func(c store.Chunk, _ []store.Chunk) bool { return c.Turn == block }, err)
		}
		last = strings.TrimPrefix(last, "^")
		return itemsOf(ctx, r, notes, func(c store.Chunk, all []store.Chunk) bool {
			from := slices.IndexFunc(all, func(o store.Chunk) bool { return o.Turn == first })
			to := slices.IndexFunc(all, func(o store.Chunk) bool { return o.Turn == last })
			return from >= 0 && to >= 0 && all[from].Row <= c.Row && (c.Row <= all[to].Row || c.Turn == last)
		}, err)
	}
	if name, first, last, ok := cutLines(id); ok {
		notes, err := r.Find(ctx, name)
		// The passage that holds a line is the last one that begins at or before
		// it.
		return itemsOf(ctx, r, notes, func(c store.Chunk, all []store.Chunk) bool {
			i := slices.IndexFunc(all, func(o store.Chunk) bool { return o.Row == c.Row })
			return c.Line <= last && (i+1 == len(all) || all[i+1].Line > first) || i == 0 && last < c.Line
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

// cutLines reads "note#L12", "path:12" and "path:12..40".
func cutLines(id string) (name string, first, last int, ok bool) {
	for _, sep := range []string{"#L", ":"} {
		i := strings.LastIndex(id, sep)
		if i <= 0 {
			continue
		}
		from, to, ranged := strings.Cut(id[i+len(sep):], through)
		if !ranged {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(strings.TrimPrefix(to, "L"))
		if err == nil && err2 == nil && first > 0 && last >= first {
			return id[:i], first, last, true
		}
	}
	return "", 0, 0, false
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
