package importer

import (
	"bytes"
	"errors"
	"unicode/utf8"

	"github.com/memsync/memsync/sync/importer/jsonpull"
)

// A Shape is what the beginning of a file looks like, as far as it was read.
// Formats recognise their files by it.
type Shape struct {
	// JSON is true for a JSON list, object or sequence of lines.
	JSON bool
	// List is true where the outermost value is a list.
	List bool
	// Outer are the member names of the outermost object.
	Outer []string
	// Keys are the member names of the entries: of the list's elements, of the
	// elements of a list that an object wraps under one of the usual names, or of
	// the lines.
	Keys []string
	// Types are the values of the entries' member "type".
	Types []string
	// Scalars is true where some entry is not an object.
	Scalars bool
	// Broken is true where the syntax breaks before the end of what was read.
	Broken bool
	// Entries counts the entries that were seen, the last perhaps in part.
	Entries int
}

// Wrappers are the names under which programs wrap a list of conversations.
var Wrappers = []string{"conversations", "data", "items", "chats"}

// ShapeOf looks at the first bytes of a file.
func ShapeOf(head []byte) Shape {
	var s Shape
	head = bytes.TrimLeft(head, "\ufeff \t\r\n")
	c := jsonpull.New(head)
	switch c.Kind() {
	case jsonpull.Array:
		s.JSON, s.List = true, true
		c.Array(func(int) { s.entry(c) })
	case jsonpull.Object:
		s.JSON = true
		s.entry(c)
		s.Outer = s.Keys
		for c.Err() == nil && c.Kind() == jsonpull.Object {
			s.entry(c) // lines
		}
	}
	var broken *jsonpull.SyntaxError
	s.Broken = errors.As(c.Err(), &broken) && broken.Offset < len(head)
	return s
}

func (s *Shape) entry(c *jsonpull.Cursor) {
	s.Entries++
	if c.Kind() != jsonpull.Object {
		s.Scalars = s.Scalars || c.Kind() != jsonpull.None
		c.Skip()
		return
	}
	c.Object(func(key []byte) {
		name := string(key)
		s.Keys = add(s.Keys, name)
		switch {
		case name == "type" && c.Kind() == jsonpull.String:
			if t := c.Str(); t != "" {
				s.Types = add(s.Types, t)
			}
		case s.Entries == 1 && !s.List && has(Wrappers, name) && c.Kind() == jsonpull.Array:
			s.Entries--
			c.Array(func(int) { s.entry(c) })
		}
	})
}

// Has reports whether the entries have all of the named members.
func (s Shape) Has(names ...string) bool {
	for _, n := range names {
		if !has(s.Keys, n) {
			return false
		}
	}
	return len(names) > 0
}

// HasType reports whether some entry's "type" is one of names.
func (s Shape) HasType(names ...string) bool {
	for _, n := range names {
		if has(s.Types, n) {
			return true
		}
	}
	return false
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// add appends s where it is new; a hostile file does not make the list long.
func add(list []string, s string) []string {
	if len(list) >= 200 || has(list, s) {
		return list
	}
	return append(list, s)
}

// IsText reports whether head, the beginning of a file, is text: UTF-8 without
// control characters other than white space. A character cut at the end is
// forgiven.
func IsText(head []byte) bool {
	for i := 0; i < len(head); {
		r, n := utf8.DecodeRune(head[i:])
		if r == utf8.RuneError && n == 1 {
			return len(head)-i < utf8.UTFMax && !utf8.FullRune(head[i:])
		}
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != 0x1b {
			return false
		}
		i += n
	}
	return true
}
