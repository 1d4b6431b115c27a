package when

import "time"

// relative reads a time that counts from now, or, followed by "before" or
// "after" and a date, from that date.
func (p *parser) relative(i int) (Range, int) {
	if r, n := p.counted(i); n > 0 {
		return r, n
	}
	if n, anchor := p.anchored(i); n > 0 {
		q := parser{toks: p.toks, now: anchor.From}
		if _, ok := weekdays[p.at(i).text]; ok {
			q.now = q.now.Add(-time.Second)
		}
		if r, k := q.simple(i); k > 0 {
			return r, n
		}
	}
	if p.now.IsZero() {
		return Range{}, 0
	}
	return p.simple(i)
}

// anchored says whether "last weekend", "Friday" and the like at token i are
// followed by "before" and a date, and over how many tokens.
func (p *parser) anchored(i int) (int, Range) {
	q := parser{toks: p.toks, now: time.Unix(0, 0).UTC()}
	_, k := q.simple(i)
	if k == 0 {
		return 0, Range{}
	}
	if w := p.at(i + k).text; w != "before" && w != "prior" {
		return 0, Range{}
	}
	n := k + 1
	if p.at(i+n).text == "to" || p.at(i+n).text == "the" {
		n++
	}
	r, m := p.absolute(i + n)
	if m == 0 {
		return 0, Range{}
	}
	return n + m, r
}

// simple reads today, yesterday, "last week", "this month", "on Tuesday",
// "the past three weeks".
func (p *parser) simple(i int) (Range, int) {
	w := p.at(i).text
	switch w {
	case "today", "tonight":
		return day(p.now, 1), 1
	case "yesterday":
		return day(p.now.AddDate(0, 0, -1), 1), 1
	case "tomorrow":
		return day(p.now.AddDate(0, 0, 1), 1), 1
	case "last", "past", "previous", "this", "next", "current":
		return p.directed(i)
	}
	if d, ok := weekdays[w]; ok {
		back := (int(p.now.Weekday()) - int(d) + 7) % 7
		return day(p.now.AddDate(0, 0, -back), 1), 1
	}
	return Range{}, 0
}

// directed reads "last", "this" or "next" with what it points at.
func (p *parser) directed(i int) (Range, int) {
	w, n := p.at(i).text, 1
	count := 1
	if c, k := p.count(i + n); k > 0 {
		count = c
		n += k
	}
	if count > 1 && w != "this" && w != "next" && w != "current" {
		u, ok := units[p.at(i+n).text]
		if !ok {
			return Range{}, 0
		}
		d := day(p.now, 1)
		return Range{From: back(d.From, u, count), To: d.To}, n + 1
	}
	step := map[string]int{"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1}[w]
	t := p.at(i + n).text
	if d, ok := weekdays[t]; ok {
		// "last Tuesday" is the latest that is over, "next Tuesday" the first to come.
		ahead := (int(d) - int(p.now.Weekday()) + 7) % 7
		if step > 0 && ahead == 0 {
			ahead = 7
		}
		if step < 0 {
			ahead -= 7
		}
		return day(p.now.AddDate(0, 0, ahead), 1), n + 1
	}
	switch units[t] {
	case "day":
		return day(p.now.AddDate(0, 0, step), 1), n + 1
	case "week":
		return week(p.now, step), n + 1
	case "weekend":
		r := week(p.now, step)
		return Range{From: r.From.AddDate(0, 0, 5), To: r.To}, n + 1
	case "month":
		r := month(p.now.Year(), p.now.Month())
		return month(r.From.AddDate(0, step, 0).Year(), r.From.AddDate(0, step, 0).Month()), n + 1
	case "year":
		return year(p.now.Year() + step), n + 1
	}
	return Range{}, 0
}

// counted reads "two weeks ago" and "three days before 7 May 2023".
func (p *parser) counted(i int) (Range, int) {
	c, n := p.count(i)
	if n == 0 {
		return Range{}, 0
	}
	u, ok := units[p.at(i+n).text]
	if !ok || u == "weekend" {
		return Range{}, 0
	}
	n++
	var at time.Time
	switch w := p.at(i + n).text; w {
	case "ago", "earlier", "back":
		if p.now.IsZero() || w == "earlier" && p.at(i+n+1).text == "than" {
			return Range{}, 0
		}
		at = back(p.now, u, c)
		n++
	case "before", "prior", "after":
		k := n + 1
		if w == "prior" && p.at(i+k).text == "to" {
			k++
		}
		r, m := p.absolute(i + k)
		if m == 0 {
			return Range{}, 0
		}
		if w == "after" {
			c = -c
		}
		at = back(r.From, u, c)
		n = k + m
	default:
		return Range{}, 0
	}
	// The larger the unit, the looser the word: "two months ago" is no day.
	r := day(at, 1)
	slack := map[string]int{"day": 0, "week": 3, "month": 15, "year": 182}[u]
	return Range{From: r.From.AddDate(0, 0, -slack), To: r.To.AddDate(0, 0, slack)}, n
}

// count reads a number: "3", "three", "a", "a few", "a couple of".
func (p *parser) count(i int) (int, int) {
	t := p.at(i)
	if t.num > 0 && t.num < 1000 && !t.ordinal {
		return t.num, 1
	}
	c, ok := numbers[t.text]
	if !ok {
		return 0, 0
	}
	n := 1
	if t.text == "a" {
		if c2, ok := numbers[p.at(i+1).text]; ok && c2 > 1 {
			c, n = c2, 2
		}
	}
	if p.at(i+n).text == "of" {
		n++
	}
	return c, n
}

// back returns the time c units before t.
func back(t time.Time, unit string, c int) time.Time {
	switch unit {
	case "week", "weekend":
		return t.AddDate(0, 0, -7*c)
	case "month":
		return t.AddDate(0, -c, 0)
	case "year":
		return t.AddDate(-c, 0, 0)
	}
	return t.AddDate(0, 0, -c)
}
