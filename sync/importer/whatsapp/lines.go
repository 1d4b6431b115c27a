package whatsapp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// maxLine bounds one piece of a line in bytes. WhatsApp's own limit for a message is
// 65,536 characters, so only a file that is not a chat has longer lines; they
// come in pieces, of which only the first can be a header.
const maxLine = 1 << 20

// A line is one line of the file, or a piece of an overlong one.
type line struct {
	// raw is the line with its terminator, in the file's own encoding. It is
	// valid until the next call of next.
	raw []byte
	// text is the line in UTF-8 with its terminator; it aliases raw where the
	// file is UTF-8.
	text []byte
	// number is 1-based.
	number int
	// start is false for the further pieces of an overlong line.
	start bool
}

// body returns the text without its terminator.
func (l line) body() []byte {
	b := bytes.TrimSuffix(l.text, []byte("\n"))
	return bytes.TrimSuffix(b, []byte("\r"))
}

// lineReader cuts a file into lines without changing a byte.
type lineReader struct {
	r      *bufio.Reader
	wide   bool
	big    bool // big-endian, where wide
	number int
	inside bool // the next piece continues a line
	buf    []byte
	utf8   []byte
}

func newLineReader(r io.Reader) *lineReader {
	l := &lineReader{r: bufio.NewReaderSize(r, 64<<10)}
	head, _ := l.r.Peek(256)
	l.wide, l.big = isUTF16(head)
	return l
}

// isUTF16 recognises UTF-16 by its byte order mark or, without one, by the
// zero bytes that the ASCII digits of a header have there.
func isUTF16(head []byte) (wide, big bool) {
	switch {
	case bytes.HasPrefix(head, []byte{0xFF, 0xFE}):
		return true, false
	case bytes.HasPrefix(head, []byte{0xFE, 0xFF}):
		return true, true
	}
	if len(head) < 8 || bytes.IndexByte(head, 0) < 0 {
		return false, false
	}
	var even, odd int
	for i, b := range head {
		if b == 0 {
			if i%2 == 0 {
				even++
			} else {
				odd++
			}
		}
	}
	half := len(head) / 2
	return (odd > half/2 && even == 0) || (even > half/2 && odd == 0), even > odd
}

// next returns the next line, or io.EOF after the last.
func (l *lineReader) next() (line, error) {
	var err error
	if l.wide {
		err = l.fillWide()
	} else {
		err = l.fill()
	}
	if len(l.buf) == 0 {
		if err == nil {
			err = io.EOF
		}
		return line{}, err
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return line{}, err
	}
	start := !l.inside
	if start {
		l.number++
	}
	text := l.buf
	if l.wide {
		text = l.decode()
	}
	l.inside = !bytes.HasSuffix(text, []byte("\n"))
	return line{raw: l.buf, text: text, number: l.number, start: start}, nil
}

func (l *lineReader) fill() error {
	l.buf = l.buf[:0]
	for len(l.buf) < maxLine {
		piece, err := l.r.ReadSlice('\n')
		l.buf = append(l.buf, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
	return nil
}

func (l *lineReader) fillWide() error {
	l.buf = l.buf[:0]
	for len(l.buf) < maxLine {
		a, err := l.r.ReadByte()
		if err != nil {
			return err
		}
		l.buf = append(l.buf, a)
		b, err := l.r.ReadByte()
		if err != nil {
			return err
		}
		l.buf = append(l.buf, b)
		if l.unit(a, b) == '\n' {
			return nil
		}
	}
	return nil
}

func (l *lineReader) unit(a, b byte) uint16 {
	if l.big {
		return uint16(a)<<8 | uint16(b)
	}
	return uint16(b)<<8 | uint16(a)
}

// decode turns the UTF-16 line in buf into UTF-8. An odd last byte, which only
// a torn file has, is left out of the text.
func (l *lineReader) decode() []byte {
	l.utf8 = l.utf8[:0]
	for i := 0; i+1 < len(l.buf); i += 2 {
		r := rune(l.unit(l.buf[i], l.buf[i+1]))
		if utf16.IsSurrogate(r) && i+3 < len(l.buf) {
			if pair := utf16.DecodeRune(r, rune(l.unit(l.buf[i+2], l.buf[i+3]))); pair != utf8.RuneError {
				r = pair
				i += 2
			}
		}
		l.utf8 = utf8.AppendRune(l.utf8, r)
	}
	return l.utf8
}
