package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
)

// index checks the index's file and whether it is in step.
func (e *examination) index(ctx context.Context) (err error) {
	x, err := e.a.openIndex(ctx, e.s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if err := x.Check(ctx); err != nil {
		if !errors.Is(err, index.ErrDamaged) {
			return err
		}
		e.found("index", stateNote, "", "it was damaged and has been moved aside; it is built anew from the notes")
	}
	behind, err := x.Behind(ctx, e.s.vault)
	if err != nil {
		return err
	}
	status, err := x.Status(ctx)
	if err != nil {
		return err
	}
	for _, n := range status.Remarks {
		e.found("index", stateNote, "", "%s", n)
	}
	if behind > 0 && e.opts.fix {
		if _, err := e.a.updateIndex(ctx, e.s); err != nil {
			return err
		}
		e.found("index", stateFixed, "", "brought %s in step", output.Count(behind, "note", "notes"))
		return nil
	}
	if behind > 0 {
		e.found("index", stateNote, "memsync index", "%s behind; the next search brings it in step", output.Count(behind, "note", "notes"))
	}
	if status.Pending > 0 {
		e.found("index", stateNote, "memsync index", "%s wait for the embedding model", output.Count(status.Pending, "chunk", "chunks"))
	}
	e.fine("index", "%s, %s, model %s", output.Count(status.Notes, "note", "notes"), output.Count(status.Chunks, "chunk", "chunks"), orNone(status.Model))
	return nil
}

// deep builds an index of the same notes and compares what the two say of each.
// Vectors that are known are not made again, since they are stored by content.
func (e *examination) deep(ctx context.Context) (err error) {
	if !e.opts.deep {
		return nil
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
	fresh, err := e.a.openIndexIn(ctx, e.s, filepath.Join(dir, "index"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, fresh.Close()) }()
	bar := e.a.progress()
	bar.Start("comparing", -1, output.Items)
	defer bar.Done()
	if _, err := fresh.Sync(ctx, e.s.vault); err != nil {
		return err
	}
	entries, _, err := e.s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	differ, err := compareNotes(ctx, x.Index, fresh, entries, bar)
	if err != nil {
		return err
	}
	if len(differ) == 0 {
		e.fine("deep", "the index says of %s what one built from nothing says", output.Count(len(entries), "note", "notes"))
		return nil
	}
	if e.opts.fix {
		if _, err := rebuild(ctx, e.a, e.s); err != nil {
			return err
		}
		e.found("deep", stateFixed, "", "%s differed; the index was built anew", output.Count(len(differ), "note", "notes"))
		return nil
	}
	e.found("deep", stateBroken, "memsync index --rebuild", "the index differs from the notes in %s, first %s", output.Count(len(differ), "note", "notes"), differ[0])
	return nil
}

// compareNotes names the notes of which two indexes say different things.
func compareNotes(ctx context.Context, a, b *index.Index, notes []vault.Entry, bar output.Progress) ([]vault.Path, error) {
	var differ []vault.Path
	for _, n := range notes {
		was, err := a.Get(ctx, string(n.Path))
		if err != nil && !errors.Is(err, index.ErrNotFound) {
			return nil, err
		}
		is, err := b.Get(ctx, string(n.Path))
		if err != nil && !errors.Is(err, index.ErrNotFound) {
			return nil, err
		}
		if !reflect.DeepEqual(was, is) {
			differ = append(differ, n.Path)
		}
		bar.Add(1)
	}
	return differ, nil
}
