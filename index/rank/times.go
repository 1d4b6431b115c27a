package rank

import (
	"math"
	"slices"
	"time"

	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/index/when"
)

// times are the ranges that a query names, in Unix seconds.
type times struct {
	any    bool
	ranges []span
	// only says that the query asks for nothing but the time.
	only bool
	// near is 1 for a chunk said in a named range and less the longer after it,
	// or, sooner falling, before it.
	near []float32
}

type span struct{ from, to, slack float64 }

const dayLong = 24 * 60 * 60

func timesIn(c *Corpus, s *scratch, text string, now time.Time, w *Weights) times {
	if c.Time == nil || w.Time == 0 || len(text) > maxText {
		return times{}
	}
	var t times
	rest, read := "", 0
	for _, r := range when.Find(text, now) {
		rest += text[read:r.Start] + " "
		read = r.End
		from, to := float64(r.From.Unix()), float64(r.To.Unix())
		// What happened on a day is told on it or in the days after; a month
		// has wider edges than a day.
		t.ranges = append(t.ranges, span{from, to, max(3*dayLong, (to-from)/4)})
	}
	t.any = len(t.ranges) > 0
	if t.only = t.any && !lexical.Subject(rest+text[read:]); t.only {
		for i := range t.ranges {
			// Nothing else tells what was meant, so the time is taken strictly.
			t.ranges[i].slack = dayLong / 4
		}
	}
	if t.any {
		t.near = s.floats(c.Size())
		for i, at := range c.Time {
			if at != 0 {
				t.near[i] = t.nearness(float64(at))
			}
		}
	}
	return t
}

// nearness is near at one time.
func (t times) nearness(x float64) float32 {
	var best float64
	for _, r := range t.ranges {
		f := 1.0
		switch {
		case x >= r.to+8*r.slack || x < r.from-4*r.slack:
			continue // below e^-8
		case x >= r.to:
			f = math.Exp((r.to - x) / r.slack)
		case x < r.from:
			f = math.Exp(2 * (x - r.from) / r.slack)
		}
		best = max(best, f)
	}
	return float32(best)
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
