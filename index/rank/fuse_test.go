package rank

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// The best are what sorting everything would put first.
func TestBest(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for range 300 {
		s := make([]float32, r.IntN(400))
		var want []int32
		keep := func(i int32) bool { return i%3 != 0 }
		if r.IntN(2) == 0 {
			keep = nil
		}
		for i := range s {
			s[i] = float32(r.IntN(40)-10) / 8 // with many equals
			if s[i] > 0 && (keep == nil || keep(int32(i))) {
				want = append(want, int32(i))
			}
		}
		slices.SortStableFunc(want, func(a, b int32) int { return cmp.Compare(s[b], s[a]) })
		n := 1 + r.IntN(50)
		if got := best(s, n, keep); !slices.Equal(got, want[:min(n, len(want))]) {
			t.Fatalf("the best %d of %v are %v, want %v", n, s, got, want)
		}
	}
}
