package whatsapp

import (
	"strings"

	"github.com/memsync/memsync/vault"
)

// A Message is one message of a chat.
type Message struct {
	// Line is the 1-based line of the header.
	Line int
	Time vault.Stamp
	// Sender is as the export gives it, without direction marks; empty on
	// lines that the app wrote about the chat.
	Sender string
	// Text is the raw text in UTF-8 without the last line's end.
	Text        string
	Flags       []string
	Attachments []string
	// Raw is the message with its header, byte for byte as in the file.
	Raw []byte

	mark mark
}

// A segment is a header and the lines until the next: a message, unless it
// turns out to be a quote within the one above.
type segment struct {
	line   int
	time   vault.Stamp
	sender string
	// unsure says that a sentence with a colon was read as a system line.
	unsure bool
	// marked says that the header begins with U+200E, loose that the line
	// above it ended like one within a message.
	marked, loose bool
	bracket       bool
	raw           []byte
	// wide is the text in UTF-8 where raw is UTF-16; nil otherwise.
	wide []byte
	// textAt is where the text begins in the UTF-8 form.
	textAt int
	doubts []doubt
}

// A doubt is a line within a message that looks like a header.
type doubt struct {
	line int
	why  string
}

// utf8 is the whole segment in UTF-8.
func (s *segment) utf8() []byte {
	if s.wide != nil {
		return s.wide
	}
	return s.raw
}

func (s *segment) append(raw, text []byte) {
	if s.wide != nil {
		s.wide = append(s.wide, text...)
	}
	s.raw = append(s.raw, raw...)
}

// system reports whether the app wrote the segment, which can hold no quote.
func (s *segment) system() bool { return s.sender == "" }

// message makes a message of s.
func (s *segment) message(stats *markStats) Message {
	text := string(s.utf8()[s.textAt:])
	text = strings.TrimSuffix(text, "\n")
	text = strings.TrimSuffix(text, "\r")
	m := Message{Line: s.line, Time: s.time, Sender: s.sender, Text: text, Raw: s.raw}
	m.mark = stats.look(s.sender, text, s.marked, s.bracket)
	m.Flags, m.Attachments = m.mark.flags, m.mark.attachments
	return m
}
