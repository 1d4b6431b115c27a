// Package jsonpull reads JSON that may not be what it should be.
//
// Exports of chat histories are written by programs that change every month:
// a field is a string today, null tomorrow and a number in one file of a
// thousand. A decoder into structs rejects the whole conversation then. A
// Cursor instead walks the bytes and lets the caller take what it finds: asking
// for a string where a number stands yields no string, and the walk goes on.
//
// It keeps what encoding/json loses: the text of numbers (a time with six
// decimals does not survive a float64), the order of members, and how many
// characters had to be replaced because they are not Unicode.
//
// Only broken syntax stops it. The first error sticks: every later call returns
// zero values, so callers check Err once, at the end. Values that are skipped
// are matched bracket by bracket, not validated.
package jsonpull

import (
	"bytes"
	"fmt"
)

// A Kind is what the next value is.
type Kind byte

const (
	None   Kind = iota // no value: the end, or a syntax error
	Object             // {
	Array              // [
	String             // "
	Number             // 12.5
	Bool               // true, false
	Null               // null
)

// maxDepth bounds how deep values that are walked (not skipped) may nest: real
// exports need about ten levels, encoding/json allows ten thousand.
const maxDepth = 1000

// A SyntaxError is the first place at which the bytes are not JSON.
type SyntaxError struct {
	// Offset is counted in bytes from the beginning of the data, from 0.
	Offset int
	Reason string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.Reason, e.Offset) }

// A Cursor stands before a value in data. The zero Cursor is at the end of
// nothing; use New.
type Cursor struct {
	data  []byte
	pos   int
	depth int
	err   *SyntaxError
	// Replaced counts the characters that were not Unicode (halves of surrogate
	// pairs, invalid UTF-8) and came out as U+FFFD.
	Replaced int
	scratch  []byte
}

// New returns a cursor before the first value of data. The strings that it
// returns are copies; data may be reused when the walk is over.
func New(data []byte) *Cursor { return &Cursor{data: data} }

// Err returns the first syntax error, or nil.
func (c *Cursor) Err() error {
	if c.err == nil {
		return nil
	}
	return c.err
}

// Offset is where the cursor stands, in bytes from the beginning.
func (c *Cursor) Offset() int { return c.pos }

func (c *Cursor) fail(reason string) {
	if c.err == nil {
		c.err = &SyntaxError{Offset: c.pos, Reason: reason}
		c.pos = len(c.data)
	}
}

func (c *Cursor) space() {
	for c.pos < len(c.data) {
		switch c.data[c.pos] {
		case ' ', '\n', '\r', '\t':
			c.pos++
		default:
			return
		}
	}
}

// Kind says what the next value is without moving past it.
func (c *Cursor) Kind() Kind {
	c.space()
	if c.err != nil || c.pos >= len(c.data) {
		return None
	}
	switch b := c.data[c.pos]; {
	case b == '{':
		return Object
	case b == '[':
		return Array
	case b == '"':
		return String
	case b == 't' || b == 'f':
		return Bool
	case b == 'n':
		return Null
	case b == '-' || b >= '0' && b <= '9':
		return Number
	}
	return None
}

// Object calls member for each member of the object that comes next. member
// stands before the value; what it does not take is skipped. The key is valid
// only during the call. A value that is not an object is skipped.
func (c *Cursor) Object(member func(key []byte)) {
	if c.Kind() != Object {
		c.Skip()
		return
	}
	if !c.enter() {
		return
	}
	for first := true; c.next('}', first); first = false {
		if c.Kind() != String {
			c.fail("a member has no name")
			return
		}
		key := c.key()
		c.space()
		if c.err != nil {
			return
		}
		if c.pos >= len(c.data) || c.data[c.pos] != ':' {
			c.fail("no colon after a member's name")
			return
		}
		c.pos++
		c.space()
		before := c.pos
		member(key)
		if c.pos == before {
			c.Skip()
		}
	}
	c.depth--
}

// Array calls element for each element of the array that comes next, with its
// index; what element does not take is skipped. A value that is not an array is
// skipped.
func (c *Cursor) Array(element func(i int)) {
	if c.Kind() != Array {
		c.Skip()
		return
	}
	if !c.enter() {
		return
	}
	for i := 0; c.next(']', i == 0); i++ {
		c.space()
		before := c.pos
		element(i)
		if c.pos == before {
			c.Skip()
		}
	}
	c.depth--
}

func (c *Cursor) enter() bool {
	if c.depth++; c.depth > maxDepth {
		c.fail("values nest too deep")
		return false
	}
	c.pos++
	return true
}

// next moves to the next member or element, or past the closing bracket.
func (c *Cursor) next(closing byte, first bool) bool {
	c.space()
	if c.err != nil {
		return false
	}
	if c.pos >= len(c.data) {
		c.fail("the text ends inside a value")
		return false
	}
	switch b := c.data[c.pos]; {
	case b == closing:
		c.pos++
		return false
	case first:
		return true
	case b == ',':
		c.pos++
		return true
	}
	c.fail("no comma between two values")
	return false
}

// Skip moves past the next value.
func (c *Cursor) Skip() {
	switch c.Kind() {
	case Object, Array:
		c.skipBrackets()
	case String:
		c.quoted()
	case None:
		c.fail("no value")
	default:
		c.literal()
	}
}

// skipBrackets moves past a whole object or array by its brackets alone.
func (c *Cursor) skipBrackets() {
	depth := 0
	for c.pos < len(c.data) {
		switch c.data[c.pos] {
		case '"':
			c.quoted()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				c.pos++
				return
			}
		}
		c.pos++
	}
	c.fail("the text ends inside a value")
}

// literal moves past a number or a word and returns it.
func (c *Cursor) literal() []byte {
	start := c.pos
	for c.pos < len(c.data) {
		b := c.data[c.pos]
		if b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '-' || b == '+' || b == '.' {
			c.pos++
			continue
		}
		break
	}
	return c.data[start:c.pos]
}

// Num takes the next value if it is a number and returns its text as written;
// otherwise it skips the value and returns "".
func (c *Cursor) Num() string {
	if c.Kind() != Number {
		c.Skip()
		return ""
	}
	return string(c.literal())
}

// True takes the next value and reports whether it is the word true.
func (c *Cursor) True() bool {
	if c.Kind() != Bool {
		c.Skip()
		return false
	}
	return bytes.Equal(c.literal(), []byte("true"))
}

// Raw takes the next value whole and returns its bytes, which belong to the
// cursor's data.
func (c *Cursor) Raw() []byte {
	c.space()
	start := c.pos
	c.Skip()
	return c.data[start:c.pos]
}
