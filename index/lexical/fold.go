package lexical

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// letters that Unicode does not decompose though readers take them for a letter
// with a stroke, or for two.
var plain = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'ł': "l",
	'þ': "th", 'ı': "i", 'ħ': "h", 'ŧ': "t", 'ŋ': "n", 'ə': "e",
	'ς': "σ", // the same letter at a word's end, and the same in capitals
}

// fold lower-cases a word beyond ASCII and takes its diacritics off: compatibility
// decomposition, then the marks of Latin, Greek, Cyrillic, Hebrew and Arabic
// dropped. Marks of other scripts are vowels and stay.
func fold(word []byte) []byte {
	out := make([]byte, 0, len(word))
	for _, r := range string(norm.NFKD.Bytes(word)) {
		switch {
		case r < utf8.RuneSelf:
			if class[byte(r)] != letter && class[byte(r)] != digit {
				continue
			}
			if r >= 'A' && r <= 'Z' {
				r += 32
			}
			out = append(out, byte(r))
			continue
		case diacritic(r):
			continue
		}
		r = unicode.ToLower(r)
		if s, ok := plain[r]; ok {
			out = append(out, s...)
			continue
		}
		if unicode.IsDigit(r) {
			if d := digitValue(r); d >= 0 {
				out = append(out, byte('0'+d))
				continue
			}
		}
		if unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
			out = utf8.AppendRune(out, r)
		}
	}
	return norm.NFC.Bytes(out)
}

// digitValue returns the value of a decimal digit of any script. Unicode puts
// every set of ten into one run that starts at its zero.
func digitValue(r rune) int {
	for _, rg := range unicode.Nd.R16 {
		if rune(rg.Lo) <= r && r <= rune(rg.Hi) {
			return int(r-rune(rg.Lo)) % 10
		}
	}
	for _, rg := range unicode.Nd.R32 {
		if rune(rg.Lo) <= r && r <= rune(rg.Hi) {
			return int(r-rune(rg.Lo)) % 10
		}
	}
	return -1
}

func diacritic(r rune) bool {
	switch {
	case 0x0300 <= r && r <= 0x036F, // combining diacritical marks
		0x0591 <= r && r <= 0x05C7,              // Hebrew points
		0x0610 <= r && r <= 0x061A,              // Arabic signs
		0x064B <= r && r <= 0x065F, r == 0x0670, // Arabic vowels
		r == 0x0640: // Arabic lengthening
		return unicode.IsMark(r) || r == 0x0640
	}
	return false
}

// clip cuts a term to MaxTermRunes.
func clip(s string) string {
	if len(s) <= MaxTermRunes {
		return s
	}
	n := 0
	for i := range s {
		if n == MaxTermRunes {
			return s[:i]
		}
		n++
	}
	return s
}
