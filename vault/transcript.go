package vault

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// A Transcript is a note that holds every turn of a conversation.
//
// Each turn is a header line and the raw text:
//
//	**user** · 2025-08-09 19:31:04Z · (msg:: 0b1d6c52) (bytes:: 101) ^t0001
//
//	Can you help me finish the CSV export of Reflecta tonight?
//
// The text is found by its length, never by what it looks like, so it may hold
// anything, lines like this header included. Text that would swallow the turns
// after it in a reader (an open code fence, say) stands in a fence of its own;
// text that is not plain UTF-8 is escaped too. See Form.
type Transcript struct {
	*Note
	Turns []PlacedTurn
	// Changed lists the turns whose text no longer has the length that their
	// header says, because somebody edited the note.
	Changed []string
}

// A PlacedTurn is a turn and where it stands in its note.
type PlacedTurn struct {
	Turn
	Form Form
	// Revised says that a later turn of the transcript revises this one.
	Revised bool
	// Header is the header's line and Body the text as it stands in the file,
	// in bytes of the file.
	Header, Body Span
}

// A Form is how a turn's text stands in its note.
type Form int

// The forms, from the plainest to the safest.
const (
	// Verbatim text stands as it is.
	Verbatim Form = iota
	// Fenced text stands as it is between code fences, because it leaves a
	// fence, an HTML block or an Obsidian comment open.
	Fenced
	// Escaped text stands between code fences with \xHH for every byte that
	// is not text: control characters, carriage returns, invalid UTF-8.
	Escaped
)

var formNames = map[Form]string{Fenced: "fenced", Escaped: "escaped"}

// formOf chooses the plainest form that brings text back byte for byte.
func formOf(text string) Form {
	switch {
	case !plainTextOnly(text):
		return Escaped
	case !selfContained(text):
		return Fenced
	}
	return Verbatim
}

// fence is a code fence longer than any in text.
func fence(text string) string {
	longest, run := 2, 0
	for i := 0; i < len(text); i++ {
		if text[i] == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return strings.Repeat("`", longest+1)
}

// turnID is the block id of the n-th turn, counted from 1.
func turnID(n int) string { return fmt.Sprintf("t%04d", n) }

const separator = " · "

// unsigned stands in place of the sender of a turn that nobody sent, such as "Ana
// created this group". It is no name: those stand between two stars.
const unsigned = "*system*"

// heading is a sender as it begins a header.
func heading(sender string) string {
	if sender == "" {
		return unsigned
	}
	return "**" + inlineEscape(sender) + "**"
}

// appendTurn writes t as the n-th turn of a transcript.
func appendTurn(b *bytes.Buffer, n int, t Turn) {
	form, text := formOf(t.Text), t.Text
	if form == Escaped {
		text = bodyEscape(text)
	}
	b.WriteString(heading(t.Sender) + separator)
	if !t.Time.IsZero() {
		b.WriteString(t.Time.String() + separator)
	}
	if model := inlineEscape(t.Model); model != "" {
		if _, err := ParseStamp(model); err == nil {
			model = `\` + model // a model is not a time, whatever its name is
		}
		b.WriteString(model + separator)
	}
	put := func(key, value string) {
		if value != "" {
			b.WriteString(formatField(key, value) + " ")
		}
	}
	put("msg", t.MessageID)
	put("parent", t.Parent)
	if t.Branch {
		put("branch", "true")
	}
	put("revises", t.Revises)
	for _, a := range t.Attachments {
		put("file", a)
	}
	put("lang", strings.Join(t.Languages, " "))
	put("flags", strings.Join(t.Flags, " "))
	put("form", formNames[form])
	fmt.Fprintf(b, "(bytes:: %d) ^%s\n\n", len(text), turnID(n))
	if form == Verbatim {
		b.WriteString(text + "\n")
		return
	}
	f := fence(text)
	b.WriteString(f + "text\n" + text + "\n" + f + "\n")
}

// FormatTurns writes turns that follow each other, the first being the n-th of
// its transcript. Blocks are parted by one blank line.
func FormatTurns(n int, turns []Turn) []byte {
	var b bytes.Buffer
	for i, t := range turns {
		if i > 0 {
			b.WriteByte('\n')
		}
		appendTurn(&b, n+i, t)
	}
	return b.Bytes()
}

// AppendTurns returns the note's bytes with turns added at its end; no byte that
// stands there changes.
func (t *Transcript) AppendTurns(turns []Turn) []byte {
	out := bytes.Clone(t.Bytes())
	if len(turns) == 0 {
		return out
	}
	switch {
	case len(out) > 0 && out[len(out)-1] != '\n':
		out = append(out, "\n\n"...)
	default:
		out = append(out, '\n')
	}
	return append(out, FormatTurns(t.next(), turns)...)
}

// next is the number of the turn to be appended.
func (t *Transcript) next() int {
	n := 0
	for _, p := range t.Turns {
		n = max(n, turnNumber(p.ID))
	}
	return n + 1
}

func turnNumber(id string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(id, "t"))
	return n
}

// Turn returns the turn with a block id.
func (t *Transcript) Turn(id string) (PlacedTurn, bool) {
	if n := turnNumber(id); n > 0 && n <= len(t.Turns) && t.Turns[n-1].ID == id {
		return t.Turns[n-1], true
	}
	for _, p := range t.Turns {
		if p.ID == id {
			return p, true
		}
	}
	return PlacedTurn{}, false
}

// RootParent is the Parent of a turn that begins its conversation anew, where
// another turn stands before it in the note.
const RootParent = "root"
