// Package embed turns text into vectors.
//
// An Embedder is the built-in static model or any OpenAI-compatible endpoint.
// Vectors that leave this package have unit length, so that cosine similarity
// is a dot product, whatever the model does.
package embed

import (
	"context"
	"fmt"
)

// A Purpose says which side of a search a text stands on. Some models want a
// different prefix for each.
type Purpose int

const (
	// Document marks text that is stored and found.
	Document Purpose = iota
	// Query marks text that searches.
	Query
)

// A Model identifies an embedding space: vectors are comparable only within one.
type Model struct {
	// ID names provider, model, version and prefixes: "builtin/1",
	// "openai/bge-m3".
	ID string
	// Dim is the number of components of each vector.
	Dim int
}

func (m Model) String() string { return fmt.Sprintf("%s@%d", m.ID, m.Dim) }

// An Embedder embeds texts in one model's space.
type Embedder interface {
	// Model names the space. For an endpoint whose dimension is not configured
	// Dim is 0 until the first answer.
	Model() Model
	// Embed returns one unit vector a text, in order. A text without anything
	// that the model knows gets the zero vector.
	Embed(ctx context.Context, texts []string, as Purpose) ([][]float32, error)
}
