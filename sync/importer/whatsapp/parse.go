package whatsapp

import (
	"bytes"
)

// A Chat is an export that was read as a whole.
type Chat struct {
	// Preamble is what stands before the first message.
	Preamble []byte
	Messages []Message
	// Doubts are the lines and decisions that a person may want to look at;
	// line 0 is the file as a whole.
	Doubts []Doubt
}

// A Doubt is one decision that could have fallen otherwise.
type Doubt struct {
	Line int
	Text string
}

// Parse reads an export that is in memory. title is the chat's name where it
// is known, see Title; it may be empty. Every input is read: a file without
// any header is all preamble.
func Parse(title string, data []byte) Chat {
	var c Chat
	warn := func(line int, text string) { c.Doubts = append(c.Doubts, Doubt{line, text}) }
	// Reading from memory returns no error, and emit returns none.
	p, err := survey(bytes.NewReader(data), title)
	if err != nil {
		return Chat{Preamble: data}
	}
	for _, d := range p.doubts {
		warn(0, d)
	}
	if err := p.messages(bytes.NewReader(data), func(m Message) error {
		c.Messages = append(c.Messages, m)
		return nil
	}, warn, func(raw []byte) { c.Preamble = append(c.Preamble, raw...) }); err != nil {
		return Chat{Preamble: data}
	}
	return c
}
