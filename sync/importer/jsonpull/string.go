package jsonpull

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// quoted moves past the string that comes next and returns what stands between
// its quotes, and whether it has escapes.
func (c *Cursor) quoted() (body []byte, escaped bool) {
	start := c.pos + 1
	i := start
	for {
		n := bytes.IndexByte(c.data[i:], '"')
		if n < 0 {
			c.fail("the text ends inside a string")
			return nil, false
		}
		i += n
		back := i
		for back > start && c.data[back-1] == '\\' {
			back--
		}
		if (i-back)%2 == 0 {
			break
		}
		i++
	}
	c.pos = i + 1
	body = c.data[start:i]
	return body, bytes.IndexByte(body, '\\') >= 0
}

// key takes a member's name. Without escapes it is a slice of the data.
func (c *Cursor) key() []byte {
	body, escaped := c.quoted()
	if !escaped {
		return body
	}
	return []byte(c.unescape(body))
}

// Str takes the next value if it is a string; otherwise it skips the value and
// returns "".
func (c *Cursor) Str() string {
	s, _ := c.StrOK()
	return s
}

// StrOK is Str, and says whether there was a string.
func (c *Cursor) StrOK() (string, bool) {
	if c.Kind() != String {
		c.Skip()
		return "", false
	}
	body, escaped := c.quoted()
	if c.err != nil {
		return "", false
	}
	if escaped {
		return c.unescape(body), true
	}
	if utf8.Valid(body) {
		return string(body), true
	}
	c.scratch = c.valid(c.scratch[:0], body)
	return string(c.scratch), true
}

// valid appends body with every byte that is not UTF-8 replaced.
func (c *Cursor) valid(dst, body []byte) []byte {
	for len(body) > 0 {
		r, n := utf8.DecodeRune(body)
		if r == utf8.RuneError && n == 1 {
			c.Replaced++
		}
		dst = utf8.AppendRune(dst, r)
		body = body[n:]
	}
	return dst
}

// unescape decodes the inside of a string. An escape that does not exist fails.
func (c *Cursor) unescape(body []byte) string {
	out := c.scratch[:0]
	for len(body) > 0 {
		n := bytes.IndexByte(body, '\\')
		if n < 0 {
			out = append(out, body...)
			break
		}
		out = append(out, body[:n]...)
		body = body[n+1:] // never empty: quoted ends at an unescaped quote
		b := body[0]
		body = body[1:]
		switch b {
		case '"', '\\', '/':
			out = append(out, b)
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'u':
			r, ok := hex4(body)
			if !ok {
				c.fail("a bad \\u escape before")
				return ""
			}
			body = body[4:]
			if utf16.IsSurrogate(r) {
				if low, ok := lowSurrogate(body); ok && r < 0xDC00 {
					r = utf16.DecodeRune(r, low)
					body = body[6:]
				} else {
					r = utf8.RuneError
					c.Replaced++
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			c.fail("an unknown escape before")
			return ""
		}
	}
	c.scratch = out
	if cap(out) > 1<<20 {
		c.scratch = nil
	}
	if utf8.Valid(out) {
		return string(out)
	}
	return string(c.valid(nil, out))
}

func lowSurrogate(body []byte) (rune, bool) {
	if len(body) < 6 || body[0] != '\\' || body[1] != 'u' {
		return 0, false
	}
	r, ok := hex4(body[2:])
	return r, ok && r >= 0xDC00 && r < 0xE000
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var r rune
	for _, d := range b[:4] {
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(d)
	}
	return r, true
}
