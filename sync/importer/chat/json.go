package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// A message is one turn as it is written down.
type message struct {
	ID        string          `json:"id"`
	Role      string          `json:"role"`
	Sender    string          `json:"sender"`
	Text      string          `json:"text"`
	Content   json.RawMessage `json:"content"`
	Time      string          `json:"time"`
	Timestamp string          `json:"timestamp"`
	CreatedAt string          `json:"created_at"`
	Model     string          `json:"model"`
}

// A reader walks through JSON and knows its line.
type reader struct {
	*json.Decoder
	data []byte
}

// line is the line of the next value.
func (r reader) line() int {
	at := int(r.InputOffset())
	for at < len(r.data) && bytes.IndexByte([]byte(" \t\r\n,:"), r.data[at]) >= 0 {
		at++
	}
	return 1 + bytes.Count(r.data[:min(at, len(r.data))], []byte("\n"))
}

// broken says in a person's words where the syntax breaks.
func (r reader) broken(err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		at := min(max(int(syntax.Offset)-1, 0), len(r.data))
		return wrong(1+bytes.Count(r.data[:at], []byte("\n")), "is not JSON: %s", syntax.Error())
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return wrong(1+bytes.Count(bytes.TrimRight(r.data, "\n"), []byte("\n")), "breaks off in the middle of the JSON")
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return wrong(r.line(), "has a %s as %q, where a text belongs", kind.Value, kind.Field)
	}
	return wrong(r.line(), "cannot be read: %v", err)
}

func readJSON(data []byte, c *importer.Conversation) error {
	r := reader{json.NewDecoder(bytes.NewReader(data)), data}
	open, err := r.Token()
	if err != nil {
		return r.broken(err)
	}
	if open == json.Delim('[') {
		err = r.messages(c)
	} else {
		err = r.object(c)
	}
	if err != nil {
		return err
	}
	if _, err := r.Token(); err != io.EOF {
		return wrong(r.line(), "begins a second value; a session is one object or one list")
	}
	return nil
}

func (r reader) object(c *importer.Conversation) error {
	found := false
	for r.More() {
		key, err := r.Token()
		if err != nil {
			return r.broken(err)
		}
		line, text := r.line(), ""
		switch key {
		case "messages":
			open, err := r.Token()
			if err != nil {
				return r.broken(err)
			}
			if open != json.Delim('[') {
				return wrong(line, `has messages that are no list`)
			}
			if err := r.messages(c); err != nil {
				return err
			}
			found = true
		case "id", "title", "created", "model":
			if err := r.Decode(&text); err != nil {
				return r.broken(err)
			}
			switch key {
			case "id":
				c.ID = text
			case "title":
				c.Title = text
			case "model":
				c.Model = text
			default:
				if c.Created, err = vault.ParseStamp(text); err != nil {
					return wrong(line, "has %q as created, which is no date", text)
				}
			}
		default:
			var skipped json.RawMessage
			if err := r.Decode(&skipped); err != nil {
				return r.broken(err)
			}
		}
	}
	if _, err := r.Token(); err != nil {
		return r.broken(err)
	}
	if !found {
		return wrong(1, `is an object without "messages"`)
	}
	return nil
}

// messages reads the elements of a list and its end.
func (r reader) messages(c *importer.Conversation) error {
	for r.More() {
		line := r.line()
		var m message
		if err := r.Decode(&m); err != nil {
			return r.broken(err)
		}
		if err := m.add(c, line); err != nil {
			return err
		}
	}
	if _, err := r.Token(); err != nil {
		return r.broken(err)
	}
	return nil
}

func (m message) add(c *importer.Conversation, line int) error {
	name := m.Role
	if name == "" {
		name = m.Sender
	}
	role, known := roles[strings.ToLower(strings.TrimSpace(name))]
	text, err := m.words()
	switch {
	case name == "":
		return wrong(line, "has a message without a role")
	case !known:
		return wrong(line, "has %q as a role; there are user, assistant, system and tool", name)
	case err != nil:
		return wrong(line, "has content that is neither a text nor a list of parts with texts")
	case strings.TrimSpace(text) == "" || role == "system":
		return nil // nobody said anything
	}
	t := vault.Turn{Sender: role, MessageID: m.ID, Model: m.Model, Text: text}
	for _, when := range []string{m.Time, m.Timestamp, m.CreatedAt} {
		if when == "" {
			continue
		}
		if t.Time, err = vault.ParseStamp(when); err != nil {
			return wrong(line, "has %q as a time; write it as 2025-09-01T10:00:00Z", when)
		}
		break
	}
	if role == "tool" {
		t.Flags = append(t.Flags, vault.FlagToolCall)
	}
	c.Append(t)
	return nil
}

// words are a message's text: "text", or "content" as the APIs of models have it.
func (m message) words() (string, error) {
	if m.Text != "" || len(m.Content) == 0 || string(m.Content) == "null" {
		return m.Text, nil
	}
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text, nil
	}
	var parts []struct {
		Text string `json:"text"`
	}
	if err := json.Unmarshal(m.Content, &parts); err != nil {
		return "", err
	}
	var all []string
	for _, p := range parts {
		if p.Text != "" {
			all = append(all, p.Text)
		}
	}
	return strings.Join(all, "\n\n"), nil
}

// Claims are what a session's file asks to be remembered, in its member
// "remember": a list of objects that say what, and quote the words that prove it.
// They are read by whoever files them.
func Claims(in importer.Input) ([]json.RawMessage, error) {
	file, err := in.Open()
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(importer.Text(file), largest+1))
	if err != nil || len(data) > largest || !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return nil, err
	}
	var s struct {
		Remember json.RawMessage `json:"remember"`
	}
	if json.Unmarshal(data, &s) != nil || len(s.Remember) == 0 {
		return nil, nil // what is broken is for Read to refuse
	}
	var all []json.RawMessage
	if err := json.Unmarshal(s.Remember, &all); err != nil {
		return nil, &importer.RefusedError{File: in.Name, Reason: `has a "remember" that is no list`}
	}
	return all, nil
}
