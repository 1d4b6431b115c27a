package vault

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// ErrEdit is wrapped by errors of edits that cannot be made without touching
// more than the property that was named.
var ErrEdit = errors.New("cannot be edited safely")

// A Value is the new value of a property.
type Value struct {
	text string
	list []string
	kind valueKind
}

type valueKind int

const (
	textValue valueKind = iota
	plainValue
	listValue
)

// Text is a string value; it is quoted where YAML needs that.
func Text(s string) Value { return Value{text: s} }

// Plain is a number, a date or a truth value, written as it is.
func Plain(s string) Value { return Value{text: s, kind: plainValue} }

// Number is n as YAML writes it.
func Number[T int | int64](n T) Value { return Plain(strconv.FormatInt(int64(n), 10)) }

// List is a YAML list of strings.
func List(items ...string) Value { return Value{list: items, kind: listValue} }

// inline is v as it stands behind "key: ", or false for lists of one or more,
// which take lines of their own.
func (v Value) inline() (string, bool) {
	switch {
	case v.kind == plainValue:
		return v.text, true
	case v.kind == textValue:
		return quoteYAML(v.text), true
	case len(v.list) == 0:
		return "[]", true
	}
	return "", false
}

func (v Value) lines(key, eol string) string {
	if s, ok := v.inline(); ok {
		return key + ": " + s + eol
	}
	var b strings.Builder
	b.WriteString(key + ":" + eol)
	for _, item := range v.list {
		b.WriteString("  - " + quoteYAML(item) + eol)
	}
	return b.String()
}

func (v Value) matches(p Property) bool {
	if v.kind == listValue {
		return p.IsList && slices.Equal(p.Values, v.list)
	}
	return !p.IsList && (len(p.Values) == 1 && p.Values[0] == v.text || len(p.Values) == 0 && v.text == "")
}

var plainYAML = lazyregexp.New(`^[\pL_/(+][\pL\pN _./()+,;'&!?@%*=~^$<>|"#-]*$`)

var yamlWords = lazyregexp.New(`(?i)^(true|false|null|yes|no|on|off|y|n|~|\.inf|\.nan)$`)

// quoteYAML writes s as a plain scalar where every YAML reader takes it for the
// same string, else between double quotes.
func quoteYAML(s string) string {
	if plainYAML.MatchString(s) && !yamlWords.MatchString(s) && s == strings.TrimSpace(s) && !strings.Contains(s, " #") {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r == 0xfffe || r == 0xffff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// FormatFrontMatter writes a new front matter block with the properties in the
// given order, fences included.
func FormatFrontMatter(props ...NewProperty) string {
	var b strings.Builder
	b.WriteString("---\n")
	for _, p := range props {
		b.WriteString(p.Value.lines(p.Key, "\n"))
	}
	b.WriteString("---\n")
	return b.String()
}

// A NewProperty is a key and value to be written.
type NewProperty struct {
	Key   string
	Value Value
}

// Set changes one property and no other byte of the note. A missing property
// is added after the last one; a note without front matter gets a block. It
// fails with ErrEdit where the front matter is not plain block YAML, leaving
// the note as it was.
func (n *Note) Set(key string, v Value) error {
	if p, ok := n.find(key); ok && v.matches(p) {
		return nil
	}
	next, err := n.withProperty(key, v)
	if err != nil {
		return fmt.Errorf("%s: property %s: %w", n.Path, key, err)
	}
	after := Parse(n.Path, next)
	if err := after.onlyChanged(n, key, v); err != nil {
		return fmt.Errorf("%s: property %s: %w", n.Path, key, err)
	}
	n.set(next)
	return nil
}

func (n *Note) withProperty(key string, v Value) ([]byte, error) {
	if n.err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEdit, n.err)
	}
	if !n.HasFrontMatter() {
		head := FormatFrontMatter(NewProperty{key, v})
		return slices.Concat(n.raw[:n.body], []byte(head), n.raw[n.body:]), nil
	}
	eol := "\n"
	if i := bytes.IndexByte(n.raw, '\n'); i > 0 && n.raw[i-1] == '\r' {
		eol = "\r\n"
	}
	_, root, err := readProperties(n.raw[bomLen(n.raw):n.body])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrEdit, err)
	}
	if root != nil && root.Style&yaml.FlowStyle != 0 {
		return nil, fmt.Errorf("%w: the front matter is written with braces", ErrEdit)
	}
	entry, ok := n.entry(root, key)
	if !ok {
		return slices.Concat(n.raw[:n.inner.End], []byte(v.lines(quoteYAML(key), eol)), n.raw[n.inner.End:]), nil
	}
	if s, ok := v.inline(); ok && entry.scalar.Len() > 0 {
		return slices.Concat(n.raw[:entry.scalar.Start], []byte(s), n.raw[entry.scalar.End:]), nil
	}
	keyText := string(entry.key.Cut(n.raw))
	return slices.Concat(n.raw[:entry.lines.Start], []byte(v.lines(keyText, eol)), n.raw[entry.lines.End:]), nil
}

// A yamlEntry is where one key of a block mapping stands.
type yamlEntry struct {
	lines  Span // its lines, without comments and blank lines that follow
	key    Span // the key as it is written
	scalar Span // the value, where it is a scalar on the key's line
}

// entry finds the bytes of a key, given the mapping that was parsed from them.
func (n *Note) entry(root *yaml.Node, key string) (yamlEntry, bool) {
	if root == nil {
		return yamlEntry{}, false
	}
	starts := lineStarts(n.raw, n.inner)
	at := func(line int) int { // yaml.v3 counts lines from 1, below the fence
		if line-1 < len(starts) {
			return starts[line-1]
		}
		return n.inner.End
	}
	for i := 0; i+1 < len(root.Content); i += 2 {
		k, v := root.Content[i], root.Content[i+1]
		if k.Value != key {
			continue
		}
		stop := n.inner.End
		if i+2 < len(root.Content) {
			stop = at(root.Content[i+2].Line)
		}
		e := yamlEntry{lines: Span{at(k.Line), stop}}
		e.lines.End = e.lines.Start + contentLen(e.lines.Cut(n.raw))
		line := n.raw[e.lines.Start:]
		colon := keyColon(line)
		if colon < 0 {
			return yamlEntry{}, false
		}
		e.key = Span{e.lines.Start, e.lines.Start + colon}
		if v.Kind == yaml.ScalarNode && v.Anchor == "" && bytes.Count(e.lines.Cut(n.raw), []byte("\n")) <= 1 {
			e.scalar = scalarSpan(n.raw, e.key.End+1, e.lines.End)
		}
		return e, true
	}
	return yamlEntry{}, false
}

func lineStarts(raw []byte, in Span) []int {
	starts := []int{in.Start}
	for i := in.Start; i < in.End; i++ {
		if raw[i] == '\n' && i+1 < in.End {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// contentLen is the length of lines without trailing blank and comment lines.
func contentLen(lines []byte) int {
	end := 0
	pos := 0
	for line := range bytes.Lines(lines) {
		pos += len(line)
		if t := bytes.TrimSpace(line); len(t) > 0 && t[0] != '#' {
			end = pos
		}
	}
	return end
}

// keyColon is the offset of the colon behind a line's key, -1 if there is none.
func keyColon(line []byte) int {
	if len(line) > 0 && (line[0] == '"' || line[0] == '\'') {
		if q := bytes.IndexByte(line[1:], line[0]); q >= 0 && !bytes.ContainsRune(line[1:q+1], '\\') {
			if c := bytes.IndexByte(line[q+2:], ':'); c >= 0 {
				return q + 2 + c
			}
		}
		return -1
	}
	for i, c := range line {
		if c == '\n' {
			break
		}
		if c == ':' && (i+1 == len(line) || strings.IndexByte(" \t\r\n", line[i+1]) >= 0) {
			return i
		}
	}
	return -1
}

// scalarSpan is the value between start and the end of its line, without the
// spaces around it and a comment behind it. It is empty where there is none.
func scalarSpan(raw []byte, start, end int) Span {
	for start < end && (raw[start] == ' ' || raw[start] == '\t') {
		start++
	}
	stop := start
	if start < end && (raw[start] == '"' || raw[start] == '\'') {
		quote := raw[start]
		for stop = start + 1; stop < end && raw[stop] != quote; stop++ {
			if raw[stop] == '\\' && quote == '"' {
				stop++
			}
		}
		for quote == '\'' && stop+1 < end && raw[stop+1] == '\'' { // '' inside single quotes
			for stop += 2; stop < end && raw[stop] != quote; stop++ {
			}
		}
		return Span{start, min(stop+1, end)}
	}
	for stop < end && raw[stop] != '\n' && raw[stop] != '\r' {
		if raw[stop] == '#' && (stop == start || raw[stop-1] == ' ' || raw[stop-1] == '\t') {
			break
		}
		stop++
	}
	for stop > start && (raw[stop-1] == ' ' || raw[stop-1] == '\t') {
		stop--
	}
	return Span{start, stop}
}

// onlyChanged proves an edit: the body is the same bytes, every other property
// says what it said, and key says v.
func (n *Note) onlyChanged(before *Note, key string, v Value) error {
	if n.err != nil {
		return fmt.Errorf("%w: %w", ErrEdit, n.err)
	}
	if !bytes.Equal(n.Body(), before.Body()) {
		return fmt.Errorf("%w: the body would change", ErrEdit)
	}
	same := func(p Property) bool { return p.Key == key }
	a := slices.DeleteFunc(slices.Clone(before.props), same)
	b := slices.DeleteFunc(slices.Clone(n.props), same)
	equal := func(p, q Property) bool {
		return p.Key == q.Key && p.IsList == q.IsList && slices.Equal(p.Values, q.Values)
	}
	if !slices.EqualFunc(a, b, equal) {
		return fmt.Errorf("%w: another property would change", ErrEdit)
	}
	if p, ok := n.find(key); !ok || !v.matches(p) {
		return fmt.Errorf("%w: the new value would read back as something else", ErrEdit)
	}
	return nil
}
