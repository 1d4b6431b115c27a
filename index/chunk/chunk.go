// Package chunk cuts notes into the pieces that search finds.
//
// A piece is what a person would quote: a passage of prose along headings,
// paragraphs and sentences; one turn of a conversation; one claim of a ledger.
// It is small enough that its vector means one thing, and carries what it would
// lose by being cut out: title, heading path, speaker, time.
//
// Two laws hold for any bytes whatever, and are fuzzed. A chunk's span cuts
// exactly its text out of the file, and the spans of a note, which follow each
// other without overlap, leave out nothing but white space and what only carries
// structure: front matter and the header lines and fences of turns.
//
// The package reads a note and nothing else: no file, no clock, no model.
package chunk

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/vault"
)

// The size of a chunk in estimated tokens (see Tokens). Prose is joined until
// it holds MinTokens and cut before it passes MaxTokens: 120 to 250 is the range
// of the design, small enough to be quoted whole in an answer.
const (
	MinTokens = 120
	MaxTokens = 250
)

// A Kind is what a chunk was cut along.
type Kind uint8

// The kinds of chunk.
const (
	// Prose is a passage of a note.
	Prose Kind = iota
	// Turn is a turn of a transcript, or a part of a long one.
	Turn
	// Claim is a line of a ledger.
	Claim
	// Rendering is what a turn says in English. It finds the turn, in whose place it
	// is never shown.
	Rendering
)

func (k Kind) String() string { return [...]string{"prose", "turn", "claim", "rendering"}[k] }

// A Chunk is one piece of a note.
type Chunk struct {
	Kind Kind
	// Span is the chunk in the file, and Line the 1-based line that it begins on.
	Span vault.Span
	Line int
	// Text is what Span cuts out of the file.
	Text string
	// Search is the text that is searched: Text without escapes of the
	// transcript format and without what a program put into the turn, or a claim
	// without its fields.
	Search string
	// Heading is the path of headings that the chunk stands under, outermost
	// first, joined by " > ".
	Heading string

	// Turn is the turn that a chunk of kind Turn was cut from, without its text,
	// and Part its place among the turn's chunks, from 0.
	Turn vault.Turn
	Part int
	// Revised says that the turn has a later wording.
	Revised bool

	// Claim is what a chunk of kind Claim says.
	Claim vault.Claim
	// Rendering is what a chunk of kind Rendering says, and of which turn.
	Rendering vault.Rendering
}

// Split cuts a note into chunks in the order of the file. A note without any
// text yields one empty chunk, so that its title can still be found.
func Split(n *vault.Note) []Chunk {
	c := cutter{note: n, raw: n.Bytes(), line: 1}
	switch {
	case Binary(n):
		// There is nothing to read in it.
	case n.Type() == vault.TypeTranscript:
		c.transcript()
	case n.IsLedger():
		c.ledger()
	case n.Type() == vault.TypeRendering:
		c.renderings()
	default:
		c.prose(vault.Span{Start: n.BodyStart(), End: len(c.raw)})
	}
	if len(c.out) == 0 {
		at := n.BodyStart()
		c.out = []Chunk{{Span: vault.Span{Start: at, End: at}, Line: n.Line(at)}}
	}
	return c.out
}

// Binary reports whether a note is no text under a markdown name.
func Binary(n *vault.Note) bool {
	raw := n.Bytes()
	return bytes.IndexByte(raw, 0) >= 0 && !utf8.Valid(raw)
}

// A cutter collects the chunks of one note.
type cutter struct {
	note *vault.Note
	raw  []byte
	out  []Chunk

	// line is the number of the line that pos lies on.
	line, pos int
	// headings is the path at the place that is being cut.
	headings []heading
}

type heading struct {
	level int
	text  string
}

// add appends a chunk for span, filling in what follows from the span.
func (c *cutter) add(span vault.Span, ch Chunk) {
	c.line += bytes.Count(c.raw[c.pos:span.Start], []byte("\n"))
	c.pos = span.Start
	ch.Span, ch.Line, ch.Text = span, c.line, string(span.Cut(c.raw))
	if ch.Kind == Prose {
		ch.Search = ch.Text
	}
	c.out = append(c.out, ch)
}

// enter moves the heading path to a heading.
func (c *cutter) enter(h heading) {
	for len(c.headings) > 0 && c.headings[len(c.headings)-1].level >= h.level {
		c.headings = c.headings[:len(c.headings)-1]
	}
	c.headings = append(c.headings, h)
}

func (c *cutter) path() string {
	switch len(c.headings) {
	case 0:
		return ""
	case 1:
		return c.headings[0].text
	}
	parts := make([]string, len(c.headings))
	for i, h := range c.headings {
		parts[i] = h.text
	}
	return strings.Join(parts, " > ")
}

// trim takes the white space off both ends of a span.
func (c *cutter) trim(s vault.Span) vault.Span {
	b := s.Cut(c.raw)
	t := bytes.TrimLeft(b, " \t\r\n")
	s.Start += len(b) - len(t)
	s.End = s.Start + len(bytes.TrimRight(t, " \t\r\n"))
	return s
}
