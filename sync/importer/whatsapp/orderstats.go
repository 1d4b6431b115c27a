package whatsapp

import (
	"fmt"
	"math"
)

// orderStats counts, for each order of the date's fields, what the file would
// look like if it were the right one.
type orderStats [orderCount]struct {
	n int
	// invalid counts dates that do not exist.
	invalid int
	// back counts days before the message above.
	back int
	// jumped is the sum of all steps in days, forwards and backwards.
	jumped int
	last   int
	begun  bool
	// named counts agreements with the date inside an attachment's name.
	named int
}

func (s *orderStats) add(h *header, named int) {
	for _, o := range h.orders() {
		x := &s[o]
		x.n++
		year, month, day, ok := o.apply(h)
		if !ok {
			x.invalid++
			continue
		}
		n := dayNumber(year, month, day)
		if named != 0 && abs(named-n) <= 1 {
			x.named++
		}
		if x.begun {
			if n < x.last {
				x.back++
			}
			x.jumped += abs(n - x.last)
		}
		x.last, x.begun = n, true
	}
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// Where two orders leave a file equally possible, these say when the evidence
// of running time is taken as proof: steps that sum to three times as many
// days and at least a season more.
const (
	surerTimes = 3
	surerDays  = 90
)

// resolve picks the order for shape sh; hint is the one to take where the file
// does not tell. doubt is a sentence for that.
func (s *orderStats) resolve(sh shape, hint order) (best order, doubt string) {
	orders := sh.orders()
	if len(orders) == 2 && sh.year == 0 {
		// Year first and day before month is rare: only dates that cannot be
		// read otherwise make it so.
		if s[yearDayMonth].invalid*10 < s[yearMonthDay].invalid {
			return yearDayMonth, ""
		}
		return yearMonthDay, ""
	}
	best = hint
	for _, o := range orders {
		if o != best && s.better(o, best) {
			best = o
		}
	}
	for _, o := range orders {
		if o != best && !s.surely(best, o) {
			return best, fmt.Sprintf("the dates can be read as %s and as %s; taken as %s", best, o, best)
		}
	}
	return best, ""
}

// better orders two readings of a file: dates that do not exist, then names of
// attachments that disagree, then time that runs back, then long jumps.
func (s *orderStats) better(a, b order) bool {
	x, y := s[a], s[b]
	if d := x.invalid - y.invalid; abs(d) > s.noise(a) {
		return d < 0
	}
	if x.named != y.named {
		return x.named > y.named
	}
	if x.back != y.back {
		return x.back < y.back
	}
	if x.invalid != y.invalid {
		return x.invalid < y.invalid
	}
	return x.jumped*surerTimes < y.jumped
}

// surely reports whether the file itself speaks for a against b.
func (s *orderStats) surely(a, b order) bool {
	x, y := s[a], s[b]
	switch {
	case y.invalid-x.invalid > s.noise(a):
		return true
	case x.named > y.named:
		return true
	case y.back-x.back >= 2:
		return true
	case y.invalid > x.invalid:
		return true
	case a <= monthDayYear && b == yearMonthDay:
		// Two-digit years stand last unless the file says otherwise.
		return true
	}
	return x.jumped*surerTimes <= y.jumped && y.jumped-x.jumped >= surerDays
}

// noise is how many impossible dates quotes in the same shape may bring in.
func (s *orderStats) noise(o order) int {
	return int(math.Ceil(float64(s[o].n)/200)) - 1
}
