// Package builtin embeds text with a model that is part of the binary.
//
// The model is static: each of some thirty thousand word pieces has one row of
// 8-bit integers, and a text's vector is the sum of its pieces' rows, brought to
// unit length. There is no network to run, so that a chunk costs a few dozen
// microseconds, and nothing to download or to decode at start. What it knows it was
// taught by a sentence embedding model; distill/README.md says by which, on what
// texts, and how well it does beside its teacher.
//
// It reads English. Text in another language gets a vector as far as its pieces
// are known, which is enough to find names and borrowed words but not meaning:
// there keyword search carries. Word order is not seen, nor negation.
//
// Question and document share one space. Of a question, the words that only put
// it ("can you give me a summary of") are left out: a sum of words would drift
// towards them.
package builtin

import (
	"context"
	"fmt"
	"math"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/lexical"
)

// id names the space. It changes with every table that is released, since
// vectors of two tables cannot be compared.
const id = "builtin/1"

// A Model is the built-in embedding model. It is read-only and may be shared by
// goroutines.
type Model struct{ table table }

var (
	_ embed.Embedder = (*Model)(nil)
	_ embed.Rated    = (*Model)(nil)
)

// Open returns the model. It reads a header only: a few microseconds.
func Open() (*Model, error) {
	t, err := open(model)
	if err != nil {
		return nil, fmt.Errorf("builtin model: %w", err)
	}
	return &Model{table: t}, nil
}

// Model names the embedding space.
func (m *Model) Model() embed.Model { return embed.Model{ID: id, Dim: m.table.dim} }

// Embed returns one vector a text, in order, of unit length: each component is
// between -1 and 1 and most lie within ±0.25, so that a vector may be kept as
// 8-bit integers under one scale of its own. A text without any known piece,
// such as the empty one, gets the zero vector. It fails only when ctx ends.
func (m *Model) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	dim := m.table.dim
	out := make([][]float32, len(texts))
	all := make([]float32, len(texts)*dim)
	for i, text := range texts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if as == embed.Query {
			text = lexical.Topic(text)
		}
		sum := all[i*dim : (i+1)*dim : (i+1)*dim]
		m.table.pieces(text, func(row int) { m.table.add(sum, row) })
		normalize(sum)
		out[i] = sum
	}
	return out, nil
}

// Share is the model's share in hybrid search, as embed.Separation measures it:
// a search from the shell has no time to.
func (m *Model) Share() float64 { return 0.35 }

// Pieces returns the word pieces that Embed sees in a text, for those who ask
// why two texts are near. "##" marks a piece that continues a word.
func (m *Model) Pieces(text string) []string {
	var out []string
	m.table.pieces(text, func(row int) { out = append(out, m.table.piece(row)) })
	return out
}

// normalize brings a vector to unit length and leaves the zero vector alone.
func normalize(v []float32) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		return
	}
	scale := float32(1 / math.Sqrt(sum))
	for i := range v {
		v[i] *= scale
	}
}
