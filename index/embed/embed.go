// Package embed turns text into vectors.
//
// An Embedder is the built-in static model or any OpenAI-compatible endpoint.
// Vectors that leave this package have unit length, so that cosine similarity
// is a dot product, whatever the model does.
package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
)

// ErrDown is wrapped by errors of a model that does not answer: it cannot be
// reached, is too busy, or breaks off. Asking again later may help.
var ErrDown = errors.New("the embedding model does not answer")

// ErrAnswer is wrapped by errors of a model whose answer cannot be used: vectors
// are missing, have another size, or are no numbers. Asking again will not help.
var ErrAnswer = errors.New("the embedding model's answer cannot be used")

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

// Normalize brings v to unit length; a zero vector stays. It reports false for a
// vector with components that are no numbers.
func Normalize(v []float32) bool {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return false
	}
	if sum > 0 {
		scale := 1 / math.Sqrt(sum)
		for i, x := range v {
			v[i] = float32(float64(x) * scale)
		}
	}
	return true
}
