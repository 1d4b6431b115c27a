package history

import (
	"bytes"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// A person may have told git to keep line ends in its own way: core.autocrlf, or
// "text" in .gitattributes. Then the blob of a file is not the file's bytes, and
// what we commit must be what `git add` would have stored, or git status shows a
// difference that nobody made. A vault of ours says "*.md -text" and is spared this.

// A conversion says how a path's bytes become a blob.
type conversion struct {
	lines lineEnds
	ident bool // "$Id: ... $" becomes "$Id$"
	// filter is set when git runs a program or changes the encoding, which
	// this package does not.
	filter bool
	crlf   bool // when checked out, lines end in CRLF
}

type lineEnds int

const (
	linesKept  lineEnds = iota // bytes are bytes
	linesText                  // CRLF becomes LF
	linesGuess                 // CRLF becomes LF where the file looks like text
)

func (x *rules) conversion(path string) conversion {
	a := x.attributesOf(path)
	encoding := a["working-tree-encoding"]
	c := conversion{
		ident: a["ident"] == attributeSet,
		filter: x.r.hasFilter(a["filter"]) ||
			(encoding != "" && encoding != attributeUnset && !strings.EqualFold(encoding, "utf-8")),
	}
	text := a["text"]
	if text == "" {
		text = a["crlf"] // its old name
		if text == "input" {
			text = attributeSet
		}
	}
	eol := a["eol"]
	switch text {
	case attributeSet:
		c.lines = linesText
	case attributeUnset:
		return c
	case "auto":
		c.lines = linesGuess
	default:
		switch {
		case eol == "lf" || eol == "crlf":
			c.lines = linesText
		case x.r.autocrlf() != "":
			c.lines = linesGuess
		default:
			return c
		}
	}
	c.crlf = eol == "crlf"
	if eol == "" {
		c.crlf = x.r.autocrlf() == "true" || (x.r.autocrlf() == "" && strings.EqualFold(x.r.git().get("core.eol"), "crlf"))
	}
	return c
}

// autocrlf returns "true", "input", or "" where core.autocrlf is off.
func (r *Repo) autocrlf() string {
	switch {
	case strings.EqualFold(r.git().get("core.autocrlf"), "input"):
		return "input"
	case r.git().on("core.autocrlf", false):
		return "true"
	}
	return ""
}

// hasFilter reports whether a filter of that name does anything to what is added.
// One that is not configured, or has no clean command, leaves bytes alone, unless
// it is required.
func (r *Repo) hasFilter(name string) bool {
	if name == "" || name == attributeSet || name == attributeUnset {
		return false
	}
	key := "filter." + name + "."
	return r.git().get(key+"clean") != "" || r.git().get(key+"process") != "" || r.git().on(key+"required", false)
}

var identPattern = lazyregexp.New(`\$Id:[^$\n]*\$`)

// blob returns the bytes to store for a file. inGit returns what git has for the
// path now: a file that was stored with CRLF is not guessed at.
func (c conversion) blob(content []byte, inGit func() []byte) []byte {
	if c.lines != linesKept && bytes.Contains(content, []byte("\r\n")) {
		convert := true
		if c.lines == linesGuess {
			convert = !looksBinary(content) && !bytes.Contains(inGit(), []byte("\r\n"))
		}
		if convert {
			content = bytes.ReplaceAll(content, []byte("\r\n"), []byte("\n"))
		}
	}
	if c.ident && bytes.Contains(content, []byte("$Id:")) {
		content = identPattern.ReplaceAll(content, []byte("$$Id$$"))
	}
	return content
}

// onDisk returns a blob's bytes as git would check them out.
func (c conversion) onDisk(blob []byte) []byte {
	if c.lines == linesKept || !c.crlf || bytes.Contains(blob, []byte("\r")) {
		return blob
	}
	if c.lines == linesGuess && looksBinary(blob) {
		return blob
	}
	return bytes.ReplaceAll(blob, []byte("\n"), []byte("\r\n"))
}

// looksBinary is git's guess: a NUL, a carriage return by itself, or more than one
// control character for 128 others. A final Ctrl-Z is the end of a DOS text.
func looksBinary(content []byte) bool {
	printable, odd := 0, 0
	for i, b := range content {
		switch {
		case b == 0:
			return true
		case b == '\r':
			if i+1 == len(content) || content[i+1] != '\n' {
				return true
			}
		case b == '\n':
		case b == 127:
			odd++
		case b < ' ':
			switch b {
			case '\b', '\t', 0x1b, '\f':
				printable++
			case 0x1a:
				if i+1 < len(content) {
					odd++
				}
			default:
				odd++
			}
		default:
			printable++
		}
	}
	return printable>>7 < odd
}
