package main

import (
	"context"
	"errors"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
)

// index checks the index's file and whether it is in step.
func (e *examination) index(ctx context.Context) (err error) {
	x, why, err := e.a.openAnyhow(ctx, e.s)
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
	if behind > 0 && e.opts.fix && why == nil {
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
