package when

import "time"

type parser struct {
	toks []token
	now  time.Time
}

// at returns the token i; past the end it is an empty word.
func (p *parser) at(i int) token {
	if i < 0 || i >= len(p.toks) {
		return token{num: -1}
	}
	return p.toks[i]
}

// expression reads the time that begins at token i and returns how many tokens
// it takes, 0 where there is none.
func (p *parser) expression(i int) (Range, int) {
	if r, n := p.absolute(i); n > 0 {
		return r, n
	}
	return p.relative(i)
}

// absolute reads a time that needs at most the year from now.
func (p *parser) absolute(i int) (Range, int) {
	if r, n := p.numeric(i); n > 0 {
		return r, n
	}
	if r, n := p.dated(i); n > 0 {
		return r, n
	}
	if r, n := p.part(i); n > 0 {
		return r, n
	}
	if r, n := p.monthly(i); n > 0 {
		return r, n
	}
	if r, n := p.seasonal(i); n > 0 {
		return r, n
	}
	t := p.at(i)
	if isYear(t) && t.sep == 0 && p.at(i+1).sep == 0 {
		switch p.at(i - 1).text {
		case "in", "since", "during", "of", "year", "until", "by", "before", "after", "from":
			return year(t.num), 1
		}
	}
	return Range{}, 0
}

func isYear(t token) bool { return t.num >= 1900 && t.num < 2100 && len(t.text) == 4 }

// numeric reads 2023-05-07, 2023/05/07, 7.5.2023 and 5/7/2023. Between slashes
// the month comes first unless it cannot; between dots and dashes the day does.
func (p *parser) numeric(i int) (Range, int) {
	a, b, c := p.at(i), p.at(i+1), p.at(i+2)
	if a.num < 0 || b.num < 0 || b.sep == 0 || c.num < 0 || c.sep != b.sep {
		return Range{}, 0
	}
	y, m, d := a.num, b.num, c.num
	if len(a.text) != 4 {
		y = c.num
		if len(c.text) == 2 {
			y += 2000
		}
		d, m = a.num, b.num
		if b.sep == '/' && a.num <= 12 || b.num > 12 {
			d, m = b.num, a.num
		}
	}
	return p.date(y, m, d, 3)
}

// date returns the day if there is such a day.
func (p *parser) date(y, m, d, n int) (Range, int) {
	if y < 1900 || y >= 2100 || m < 1 || m > 12 || d < 1 || d > 31 {
		return Range{}, 0
	}
	t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
	if t.Day() != d {
		return Range{}, 0
	}
	return day(t, 1), n
}

// dated reads "7 May 2023", "7th of May", "May 7, 2023", "May 7th".
func (p *parser) dated(i int) (Range, int) {
	n := 0
	var d int
	var m time.Month
	if t := p.at(i); t.num > 0 && t.num <= 31 && len(t.text) <= 2 && t.sep == 0 {
		d, n = t.num, 1
		if p.at(i+n).text == "of" {
			n++
		}
		var ok bool
		if m, ok = months[p.at(i+n).text]; !ok {
			return Range{}, 0
		}
		n++
	} else if mm, ok := months[t.text]; ok {
		t = p.at(i + 1)
		if t.text == "the" {
			n, t = 1, p.at(i+2)
		}
		if t.num < 1 || t.num > 31 || len(t.text) > 2 || p.at(i+n+2).sep != 0 {
			return Range{}, 0
		}
		m, d = mm, t.num
		n += 2
	} else {
		return Range{}, 0
	}
	if t := p.at(i + n); isYear(t) {
		return p.date(t.num, int(m), d, n+1)
	}
	if p.now.IsZero() {
		return Range{}, 0
	}
	r, k := p.date(p.now.Year(), int(m), d, n)
	if k > 0 && r.From.After(p.now) {
		r, k = p.date(p.now.Year()-1, int(m), d, n)
	}
	return r, k
}

// part reads "early May 2023", "the end of March", "first week of January 2024".
func (p *parser) part(i int) (Range, int) {
	t := p.at(i).text
	switch t {
	case "early", "beginning", "start", "mid", "middle", "late", "end":
		n := 1
		for w := p.at(i + n).text; w == "of" || w == "in"; w = p.at(i + n).text {
			n++
		}
		r, k := p.whole(i + n)
		if k == 0 {
			return Range{}, 0
		}
		third := r.To.Sub(r.From) / 3
		switch t {
		case "early", "beginning", "start":
			r.To = r.From.Add(third)
		case "late", "end":
			r.From = r.To.Add(-third)
		default:
			r.From, r.To = r.From.Add(third), r.To.Add(-third)
		}
		return r, n + k
	}
	if o, ok := ordinals[t]; ok && p.at(i+1).text == "week" && (p.at(i+2).text == "of" || p.at(i+2).text == "in") {
		r, k := p.whole(i + 3)
		if k == 0 {
			return Range{}, 0
		}
		if o < 0 {
			return Range{From: r.To.AddDate(0, 0, -7), To: r.To}, 3 + k
		}
		from := r.From.AddDate(0, 0, 7*(o-1))
		return Range{From: from, To: from.AddDate(0, 0, 7)}, 3 + k
	}
	return Range{}, 0
}

// whole reads a month, a season or a year, introduced or not.
func (p *parser) whole(i int) (Range, int) {
	n := 0
	for w := p.at(i + n).text; w == "the" || w == "year"; w = p.at(i + n).text {
		n++
	}
	if m, ok := months[p.at(i+n).text]; ok {
		r, k := p.ofMonth(m, i+n)
		return r, n + k
	}
	if t := p.at(i + n); isYear(t) {
		return year(t.num), n + 1
	}
	return Range{}, 0
}

// ofMonth reads the month at token i with the year behind it, if there is one.
func (p *parser) ofMonth(m time.Month, i int) (Range, int) {
	n := 1
	if w := p.at(i + n).text; w == "of" || w == "in" {
		n++
	}
	if t := p.at(i + n); isYear(t) {
		return month(t.num, m), n + 1
	}
	if p.now.IsZero() {
		return Range{}, 0
	}
	y := p.now.Year()
	if m > p.now.Month() {
		y--
	}
	return month(y, m), 1
}

// monthly reads "March 2023" and, where a word before it or its capital speaks
// for a month, "March".
func (p *parser) monthly(i int) (Range, int) {
	w := p.at(i).text
	m, ok := months[w]
	if !ok {
		return Range{}, 0
	}
	if !isYear(p.at(i+1)) && (w == "may" || w == "march" || len(w) == 3) && !introduces[p.at(i-1).text] {
		return Range{}, 0
	}
	switch p.at(i - 1).text {
	case "next":
		r, k := p.ofMonth(m, i)
		if k == 1 {
			return month(r.From.Year()+1, m), 1
		}
		return r, k
	case "last":
		r, k := p.ofMonth(m, i)
		if k == 1 && m == p.now.Month() {
			return month(r.From.Year()-1, m), 1
		}
		return r, k
	}
	return p.ofMonth(m, i)
}

// seasonal reads seasons and holidays: "summer 2023", "last summer",
// "Christmas", "New Year's Eve 2023".
func (p *parser) seasonal(i int) (Range, int) {
	w := p.at(i).text
	var r Range
	n := 1
	place := func(m time.Month, d, span int) {
		y := p.now.Year()
		at := i + n
		if t := p.at(at).text; t == "of" || t == "in" {
			at++
		}
		if t := p.at(at); isYear(t) {
			y, n = t.num, at-i+1
		} else if p.now.IsZero() {
			n = 0
			return
		} else if time.Date(y, m, d, 0, 0, 0, 0, time.UTC).After(p.now) {
			y--
		}
		r = day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC), span)
	}
	if m, ok := seasons[w]; ok {
		// "fall" and "spring" are verbs too.
		if before := p.at(i - 1).text; before != "the" && !introduces[before] && !isYear(p.at(i+1)) {
			return Range{}, 0
		}
		place(m, 1, 92)
		return r, n
	}
	if h, ok := holidays[w]; ok {
		if next := p.at(i + 1).text; next == "day" || next == "eve" {
			n++
		}
		place(h.month, h.day, h.span)
		return r, n
	}
	if w == "new" && (p.at(i+1).text == "year" || p.at(i+1).text == "years") {
		n = 2
		switch p.at(i + 2).text {
		case "eve":
			n++
			place(12, 31, 2)
			return r, n
		case "day":
			n++
			place(1, 1, 1)
			return r, n
		}
		if isYear(p.at(i + 2)) {
			place(1, 1, 1)
			return r, n
		}
	}
	return Range{}, 0
}
