package embed_test

import (
	"context"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
)

func TestProbes(t *testing.T) {
	probes := embed.Probes()
	if len(probes) < 32 || len(probes)%4 != 0 {
		t.Fatalf("%d probes, want at least 32, four of each subject", len(probes))
	}
	seen := make(map[string]bool)
	for _, p := range probes {
		if p.Question == "" || p.Answer == "" || seen[p.Question] || seen[p.Answer] {
			t.Errorf("probe %+v", p)
		}
		seen[p.Question], seen[p.Answer] = true, true
	}
}

// guessing is a model whose vectors say nothing.
type guessing struct{ dim int }

func (g guessing) Model() embed.Model { return embed.Model{ID: "guessing", Dim: g.dim} }

func (g guessing) Embed(_ context.Context, texts []string, _ embed.Purpose) ([][]float32, error) {
	out := make([][]float32, len(texts))
	for i, text := range texts {
		h := fnv.New64a()
		h.Write([]byte(text))
		r := rand.New(rand.NewPCG(h.Sum64(), 1))
		out[i] = make([]float32, g.dim)
		for k := range out[i] {
			out[i][k] = float32(r.NormFloat64())
		}
		embed.Normalize(out[i])
	}
	return out, nil
}

// knowing is a model that sees most answers in their questions: it takes a
// question for its answer, but for one in every miss.
type knowing struct {
	guessing
	miss int
}

func (k knowing) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	answer := make(map[string]string)
	for i, p := range embed.Probes() {
		if k.miss == 0 || i%k.miss != 0 {
			answer[p.Question] = p.Answer
		}
	}
	said := make([]string, len(texts))
	for i, text := range texts {
		if said[i] = text; answer[text] != "" {
			said[i] = answer[text]
		}
	}
	return k.guessing.Embed(ctx, said, as)
}

// unrated hides what a model knows of itself.
type unrated struct{ embed.Embedder }

// A stronger model gets a larger share, a guessing one hardly any, and the
// built-in one what it says of itself.
func TestShare(t *testing.T) {
	b, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	share := func(e embed.Embedder) float64 {
		s, err := embed.Rate(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	own := share(unrated{b})
	if math.Abs(own-b.Share()) > 0.005 {
		t.Errorf("the built-in model says %.3f of itself and is measured at %.3f", b.Share(), own)
	}
	guess, good, best := share(guessing{256}), share(knowing{guessing{256}, 8}), share(knowing{guessing{256}, 0})
	t.Logf("guessing %.3f, builtin %.3f, good %.3f, best %.3f", guess, own, good, best)
	if !(embed.MinShare <= guess && guess < own-0.1 && own+0.05 < good && good < best && best < 0.7) {
		t.Errorf("shares: guessing %.3f, builtin %.3f, good %.3f, best %.3f", guess, own, good, best)
	}
}

func TestShareOfSeparation(t *testing.T) {
	last := 0.0
	for s := 0.0; s <= 1; s += 0.01 {
		x := embed.Share(s)
		if math.IsNaN(x) || x < max(last, embed.MinShare) || x > 1 {
			t.Fatalf("Share(%v) = %v after %v", s, x, last)
		}
		last = x
	}
}
