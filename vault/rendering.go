package vault

import (
	"bytes"
	"strings"
)

// A Rendering is what one turn says, in English, for search. A model wrote it: it
// finds the turn and is shown as nobody's words. A note of type rendering holds
// those of one transcript, a line each:
//
//   - **Mira** · 2025-03-14 10:02 · Cannot come tomorrow ([[transcripts/whatsapp/2025/2025-03-14-mira#^t0012|12]])
type Rendering struct {
	Sender string
	Time   Stamp
	Text   string
	// Of is the transcript and the turn that is rendered.
	Of Link
	// Span is the line in the note that it was read from.
	Span Span
}

// FormatRendering writes the line of a rendering, with its line feed.
func FormatRendering(transcript Path, r Rendering) string {
	line := "- " + heading(r.Sender) + separator
	if !r.Time.IsZero() {
		line += r.Time.String() + separator
	}
	turn := r.Of.Block
	return line + Fold(r.Text) + " (" + LinkToBlock(transcript, turn, strings.TrimLeft(strings.TrimPrefix(turn, "t"), "0")).String() + ")\n"
}

// Renderings are those of the note, in order. A line that is none, or that somebody
// edited beyond recognition, is left out.
func (n *Note) Renderings() []Rendering {
	var out []Rendering
	at := n.BodyStart()
	for line := range bytes.Lines(n.Bytes()[at:]) {
		if r, ok := parseRendering(strings.TrimRight(string(line), "\r\n")); ok {
			r.Span = Span{at, at + len(bytes.TrimRight(line, "\r\n"))}
			out = append(out, r)
		}
		at += len(line)
	}
	return out
}

func parseRendering(line string) (r Rendering, ok bool) {
	rest, ok := strings.CutPrefix(line, "- ")
	if !ok {
		return r, false
	}
	if after, system := strings.CutPrefix(rest, unsigned+separator); system {
		rest = after
	} else {
		name, after, ok := cutUnescaped(strings.TrimPrefix(rest, "**"), "**"+separator)
		if !ok || !strings.HasPrefix(rest, "**") {
			return r, false
		}
		r.Sender, rest = inlineUnescape(name), after
	}
	if when, after, ok := strings.Cut(rest, separator); ok {
		if s, err := ParseStamp(when); err == nil {
			r.Time, rest = s, after
		}
	}
	open := strings.LastIndex(rest, " ([[")
	if open < 0 || !strings.HasSuffix(rest, "]])") {
		return r, false
	}
	r.Of, r.Text = ParseLink(rest[open+4:len(rest)-3]), strings.TrimSpace(rest[:open])
	return r, r.Of.Block != "" && r.Text != ""
}
