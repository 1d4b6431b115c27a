package vault

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync/atomic"
)

// A Type says what a note is for. Front matter carries it as `type`.
type Type string

// The types of format 1. A note of the person's own has type "note" or any
// other word, which memsync keeps and does not interpret.
const (
	TypeBoot       Type = "boot"
	TypeProfile    Type = "profile"
	TypeUser       Type = "user"
	TypeSchema     Type = "schema"
	TypeFacts      Type = "facts"
	TypeSession    Type = "session"
	TypeTopic      Type = "topic"
	TypeEpoch      Type = "epoch"
	TypeTranscript Type = "transcript"
	TypeRendering  Type = "rendering"
	TypeProposal   Type = "proposal"
	TypeNote       Type = "note"
)

// A Note is one markdown file: the bytes it was read from and what they say.
//
// Any file is a note. One whose front matter does not parse keeps its whole
// text and says so in Err; its body is still read and searched.
type Note struct {
	Path Path

	raw   []byte
	inner Span // the YAML between the fences
	body  int  // offset of the body
	props []Property
	err   error

	claims atomic.Pointer[[]Claim] // of a ledger, once they were asked for
	full   func(Link) string       // see NameSources
}

// Parse reads a note. It never fails: Bytes returns raw again, whatever raw is.
// The note keeps raw; the caller must not change it after.
func Parse(p Path, raw []byte) *Note {
	n := &Note{Path: p}
	n.set(raw)
	return n
}

// Clone is the note for changes that do not touch it.
func (n *Note) Clone() *Note {
	c := Parse(n.Path, n.raw)
	c.full = n.full
	return c
}

// set makes raw the note. What was read of front matter that stays is not read again.
func (n *Note) set(raw []byte) {
	n.claims.Store(nil)
	if n.HasFrontMatter() && n.raw[n.body-1] == '\n' && bytes.HasPrefix(raw, n.raw[:n.body]) {
		n.raw = raw
		return
	}
	n.raw, n.inner, n.body, n.props, n.err = raw, Span{}, bomLen(raw), nil, nil
	inner, end, ok := fences(raw)
	if !ok {
		return
	}
	n.inner, n.body = inner, end
	n.props, _, n.err = readProperties(raw[bomLen(raw):end])
}

// Bytes is the whole file. The caller must not change it.
func (n *Note) Bytes() []byte { return n.raw }

// Body is the file without its front matter.
func (n *Note) Body() []byte { return n.raw[n.body:] }

// BodyStart is the offset of the body in the file.
func (n *Note) BodyStart() int { return n.body }

// HasFrontMatter reports whether the file begins with a closed `---` block.
func (n *Note) HasFrontMatter() bool { return n.inner.Start > 0 }

// Err says why the front matter could not be read, nil where it could.
func (n *Note) Err() error {
	if n.err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", n.Path, n.err)
}

// Properties are the front matter's keys in the note's order.
func (n *Note) Properties() []Property { return n.props }

// Has reports whether the front matter has the key.
func (n *Note) Has(key string) bool { _, ok := n.find(key); return ok }

// Prop is the text of a property, the first element of a list, or "".
func (n *Note) Prop(key string) string {
	if p, ok := n.find(key); ok && len(p.Values) > 0 {
		return p.Values[0]
	}
	return ""
}

// List is the elements of a property; a single value is a list of one, as in
// Obsidian.
func (n *Note) List(key string) []string {
	p, _ := n.find(key)
	return p.Values
}

func (n *Note) find(key string) (Property, bool) {
	for _, p := range n.props {
		if p.Key == key {
			return p, true
		}
	}
	return Property{}, false
}

// ID is the note's `id`, or its path without ".md" for notes without one.
func (n *Note) ID() string {
	if id := n.Prop("id"); id != "" {
		return id
	}
	return n.Path.Stem()
}

// Type is the note's `type`. A note without one is told by where it lies:
// only memsync's own folders have an implied type, all else is TypeNote.
func (n *Note) Type() Type {
	if t := n.Prop("type"); t != "" {
		return Type(t)
	}
	return TypeNote
}

// Title is the note's `title`, else its first heading of level one, else its
// file name.
func (n *Note) Title() string {
	if t := n.Prop("title"); t != "" {
		return t
	}
	for line := range bytes.Lines(n.Body()) {
		if rest, ok := bytes.CutPrefix(line, []byte("# ")); ok {
			if t := strings.TrimSpace(string(rest)); t != "" {
				return t
			}
		}
		if len(bytes.TrimSpace(line)) > 0 {
			break
		}
	}
	return n.Path.Name()
}

// Generated reports whether memsync wrote the note (`generated: true`).
func (n *Note) Generated() bool { return n.Prop("generated") == "true" }

// Line is the 1-based line of a byte offset.
func (n *Note) Line(offset int) int {
	return 1 + bytes.Count(n.raw[:min(offset, len(n.raw))], []byte("\n"))
}

// A Hash names content: the hex SHA-256 of a file's bytes.
type Hash string

// HashOf returns the hash of b.
func HashOf(b []byte) Hash {
	sum := sha256.Sum256(b)
	return Hash(hex.EncodeToString(sum[:]))
}
