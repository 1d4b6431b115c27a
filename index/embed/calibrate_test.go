package embed_test

import (
	"context"
	"math"
	"testing"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
)

func calibrated(t *testing.T) (embed.Calibration, embed.Embedder) {
	t.Helper()
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	c, err := embed.Calibrate(t.Context(), e, embed.Sample())
	if err != nil {
		t.Fatal(err)
	}
	return c, e
}

func TestSample(t *testing.T) {
	count := make(map[embed.Label]int)
	for _, p := range embed.Sample() {
		if p.A == "" || p.B == "" || p.A == p.B {
			t.Errorf("pair %+v", p)
		}
		count[p.Label]++
	}
	if count[embed.Duplicated] != 20 || count[embed.Overlapping] != 20 || count[embed.Distinct] != 20 {
		t.Errorf("labels %v", count)
	}
}

func TestCalibrateBuiltin(t *testing.T) {
	c, _ := calibrated(t)
	t.Logf("%+v", c)
	if !(c.Typical < c.Overlap && c.Overlap < c.Duplicate && c.Duplicate < 1) {
		t.Errorf("the bands are out of order: %+v", c)
	}
	// A model that cannot tell the sample's classes apart is of no use for
	// finding duplicates; chance would be a third. Each pair is judged by the
	// half of the sample that lacks it.
	if c.Agreement < 0.8 {
		t.Errorf("agreement %.2f", c.Agreement)
	}
}

// Scale keeps order, meets the bands, and maps the ends onto themselves.
func TestScale(t *testing.T) {
	c := embed.Calibration{Typical: 0.1, Overlap: 0.45, Duplicate: 0.75}
	for cosine, want := range map[float64]float64{-1: -1, 0.1: 0.4, 0.45: 0.8, 0.75: 0.92, 1: 1, 1.0001: 1} {
		if got := c.Scale(cosine); math.Abs(got-want) > 1e-9 {
			t.Errorf("Scale(%v) = %v, want %v", cosine, got, want)
		}
	}
	last := math.Inf(-1)
	for x := -1.0; x <= 1; x += 0.001 {
		s := c.Scale(x)
		if s < last {
			t.Fatalf("Scale falls at %v", x)
		}
		last = s
	}
}

// stretched is a model whose cosines lie close together, as some models' do.
type stretched struct{ embed.Embedder }

func (s stretched) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	vs, err := s.Embedder.Embed(ctx, texts, as)
	for i, v := range vs {
		w := append([]float32{2}, v...) // the same direction added to all
		embed.Normalize(w)
		vs[i] = w
	}
	return vs, err
}

// The scale means the same for a model whose cosines are others.
func TestScaleIsTheModelsOwn(t *testing.T) {
	a, e := calibrated(t)
	s := stretched{e}
	b, err := embed.Calibrate(t.Context(), s, embed.Sample())
	if err != nil {
		t.Fatal(err)
	}
	if b.Duplicate <= a.Duplicate || b.Overlap <= 0.8 {
		t.Fatalf("the second model is not another: %+v and %+v", a, b)
	}
	if a.Agreement != b.Agreement {
		t.Errorf("agreement %.3f and %.3f", a.Agreement, b.Agreement)
	}
	texts := []string{"The rent goes up in January.", "In January the rent will rise."}
	score := func(e embed.Embedder, c embed.Calibration) float64 {
		v, err := e.Embed(t.Context(), texts, embed.Document)
		if err != nil {
			t.Fatal(err)
		}
		dot := 0.0
		for i := range v[0] {
			dot += float64(v[0][i]) * float64(v[1][i])
		}
		return c.Scale(dot)
	}
	if x, y := score(e, a), score(s, b); math.Abs(x-y) > 0.02 {
		t.Errorf("the same texts score %.3f and %.3f", x, y)
	}
}
