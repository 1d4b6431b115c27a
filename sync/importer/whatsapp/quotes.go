package whatsapp

import (
	"fmt"
	"strings"
	"time"
)

// How far time may run before a header needs more evidence. Exports are in the
// order of arrival, so a message that waited on a phone stands a little late,
// and one hour in autumn comes twice.
const (
	slack  = 90 * time.Minute
	oneDay = 24 * time.Hour
)

// quoted says how many of the segments ahead are a quote within the current
// message: lines that have the file's own form, but that someone pasted. A
// sentence without a count is a doubt about a header that was believed.
//
// A line that the app wrote holds no quotes. Otherwise a quote gives itself
// away by people who do not write in this chat, or by time that jumps and
// returns.
func (r *reader) quoted(end bool) (n int, why string) {
	c, s := r.current, r.ahead[0]
	if c == nil || c.system() {
		return 0, ""
	}
	p := r.plan
	if p.contact != "" && s.sender != "" && s.sender != p.pair[0] && s.sender != p.pair[1] {
		return 1, fmt.Sprintf("has the form of a header, but %q is not one of the two people of this chat", s.sender)
	}
	if p.mixed || c.time.IsZero() || s.time.IsZero() {
		return 0, ""
	}
	d := s.time.Time.Sub(c.time.Time)
	if p.crlf && s.loose && (d < 0 || d > oneDay || r.strangers(r.ahead[:1])) {
		return 1, "has the form of a header, but the line above ends like a line within a message"
	}
	switch {
	case d < -slack:
		return r.back(-d, end)
	case d > oneDay:
		return r.forth()
	}
	return 0, ""
}

// back judges a jump into the past.
func (r *reader) back(d time.Duration, end bool) (n int, why string) {
	floor := r.current.time.Time.Add(-slack)
	n = len(r.ahead)
	returns := false
	for i, s := range r.ahead {
		if !s.time.Time.Before(floor) {
			n, returns = i, true
			break
		}
	}
	run := r.ahead[:n]
	switch {
	case !returns && !end:
		// Longer than the reader sees.
	case r.strangers(run):
		return n, fmt.Sprintf("has the form of a header, but goes back by %s and names nobody who writes elsewhere in this chat", days(d))
	case returns && d > oneDay && !r.before.IsZero() && run[0].time.Time.Before(r.before.Add(-slack)):
		return n, fmt.Sprintf("has the form of a header, but goes back by %s, and the chat then goes on where it was", days(d))
	}
	if d > oneDay {
		return 0, fmt.Sprintf("goes back by %s; it was kept as a message of its own", days(d))
	}
	return 0, ""
}

// forth judges a jump into the future: a list of dates that someone wrote.
func (r *reader) forth() (n int, why string) {
	c, first := r.current.time.Time, r.ahead[0].time.Time
	for i, s := range r.ahead {
		if t := s.time.Time; t.Before(first.Add(-oneDay)) && t.After(c.Add(-slack)) {
			if run := r.ahead[:i]; r.strangers(run) {
				return i, fmt.Sprintf("has the form of a header, but is %s ahead, and the chat then goes on where it was", days(first.Sub(c)))
			}
			break
		}
	}
	return 0, ""
}

// strangers reports whether nobody in a run of segments writes outside it.
func (r *reader) strangers(run []*segment) bool {
	within := map[string]int{}
	for _, s := range run {
		within[s.sender]++
	}
	for name, n := range within {
		if name != "" && r.plan.messagesOf(name) > n {
			return false
		}
	}
	return true
}

// messagesOf counts headers that name a sender.
func (p *plan) messagesOf(name string) int {
	sum := 0
	for _, r := range p.shapes {
		if !r.accepted {
			continue
		}
		if n := r.names.count(name); n > 0 {
			sum += n
		} else if short, _, ok := strings.Cut(name, ":"); ok {
			if c := r.names.seen[short]; c != nil {
				sum += c.longer[name]
			}
		}
	}
	return sum
}

func days(d time.Duration) string {
	switch {
	case d < oneDay:
		return d.Round(time.Minute).String()
	case d < 2*oneDay:
		return "a day"
	}
	return fmt.Sprintf("%d days", int(d/oneDay))
}

// nearHeader reports whether a line begins with a date and a time that do not
// make a header: what a person would want to be told of.
func nearHeader(s string) bool {
	if !mayBegin(s) {
		return false
	}
	sc := scanner{s: s}
	sc.accept("[［")
	var h header
	if !sc.date(&h) || h.fields != 3 || !h.plausible() {
		return false
	}
	ahead := s[sc.i:min(len(s), sc.i+24)]
	for i := 1; i+1 < len(ahead); i++ {
		if ahead[i] == ':' && ahead[i-1] >= '0' && ahead[i-1] <= '9' && ahead[i+1] >= '0' && ahead[i+1] <= '9' {
			return true
		}
	}
	return false
}
