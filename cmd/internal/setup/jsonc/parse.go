// Package jsonc edits settings of other programs that are written as JSON, with
// the comments, trailing commas and loose quoting that people and JSON5 allow.
//
// The files are not ours. So a document is read only to know where its parts
// stand, and an edit puts text in or takes text out at those places: every other
// byte stays, comments, order and indentation with them. What cannot be read as a
// whole is not edited at all.
package jsonc

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Kind is what a Node is.
type Kind int

// The kinds. A Scalar is a number, a truth value or null.
const (
	Scalar Kind = iota
	String
	Array
	Object
)

// A Node is a value and where it stands: text[Start:End].
type Node struct {
	Kind       Kind
	Start, End int
	// Text is a String's value, or a Scalar as it is written.
	Text string
	// Members are an Object's, Items an Array's.
	Members []Member
	Items   []*Node
}

// A Member is a name and its value.
type Member struct {
	Name  string
	Start int // of the name
	Value *Node
}

// A SyntaxError says where a document cannot be read.
type SyntaxError struct {
	Line int
	What string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.What) }

// maxDepth bounds the nesting; settings have five levels.
const maxDepth = 100

// Parse reads a document: one value with comments and white space around it.
func Parse(text []byte) (*Node, error) {
	p := &parser{text: text}
	if bytes.HasPrefix(text, []byte("\ufeff")) {
		p.at = len("\ufeff")
	}
	n, err := p.document()
	if err != nil {
		return nil, &SyntaxError{1 + bytes.Count(text[:min(p.at, len(text))], []byte("\n")), err.Error()}
	}
	return n, nil
}

type parser struct {
	text []byte
	at   int
}

func (p *parser) document() (*Node, error) {
	if !utf8.Valid(p.text) {
		return nil, fmt.Errorf("it is not UTF-8")
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if err := p.space(); err != nil {
		return nil, err
	}
	if p.at < len(p.text) {
		return nil, p.unexpected("the end")
	}
	return n, nil
}

// unexpected says what stands at p where something else was wanted.
func (p *parser) unexpected(wanted string) error {
	if p.at >= len(p.text) {
		return fmt.Errorf("the file ends where %s should be", wanted)
	}
	r, _ := utf8.DecodeRune(p.text[p.at:])
	return fmt.Errorf("%q stands where %s should be", r, wanted)
}

// space skips white space and comments.
func (p *parser) space() error {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n\v\f", rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			p.at = lineEnd(p.text, p.at)
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return fmt.Errorf("a comment does not end")
			}
			p.at += 2 + end + 2
		default:
			return nil
		}
	}
	return nil
}

// lineEnd is where the line at i ends, before its line break.
func lineEnd(text []byte, i int) int {
	end := bytes.IndexByte(text[i:], '\n')
	if end < 0 {
		return len(text)
	}
	end += i
	if end > i && text[end-1] == '\r' {
		end--
	}
	return end
}

func (p *parser) value(depth int) (*Node, error) {
	if depth > maxDepth {
		return nil, fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	if p.at >= len(p.text) {
		return nil, p.unexpected("a value")
	}
	switch c := p.text[p.at]; c {
	case '{', '[':
		return p.container(depth)
	case '"', '\'':
		start := p.at
		text, err := p.str()
		return &Node{Kind: String, Start: start, End: p.at, Text: text}, err
	}
	start := p.at
	word := p.word()
	if !scalar(word) {
		p.at = start
		return nil, p.unexpected("a value")
	}
	return &Node{Kind: Scalar, Start: start, End: p.at, Text: word}, nil
}

// word reads the letters, digits and signs of a name or a scalar.
func (p *parser) word() string {
	start := p.at
	for p.at < len(p.text) {
		r, size := utf8.DecodeRune(p.text[p.at:])
		if strings.ContainsRune(" \t\r\n\v\f{}[],:\"'/", r) {
			break
		}
		p.at += size
	}
	return string(p.text[start:p.at])
}

// scalar reports whether a word is a value of JSON or JSON5.
func scalar(word string) bool {
	switch word {
	case "true", "false", "null":
		return true
	case "":
		return false
	}
	number := strings.TrimLeft(word, "+-")
	if len(word)-len(number) > 1 || strings.Contains(number, "_") {
		return false
	}
	if number == "Infinity" || number == "NaN" {
		return true
	}
	if !strings.ContainsAny(number[:min(1, len(number))], ".0123456789") {
		return false
	}
	_, err := strconv.ParseFloat(number, 64)
	if err != nil {
		_, err = strconv.ParseUint(number, 0, 64) // hexadecimal
	}
	return err == nil || strings.Contains(err.Error(), "range")
}

// container reads an object or an array.
func (p *parser) container(depth int) (*Node, error) {
	n := &Node{Kind: Object, Start: p.at}
	closing := byte('}')
	if p.text[p.at] == '[' {
		n.Kind, closing = Array, ']'
	}
	p.at++
	for {
		if err := p.space(); err != nil {
			return nil, err
		}
		if p.at < len(p.text) && p.text[p.at] == closing {
			p.at++
			n.End = p.at
			return n, nil
		}
		if err := p.element(n, depth); err != nil {
			return nil, err
		}
		if err := p.space(); err != nil {
			return nil, err
		}
		switch {
		case p.at < len(p.text) && p.text[p.at] == ',':
			p.at++
		case p.at < len(p.text) && p.text[p.at] == closing:
		default:
			return nil, p.unexpected(fmt.Sprintf("a comma or %q", closing))
		}
	}
}

// element reads a member of an object or an item of an array.
func (p *parser) element(n *Node, depth int) error {
	m := Member{Start: p.at}
	if n.Kind == Object {
		var err error
		if p.at < len(p.text) && (p.text[p.at] == '"' || p.text[p.at] == '\'') {
			m.Name, err = p.str()
		} else if m.Name = p.word(); m.Name == "" {
			err = p.unexpected("a name")
		}
		if err == nil {
			err = p.space()
		}
		if err != nil {
			return err
		}
		if p.at >= len(p.text) || p.text[p.at] != ':' {
			return p.unexpected("a colon")
		}
		p.at++
		if err := p.space(); err != nil {
			return err
		}
	}
	v, err := p.value(depth + 1)
	if err != nil {
		return err
	}
	if m.Value = v; n.Kind == Object {
		n.Members = append(n.Members, m)
	} else {
		n.Items = append(n.Items, v)
	}
	return nil
}

// str reads a string in either quotes.
func (p *parser) str() (string, error) {
	quote := p.text[p.at]
	start := p.at
	var b strings.Builder
	for p.at++; p.at < len(p.text); {
		switch c := p.text[p.at]; {
		case c == quote:
			p.at++
			return b.String(), nil
		case c == '\n':
			return "", fmt.Errorf("a string does not end")
		case c == '\\':
			if err := p.escape(&b); err != nil {
				return "", err
			}
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	p.at = start
	return "", fmt.Errorf("a string does not end")
}

// escapes are the letters that stand for others behind a backslash.
var escapes = map[byte]string{'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t", 'v': "\v", '0': "\x00", '\n': "", '\r': ""}

func (p *parser) escape(b *strings.Builder) error {
	p.at++
	if p.at >= len(p.text) {
		return fmt.Errorf("a string does not end")
	}
	c := p.text[p.at]
	p.at++
	digits := map[byte]int{'u': 4, 'x': 2}[c]
	if digits == 0 {
		if s, known := escapes[c]; known {
			b.WriteString(s)
		} else {
			b.WriteByte(c)
		}
		return nil
	}
	if p.at+digits > len(p.text) {
		return fmt.Errorf("a string does not end")
	}
	code, err := strconv.ParseUint(string(p.text[p.at:p.at+digits]), 16, 32)
	if err != nil {
		return fmt.Errorf("an escape of a string is not hexadecimal")
	}
	p.at += digits
	b.WriteRune(rune(code)) // halves of a pair become marks; names hold none
	return nil
}

// Get follows names into objects; nil where the way ends. Of members with the
// same name the last counts, as it does for JSON's readers.
func (n *Node) Get(names ...string) *Node {
	for _, name := range names {
		if n == nil {
			return nil
		}
		var next *Node
		for _, m := range n.Members {
			if m.Name == name {
				next = m.Value
			}
		}
		n = next
	}
	return n
}

// Strings are an array's strings.
func (n *Node) Strings() []string {
	var all []string
	if n != nil {
		for _, item := range n.Items {
			if item.Kind == String {
				all = append(all, item.Text)
			}
		}
	}
	return all
}
