package vault

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/adrg/frontmatter"
	"gopkg.in/yaml.v3"
)

// A Span is a half-open range of bytes of a file.
type Span struct{ Start, End int }

// Len is the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Cut returns the bytes of s.
func (s Span) Cut(b []byte) []byte { return b[s.Start:s.End] }

// A Property is one key of a note's front matter, in the note's order.
type Property struct {
	Key string
	// Values holds the text of the value, or of each element where the value
	// is a list. A nested mapping gives none.
	Values []string
	// IsList says that the value is a YAML list.
	IsList bool
}

// yamlFormat is the only front matter that Obsidian knows.
var yamlFormat = frontmatter.NewFormat("---", "---", yaml.Unmarshal)

// bomLen is the length of the byte order mark that raw begins with, if any.
func bomLen(raw []byte) int {
	if bytes.HasPrefix(raw, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return 0
}

// fences finds the front matter of raw: the lines between a first line "---"
// and the next one, as Obsidian reads it. inner holds the YAML without the
// fences; end is the offset of the first byte after the closing fence's line.
func fences(raw []byte) (inner Span, end int, ok bool) {
	at, ok := fenceLine(raw, bomLen(raw))
	if !ok || at == len(raw) {
		return Span{}, 0, false
	}
	for pos := at; pos < len(raw); {
		if next, ok := fenceLine(raw, pos); ok {
			return Span{at, pos}, next, true
		}
		nl := bytes.IndexByte(raw[pos:], '\n')
		if nl < 0 {
			break
		}
		pos += nl + 1
	}
	return Span{}, 0, false
}

// fenceLine reports whether the line at pos is "---", and where the next begins.
func fenceLine(raw []byte, pos int) (next int, ok bool) {
	if !bytes.HasPrefix(raw[pos:], []byte("---")) {
		return 0, false
	}
	line := raw[pos:]
	next = len(raw)
	if nl := bytes.IndexByte(line, '\n'); nl >= 0 {
		line, next = line[:nl], pos+nl+1
	}
	return next, len(bytes.TrimRight(line[3:], " \t\r")) == 0
}

// readProperties decodes the front matter of raw, whose extent is known.
func readProperties(head []byte) ([]Property, *yaml.Node, error) {
	var doc yaml.Node
	if _, err := frontmatter.Parse(bytes.NewReader(head), &doc, yamlFormat); err != nil {
		return nil, nil, fmt.Errorf("front matter: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 || len(doc.Content) == 0 {
		return nil, nil, nil
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, nil, fmt.Errorf("front matter: line %d: expected keys and values", root.Line+1)
	}
	var props []Property
	for i := 0; i+1 < len(root.Content); i += 2 {
		props = append(props, property(root.Content[i].Value, root.Content[i+1]))
	}
	return props, root, nil
}

func property(key string, v *yaml.Node) Property {
	p := Property{Key: key}
	if v.Kind == yaml.AliasNode {
		v = v.Alias
	}
	switch v.Kind {
	case yaml.ScalarNode:
		if v.Tag != "!!null" {
			p.Values = []string{v.Value}
		}
	case yaml.SequenceNode:
		p.IsList = true
		for _, e := range v.Content {
			if e.Kind == yaml.ScalarNode {
				p.Values = append(p.Values, e.Value)
			}
		}
	}
	return p
}
