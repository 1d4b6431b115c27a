package whatsapp

import (
	"strings"
	"unicode/utf8"
)

// A shape is the form of a header, without its values. One export is written
// by one phone in one go, so all its headers share one shape; a header of
// another shape is a quote, or the file was put together from several exports.
type shape struct {
	// closing is what ends the header: ']' for a bracket, '-' for a dash, ':'
	// for the oldest iOS exports.
	closing rune
	// timeFirst says that the time stands before the date.
	timeFirst bool
	// fields counts the date's fields: 3, or 2 where the year is missing.
	fields int
	// between is the sign between the date's fields, comma and clock those
	// between date and time and within the time.
	between, comma, clock rune
	// year is the place of a year that shows itself, by four digits or an
	// era; -1 where it has two digits.
	year int
	// seconds says that the time has them.
	seconds bool
	// before and after say that a word stands before or after the time.
	before, after bool
}

// A header is what stands before the sender and the text, as found.
type header struct {
	shape
	// values are the date's fields in the file's order.
	values [3]int
	// date is the date as written, to see whether two are of the same day.
	date string
	// hour is as written, between 0 and 24.
	hour, minute, second int
	// word is the word before or after the time that may tell the half of the
	// day, normalised; empty where there is none.
	word string
	// marked says that the line begins with U+200E.
	marked bool
	// rest is the offset in the line where the sender begins.
	rest int
}

// Bounds of the grammar. Real headers are far below them; they keep a line of
// prose from being read far.
const (
	maxPhrase    = 32 // runes of a word or phrase beside the time
	maxWords     = 4  // words of it
	maxSeparator = 8  // runes between date and time
)

// scanHeader reads the header at the beginning of s.
func scanHeader(s string) (header, bool) {
	if !mayBegin(s) {
		return header{}, false
	}
	for _, timeFirst := range []bool{false, true} {
		sc := scanner{s: s}
		h := header{}
		h.timeFirst = timeFirst
		if sc.header(&h) {
			return h, true
		}
	}
	return header{}, false
}

// mayBegin is a quick no for most lines of prose.
func mayBegin(s string) bool {
	if len(s) > 64 {
		s = s[:64]
	}
	if len(s) == 0 || s[0] >= 'a' && s[0] <= 'z' {
		return false
	}
	for _, r := range s {
		if _, ok := digit(r); ok {
			return true
		}
	}
	return false
}

type scanner struct {
	s string
	i int
}

// peek skips direction marks and returns the rune that follows, 0 at the end.
func (s *scanner) peek() rune {
	for s.i < len(s.s) {
		r, n := utf8.DecodeRuneInString(s.s[s.i:])
		if !isMark(r) {
			return r
		}
		s.i += n
	}
	return 0
}

// step moves past the rune that peek returned.
func (s *scanner) step() {
	_, n := utf8.DecodeRuneInString(s.s[s.i:])
	s.i += n
}

func (s *scanner) accept(set string) rune {
	r := s.peek()
	if r != 0 && strings.ContainsRune(set, r) {
		s.step()
		return r
	}
	return 0
}

func (s *scanner) blanks() (n int) {
	for isBlank(s.peek()) {
		s.step()
		n++
	}
	return n
}

// number reads at most max digits of any script.
func (s *scanner) number(max int) (value, width int, ok bool) {
	for {
		d, is := digit(s.peek())
		if !is {
			return value, width, width > 0
		}
		if width == max {
			return 0, 0, false
		}
		value, width = value*10+d, width+1
		s.step()
	}
}

func (s *scanner) header(h *header) bool {
	s.peek()
	h.marked = strings.ContainsRune(s.s[:s.i], lrm)
	open := s.accept("[［(（【")
	var first, last string
	if h.timeFirst {
		before := s.phrase()
		s.blanks()
		if !s.clock(h) {
			return false
		}
		after := s.afterTime()
		comma, word, ok := s.gap()
		if !ok || !s.date(h) {
			return false
		}
		h.comma = comma
		if word != "" && after != "" {
			return false
		}
		first, last = before, after+word
		s.suffix()
	} else {
		if !s.date(h) {
			return false
		}
		comma, word, ok := s.gap()
		if !ok || !s.clock(h) {
			return false
		}
		h.comma = comma
		first, last = word, s.afterTime()
	}
	h.before, h.after = first != "", last != ""
	h.word = normalWord(last)
	if h.word == "" {
		h.word = normalWord(first)
	}
	return s.close(h, open) && h.plausible()
}

// close reads the end of the header.
func (s *scanner) close(h *header, open rune) bool {
	space := s.blanks()
	if open != 0 {
		h.closing = ']'
		if s.accept("]］)）】") == 0 {
			return false
		}
		// One blank belongs to the header; marks after it to the sender.
		h.rest = s.i
		if r, n := utf8.DecodeRuneInString(s.s[s.i:]); isBlank(r) {
			h.rest += n
		}
		return true
	}
	switch s.accept("-–—‐−:") {
	case 0:
		return false
	case ':':
		h.closing = ':'
		if !h.seconds || space > 0 || s.blanks() == 0 {
			return false
		}
		h.rest = s.i
		return strings.Contains(s.s[s.i:], ":")
	}
	h.closing = '-'
	h.rest = s.i
	r, n := utf8.DecodeRuneInString(s.s[s.i:])
	if n == 0 || r == '\r' || r == '\n' {
		return space > 0
	}
	h.rest += n
	return isBlank(r)
}

// phrase reads the words beside a time or date: "p. m.", "de la tarde", "오후".
func (s *scanner) phrase() string {
	start, end := s.i, s.i
	words, runes := 0, 0
	inWord := false
	for {
		r := s.peek()
		switch {
		case isLetter(r) || inWord && isWordRune(r):
			if !inWord {
				words++
			}
			inWord = true
			s.step()
			end = s.i
		case isBlank(r) && inWord:
			inWord = false
			s.step()
		default:
			s.i = end
			return s.s[start:end]
		}
		if runes++; runes > maxPhrase || words > maxWords {
			s.i = start
			return ""
		}
	}
}

// afterTime reads what may stand between a time and a word that belongs to it,
// and the word.
func (s *scanner) afterTime() string {
	start := s.i
	for range 3 {
		if r := s.peek(); !isBlank(r) && r != '_' && r != '?' && r != utf8.RuneError {
			break
		}
		s.step()
	}
	if word := s.phrase(); word != "" {
		return word
	}
	s.i = start
	return ""
}

// gap reads what stands between date and time: signs, and at most two phrases
// of which the one next to the time is returned. A first phrase names the era
// or closes the year ("BE", "г.").
func (s *scanner) gap() (comma rune, word string, ok bool) {
	start := s.i
	for n := 0; n < maxSeparator; n++ {
		r := s.peek()
		switch {
		case isBlank(r) || r == '_' || r == '.':
			s.step()
			if r == '.' {
				comma = r
			}
		case strings.ContainsRune(",،、，؛;", r) && r != 0:
			s.step()
			// A word before a comma belongs to the date.
			comma, word = ',', ""
		case r == '(' || r == '（':
			if !s.paren() {
				return 0, "", false
			}
		case isLetter(r):
			if word = s.phrase(); word == "" {
				return 0, "", false
			}
		default:
			if _, is := digit(r); is {
				return comma, word, s.i > start
			}
			return 0, "", false
		}
	}
	return 0, "", false
}

// paren skips a weekday in parentheses.
func (s *scanner) paren() bool {
	s.step()
	for range 12 {
		r := s.peek()
		if r == 0 {
			return false
		}
		s.step()
		if r == ')' || r == '）' {
			return true
		}
	}
	return false
}

// suffix reads what may stand after a date that ends the header.
func (s *scanner) suffix() {
	start := s.i
	s.accept(".")
	s.blanks()
	if s.phrase() == "" {
		s.i = start
	}
}
