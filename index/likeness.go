package index

import (
	"context"
	"errors"
	"fmt"

	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// A Likeness compares texts by meaning with the index's model, calibrated so that
// embed.DuplicateAt and embed.OverlapAt mean the same for every model. It
// remembers the vectors of what it has seen, so it is for one run over texts that
// are compared again and again; it is not for concurrent use.
type Likeness struct {
	x       *Index
	vectors map[string][]float32
}

// Likeness begins a run of comparisons.
func (x *Index) Likeness() *Likeness {
	return &Likeness{x: x, vectors: map[string][]float32{}}
}

// Similar returns how much text is like each of the others, from -1 to 1. The
// error wraps ErrNoVectors where there is no model, or it does not answer.
func (l *Likeness) Similar(ctx context.Context, text string, others []string) ([]float64, error) {
	out := make([]float64, len(others))
	err := l.x.use(ctx, func(st store.Store) error {
		v, err := l.x.vectorer(ctx, st)
		if err != nil {
			return err
		}
		c, err := l.x.calibration(ctx, v)
		if err != nil {
			return err
		}
		if err := l.embed(ctx, v, append([]string{text}, others...)); err != nil {
			return err
		}
		one := l.vectors[text]
		for i, other := range others {
			out[i] = c.Scale(dot(one, l.vectors[other]))
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("compare texts: %w", err)
	}
	return out, nil
}

// embed learns the vectors of texts that it has not seen.
func (l *Likeness) embed(ctx context.Context, v *vectorer, texts []string) error {
	var fresh, cleaned []string
	for _, t := range texts {
		if _, known := l.vectors[t]; !known {
			l.vectors[t] = nil
			fresh, cleaned = append(fresh, t), append(cleaned, l.x.clean(t))
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	var missing error
	for i, packed := range v.vectors(ctx, cleaned) {
		if packed == nil {
			missing = errors.Join(ctx.Err(), ErrNoVectors)
			delete(l.vectors, fresh[i])
			continue
		}
		l.vectors[fresh[i]] = vector.Unpack(packed)
	}
	return missing
}

// dot is the cosine of vectors of unit length; 0 where one is of another size.
func dot(a, b []float32) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
