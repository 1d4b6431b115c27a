package index

import (
	"context"
	"slices"

	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// This file is about turns that are found by what a model says they say in
// English. The rendering ranks; what is shown is the turn, in its person's words.

// original returns the chunk that is shown for one that was found: for a rendering
// the turn that it renders, else the chunk itself. It is false for a rendering whose
// turn is not in the index.
func original(ctx context.Context, r store.Reader, n store.Note, c store.Chunk) (store.Note, store.Chunk, bool, error) {
	if n.Type != string(vault.TypeRendering) {
		return n, c, true, nil
	}
	if chunk.Kind(c.Kind) != chunk.Rendering {
		return n, c, false, nil
	}
	notes, err := r.Find(ctx, c.Label)
	if err != nil || len(notes) == 0 {
		return n, c, false, err
	}
	rows := make([]int64, notes[0].Count)
	for i := range rows {
		rows[i] = notes[0].First + int64(i)
	}
	chunks, err := r.Chunks(ctx, rows)
	if err != nil {
		return n, c, false, err
	}
	for _, o := range chunks {
		if o.Turn == c.Turn && chunk.Kind(o.Kind) == chunk.Turn {
			return notes[0], o, true, nil
		}
	}
	return n, c, false, nil
}

// withRenderings lets whoever asks for transcripts find their turns by renderings
// as well.
func withRenderings(types []string) []string {
	if !slices.Contains(types, string(vault.TypeTranscript)) {
		return types
	}
	return append(slices.Clone(types), string(vault.TypeRendering))
}
