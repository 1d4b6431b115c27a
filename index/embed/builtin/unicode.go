package builtin

import "unicode"

// The classes of ASCII characters.
const (
	control = iota
	letter  // letters in lower case and digits
	upper
	blank
	mark // punctuation and symbols, each a word of its own
)

var class = func() (c [128]byte) {
	for b := range c {
		switch {
		case b == ' ', b == '\t', b == '\n', b == '\r':
			c[b] = blank
		case b < ' ', b == 127:
			c[b] = control
		case 'A' <= b && b <= 'Z':
			c[b] = upper
		case 'a' <= b && b <= 'z', '0' <= b && b <= '9':
			c[b] = letter
		default:
			c[b] = mark
		}
	}
	return c
}()

// The teacher's tokenizer classes characters as Unicode 8 did. What has changed
// since is in recent, and in the few exceptions below.

// isControl says which characters are taken out before anything else looks at
// the text.
func isControl(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) && !unicode.Is(recent, r)
}

// isChinese says which characters stand alone as words: the blocks that BERT's
// tokenizer names, which are Chinese ideographs and not Japanese or Korean
// syllables.
func isChinese(r rune) bool {
	return r >= 0x3400 && (r <= 0x4dbf ||
		0x4e00 <= r && r <= 0x9fff ||
		0xf900 <= r && r <= 0xfaff ||
		0x20000 <= r && r <= 0x2a6df ||
		0x2a700 <= r && r <= 0x2b81f ||
		0x2b920 <= r && r <= 0x2ceaf ||
		0x2f800 <= r && r <= 0x2fa1f)
}

// isAccent says which characters vanish from the words that they mark.
func isAccent(r rune) bool {
	const hanunooPamudpod, sharadaSandhi = 0x1734, 0x111c9
	return (unicode.Is(unicode.Mn, r) && r != sharadaSandhi || r == hanunooPamudpod) && !unicode.Is(recent, r)
}

func isPunctuation(r rune) bool {
	const canadianSyllabicsChi, sharadaSandhi = 0x166d, 0x111c9
	return (unicode.IsPunct(r) || r == canadianSyllabicsChi || r == sharadaSandhi) && !unicode.Is(recent, r)
}

func lower(r rune) rune {
	if unicode.Is(recent, r) {
		return r
	}
	return unicode.ToLower(r)
}
