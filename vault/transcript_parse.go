package vault

import (
	"bytes"
	"strconv"
	"strings"
)

// ParseTranscript reads the turns of a note. It never fails: a note without
// turns has none, and a turn whose text was edited is read up to the next
// header and named in Changed.
func ParseTranscript(n *Note) *Transcript {
	t := &Transcript{Note: n}
	raw := n.Bytes()
	for from, number := n.BodyStart(), 1; ; {
		p, text, ok := nextHeader(raw, from, number)
		if !ok {
			t.markRevised()
			return t
		}
		end, exact := p.readText(raw, text)
		if !exact {
			t.Changed = append(t.Changed, p.ID)
		}
		t.Turns = append(t.Turns, p.PlacedTurn)
		from, number = end, turnNumber(p.ID)+1
	}
}

// parsedTurn is a header that was read, and the length that it promises.
type parsedTurn struct {
	PlacedTurn
	bytes int
}

// nextHeader finds the first header line at or after from whose turn has at
// least the given number; text is the offset where its text begins.
func nextHeader(raw []byte, from, number int) (p parsedTurn, text int, ok bool) {
	for pos := from; pos < len(raw); {
		end := len(raw)
		if nl := bytes.IndexByte(raw[pos:], '\n'); nl >= 0 {
			end = pos + nl
		}
		if end > pos && raw[pos] == '*' {
			if p, ok := parseHeader(string(bytes.TrimSuffix(raw[pos:end], []byte("\r")))); ok && turnNumber(p.ID) >= number {
				p.Header = Span{pos, end}
				return p, skipBlank(raw, min(end+1, len(raw))), true
			}
		}
		pos = end + 1
	}
	return p, 0, false
}

// skipBlank steps over one blank line.
func skipBlank(raw []byte, pos int) int {
	rest := raw[pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		return pos + 2
	case bytes.HasPrefix(rest, []byte("\n")):
		return pos + 1
	}
	return pos
}

// parseHeader reads a line as appendTurn writes it.
func parseHeader(line string) (parsedTurn, bool) {
	var p parsedTurn
	rest, system := strings.CutPrefix(line, unsigned+separator)
	if !system {
		// A sender may be empty between its stars, as memsync once wrote it.
		var ok bool
		if rest, ok = strings.CutPrefix(line, "**"); !ok {
			return p, false
		}
	}
	caret := strings.LastIndex(rest, " ^t")
	if caret < 0 {
		return p, false
	}
	p.ID = rest[caret+2:]
	if turnNumber(p.ID) == 0 || p.ID != turnID(turnNumber(p.ID)) {
		return p, false
	}
	rest = rest[:caret]
	if !system {
		name, after, ok := cutUnescaped(rest, "**"+separator)
		if !ok {
			return p, false
		}
		p.Sender, rest = inlineUnescape(name), after
	}
	p.bytes = -1
	for !strings.HasPrefix(rest, "(") {
		part, after, ok := cutUnescaped(rest, separator)
		if before, fields, found := cutUnescaped(rest, " ("); found && len(before) < len(part) {
			part, after, ok = before, "("+fields, true
		}
		if !ok {
			return p, false
		}
		rest = after
		if stamp, err := ParseStamp(part); err == nil && p.Time.IsZero() && p.Model == "" {
			p.Time = stamp
		} else {
			p.Model = inlineUnescape(part)
		}
	}
	for _, f := range fields(rest) {
		p.setField(f.Key, unescapeField(f.Value))
	}
	return p, p.bytes >= 0
}

func (p *parsedTurn) setField(key, value string) {
	switch key {
	case "msg":
		p.MessageID = value
	case "parent":
		p.Parent = value
	case "branch":
		p.Branch = value == "true"
	case "revises":
		p.Revises = value
	case "file":
		p.Attachments = append(p.Attachments, value)
	case "lang":
		p.Languages = strings.Fields(value)
	case "flags":
		p.Flags = strings.Fields(value)
	case "form":
		for form, name := range formNames {
			if name == value {
				p.Form = form
			}
		}
	case "bytes":
		if n, err := strconv.Atoi(value); err == nil && n >= 0 {
			p.bytes = n
		}
	}
}

// cutUnescaped cuts s at the first sep that no backslash stands before.
func cutUnescaped(s, sep string) (before, after string, ok bool) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' {
			i++
			continue
		}
		if strings.HasPrefix(s[i:], sep) {
			return s[:i], s[i+len(sep):], true
		}
	}
	return s, "", false
}

// readText finds the turn's text from the offset at, and returns where it ends.
func (p *parsedTurn) readText(raw []byte, at int) (end int, exact bool) {
	start := at
	if p.Form != Verbatim { // the opening fence
		nl := bytes.IndexByte(raw[at:], '\n')
		if nl < 0 || raw[at] != '`' {
			return p.readEdited(raw, at), false
		}
		start = at + nl + 1
	}
	stop := start + p.bytes
	if stop <= len(raw) && p.endsAt(raw, stop) {
		p.Body = Span{start, stop}
		p.Text = string(p.Body.Cut(raw))
		if p.Form == Escaped {
			p.Text = unescapeBytes(p.Text)
		}
		return stop, true
	}
	return p.readEdited(raw, at), false
}

// endsAt reports whether the text may end at stop: its line ends there, its
// closing fence follows where it has one, and then a blank line or nothing. What
// a person wrote between two turns belongs to neither.
func (p *parsedTurn) endsAt(raw []byte, stop int) bool {
	rest := raw[stop:]
	if p.Form != Verbatim {
		if len(rest) < 2 || rest[0] != '\n' || rest[1] != '`' {
			return false
		}
		nl := bytes.IndexByte(rest[1:], '\n')
		if nl < 0 {
			return true
		}
		rest = rest[1+nl:]
	}
	if len(bytes.TrimSpace(rest)) == 0 || !bytes.HasPrefix(rest, []byte("\n\n")) {
		return len(bytes.TrimSpace(rest)) == 0
	}
	next, _, ok := nextHeader(raw, stop, turnNumber(p.ID)+1)
	return !ok || next.Header.Start >= len(raw)-len(rest)+2
}

// readEdited takes as text what stands between the header and the next one.
func (p *parsedTurn) readEdited(raw []byte, at int) (end int) {
	end = len(raw)
	if next, _, ok := nextHeader(raw, at, turnNumber(p.ID)+1); ok {
		end = next.Header.Start
	}
	p.Form = Verbatim
	p.Body = Span{at, at + len(bytes.TrimRight(raw[at:end], "\r\n"))}
	p.Text = string(p.Body.Cut(raw))
	return end
}
