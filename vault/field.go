package vault

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Field is a Dataview inline field, (key:: value).
type Field struct {
	Key, Value string
	// Span is the whole field with its parentheses, in the line it was read from.
	Span Span
}

// fields reads the inline fields of a line. A value runs to the parenthesis that
// closes it; wikilinks inside it are skipped as a whole.
func fields(line string) []Field {
	var found []Field
	for pos := 0; pos < len(line); {
		open := strings.IndexByte(line[pos:], '(')
		if open < 0 {
			break
		}
		open += pos
		f, ok := fieldAt(line, open)
		if !ok {
			pos = open + 1
			continue
		}
		found = append(found, f)
		pos = f.Span.End
	}
	return found
}

func fieldAt(line string, open int) (Field, bool) {
	colon := strings.Index(line[open:], "::")
	if colon < 0 {
		return Field{}, false
	}
	key := line[open+1 : open+colon]
	if key == "" || strings.ContainsFunc(key, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	}) {
		return Field{}, false
	}
	depth := 1
	for i := open + colon + 2; i < len(line); i++ {
		switch line[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				value := strings.Trim(line[open+colon+2:i], " ")
				return Field{Key: key, Value: value, Span: Span{open, i + 1}}, true
			}
		case '[':
			if strings.HasPrefix(line[i:], "[[") {
				if end := strings.Index(line[i:], "]]"); end > 0 {
					i += end + 1
				}
			}
		}
	}
	return Field{}, false
}

// formatField writes a field whose value is free text: what would end the field
// or the line early is escaped.
func formatField(key, value string) string {
	return "(" + key + ":: " + escapeField(value) + ")"
}

// escapeField makes text fit inside a field, and unescapeField takes it back.
// Parentheses, brackets, percent signs and control characters become %XX.
func escapeField(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		edge := (i == 0 || i+size == len(s)) && r == ' '
		if strings.ContainsRune("()[]%", r) || r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1 || edge {
			for _, c := range []byte(s[i : i+size]) {
				fmt.Fprintf(&b, "%%%02X", c)
			}
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	return b.String()
}

func unescapeField(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
