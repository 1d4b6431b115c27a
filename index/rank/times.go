package rank

import (
	"math"
	"slices"
	"time"

	"github.com/memsync/memsync/index/when"
)

// times are the ranges that a query names, in Unix seconds.
type times struct {
	any    bool
	ranges []span
	raise  float64
}

type span struct{ from, to, slack float64 }

const dayLong = 24 * 60 * 60

func timesIn(c *Corpus, text string, now time.Time, w *Weights) times {
	if c.Time == nil || w.Time == 0 || len(text) > maxText {
		return times{}
	}
	t := times{raise: w.Time}
	for _, r := range when.Find(text, now) {
		from, to := float64(r.From.Unix()), float64(r.To.Unix())
		// What happened on a day is told on it or in the days after; a month
		// has wider edges than a day.
		t.ranges = append(t.ranges, span{from, to, max(3*dayLong, (to-from)/4)})
	}
	t.any = len(t.ranges) > 0
	return t
}

// factor raises a chunk said in a named range in full, and less the longer
// after it, or, sooner falling, before it.
func (t times) factor(c *Corpus, i int) float32 {
	if c.Time[i] == 0 {
		return 1
	}
	x := float64(c.Time[i])
	var best float64
	for _, r := range t.ranges {
		f := 1.0
		switch {
		case x >= r.to:
			f = math.Exp((r.to - x) / r.slack)
		case x < r.from:
			f = math.Exp(2 * (x - r.from) / r.slack)
		}
		best = max(best, f)
	}
	return float32(1 + t.raise*best)
}

// newest returns the corpus's newest time.
func newest(c *Corpus) time.Time {
	if len(c.Time) == 0 {
		return time.Time{}
	}
	if t := slices.Max(c.Time); t > 0 {
		return time.Unix(t, 0).UTC()
	}
	return time.Time{}
}
