package vault

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// inlineEscape makes a name fit inside a line of a transcript's header: marks
// of markdown and of the header itself are escaped with a backslash, and bytes
// that are no printable text become \xHH.
func inlineEscape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case strings.ContainsRune("\\*_[]`<>^(|#·", r):
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1:
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

func inlineUnescape(s string) string { return unescapeBytes(s) }

// bodyEscape makes any bytes fit into a file that is valid UTF-8 text with line
// feeds: every byte that is not, and the backslash, becomes \xHH or \\.
func bodyEscape(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\\':
			b.WriteString(`\\`)
		case !plainRune(r, size):
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&b, `\x%02x`, c)
			}
		default:
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

// plainRune reports whether a rune may stand in a note as it is: editors and
// git keep it, on every system.
func plainRune(r rune, size int) bool {
	switch {
	case r == '\n' || r == '\t':
		return true
	case r < ' ' || r == 0x7f:
		return false
	}
	return r != utf8.RuneError || size > 1
}

// plainTextOnly reports whether bodyEscape has nothing to do but backslashes.
func plainTextOnly(s string) bool {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' && c != '\n' && c != '\t' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !plainRune(r, size) {
			return false
		}
		i += size
	}
	return true
}

// unescapeBytes takes back \xHH, and a backslash before any other character.
func unescapeBytes(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		if s[i+1] == 'x' && i+3 < len(s) {
			if c, err := strconv.ParseUint(s[i+2:i+4], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 3
				continue
			}
		}
		i++
		b.WriteByte(s[i])
	}
	return b.String()
}
