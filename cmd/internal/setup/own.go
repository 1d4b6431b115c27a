package setup

import (
	"bytes"
	"strings"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
)

// ownFile is a file that is ours from its first byte to its last. A file of the
// same name without our mark is another's.
type ownFile struct {
	file, text string
}

// ownMark stands in every file that is ours. It is a comment in markdown.
const ownMark = "<!-- written by memsync setup; edits here are lost -->"

func (f ownFile) path() string  { return f.file }
func (f ownFile) fresh() []byte { return nil }

func (f ownFile) put(text []byte) ([]jsonc.Insert, error) {
	if len(text) > 0 {
		return nil, &FileError{Why: "it was there before and is not memsync's"}
	}
	return []jsonc.Insert{{At: 0, Text: f.text}}, nil
}

func (f ownFile) cut(text []byte) ([]byte, error) {
	if bytes.Contains(text, []byte(ownMark)) {
		return nil, nil
	}
	return text, nil
}

// block is a part of a file that others write, between two marks.
type block struct {
	file, text string
}

const (
	blockBegin = "<!-- memsync: begin. This part is kept by memsync; edits here are lost. -->"
	blockEnd   = "<!-- memsync: end -->"
)

func (f block) path() string  { return f.file }
func (f block) fresh() []byte { return nil }

func (f block) put(text []byte) ([]jsonc.Insert, error) {
	if bytes.Contains(text, []byte(blockBegin)) || bytes.Contains(text, []byte(blockEnd)) {
		return nil, &FileError{Why: "one of memsync's marks stands in it alone"}
	}
	var b strings.Builder
	if len(text) > 0 {
		if !bytes.HasSuffix(text, []byte("\n")) {
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
	b.WriteString(blockBegin + "\n" + strings.Trim(f.text, "\n") + "\n" + blockEnd + "\n")
	return []jsonc.Insert{{At: len(text), Text: b.String()}}, nil
}

func (f block) cut(text []byte) ([]byte, error) {
	begin := bytes.Index(text, []byte(blockBegin))
	if begin < 0 {
		return text, nil
	}
	length := bytes.Index(text[begin:], []byte(blockEnd))
	if length < 0 {
		return text, nil // put says what is wrong
	}
	end := begin + length + len(blockEnd)
	if end < len(text) && text[end] == '\n' {
		end++
	}
	before := text[:begin]
	if bytes.HasSuffix(before, []byte("\n\n")) {
		before = before[:len(before)-1]
	}
	return append(append([]byte{}, before...), text[end:]...), nil
}
