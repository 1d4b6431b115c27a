package index

import (
	"context"
	"fmt"
	"sync"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/sqlite"
	"github.com/memsync/memsync/index/vector"
)

// A vectorer finds the vectors of chunks, in the cache or from the model.
type vectorer struct {
	e     embed.Embedder
	cache *sqlite.Cache

	mu                        sync.Mutex
	model                     embed.Model
	down                      error // the model did not answer; it is not asked again
	embedded, cached, pending int
}

// vectorer makes one for the index's model.
func (x *Index) vectorer(ctx context.Context, st store.Store) (*vectorer, error) {
	v := &vectorer{e: x.e}
	if x.e == nil {
		return v, nil
	}
	cache, err := x.vectorCache(ctx)
	if err != nil {
		return nil, err
	}
	v.cache, v.model = cache, x.e.Model()
	if v.model.Dim > 0 {
		return v, nil
	}
	// The store may know the dimension from before, or the cache.
	err = st.View(ctx, func(r store.Reader) error {
		if m := r.Stamp().Model; m.Name == v.model.ID {
			v.model.Dim = m.Dim
		}
		return nil
	})
	if err == nil && v.model.Dim == 0 {
		v.model.Dim = v.knownDimension(ctx)
	}
	return v, err
}

func (v *vectorer) storeModel() store.Model {
	v.mu.Lock()
	defer v.mu.Unlock()
	return store.Model{Name: v.model.ID, Dim: v.model.Dim}
}

func (v *vectorer) notes() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.down == nil {
		return nil
	}
	return []string{fmt.Sprintf("the embedding model did not answer (%v): new text is found by keywords only until it does", v.down)}
}

// fill gives the chunks of results their vectors. Where the model does not
// answer they stay without.
func (v *vectorer) fill(ctx context.Context, results []result) {
	if v.e == nil {
		return
	}
	var texts []string
	var to []*store.Chunk
	for i := range results {
		for j, text := range results[i].note.texts {
			texts = append(texts, text)
			to = append(to, &results[i].note.put.Chunks[j])
		}
	}
	for i, packed := range v.vectors(ctx, texts) {
		to[i].Vector = packed
	}
}

// vectors returns packed vectors of texts, nil for those that are not to be had.
func (v *vectorer) vectors(ctx context.Context, texts []string) [][]byte {
	out := make([][]byte, len(texts))
	if len(texts) == 0 {
		return out
	}
	if !v.ready(ctx) {
		v.count(nil, nil, out)
		return out
	}
	model := v.spaceOf()
	keys := make([]store.Key, len(texts))
	for i, t := range texts {
		keys[i] = keyOf(model, t)
	}
	known, err := v.cache.Get(ctx, model.Dim, keys)
	if err != nil {
		known = make([][]byte, len(texts)) // a cache that fails costs time only
	}
	var ask []int
	asked := make(map[store.Key]int)
	for i, t := range texts {
		switch {
		case t == "":
			out[i] = vector.Pack(nil, make([]float32, model.Dim))
		case known[i] != nil:
			out[i] = known[i]
		default:
			if _, twice := asked[keys[i]]; !twice {
				asked[keys[i]] = i
				ask = append(ask, i)
			}
		}
	}
	v.embed(ctx, model, texts, keys, ask, out)
	for i, k := range keys {
		if first, ok := asked[k]; ok && out[i] == nil {
			out[i] = out[first]
		}
	}
	v.count(known, ask, out)
	return out
}

// embed asks the model for the texts numbered in ask and keeps the answers.
func (v *vectorer) embed(ctx context.Context, model embed.Model, texts []string, keys []store.Key, ask []int, out [][]byte) {
	if len(ask) == 0 || v.isDown() {
		return
	}
	want := make([]string, len(ask))
	for n, i := range ask {
		want[n] = texts[i]
	}
	answers, err := v.e.Embed(ctx, want, embed.Document)
	if err == nil && len(answers) != len(want) {
		err = fmt.Errorf("it returned %d vectors for %d texts", len(answers), len(want))
	}
	if err != nil {
		v.fail(ctx, err)
		return
	}
	var newKeys []store.Key
	var packed [][]byte
	for n, i := range ask {
		if len(answers[n]) != model.Dim {
			v.keepDimension(ctx, answers[n])
			v.fail(ctx, fmt.Errorf("its vectors have %d components, want %d", len(answers[n]), model.Dim))
			return
		}
		out[i] = vector.Pack(make([]byte, 0, vector.Size(model.Dim)), answers[n])
		newKeys = append(newKeys, keys[i])
		packed = append(packed, out[i])
	}
	// A cache that cannot be written costs time later and nothing now.
	_ = v.cache.Put(ctx, model.Dim, newKeys, packed)
}

func (v *vectorer) spaceOf() embed.Model {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.model
}

func (v *vectorer) isDown() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.down != nil
}

func (v *vectorer) fail(ctx context.Context, err error) {
	if ctx.Err() != nil {
		return // the update as a whole ended
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.down == nil {
		v.down = err
	}
}

// count adds to the numbers that the report gives.
func (v *vectorer) count(known [][]byte, ask []int, out [][]byte) {
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, k := range known {
		if k != nil {
			v.cached++
		}
	}
	for _, i := range ask {
		if out[i] != nil {
			v.embedded++
		}
	}
	for _, packed := range out {
		if packed == nil {
			v.pending++
		}
	}
}
