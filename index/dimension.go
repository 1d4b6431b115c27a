package index

import (
	"context"
	"errors"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/vector"
)

// An endpoint says how many components its vectors have with its first answer. So
// it is asked once for the vector of a word, which is cached under the model
// without a dimension: an index made anew beside the cache asks nothing.
const dimensionText = "dimension"

func dimensionKey(m embed.Model) []store.Key {
	return []store.Key{keyOf(embed.Model{ID: m.ID}, dimensionText)}
}

// knownDimension is what the cache says, 0 where it says nothing.
func (v *vectorer) knownDimension(ctx context.Context) int {
	found, err := v.cache.Get(ctx, 0, dimensionKey(v.model))
	if err != nil || found[0] == nil {
		return 0
	}
	return len(found[0]) - vector.Size(0)
}

// keepDimension tells the cache, in which a later word overrides an earlier one:
// a model may have been replaced under its name. A cache that cannot be written
// costs time later and nothing now.
func (v *vectorer) keepDimension(ctx context.Context, vec []float32) {
	_ = v.cache.Put(ctx, len(vec), dimensionKey(v.model), [][]byte{vector.Pack(nil, vec)})
}

// ready learns the model's dimension where it is not known yet.
func (v *vectorer) ready(ctx context.Context) bool {
	if v.e == nil || v.isDown() {
		return v.e != nil && v.spaceOf().Dim > 0 // the cache still answers
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.model.Dim > 0 {
		return true
	}
	vs, err := v.e.Embed(ctx, []string{dimensionText}, embed.Document)
	switch {
	case err != nil:
		v.down = err
	case len(vs) != 1 || len(vs[0]) == 0:
		v.down = errors.New("it returned no vector")
	default:
		v.model.Dim = len(vs[0])
		v.keepDimension(ctx, vs[0])
	}
	return v.model.Dim > 0
}
