// Package output prints what a command has to say.
//
// Each result is one type with two faces: its JSON is the type itself, its text
// is its Text method. A command makes the value and hands it to Print, so the
// two cannot drift apart. The answer goes to standard output and nothing else
// does; progress and warnings go to standard error.
//
// The JSON is a contract: every answer is one object that begins with
// schema_version, lists are [] and never null, and fields are only ever added.
package output

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// SchemaVersion is the version of every JSON answer. It grows only when a field
// changes its meaning or goes away.
const SchemaVersion = 1

// A Result is an answer with two faces.
type Result interface {
	// Text writes the answer for a person.
	Text(p *Page)
}

// Print writes r to w: as JSON, or as text with or without colour.
func Print(w io.Writer, r Result, asJSON, colour bool) error {
	if asJSON {
		return Encode(w, r)
	}
	p := &Page{w: w, colour: colour}
	r.Text(p)
	return p.err
}

// A Page is where text goes. Its first error is kept and ends the printing.
type Page struct {
	w      io.Writer
	colour bool
	err    error
}

// Write writes bytes as they are.
func (p *Page) Write(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.w.Write(b)
	p.err = err
	return n, err
}

// Printf writes formatted text.
func (p *Page) Printf(format string, args ...any) { fmt.Fprintf(p, format, args...) }

// Println writes its arguments and ends the line.
func (p *Page) Println(args ...any) { fmt.Fprintln(p, args...) }

// Bold marks what a reader looks for first.
func (p *Page) Bold(s string) string { return p.paint("1", s) }

// Dim marks what a reader may pass over.
func (p *Page) Dim(s string) string { return p.paint("2", s) }

// Added and Removed mark the sides of a change.
func (p *Page) Added(s string) string { return p.paint("32", s) }

// Removed marks what a change took away.
func (p *Page) Removed(s string) string { return p.paint("31", s) }

// Warn marks what needs attention.
func (p *Page) Warn(s string) string { return p.paint("33", s) }

func (p *Page) paint(code, s string) string {
	if !p.colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Plain takes control characters out of text that comes from a note, so that
// nothing a note holds can steer the reader's terminal. Lines and tabs stay.
func Plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}

// IsTerminal reports whether w is a terminal, or says that it ends at one.
func IsTerminal(w io.Writer) bool {
	if t, ok := w.(interface{ IsTerminal() bool }); ok {
		return t.IsTerminal()
	}
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// Colour reports whether text written to w may be coloured: on a terminal that
// can, unless the person said NO_COLOR.
func Colour(w io.Writer, env func(string) (string, bool)) bool {
	if no, _ := env("NO_COLOR"); no != "" {
		return false
	}
	if kind, _ := env("TERM"); kind == "dumb" {
		return false
	}
	return IsTerminal(w)
}

// Count says n things in English: "1 note", "3 notes".
func Count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
