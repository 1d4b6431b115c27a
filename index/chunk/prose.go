package chunk

import (
	"bytes"
	"strings"

	"github.com/memsync/memsync/vault"
)

// prose cuts a part of the note along its headings.
//
// A section that is too small to stand alone is joined with the next one of the
// same note, so a page of many short headings does not fall into crumbs; the
// chunk then carries the path of its first heading, and the others are in its
// text.
func (c *cutter) prose(within vault.Span) {
	var held []piece
	size := 0
	path := c.path()
	flush := func() {
		for _, s := range pack(c.raw, held) {
			if s = c.trim(s); s.Len() > 0 {
				c.add(s, Chunk{Kind: Prose, Heading: path})
			}
		}
		held, size = held[:0], 0
	}
	for _, p := range blocks(c.raw, within) {
		if p.head.level > 0 {
			if size >= MinTokens || p.head.level == 1 && size > 0 {
				flush()
			}
			c.enter(p.head)
		}
		if len(held) == 0 {
			path = c.path()
		}
		held = append(held, p)
		size += p.tokens
	}
	flush()
}

// blocks divides a part of a file into headings, paragraphs, list items, tables
// and fenced code, each with the blank lines behind it. It reads lines, not
// markdown's whole grammar: a block that it takes for two can only move a cut,
// never lose text, and a large vault is read in a fraction of a parser's time.
func blocks(raw []byte, within vault.Span) []piece {
	var out []piece
	start := within.Start
	var head heading
	end := func(pos int) {
		if pos > start {
			s := vault.Span{Start: start, End: pos}
			out = append(out, piece{span: s, tokens: Tokens(s.Cut(raw)), head: head})
		}
		start, head = pos, heading{}
	}
	var fence []byte
	blank := true // the line before was blank, or a heading
	for pos := within.Start; pos < within.End; {
		next := pos + lineEnd(raw[pos:within.End])
		line := bytes.TrimRight(raw[pos:next], " \t\r\n")
		text := bytes.TrimLeft(line, " \t")
		switch f := fenceOf(text); {
		case fence != nil:
			if f != nil && f[0] == fence[0] && len(f) >= len(fence) && len(f) == len(text) {
				fence, blank = nil, true
			}
		case f != nil:
			end(pos)
			fence = f
		case len(text) == 0:
			blank = true
		default:
			h, isHeading := headingOf(line)
			if isHeading || blank || startsItem(text) {
				end(pos)
			}
			head, blank = h, isHeading
			if isHeading {
				// The paragraph under a heading is a piece of its own.
				blank = true
			} else if start != pos {
				head = heading{}
			}
		}
		pos = next
	}
	end(within.End)
	return out
}

// fenceOf returns the backticks or tildes of a line that opens or closes a fence.
func fenceOf(text []byte) []byte {
	if len(text) < 3 || text[0] != '`' && text[0] != '~' {
		return nil
	}
	n := len(text) - len(bytes.TrimLeft(text, string(text[:1])))
	if n < 3 {
		return nil
	}
	return text[:n]
}

// headingOf reads an ATX heading: "## Title".
func headingOf(line []byte) (heading, bool) {
	level := 0
	for level < len(line) && line[level] == '#' {
		level++
	}
	if level == 0 || level > 6 || level < len(line) && line[level] != ' ' && line[level] != '\t' {
		return heading{}, false
	}
	text := strings.TrimSpace(strings.TrimRight(string(line[level:]), "# \t"))
	return heading{level: level, text: vault.Fold(text)}, true
}

// startsItem reports whether a line begins an item of a list.
func startsItem(text []byte) bool {
	if len(text) > 1 && text[1] == ' ' && (text[0] == '-' || text[0] == '*' || text[0] == '+') {
		return true
	}
	n := 0
	for n < len(text) && n < 9 && text[n] >= '0' && text[n] <= '9' {
		n++
	}
	return n > 0 && n+1 < len(text) && (text[n] == '.' || text[n] == ')') && text[n+1] == ' '
}
