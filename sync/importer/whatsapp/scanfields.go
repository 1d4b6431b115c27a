package whatsapp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clock reads a time of day.
func (s *scanner) clock(h *header) bool {
	var ok bool
	var width int
	if h.hour, _, ok = s.number(2); !ok || h.hour > 24 {
		return false
	}
	save := s.i
	s.blanks()
	sep := s.accept(":.：∶٫hHч時时点點시")
	if sep == 0 {
		return false
	}
	if s.i > save+utf8.RuneLen(sep) && !isLetter(sep) {
		return false
	}
	if isLetter(sep) {
		s.blanks()
	}
	h.shape.clock = sep
	if h.minute, width, ok = s.number(2); !ok || width != 2 || h.minute > 59 {
		return false
	}
	save = s.i
	if isLetter(sep) {
		// "14 h 56 min 10 s", "14時56分10秒"
		s.blanks()
		s.unit("min", "分", "분")
		s.blanks()
		if h.second, _, ok = s.number(2); ok && h.second <= 60 {
			s.blanks()
			s.unit("s", "秒", "초")
			h.seconds = true
			return true
		}
		h.second = 0
		s.i = save
		s.unit("分", "분")
		return true
	}
	if s.accept(string(sep)) == 0 {
		return true
	}
	if h.second, width, ok = s.number(2); !ok || width != 2 || h.second > 60 {
		h.second, s.i = 0, save
		return true
	}
	h.seconds = true
	return true
}

func (s *scanner) unit(names ...string) {
	s.peek()
	for _, n := range names {
		if strings.HasPrefix(s.s[s.i:], n) {
			s.i += len(n)
			return
		}
	}
}

// date reads two or three fields.
func (s *scanner) date(h *header) bool {
	start := s.i
	h.year = -1
	if !s.field(h, 0) {
		return false
	}
	first, ok := s.between()
	if !ok || !s.field(h, 1) {
		return false
	}
	h.shape.between, h.fields = first, 2
	save := s.i
	if second, ok := s.between(); ok && second == first {
		here := *h
		if s.field(h, 2) && !s.beginsTime() {
			h.fields = 3
			save = s.i
		} else {
			*h = here
		}
	}
	s.i = save
	if r := s.peek(); strings.ContainsRune("日일", r) && r != 0 {
		s.step()
	}
	h.date = s.s[start:s.i]
	return true
}

// beginsTime reports whether what was read for a third field is an hour.
func (s *scanner) beginsTime() bool {
	return strings.ContainsRune(":：∶", s.peek()) && s.peek() != 0
}

// between reads the sign between two fields of a date.
func (s *scanner) between() (rune, bool) {
	n := s.blanks()
	r := s.peek()
	switch {
	case r != 0 && strings.ContainsRune("年月년월", r):
		s.step()
		s.blanks()
		return '年', true
	case isDateSign(r):
		s.step()
		s.blanks()
		return r, true
	}
	return ' ', n == 1
}

func isDateSign(r rune) bool {
	switch r {
	case '/', '.', '-', '|', '~', '_', '־':
		return true
	case 0, ',', ':', ';', '!', '?', '@', '#', '&', '*', '%', '\'', '"', '+', '=':
		return false
	}
	return r >= utf8.RuneSelf && (unicode.Is(unicode.Pd, r) || r == '／' || r == '．' || r == '⁄' || r == '∕')
}

// field reads one field of a date: a number, or a year of a Japanese or
// Taiwanese era.
func (s *scanner) field(h *header, i int) bool {
	s.peek()
	for _, e := range eras {
		if !strings.HasPrefix(s.s[s.i:], e.name) {
			continue
		}
		if h.year >= 0 {
			return false
		}
		s.i += len(e.name)
		s.blanks()
		year, _, ok := s.number(3)
		if !ok && s.accept("元") != 0 {
			year, ok = 1, true
		}
		h.values[i], h.year = e.before+year, i
		return ok
	}
	v, width, ok := s.number(4)
	if !ok {
		return false
	}
	if width > 2 {
		if h.year >= 0 {
			return false
		}
		h.year = i
	}
	h.values[i] = v
	return true
}

// plausible reports whether at least one order of the fields is a date.
func (h *header) plausible() bool {
	if h.year == 1 || h.fields == 2 && h.year >= 0 {
		return false
	}
	for _, o := range h.orders() {
		if _, _, _, ok := o.apply(h); ok {
			return true
		}
	}
	return false
}
