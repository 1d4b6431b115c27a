package index

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// ErrNoVectors is returned where similarity cannot be told because the model
// does not answer, or has embedded nothing yet.
var ErrNoVectors = errors.New("there are no vectors to compare")

// A Match is a note that is like a text.
type Match struct {
	NoteID, Path, Title string
	// Cosine is the model's own; Similarity is calibrated, so that
	// embed.DuplicateAt and embed.OverlapAt mean the same for every model.
	Cosine, Similarity float64
}

// Similar returns the k notes of some types that are most like a text under a
// title, most alike first. A note's vector is the mean of its chunks'. It is
// what finds duplicates among summaries.
func (x *Index) Similar(ctx context.Context, title, text string, types []string, k int) ([]Match, error) {
	var out []Match
	err := x.use(ctx, func(st store.Store) error {
		v, err := x.vectorer(ctx, st)
		if err != nil {
			return err
		}
		c, err := x.calibration(ctx, v)
		if err != nil {
			return err
		}
		text := x.clean(text)
		if title != "" {
			text = x.clean(title) + "\n" + text
		}
		packed := v.vectors(ctx, []string{text})[0]
		if packed == nil {
			return errors.Join(ctx.Err(), ErrNoVectors)
		}
		return st.View(ctx, func(r store.Reader) error {
			if r.Stamp().Model != v.storeModel() {
				return ErrNoVectors
			}
			g, err := x.gather(ctx, st, r, types)
			if err != nil {
				return err
			}
			found, err := g.vectors.Nearest(ctx, vector.Unpack(packed), k, nil)
			if err != nil {
				return err
			}
			for _, m := range found {
				row, _ := strconv.ParseInt(m.Name, 10, 64)
				notes, err := r.Notes(ctx, []int64{row})
				if err != nil {
					return err
				}
				for _, n := range notes {
					cos := float64(m.Cosine)
					out = append(out, Match{NoteID: n.ID, Path: n.Path, Title: n.Title, Cosine: cos, Similarity: c.Scale(cos)})
				}
			}
			return nil
		})
	})
	if err != nil {
		return nil, fmt.Errorf("similar notes: %w", err)
	}
	return out, nil
}

// gathered are the vectors of the notes of some types at one generation.
type gathered struct {
	st         store.Store
	types      string
	generation int64
	vectors    *vector.Collection
}

// gather collects the vectors of notes, once for each state of the index.
func (x *Index) gather(ctx context.Context, st store.Store, r store.Reader, types []string) (*gathered, error) {
	key := strings.Join(slices.Sorted(slices.Values(types)), "\x00")
	x.gatherMu.Lock()
	defer x.gatherMu.Unlock()
	if g := x.gathered; g != nil && g.st == st && g.types == key && g.generation == r.Stamp().Generation {
		return g, nil
	}
	s, err := x.snapshotOf(ctx, st, r)
	if err != nil {
		return nil, err
	}
	rows, err := r.Select(ctx, store.Filter{Types: types})
	if err != nil {
		return nil, err
	}
	wanted := make(map[uint32]bool, len(rows))
	for _, row := range rows {
		wanted[uint32(row)] = true
	}
	dim := s.stamp.Model.Dim
	means := make(map[uint32][]float32)
	pos := 0
	for _, block := range s.vectors {
		for v := block; len(v) > 0; v = v[vector.Size(dim):] {
			note := s.notes[s.corpus.Note[pos]]
			pos++
			if !wanted[note] {
				continue
			}
			if means[note] == nil {
				means[note] = make([]float32, dim)
			}
			for i, c := range vector.Unpack(v[:vector.Size(dim)]) {
				means[note][i] += c
			}
		}
	}
	c, err := vector.NewCollection(dim)
	if err != nil {
		return nil, err
	}
	for note, mean := range means {
		if !embed.Normalize(mean) {
			continue
		}
		if err := c.Add(ctx, strconv.FormatUint(uint64(note), 10), mean); err != nil {
			return nil, err
		}
	}
	x.gathered = &gathered{st: st, types: key, generation: r.Stamp().Generation, vectors: c}
	return x.gathered, nil
}

// calibration measures the index's model, once. Its sample is embedded through
// the cache like any text.
func (x *Index) calibration(ctx context.Context, v *vectorer) (embed.Calibration, error) {
	if x.e == nil {
		return embed.Calibration{}, ErrNoVectors
	}
	x.calMu.Lock()
	defer x.calMu.Unlock()
	if x.cal == nil {
		c, err := embed.Calibrate(ctx, throughCache{v}, embed.Sample())
		if err != nil {
			return c, errors.Join(ctx.Err(), ErrNoVectors, err)
		}
		x.cal = &c
	}
	return *x.cal, nil
}

// throughCache is the vectorer as an embedder.
type throughCache struct{ v *vectorer }

func (t throughCache) Model() embed.Model { return t.v.spaceOf() }

func (t throughCache) Embed(ctx context.Context, texts []string, _ embed.Purpose) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, packed := range t.v.vectors(ctx, texts) {
		if packed == nil {
			return nil, errors.Join(ctx.Err(), embed.ErrDown)
		}
		out[i] = vector.Unpack(packed)
	}
	return out, nil
}
