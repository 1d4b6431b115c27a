package importer

import (
	"bufio"
	"bytes"
	"io"

	"golang.org/x/text/encoding/unicode"
)

// Text returns r as UTF-8 without a byte order mark. UTF-16 is recognised by its
// mark; anything else passes as it is, also where it is not valid UTF-8.
func Text(r io.Reader) io.Reader {
	br := bufio.NewReaderSize(r, 64<<10)
	mark, _ := br.Peek(3)
	switch {
	case bytes.HasPrefix(mark, []byte("\xef\xbb\xbf")):
		_, _ = br.Discard(3)
	case bytes.HasPrefix(mark, []byte("\xff\xfe")):
		return unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder().Reader(br)
	case bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return unicode.UTF16(unicode.BigEndian, unicode.UseBOM).NewDecoder().Reader(br)
	}
	return br
}

// sniffLen is how much of a file is looked at to recognise it.
const sniffLen = 64 << 10

// Head returns the beginning of in as UTF-8, at most 64 KiB.
func Head(in Input) ([]byte, error) {
	r, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	head := make([]byte, sniffLen)
	n, err := io.ReadFull(Text(r), head)
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		err = nil
	}
	return head[:n], err
}
