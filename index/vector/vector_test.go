package vector

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

func unit(r *rand.Rand, dim int) []float32 {
	v := make([]float32, dim)
	var sum float64
	for i := range v {
		v[i] = float32(r.NormFloat64())
		sum += float64(v[i]) * float64(v[i])
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(sum))
	}
	return v
}

func dotFloat(a, b []float32) float64 {
	var s float64
	for i, x := range a {
		s += float64(x) * float64(b[i])
	}
	return s
}

func TestCosinesAreTheCosines(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, dim := range []int{1, 7, 64, 256, 1024, 4096} {
		q := unit(r, dim)
		var blocks [][]byte
		var want []float64
		for _, n := range []int{3, 0, 700, 1, 2000} {
			var b []byte
			for range n {
				v := unit(r, dim)
				b = Pack(b, v)
				want = append(want, dotFloat(q, v))
			}
			blocks = append(blocks, b)
			if dim >= 1024 && n >= 700 {
				break
			}
		}
		got := Cosines(nil, q, blocks...)
		if len(got) != len(want) {
			t.Fatalf("dim %d: %d cosines of %d vectors", dim, len(got), len(want))
		}
		for i, g := range got {
			if math.Abs(float64(g)-want[i]) > 0.005 {
				t.Fatalf("dim %d: cosine %d is %.4f, want %.4f", dim, i, g, want[i])
			}
		}
	}
}

// The worst case for the sums: every component as large as it can be.
func TestSumsDoNotOverflow(t *testing.T) {
	for _, dim := range []int{256, 1024, 4096, 16384} {
		v := make([]float32, dim)
		for i := range v {
			v[i] = float32(1 / math.Sqrt(float64(dim)))
		}
		if c := Cosines(nil, v, Pack(nil, v))[0]; math.Abs(float64(c)-1) > 0.01 {
			t.Errorf("dim %d: cosine with itself is %v", dim, c)
		}
	}
}

// The processor's own way of summing gives what plain Go gives, for any length and
// the extremes of both sides.
func FuzzDot(f *testing.F) {
	f.Add([]byte{1, 255, 128, 7}, int16(1))
	f.Add(bytes.Repeat([]byte{128, 127, 3}, 90), int16(-32767))
	f.Add(bytes.Repeat([]byte{128}, 512), int16(32))
	f.Fuzz(func(t *testing.T, d []byte, seed int16) {
		d = d[:min(len(d), 4096)]
		q := make([]int16, len(d))
		limit := int32(min(32767, (1<<31-1)/(128*max(1, len(d)))))
		for i := range q {
			q[i] = int16((int32(seed) * int32(2*i+1)) % (limit + 1))
		}
		if got, want := dot(q, d), dotPlain(q, d); got != want {
			t.Errorf("%d components: %d, want %d", len(d), got, want)
		}
	})
}

func TestMissingAndZero(t *testing.T) {
	q := []float32{1, 0}
	b := PackMissing(nil, 2)
	b = Pack(b, []float32{0, 0})
	b = Pack(b, []float32{1, 0})
	if got := Nearest(q, 9, nil, b); len(got) != 2 || got[0].Pos != 2 || got[1].Cosine != 0 {
		t.Errorf("nearest: %v", got)
	}
	if !Missing(b) || Unpack(b[:Size(2)]) != nil {
		t.Error("a missing vector is not missing")
	}
}

// Both engines give the same answer to the same question.
func TestEnginesAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, dim = 900, 64
	c, err := NewCollection(dim)
	if err != nil {
		t.Fatal(err)
	}
	var block []byte
	for i := range n {
		packed := Pack(nil, unit(r, dim))
		block = append(block, packed...)
		if err := c.Add(t.Context(), fmt.Sprintf("%04d", i), Unpack(packed)); err != nil {
			t.Fatal(err)
		}
	}
	for trial, keep := range []func(int) bool{nil, func(i int) bool { return i%7 == 0 }, func(i int) bool { return i == 3 }, func(int) bool { return false }} {
		for _, k := range []int{0, 1, 10, n, n + 1} {
			q := unit(r, dim)
			var byPos func(int32) bool
			var byName func(string) bool
			if keep != nil {
				byPos = func(p int32) bool { return keep(int(p)) }
				byName = func(s string) bool { var i int; fmt.Sscanf(s, "%d", &i); return keep(i) }
			}
			want := Nearest(q, k, byPos, block)
			got, err := c.Nearest(t.Context(), q, k, byName)
			if err != nil || len(got) != len(want) {
				t.Fatalf("filter %d, k %d: %d matches, want %d (%v)", trial, k, len(got), len(want), err)
			}
			for i, m := range got {
				// chromem-go normalises again, so equal ranks may differ by rounding.
				if math.Abs(float64(m.Cosine-want[i].Cosine)) > 0.005 {
					t.Fatalf("filter %d, k %d: match %d is %v, want %v", trial, k, i, m, want[i])
				}
			}
		}
	}
}

func TestCollectionRefuses(t *testing.T) {
	c, err := NewCollection(2)
	if err != nil {
		t.Fatal(err)
	}
	if m, err := c.Nearest(t.Context(), []float32{1, 0}, 5, nil); err != nil || len(m) != 0 {
		t.Errorf("empty collection: %v, %v", m, err)
	}
	if err := c.Add(t.Context(), "", []float32{1, 0}); err == nil {
		t.Error("a vector without a name was taken")
	}
	if err := c.Add(t.Context(), "a", []float32{1}); err == nil {
		t.Error("a vector of another dimension was taken")
	}
	for _, step := range []struct {
		v    []float32
		want int
	}{{[]float32{1, 0}, 1}, {[]float32{0, 1}, 1}, {[]float32{0, 0}, 0}} {
		if err := c.Add(t.Context(), "a", step.v); err != nil || c.Len() != step.want {
			t.Errorf("after adding %v: %d vectors, want %d (%v)", step.v, c.Len(), step.want, err)
		}
	}
	if err := c.Add(t.Context(), "b", []float32{1, 0}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Nearest(ctx, []float32{1, 0}, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search returned %v", err)
	}
}

func BenchmarkCosines50k(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var block []byte
	for range 50_000 {
		block = Pack(block, unit(r, 256))
	}
	q := unit(r, 256)
	dst := make([]float32, 0, 50_000)
	for b.Loop() {
		dst = Cosines(dst[:0], q, block)
	}
}

func BenchmarkCollection50k(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	c, _ := NewCollection(256)
	for i := range 50_000 {
		if err := c.Add(b.Context(), fmt.Sprint(i), unit(r, 256)); err != nil {
			b.Fatal(err)
		}
	}
	q := unit(r, 256)
	for b.Loop() {
		if _, err := c.Nearest(b.Context(), q, 200, nil); err != nil {
			b.Fatal(err)
		}
	}
}
