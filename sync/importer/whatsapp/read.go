package whatsapp

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/memsync/memsync/vault"
)

// The second reading looks ahead this far to see whether time returns after a
// jump. A longer quote is taken for messages, with a warning.
const (
	aheadSegments = 64
	aheadBytes    = 1 << 20
)

// maxMessage bounds one message in bytes. What is longer is no message; it
// goes on in a further one with the same header.
const maxMessage = 4 << 20

// maxHeader is how much of a line is searched for a header, in bytes.
const maxHeader = 1024

// A reader gives the messages of a file in order.
type reader struct {
	plan *plan
	emit func(Message) error
	warn func(line int, text string)
	// preamble receives what stands before the first header.
	preamble func(raw []byte)

	wide    bool
	filling *segment   // lines are added to it
	ahead   []*segment // complete, not yet decided
	bytes   int        // of ahead and filling
	current *segment   // accepted; may still grow by quotes
	before  time.Time  // of the message before current
}

// messages reads a file for the second time.
func (p *plan) messages(r io.Reader, emit func(Message) error, warn func(line int, text string), preamble func(raw []byte)) error {
	lines := newLineReader(r)
	rd := &reader{plan: p, emit: emit, warn: warn, preamble: preamble, wide: lines.wide}
	wasCRLF := true
	for {
		l, err := lines.next()
		if errors.Is(err, io.EOF) {
			return rd.finish()
		}
		if err != nil {
			return err
		}
		if err := rd.add(l, wasCRLF); err != nil {
			return err
		}
		wasCRLF = bytes.HasSuffix(l.text, []byte("\r\n"))
	}
}

// add takes one line: a new segment, or more of the last.
func (r *reader) add(l line, wasCRLF bool) error {
	var why string
	if l.start {
		body := l.body()
		head := string(body[:min(len(body), maxHeader)])
		if h, ok := scanHeader(head); ok {
			var t vault.Stamp
			if t, why = r.plan.read(&h); why == "" {
				return r.begin(l, &h, t, !wasCRLF)
			}
		} else if nearHeader(head) {
			why = "looks like a header that cannot be read"
		}
	}
	if r.filling == nil {
		if why != "" {
			r.warn(l.number, why+"; it stands before the first message")
		}
		r.preamble(l.raw)
		return nil
	}
	if len(r.filling.raw) > maxMessage {
		r.split(l)
	}
	r.filling.append(l.raw, l.text)
	r.bytes += len(l.raw)
	if why != "" {
		r.filling.doubts = append(r.filling.doubts, doubt{l.number, why})
	}
	return nil
}

// begin starts a segment with a header.
func (r *reader) begin(l line, h *header, t vault.Stamp, loose bool) error {
	body := string(l.body())
	sender, text, unsure := r.plan.shapes[h.shape].names.split(body[h.rest:])
	s := &segment{
		line: l.number, time: t, sender: sender, unsure: unsure,
		marked: h.marked, loose: loose, bracket: h.closing == ']',
		textAt: len(body) - len(text),
	}
	r.push(s)
	s.append(l.raw, l.text)
	r.bytes += len(l.raw)
	for len(r.ahead) >= aheadSegments || r.bytes > aheadBytes && len(r.ahead) > 0 {
		if err := r.decide(false); err != nil {
			return err
		}
	}
	return nil
}

// split ends an overlong message and goes on in another with its header.
func (r *reader) split(l line) {
	old := r.filling
	r.warn(l.number, fmt.Sprintf("the message of line %d is longer than any message can be; it goes on as another", old.line))
	r.push(&segment{line: l.number, time: old.time, sender: old.sender, bracket: old.bracket})
}

func (r *reader) push(s *segment) {
	if r.wide {
		s.wide = []byte{}
	}
	if r.filling != nil {
		r.ahead = append(r.ahead, r.filling)
	}
	r.filling = s
}

// finish decides what is left at the end of the file.
func (r *reader) finish() error {
	if r.filling != nil {
		r.ahead = append(r.ahead, r.filling)
		r.filling = nil
	}
	for len(r.ahead) > 0 {
		if err := r.decide(true); err != nil {
			return err
		}
	}
	return r.flush()
}

// decide takes the first segment ahead for a message, or it and those after it
// for a quote within the current one.
func (r *reader) decide(end bool) error {
	n, why := r.quoted(end)
	if n > 0 {
		c := r.current
		for _, s := range r.ahead[:n] {
			c.doubts = append(c.doubts, doubt{s.line, why})
			c.doubts = append(c.doubts, s.doubts...)
			c.append(s.raw, s.wide)
		}
		r.take(n)
		return nil
	}
	if err := r.flush(); err != nil {
		return err
	}
	r.current = r.ahead[0]
	r.take(1)
	if why != "" {
		r.warn(r.current.line, why)
	}
	if r.current.unsure {
		r.warn(r.current.line, "was read as a line of the app: what stands before its colon does not look like a name")
	}
	return nil
}

func (r *reader) take(n int) {
	for _, s := range r.ahead[:n] {
		r.bytes -= len(s.raw)
	}
	r.ahead = slices.Delete(r.ahead, 0, n)
}

// flush emits the current message.
func (r *reader) flush() error {
	c := r.current
	if c == nil {
		return nil
	}
	r.current, r.before = nil, c.time.Time
	for _, d := range c.doubts {
		r.warn(d.line, fmt.Sprintf("%s; it was kept as text of the message of line %d", d.why, c.line))
	}
	return r.emit(c.message(&r.plan.marks))
}
