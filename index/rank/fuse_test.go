package rank

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
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

// Passages that are equally near share a place, and the newest of them leads,
// whatever order they were indexed in.
func TestEquallyNear(t *testing.T) {
	const text = "Ana: The budget of the garden is four hundred\n\n"
	c, terms := talk(text + text + text)
	q := ask("garden budget", terms)
	q.TermsOf = nil
	q.Cosine = []float32{0.5, 0.5, 0.5}
	days := []int64{3, 1, 2}
	for range 6 {
		for i, d := range days {
			c.Time[i] = d * dayLong
		}
		for _, weight := range []float64{0, DefaultWeights().Recency} {
			w := DefaultWeights()
			w.Recency = weight
			q.Weights = &w
			q.Now = time.Unix(9*dayLong, 0)
			hits := Search(c, q)
			if len(hits) != 3 {
				t.Fatalf("%d hits, want 3", len(hits))
			}
			for i, h := range hits {
				if got, want := c.Time[h.Pos], int64(3-i)*dayLong; got != want {
					t.Errorf("days %v, recency %v: place %d is of day %d, want %d", days, weight, i+1, got/dayLong, want/dayLong)
				}
				if h.Parts.KeywordRank != 1 || math.Abs(h.Parts.Relevance-hits[0].Parts.Relevance) > 1e-12 {
					t.Errorf("days %v: %+v is not as near as %+v", days, h.Parts, hits[0].Parts)
				}
			}
		}
		r := rand.New(rand.NewPCG(1, uint64(days[0])))
		r.Shuffle(3, func(i, j int) { days[i], days[j] = days[j], days[i] })
	}
}
