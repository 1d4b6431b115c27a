package main

import (
	"context"
	"errors"
	"os"
)

// probeBytes is what the disk check writes: as much as a small change of the index
// takes.
const probeBytes = 64 << 10

// disk checks that the folders beside the vault can be written, and have room.
func (e *examination) disk(context.Context) error {
	ok := true
	for _, folder := range []struct{ dir, what string }{
		{e.s.places.Cache, "the index does not follow the vault, and questions are answered from a copy of it"},
		{e.s.places.State, "nothing can be imported, distilled or committed"},
		{e.s.places.Data, "no secret can be put aside"},
	} {
		if err := tryWriting(folder.dir); err != nil {
			ok = false
			e.found("disk", stateBroken, hint(err), "%s: %v", folder.what, err)
		}
	}
	if ok {
		e.fine("disk", "index, state and originals can be written")
	}
	return nil
}

// tryWriting writes a file to a folder and deletes it.
func tryWriting(dir string) error {
	f, err := os.CreateTemp(dir, ".probe-*")
	if err != nil {
		return err
	}
	_, err = f.Write(make([]byte, probeBytes))
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
