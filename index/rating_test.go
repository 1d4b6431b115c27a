package index

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/index/store"
)

// strong is a model that knows which answer belongs to which probe.
type strong struct{ *words }

func (s strong) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	answer := make(map[string]string)
	for _, p := range embed.Probes() {
		answer[p.Question] = p.Answer
	}
	said := make([]string, len(texts))
	for i, text := range texts {
		if said[i] = text; answer[text] != "" {
			said[i] = answer[text]
		}
	}
	return s.words.Embed(ctx, said, as)
}

// The share of the vectors is the model's own, is measured once, and outlives
// the process.
func TestShareIsTheModels(t *testing.T) {
	src := newTree(map[string]string{"a.md": "The lighthouse keeper keeps bees on the northern cliff.\n"})
	plain, better := newWords("test/words", 64), strong{newWords("test/strong", 64)}
	shares := make(map[string]float64)
	for _, e := range []embed.Embedder{plain, better} {
		dir := t.TempDir()
		x := openIndex(t, dir, e)
		m := store.Model{Name: e.Model().ID, Dim: 64}
		if got := x.shareOf(m); got != rank.DefaultWeights().Vector {
			t.Errorf("%s: share %.2f before it is measured", m.Name, got)
		}
		sync1(t, x, src)
		shares[m.Name] = x.shareOf(m)
		w := x.weights(m)
		if w.Vector != shares[m.Name] || math.Abs(w.Vector+w.Keyword-1) > 1e-9 {
			t.Errorf("%s: weights %.2f and %.2f", m.Name, w.Keyword, w.Vector)
		}
		if got := openIndex(t, dir, e).shareOf(m); got != shares[m.Name] {
			t.Errorf("%s: share %.2f, and %.2f when opened again", m.Name, shares[m.Name], got)
		}
		// A file that is none is no obstacle.
		if err := os.WriteFile(x.ratingsPath(), []byte("{\"test"), 0o600); err != nil {
			t.Fatal(err)
		}
		y := openIndex(t, dir, e)
		if got := y.shareOf(m); got != rank.DefaultWeights().Vector {
			t.Errorf("%s: share %.2f of a damaged file", m.Name, got)
		}
	}
	if shares["test/strong"] < shares["test/words"]+0.1 || shares["test/strong"] < 0.5 {
		t.Errorf("shares %v, want the stronger model's well above the other's", shares)
	}
}

// A model that is down leaves the share as it was and is measured when it is back.
func TestShareOfModelThatIsDown(t *testing.T) {
	e := newWords("test/words", 64)
	x := openIndex(t, t.TempDir(), e)
	src := newTree(map[string]string{"a.md": "The lighthouse keeper keeps bees.\n"})
	e.down.Store(true)
	sync1(t, x, src)
	if len(x.readRatings()) != 0 {
		t.Errorf("ratings %v of a model that is down", x.readRatings())
	}
	e.down.Store(false)
	if _, err := x.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(x.readRatings()) != 1 {
		t.Errorf("ratings %v, want one", x.readRatings())
	}
}
