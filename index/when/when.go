// Package when finds the times that a question names: "last Tuesday", "in
// March", "two weeks before 11 August 2023".
//
// Each time is a range from its first moment to the first moment after it, so
// that a day, a month and "the past three weeks" are one kind of thing. Relative
// expressions count from a given now, which is an argument and never read from a
// clock. A month or a weekday without a year means the latest one that has begun.
//
// Expressions are English; numeric dates are understood in any language. The
// package reads questions, a line or two long, and would rather miss a time than
// find one in "you may" or "march on".
package when

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// A Range is a time named in a text.
type Range struct {
	// From is the first moment, To the first one after the range.
	From, To time.Time
	// Start and End are the bytes of the text that name it.
	Start, End int
}

// maxTokens bounds how much of a text is read.
const maxTokens = 400

// Find returns the times named in text, in order. Relative ones count from now;
// where now is zero they are left out.
func Find(text string, now time.Time) []Range {
	p := parser{toks: tokens(text), now: now}
	var out []Range
	for i := 0; i < len(p.toks); {
		r, n := p.expression(i)
		if n == 0 {
			i++
			continue
		}
		r.Start, r.End = p.toks[i].start, p.toks[i+n-1].end
		out = append(out, r)
		i += n
	}
	return out
}

// A token is a word in lower case or a number.
type token struct {
	text       string
	start, end int
	num        int // -1 for a word
	ordinal    bool
	sep        byte // what stands directly before it: '.', '/', '-' or 0
}

func tokens(text string) []token {
	var out []token
	for i := 0; i < len(text) && len(out) < maxTokens; {
		c := rune(text[i])
		switch {
		case c >= '0' && c <= '9':
			j := i
			for j < len(text) && text[j] >= '0' && text[j] <= '9' {
				j++
			}
			t := token{text: text[i:j], start: i, end: j, num: -1}
			if j-i <= 4 {
				t.num, _ = strconv.Atoi(text[i:j])
			}
			if i > 0 && strings.IndexByte("./-", text[i-1]) >= 0 && i > 1 && text[i-2] >= '0' && text[i-2] <= '9' {
				t.sep = text[i-1]
			}
			for _, s := range []string{"st", "nd", "rd", "th"} {
				if strings.HasPrefix(strings.ToLower(text[j:min(j+2, len(text))]), s) && (j+2 == len(text) || !unicode.IsLetter(rune(text[j+2]))) {
					t.ordinal, t.end = true, j+2
				}
			}
			out, i = append(out, t), t.end
		case unicode.IsLetter(c) && c < 128:
			j := i
			for j < len(text) && (text[j]|0x20 >= 'a' && text[j]|0x20 <= 'z') {
				j++
			}
			w := strings.ToLower(text[i:j])
			end := j
			if strings.HasPrefix(text[j:], "'s") {
				end = j + 2
			}
			out, i = append(out, token{text: w, start: i, end: end, num: -1}), end
		default:
			i++
		}
	}
	return out
}

// day returns the range of n days from the day that t lies on.
func day(t time.Time, n int) Range {
	from := time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, t.Location())
	return Range{From: from, To: from.AddDate(0, 0, n)}
}

func month(y int, m time.Month) Range {
	from := time.Date(y, m, 1, 0, 0, 0, 0, time.UTC)
	return Range{From: from, To: from.AddDate(0, 1, 0)}
}

func year(y int) Range {
	return Range{From: time.Date(y, 1, 1, 0, 0, 0, 0, time.UTC), To: time.Date(y+1, 1, 1, 0, 0, 0, 0, time.UTC)}
}

// week returns the Monday-to-Sunday week of t, n weeks on.
func week(t time.Time, n int) Range {
	d := day(t, 7)
	back := (int(t.Weekday()) + 6) % 7
	return Range{From: d.From.AddDate(0, 0, 7*n-back), To: d.To.AddDate(0, 0, 7*n-back)}
}
