package builtin

import (
	"math"
	"testing"
)

// The processor's own way of adding gives the bits of plain Go, for any length, so
// that an index made on one machine is that of another.
func FuzzAdd(f *testing.F) {
	f.Add([]byte{1, 255, 128, 127, 0}, float32(0.0123), float32(3))
	f.Add(make([]byte, 300), float32(-1), float32(1e-30))
	f.Fuzz(func(t *testing.T, raw []byte, w, start float32) {
		cells := string(raw)
		got, want := make([]float32, len(cells)+3), make([]float32, len(cells)+3)
		for i := range got {
			got[i] = start / float32(i+1)
			want[i] = got[i]
		}
		for range 3 { // sums of sums
			add(got, cells, w)
			addPlain(want[:len(cells)], cells, w)
		}
		for i := range got {
			g, x := got[i], want[i]
			if math.Float32bits(g) != math.Float32bits(x) && (g == g || x == x) {
				t.Fatalf("component %d of %d is %v, want %v", i, len(cells), g, x)
			}
		}
	})
}
