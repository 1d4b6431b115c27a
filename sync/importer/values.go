package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Value is one JSON value of a stream, as it stands in the file.
type Value struct {
	// Raw is the value's bytes, from bracket to bracket.
	Raw []byte
	// Index counts the values of the file from 0.
	Index int
	// Offset is where Raw begins in the file, in bytes from 0.
	Offset int64
	// Line is the line on which Raw begins, from 1.
	Line int
}

// Values cuts a file into its conversations without decoding them.
//
// It takes the shapes in which exports come: an array of values, values one
// after the other (a JSONL file, a single conversation), and an object that
// wraps the array under one of the names in wrappers. Only brackets and quotes
// are looked at, so that a gigabyte passes in seconds, one value at a time.
type Values struct {
	name     string
	r        io.Reader
	buf      []byte
	pos, end int
	off      int64 // of buf[pos]
	line     int
	readErr  error

	state    valuesState
	index    int
	wrappers []string
	max      int
}

type valuesState byte

const (
	atTop      valuesState = iota // before a top-level value
	arrayStart                    // after [
	arrayMore                     // after an element
	wrapStart                     // after [ of a wrapped array
	wrapMore
)

// MaxValue is the largest single conversation that is read, in bytes. The
// largest conversations that people report are some tens of megabytes.
const MaxValue = 256 << 20

// NewValues reads from r, which must be UTF-8 (see Text). Errors call it name.
func NewValues(name string, r io.Reader, wrappers ...string) *Values {
	return &Values{name: name, r: r, buf: make([]byte, 256<<10), line: 1, wrappers: wrappers, max: MaxValue}
}

// count says "1 entry", "3 entries".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// Next appends the next value to dst[:0] and returns it; io.EOF after the last.
func (v *Values) Next(dst []byte) (Value, error) {
	for {
		b, ok := v.peek()
		switch v.state {
		case atTop:
			if !ok {
				return Value{}, v.endOr(nil)
			}
			if b == '[' {
				v.skip(1)
				v.state = arrayStart
				continue
			}
			if b == '{' && v.index == 0 && len(v.wrappers) > 0 {
				val, wrapped, err := v.wrapper(dst[:0])
				if wrapped && err == nil {
					v.state = wrapStart
					continue
				}
				return val, err
			}
			return v.element(dst[:0])
		default:
			if !ok {
				return Value{}, v.endOr(errors.New("the file ends in the middle of its list"))
			}
			if b == ']' {
				v.skip(1)
				wrapped := v.state >= wrapStart
				v.state = atTop
				if wrapped {
					if err := v.rest(); err != nil {
						return Value{}, err
					}
				}
				continue
			}
			if v.state == arrayMore || v.state == wrapMore {
				if b != ',' {
					return Value{}, v.breakAt("there is no comma before the next entry")
				}
				v.skip(1)
				if b, ok = v.peek(); !ok {
					return Value{}, v.endOr(errors.New("the file ends in the middle of its list"))
				}
				if b == ']' {
					continue // a trailing comma is forgiven
				}
			} else {
				v.state++
			}
			return v.element(dst[:0])
		}
	}
}

// element reads the value that begins at the cursor.
func (v *Values) element(dst []byte) (Value, error) {
	val := Value{Index: v.index, Offset: v.off, Line: v.line}
	raw, err := v.copyValue(dst)
	if err != nil {
		return Value{}, err
	}
	val.Raw = raw
	v.index++
	return val, nil
}

// wrapper reads the object at the cursor member by member. When a member with a
// wrapper's name holds an array, it stops behind the opening bracket and says so;
// otherwise it returns the whole object.
func (v *Values) wrapper(dst []byte) (val Value, wrapped bool, err error) {
	val = Value{Index: v.index, Offset: v.off, Line: v.line}
	dst = append(dst, '{')
	v.skip(1)
	for {
		b, ok := v.peek()
		if !ok {
			return Value{}, false, v.endOr(errors.New("the file ends inside an object"))
		}
		switch b {
		case '}':
			v.skip(1)
			val.Raw = append(dst, '}')
			v.index++
			return val, false, nil
		case ',':
			v.skip(1)
			dst = append(dst, ',')
			continue
		case '"':
		default:
			return Value{}, false, v.breakAt("a name was expected")
		}
		from := len(dst)
		if dst, err = v.copyValue(dst); err != nil {
			return Value{}, false, err
		}
		name := string(bytes.Trim(dst[from:], `"`))
		if b, ok = v.peek(); !ok || b != ':' {
			return Value{}, false, v.breakAt("there is no colon after a name")
		}
		v.skip(1)
		dst = append(dst, ':')
		if b, ok = v.peek(); ok && b == '[' && slices.Contains(v.wrappers, name) {
			v.skip(1)
			return Value{}, true, nil
		}
		if dst, err = v.copyValue(dst); err != nil {
			return Value{}, false, err
		}
	}
}

// rest moves past what follows a wrapped array in its object.
func (v *Values) rest() error {
	for {
		b, ok := v.peek()
		if !ok {
			return v.endOr(errors.New("the file ends inside an object"))
		}
		switch b {
		case '}':
			v.skip(1)
			return nil
		case ',', ':':
			v.skip(1)
		default:
			if _, err := v.copyValue(nil); err != nil {
				return err
			}
		}
	}
}

// structural marks the bytes at which a scan outside strings has to look.
var structural = [256]bool{'"': true, '{': true, '}': true, '[': true, ']': true}

// copyValue appends the value at the cursor to dst and moves past it.
func (v *Values) copyValue(dst []byte) ([]byte, error) {
	b, ok := v.peek()
	if !ok {
		return dst, v.endOr(errors.New("a value is missing"))
	}
	if b != '{' && b != '[' && b != '"' {
		return v.copyScalar(dst)
	}
	from := len(dst)
	depth, inString, escaped := 0, false, false
	for {
		w := v.buf[v.pos:v.end]
		i := 0
		for i < len(w) {
			if inString {
				j := bytes.IndexByte(w[i:], '"')
				segment := w[i:]
				if j >= 0 {
					segment = w[i : i+j]
				}
				n := len(segment)
				for n > 0 && segment[n-1] == '\\' {
					n--
				}
				odd := (len(segment)-n)%2 == 1
				if n == 0 {
					odd = odd != escaped // the run of backslashes began before
				}
				if j < 0 {
					escaped = odd
					break
				}
				i += j + 1
				escaped = false
				if odd {
					continue
				}
				inString = false
				if depth == 0 {
					return v.take(dst, i, from)
				}
				continue
			}
			for i < len(w) && !structural[w[i]] {
				i++
			}
			if i == len(w) {
				break
			}
			switch w[i] {
			case '"':
				inString, escaped = true, false
			case '{', '[':
				depth++
			default:
				if depth--; depth == 0 {
					return v.take(dst, i+1, from)
				}
			}
			i++
		}
		var err error
		if dst, err = v.take(dst, len(w), from); err != nil {
			return dst, err
		}
		if !v.fill() {
			what := "an entry"
			if inString {
				what = "a text"
			}
			return dst, v.endOr(errors.New("the file ends in the middle of " + what))
		}
	}
}

// copyScalar appends a number or a word.
func (v *Values) copyScalar(dst []byte) ([]byte, error) {
	from := len(dst)
	for {
		w := v.buf[v.pos:v.end]
		i := 0
		for i < len(w) && strings.IndexByte(" \t\r\n,]}:\"{[", w[i]) < 0 {
			i++
		}
		if i == 0 && len(dst) == from && len(w) > 0 {
			return dst, v.breakAt(fmt.Sprintf("there is %q where a value was expected", w[0]))
		}
		var err error
		if dst, err = v.take(dst, i, from); err != nil || i < len(w) || !v.fill() {
			return dst, err
		}
	}
}

// take appends n bytes to dst and moves past them.
func (v *Values) take(dst []byte, n, from int) ([]byte, error) {
	if len(dst)-from+n > v.max {
		return dst, v.breakAt("an entry is larger than memsync reads in one piece (256 MiB)")
	}
	dst = append(dst, v.buf[v.pos:v.pos+n]...)
	v.skip(n)
	return dst, nil
}

// skip moves n bytes on within the buffer.
func (v *Values) skip(n int) {
	v.line += bytes.Count(v.buf[v.pos:v.pos+n], []byte{'\n'})
	v.pos += n
	v.off += int64(n)
}

// peek returns the next byte that is not white space.
func (v *Values) peek() (byte, bool) {
	for {
		w := v.buf[v.pos:v.end]
		i := 0
		for i < len(w) && (w[i] == ' ' || w[i] == '\n' || w[i] == '\r' || w[i] == '\t') {
			i++
		}
		v.skip(i)
		if i < len(w) {
			return w[i], true
		}
		if !v.fill() {
			return 0, false
		}
	}
}

// fill reads more into the buffer, which must be used up.
func (v *Values) fill() bool {
	if v.readErr != nil {
		return false
	}
	v.pos, v.end = 0, 0
	for v.end == 0 && v.readErr == nil {
		v.end, v.readErr = v.r.Read(v.buf)
	}
	return v.end > 0
}

// endOr is what to return at the end of the file: the read error if there was
// one, else io.EOF, or a break where more was expected.
func (v *Values) endOr(expected error) error {
	if v.readErr != nil && v.readErr != io.EOF {
		return v.readErr
	}
	if expected == nil {
		return io.EOF
	}
	return v.breakAt(expected.Error())
}

func (v *Values) breakAt(reason string) error {
	return &PartialError{File: v.name, Line: v.line, Offset: v.off, Read: v.index, Reason: reason}
}
