package jsonc

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// An Insert is text that is put into a document at an offset of the document as
// it was before.
type Insert struct {
	At   int    `json:"at"`
	Text string `json:"text"`
}

// Apply puts inserts, in order of their offsets, into text.
func Apply(text []byte, inserts []Insert) []byte {
	var b bytes.Buffer
	from := 0
	for _, in := range inserts {
		b.Write(text[from:in.At])
		b.WriteString(in.Text)
		from = in.At
	}
	b.Write(text[from:])
	return b.Bytes()
}

// Undo takes inserts out of a text that Apply made. The result is never nil.
func Undo(text []byte, inserts []Insert) ([]byte, bool) {
	var b bytes.Buffer
	from, grown := 0, 0
	for _, in := range inserts {
		at := in.At + grown
		if at < from || at > len(text) || !bytes.HasPrefix(text[at:], []byte(in.Text)) {
			return nil, false
		}
		b.Write(text[from:at])
		from = at + len(in.Text)
		grown += len(in.Text)
	}
	b.Write(text[from:])
	return append([]byte{}, b.Bytes()...), true
}

// style is how a document is laid out.
type style struct{ unit, eol string }

// styleOf looks at how the first member of the document is indented.
func styleOf(text []byte, root *Node) style {
	s := style{"  ", "\n"}
	if bytes.Contains(text, []byte("\r\n")) {
		s.eol = "\r\n"
	}
	if len(root.Members) > 0 {
		if in, own := indent(text, root.Members[0].Start); own && in != "" {
			s.unit = in
		}
	}
	return s
}

// indent is the white space before the thing at i, and whether nothing else
// stands before it on its line.
func indent(text []byte, i int) (string, bool) {
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	before := string(text[start:i])
	in := before[:len(before)-len(strings.TrimLeft(before, " \t"))]
	return in, in == before && start > 0
}

// Add makes the inserts that put value under names, where each name but the last
// leads into an object. Objects that are not there are made. It fails where
// something else stands in the way, or at the end of it.
func Add(text []byte, names []string, value any) ([]Insert, error) {
	return add(text, names, value, false)
}

// Append is Add for one more item of the array under names, which is made where
// it is not there.
func Append(text []byte, names []string, value any) ([]Insert, error) {
	return add(text, names, value, true)
}

func add(text []byte, names []string, value any, item bool) ([]Insert, error) {
	root, err := Parse(text)
	if err != nil {
		return nil, err
	}
	s := styleOf(text, root)
	n := root
	for i, name := range names {
		if n.Kind != Object {
			return nil, &PlaceError{names[:i], line(text, n.Start), "an object"}
		}
		next := n.Get(name)
		if next == nil {
			return element(text, n, s, name, wrap(names[i+1:], value, item)), nil
		}
		n = next
	}
	if item && n.Kind == Array {
		return element(text, n, s, "", value), nil
	}
	if item {
		return nil, &PlaceError{names, line(text, n.Start), "a list"}
	}
	return nil, &PlaceError{names, line(text, n.Start), "nothing yet"}
}

// A PlaceError says that something else stands where an edit should be made.
type PlaceError struct {
	Names  []string
	Line   int
	Wanted string
}

func (e *PlaceError) Error() string {
	return fmt.Sprintf("line %d: %s is not %s", e.Line, e.Name(), e.Wanted)
}

func line(text []byte, at int) int { return 1 + bytes.Count(text[:at], []byte("\n")) }

// A member is an object with one member, in the order that it is written in.
type member struct {
	name  string
	value any
}

func wrap(names []string, value any, item bool) any {
	if item {
		value = []any{value}
	}
	for _, name := range slices.Backward(names) {
		value = member{name, value}
	}
	return value
}

// element makes the inserts for one more element of a container.
func element(text []byte, n *Node, s style, name string, value any) []Insert {
	ends, starts := n.ends(), n.starts()
	inline := !bytes.Contains(text[n.Start:n.End], []byte("\n")) && len(ends) > 0
	outer, _ := indent(text, firstOfLine(text, n.Start))
	in := outer + s.unit
	if len(starts) > 0 {
		if own, alone := indent(text, starts[0]); alone {
			in = own
		}
	}
	prefix := ""
	if n.Kind == Object {
		prefix = quote(name) + ": "
	}
	if inline {
		return []Insert{{ends[len(ends)-1], ", " + prefix + format(value, "", style{"", ""})}}
	}
	body := s.eol + in + prefix + format(value, in, s)
	if len(ends) == 0 {
		return empty(text, n, body, s.eol+outer)
	}
	last := ends[len(ends)-1]
	comma := commaAfter(text, last)
	if comma >= 0 { // the house has trailing commas
		return []Insert{{sameLine(text, comma+1), body + ","}}
	}
	at := sameLine(text, last)
	if at == last {
		return []Insert{{last, "," + body}}
	}
	return []Insert{{last, ","}, {at, body}}
}

// empty makes the inserts for the first element of a container, behind its
// comments.
func empty(text []byte, n *Node, body, closing string) []Insert {
	at := n.Start + 1
	inner := bytes.TrimRight(text[at:n.End-1], " \t\r\n")
	at += len(inner)
	if !bytes.Contains(text[at:n.End-1], []byte("\n")) {
		body += closing
	}
	return []Insert{{at, body}}
}

func (n *Node) starts() (all []int) {
	for _, m := range n.Members {
		all = append(all, m.Start)
	}
	for _, v := range n.Items {
		all = append(all, v.Start)
	}
	return all
}

func (n *Node) ends() (all []int) {
	for _, m := range n.Members {
		all = append(all, m.Value.End)
	}
	for _, v := range n.Items {
		all = append(all, v.End)
	}
	return all
}

// commaAfter is where the comma behind an element stands, -1 for none.
func commaAfter(text []byte, end int) int {
	p := &parser{text: text, at: end}
	if p.space() == nil && p.at < len(text) && text[p.at] == ',' {
		return p.at
	}
	return -1
}

// sameLine skips the comments that stand behind an element on its line.
func sameLine(text []byte, at int) int {
	end := at
	for i := at; i < len(text); {
		rest := text[i:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t':
			i++
		case bytes.HasPrefix(rest, []byte("//")):
			return lineEnd(text, i)
		case bytes.HasPrefix(rest, []byte("/*")):
			close := bytes.Index(rest[2:], []byte("*/"))
			if close < 0 || bytes.IndexByte(rest[:2+close], '\n') >= 0 {
				return end
			}
			i += 2 + close + 2
			end = i
		default:
			return end
		}
	}
	return end
}

// firstOfLine is the first thing on the line of i that is no white space.
func firstOfLine(text []byte, i int) int {
	start := bytes.LastIndexByte(text[:i], '\n') + 1
	return start + len(text[start:i]) - len(bytes.TrimLeft(text[start:i], " \t"))
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil { // a string always encodes
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

// format writes a value as people lay it out: objects and lists of them over
// several lines, lists of words on one.
func format(value any, in string, s style) string {
	inner, open, sep := in+s.unit, s.eol+in+s.unit, ","+s.eol+in+s.unit
	close := s.eol + in
	if s.eol == "" {
		open, sep, close = "", ", ", ""
	}
	var parts []string
	switch v := value.(type) {
	case member:
		return "{" + open + quote(v.name) + ": " + format(v.value, inner, s) + close + "}"
	case Fields:
		for _, f := range v {
			parts = append(parts, quote(f.Name)+": "+format(f.Value, inner, s))
		}
		return "{" + open + strings.Join(parts, sep) + close + "}"
	case []string:
		for _, one := range v {
			parts = append(parts, quote(one))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []any:
		for _, one := range v {
			parts = append(parts, format(one, inner, s))
		}
		return "[" + open + strings.Join(parts, sep) + close + "]"
	case string:
		return quote(v)
	}
	return fmt.Sprint(value) // numbers and truth values
}

// Fields are an object's members in the order in which they are written.
type Fields []Field

// A Field is one of them: a string, a number, a truth value, a list or Fields.
type Field struct {
	Name  string
	Value any
}

// Name is the way to the place, as a person writes it.
func (e *PlaceError) Name() string {
	if len(e.Names) == 0 {
		return "the document"
	}
	return strings.Join(e.Names, ".")
}
