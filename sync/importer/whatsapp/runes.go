package whatsapp

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lrm is the mark that WhatsApp for iOS puts before what the app itself wrote.
const lrm = '\u200e'

// isMark reports whether r only steers the direction of text, or is a byte
// order mark in the middle of a file that was put together from others.
func isMark(r rune) bool {
	switch {
	case r < 0x061C:
		return false
	case r == 0xFEFF, r == 0x061C, r == 0x200E, r == 0x200F:
		return true
	case r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069:
		return true
	}
	return false
}

// isBlank reports whether r is a space within a line, of any width.
func isBlank(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || r == '\t'
	}
	return r == 0xA0 || r == 0x3000 || r >= 0x1680 && unicode.Is(unicode.Zs, r)
}

// digit returns the value of a decimal digit of any script. Unicode encodes
// decimal digits in runs of ten that begin with zero.
func digit(r rune) (int, bool) {
	if r < utf8.RuneSelf {
		return int(r - '0'), r >= '0' && r <= '9'
	}
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return int(r-rune(t.Lo)) % 10, true
		}
	}
	if r > 0xFFFF {
		for _, t := range unicode.Nd.R32 {
			if rune(t.Lo) <= r && r <= rune(t.Hi) {
				return int(r-rune(t.Lo)) % 10, true
			}
		}
	}
	return 0, false
}

// isWordRune reports whether r can stand inside a word beside a date or time:
// letters with their marks, and the signs of abbreviation.
func isWordRune(r rune) bool {
	return isLetter(r) || r == '.' || r == '\'' || r == '’' || r == '"' || r == '״' || r == '׳' || r == 0x200C || r == 0x200D
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.Is(unicode.M, r)
}

// stripMarks removes direction marks from s.
func stripMarks(s string) string {
	if strings.IndexFunc(s, isMark) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isMark(r) {
			return -1
		}
		return r
	}, s)
}

// trimMarks removes direction marks and blanks from both ends of s.
func trimMarks(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return isMark(r) || isBlank(r) || r == '\r' || r == '\n' })
}
