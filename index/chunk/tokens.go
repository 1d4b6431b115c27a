package chunk

import (
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a model counts in text, within three tenths
// of o200k for prose in any script, and at a hundredth of its cost. Budgets that
// are promised to a model need a real counter; sizes of chunks do not.
//
// The rates are those of o200k: a word of up to eight Latin letters is mostly
// one token, a number takes one for three digits, a mark stands for itself;
// letters of other scripts take the share that short samples of them measured.
func Tokens[T string | []byte](text T) int {
	hundredths := 0
	for i := 0; i < len(text); {
		start := i
		switch c := text[i]; classOf(c) {
		case letter:
			n, wide := word(text, i)
			i += n
			hundredths += 100 + 25*max(0, n-8-wide) + 12*wide
		case digit:
			for i++; i < len(text) && classOf(text[i]) == digit; i++ {
			}
			hundredths += 100 * ((i - start + 2) / 3)
		case mark:
			for i++; i < len(text) && text[i] == c; i++ {
			}
			hundredths += 100 + 6*(i-start-1)
		case space:
			i++
		case lineFeed:
			for i++; i < len(text) && text[i] == '\n'; i++ {
			}
			hundredths += 50
		default:
			r, size := decode(text, i)
			if latin(r) {
				n, wide := word(text, i)
				i += n
				hundredths += 100 + 25*max(0, n-8-wide) + 12*wide
				continue
			}
			i += size
			hundredths += runeCost(r, size)
		}
	}
	return (hundredths + 99) / 100
}

// word is the length of the Latin word at i in bytes, and how many of its letters
// stand outside ASCII.
func word[T string | []byte](text T, i int) (n, wide int) {
	for j := i; j < len(text); {
		switch classOf(text[j]) {
		case letter:
			j++
		case outside:
			r, size := decode(text, j)
			if !latin(r) {
				return j - i, wide
			}
			j += size
			wide++
		default:
			return j - i, wide
		}
		n = j - i
	}
	return n, wide
}

// latin reports whether r is a Latin letter outside ASCII or a mark on one.
func latin(r rune) bool { return r >= 0xc0 && r < 0x370 || r >= 0x1e00 && r < 0x1f00 }

type class uint8

const (
	letter class = iota
	digit
	mark
	space
	lineFeed
	outside // of ASCII
)

func classOf(c byte) class { return classes[c] }

var classes = func() (t [256]class) {
	for i := range t {
		switch c := byte(i); {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
			t[i] = letter
		case c >= '0' && c <= '9':
			t[i] = digit
		case c == '\n':
			t[i] = lineFeed
		case c <= ' ':
			t[i] = space
		case c < utf8.RuneSelf:
			t[i] = mark
		default:
			t[i] = outside
		}
	}
	return t
}()

func decode[T string | []byte](text T, i int) (rune, int) {
	var b [utf8.UTFMax]byte
	n := copy(b[:], text[i:])
	return utf8.DecodeRune(b[:n])
}

// runeCost is what one rune outside Latin costs, in hundredths of a token.
func runeCost(r rune, size int) int {
	switch {
	case size == 1: // a byte that is no text
		return 100
	case r >= 0x1f000: // emoji
		return 150
	case r >= 0x2000 && r < 0x3000: // dashes, quotes, arrows, symbols
		return 100
	case r >= 0x400 && r < 0x530: // Cyrillic
		return 30
	case r < 0x1100: // Greek, Hebrew, Arabic, India's, Thai, Georgian
		return 38
	case unicode.IsLetter(r): // Han, kana, Hangul
		return 72
	}
	return 80
}
