package index

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
)

// ratingsName is the file beside the vector cache that says what share of
// relevance each model's vectors deserve, by the model's name and dimension. A
// model is measured once, when it first embeds something; without the file
// searches give it the built-in model's share.
const ratingsName = "ratings.json"

func (x *Index) ratingsPath() string {
	return filepath.Join(filepath.Dir(x.cfg.CachePath), ratingsName)
}

func (x *Index) readRatings() map[string]float64 {
	ratings := make(map[string]float64)
	b, err := os.ReadFile(x.ratingsPath())
	if err != nil || json.Unmarshal(b, &ratings) != nil || ratings == nil {
		return make(map[string]float64)
	}
	return ratings
}

// rate measures the model that a vectorer asked, unless it is known. What fails
// is tried again with the next update.
func (x *Index) rate(ctx context.Context, v *vectorer) {
	if _, known := x.e.(embed.Rated); known || v.e == nil || v.isDown() {
		return
	}
	x.rateMu.Lock()
	defer x.rateMu.Unlock()
	name := v.spaceOf().String()
	ratings := x.readRatings()
	if _, known := ratings[name]; known {
		return
	}
	share, err := embed.Rate(ctx, x.e)
	if err != nil {
		x.cfg.Log.Info("model not rated", "model", name, "reason", err)
		return
	}
	ratings[name] = share
	b, err := json.Marshal(ratings)
	if err == nil {
		err = replaceFile(x.ratingsPath(), b)
	}
	if err != nil {
		x.cfg.Log.Info("rating not kept", "model", name, "reason", err)
	}
	x.ratings = ratings
}

// shareOf is the share that the vectors of the store's model deserve.
func (x *Index) shareOf(m store.Model) float64 {
	if r, known := x.embedderOf(m).(embed.Rated); known {
		return r.Share()
	}
	x.rateMu.Lock()
	defer x.rateMu.Unlock()
	if x.ratings == nil {
		x.ratings = x.readRatings()
	}
	share, ok := x.ratings[embed.Model{ID: m.Name, Dim: m.Dim}.String()]
	if !ok || share < 0 || share > 1 {
		return rank.DefaultWeights().Vector
	}
	return share
}

// weights are those of the ranking with the shares that the model deserves.
func (x *Index) weights(m store.Model) *rank.Weights {
	w := rank.DefaultWeights()
	w.Vector = x.shareOf(m)
	w.Keyword = 1 - w.Vector
	return &w
}

// replaceFile writes a file of the cache at once.
func replaceFile(path string, b []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(b)
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
