package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
)

// deepAll compares every note.
const deepAll = "all"

// sample is how many notes are compared; 0 is none, and less than 0 is all.
func (o doctorOptions) sample() (int, error) {
	switch o.deep {
	case "":
		return 0, nil
	case deepAll:
		return -1, nil
	}
	n, err := strconv.Atoi(o.deep)
	if err != nil || n <= 0 {
		return 0, usagef("--deep is all, or a number of notes: %q", o.deep)
	}
	return n, nil
}

// deep builds an index of the same notes, or of some of them, and compares what
// the two say. Vectors that are known are not made again, since they are stored by
// content.
func (e *examination) deep(ctx context.Context) (err error) {
	sample, err := e.opts.sample()
	if err != nil || sample == 0 {
		return err
	}
	// An index that is merely behind is not wrong: the next search would do this.
	if _, err := e.a.updateIndex(ctx, e.s); err != nil {
		if why := unwritable(err); why != nil {
			e.found("deep", stateNote, hint(why), "not compared, since the index cannot be written: %v", why)
			return nil
		}
		return err
	}
	dir, err := os.MkdirTemp(e.s.places.Cache, "doctor-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	x, err := e.a.openIndex(ctx, e.s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	fresh, err := e.a.openIndexIn(ctx, e.s, filepath.Join(dir, "index"), e.s.vectors())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fresh.Close()) }()
	bar := e.a.progress()
	bar.Start("comparing", -1, output.Items)
	defer bar.Done()
	entries, _, err := e.s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	c := comparison{was: x.Index, is: fresh, now: e.a.now(), bar: bar}
	if sample < 0 {
		_, err = fresh.Sync(ctx, e.s.vault)
	} else {
		entries = drawn(entries, sample, e.a.now())
		_, err = fresh.SyncPaths(ctx, e.s.vault, pathsOf(entries))
	}
	if err != nil {
		return err
	}
	wrong, err := c.notes(ctx, e.s.vault, entries)
	if err == nil && len(wrong) == 0 && sample < 0 {
		wrong, err = c.whole(ctx, e.s.vault, entries)
	}
	if err != nil {
		return err
	}
	if len(wrong) == 0 {
		e.fine("deep", "the index says of %s what one built from nothing says", output.Count(len(entries), "note", "notes"))
		return nil
	}
	if e.opts.fix {
		if _, err := rebuild(ctx, e.a, e.s); err != nil {
			return err
		}
		e.found("deep", stateFixed, "", "it differed (%s); the index was built anew", wrong[0])
		return nil
	}
	e.found("deep", stateBroken, "memsync index --rebuild", "the index differs from the notes in %s, first %s", output.Count(len(wrong), "place", "places"), wrong[0])
	return nil
}

// drawn are so many of the notes, drawn by chance.
func drawn(entries []vault.Entry, n int, now time.Time) []vault.Entry {
	r := rand.New(rand.NewPCG(uint64(now.UnixNano()), 0))
	r.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })
	return entries[:min(n, len(entries))]
}

func pathsOf(entries []vault.Entry) []vault.Path {
	paths := make([]vault.Path, len(entries))
	for i, n := range entries {
		paths[i] = n.Path
	}
	return paths
}

// A comparison compares an index with one built from nothing.
type comparison struct {
	was, is *index.Index
	now     time.Time
	bar     output.Progress
}

// While a person edits, a note may differ because only one of the two has read it
// again: such notes are compared once more, so often and after so long.
const (
	compareTries = 5
	comparePause = 300 * time.Millisecond
)

// notes names the notes of which the two say different things.
func (c comparison) notes(ctx context.Context, v *vault.Vault, entries []vault.Entry) ([]string, error) {
	differ, err := c.compare(ctx, pathsOf(entries))
	for try := 1; try < compareTries && err == nil && len(differ) > 0; try++ {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(comparePause):
		}
		if _, err = c.is.SyncPaths(ctx, v, differ); err == nil {
			differ, err = c.compare(ctx, differ)
		}
	}
	var names []string
	for _, p := range differ {
		names = append(names, string(p))
	}
	return names, err
}

func (c comparison) compare(ctx context.Context, paths []vault.Path) ([]vault.Path, error) {
	var differ []vault.Path
	for _, p := range paths {
		was, err := c.was.Get(ctx, string(p))
		if err != nil && !errors.Is(err, index.ErrNotFound) {
			return nil, err
		}
		is, err := c.is.Get(ctx, string(p))
		if err != nil && !errors.Is(err, index.ErrNotFound) {
			return nil, err
		}
		if !reflect.DeepEqual(was, is) {
			differ = append(differ, p)
		}
		c.bar.Add(1)
	}
	return differ, nil
}

// whole compares what the two hold in all, and what they answer.
func (c comparison) whole(ctx context.Context, v *vault.Vault, entries []vault.Entry) (wrong []string, err error) {
	for try := 0; ; try++ {
		was, err := c.was.Status(ctx)
		if err != nil {
			return nil, err
		}
		is, err := c.is.Status(ctx)
		if err != nil {
			return nil, err
		}
		if was.Notes == is.Notes && was.Chunks == is.Chunks {
			wrong, err = c.questions(ctx, entries)
		} else {
			wrong = []string{fmt.Sprintf("its size: %d notes and %d chunks, where there are %d and %d", was.Notes, was.Chunks, is.Notes, is.Chunks)}
		}
		if err != nil || len(wrong) == 0 || try == compareTries {
			return wrong, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(comparePause):
		}
		if _, err := c.is.Sync(ctx, v); err != nil {
			return nil, err
		}
	}
}

// askedNotes is how many notes give a question.
const askedNotes = 25

// questions asks both indexes for the words of some notes, by keywords and by
// vectors, and says where they answer with other scores: then what is counted or
// stored beside the texts differs. Which of two equal passages comes first is
// left open.
func (c comparison) questions(ctx context.Context, entries []vault.Entry) ([]string, error) {
	var wrong []string
	for _, n := range drawn(slices.Clone(entries), askedNotes, c.now) {
		items, err := c.was.Get(ctx, string(n.Path))
		if err != nil && !errors.Is(err, index.ErrNotFound) {
			return nil, err
		}
		for _, it := range items[:min(1, len(items))] {
			if len(it.Chunks) == 0 {
				continue
			}
			for _, mode := range []rank.Mode{rank.Keyword, rank.Vector} {
				q := index.Query{Text: it.Chunks[0].Text, Mode: mode, Now: c.now}
				was, err := c.was.Search(ctx, q)
				if errors.Is(err, index.ErrEmptyQuery) {
					continue
				}
				if err != nil {
					return nil, err
				}
				is, err := c.is.Search(ctx, q)
				if err != nil {
					return nil, err
				}
				if !sameScores(was.Hits, is.Hits) {
					wrong = append(wrong, fmt.Sprintf("the answers to the words of %s", n.Path))
				}
			}
		}
	}
	return wrong, nil
}

// sameScores compares two answers. Two passages that are equally near may stand the
// other way round in the list that the ranking counts by, and have each other's
// place in it: then one has as much more as the other has less.
func sameScores(a, b []index.Hit) bool {
	const (
		rounding = 1e-6 // sums of the same numbers in another order
		place    = 0.1  // no place in a list is worth as much
	)
	more := 0.0
	same := slices.EqualFunc(a, b, func(a, b index.Hit) bool {
		more += a.Score - b.Score
		return math.Abs(a.Score-b.Score) < place
	})
	return same && math.Abs(more) < rounding*float64(1+len(a))
}
