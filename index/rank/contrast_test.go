package rank

import (
	"cmp"
	"testing"
)

// A list whose best stands out says more than one in which all are alike.
func TestContrast(t *testing.T) {
	list := func(n int, at func(i int) float32) side {
		x := side{share: 0.5, best: 1}
		for i := range n {
			x.evidence, x.top = append(x.evidence, at(i)), append(x.top, int32(i))
		}
		return x
	}
	flat := func(i int) float32 { return 1 - float32(i)/1000 }
	steep := func(i int) float32 { return 1 / float32(i+1) }
	for _, c := range []struct {
		name    string
		kw, vec side
		power   float64
		want    int // whose share grows: of keywords 1, of vectors -1
	}{
		{"a steep and a flat list", list(100, steep), list(100, flat), 1, 1},
		{"a flat and a steep list", list(100, flat), list(100, steep), 1, -1},
		{"no power", list(100, steep), list(100, flat), 0, 0},
		{"alike as far as both go", list(3, steep), list(300, steep), 1, 0},
		{"a single hit", list(1, flat), list(300, steep), 1, 0},
		{"an empty list", list(0, flat), list(300, steep), 1, 0},
		{"nothing stands out", list(9, func(int) float32 { return 1 }), list(9, func(int) float32 { return 1 }), 1, 0},
	} {
		weighSides(&c.kw, &c.vec, c.power)
		if got := cmp.Compare(c.kw.share, c.vec.share); got != c.want || c.kw.share <= 0 || c.vec.share <= 0 {
			t.Errorf("%s: shares %.3f and %.3f", c.name, c.kw.share, c.vec.share)
		}
	}
}
