// Package codex reads the rollout files of OpenAI's Codex command line.
//
// A rollout has one JSON object a line: {timestamp, type, payload}. The first is
// session_meta; response_item lines carry what went to and came from the model,
// event_msg lines say the same again for the screen. Files of early versions
// have the bare items, without payload.
//
// What is imported is what the person and the assistant said. Calls to tools,
// their output and the reasoning are left out, and so is the context that the
// program sends in the person's name (instructions, the environment). The events
// are read only where no item says anything, as in files that another program
// cut down.
package codex

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"path"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/jsonpull"
	"github.com/memsync/memsync/vault"
)

// Format reads rollouts of Codex.
type Format struct{}

// Source is "codex".
func (Format) Source() string { return "codex" }

// Sniff recognises rollouts by their first line.
func (Format) Sniff(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", ".md", ".markdown", ".html":
		return false
	}
	s := importer.ShapeOf(head)
	if !s.JSON || s.List {
		return false
	}
	if s.Has("payload") && s.HasType("session_meta", "response_item", "event_msg", "turn_context") {
		return true
	}
	first, _, _ := bytes.Cut(head, []byte("\n"))
	return importer.ShapeOf(first).Has("id", "timestamp", "instructions")
}

// Read hands over the session of one file.
func (Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	s := session{c: importer.Conversation{Source: Format{}.Source()}}
	err := importer.Lines(ctx, in, func(number int, data []byte, ended bool) error {
		complain := func(text string) {
			if ended { // else the program is still writing the line
				warn(importer.Warning{File: in.Name, Line: number, Text: text})
			}
		}
		c := jsonpull.New(data)
		if c.Kind() != jsonpull.Object {
			complain("the line is not an object and is left out")
			return nil
		}
		l := parse(c)
		if err := c.Err(); err != nil {
			complain("the line is left out: " + err.Error() + " of it")
			return nil
		}
		if c.Replaced > 0 {
			complain("characters that are not Unicode became U+FFFD")
		}
		s.add(l)
		return nil
	}, warn)
	if c := s.conversation(in.Name); len(c.Turns) > 0 {
		if err := emit(c); err != nil {
			return err
		}
	}
	return err
}

// A session is what is known of the file so far.
type session struct {
	c      importer.Conversation
	model  string
	events []vault.Turn
	last   vault.Stamp
}

func (s *session) add(l line) {
	if l.time.Time.After(s.last.Time) {
		s.last = l.time
	}
	switch {
	case l.kind == "session_meta", l.kind == "" && l.id != "" && l.role == "":
		if s.c.ID == "" { // a forked session repeats its origin's
			s.c.ID, s.c.Project, s.c.Created = l.id, l.project, l.time
		}
	case l.kind == "turn_context":
		if l.model != "" {
			s.model = l.model
			s.c.Model = l.model
		}
	case l.kind == "event_msg" && l.item == "user_message":
		s.events = append(s.events, s.turn("user", l))
	case l.kind == "event_msg" && l.item == "agent_message":
		s.events = append(s.events, s.turn("assistant", l))
	case l.kind == "response_item" && l.item == "message" && (l.role == "user" || l.role == "assistant"):
		if !hidden(l.text) || len(l.attachments) > 0 {
			s.c.Append(s.turn(l.role, l))
		}
	}
}

func (s *session) turn(sender string, l line) vault.Turn {
	t := vault.Turn{Sender: sender, Time: l.time, MessageID: l.id, Attachments: l.attachments, Text: l.text}
	if t.Time.IsZero() {
		t.Time = s.c.Created
	}
	if sender == "assistant" {
		t.Model = s.model
	}
	if importer.Injected(l.text) {
		t.Flags = append(t.Flags, vault.FlagInjected)
	}
	return t
}

// hidden reports whether text is only what the program sends in the person's
// name.
func hidden(text string) bool {
	own := strings.TrimSpace(vault.StripInjected(text))
	return own == "" || strings.HasPrefix(own, "# AGENTS.md instructions for ") || strings.HasPrefix(own, "<permissions instructions>")
}

func (s *session) conversation(file string) importer.Conversation {
	if len(s.c.Turns) == 0 {
		for _, t := range s.events {
			if !hidden(t.Text) {
				s.c.Append(t)
			}
		}
	}
	if len(s.c.Turns) == 0 {
		return s.c
	}
	seen := map[string]bool{}
	for i := range s.c.Turns {
		if t := &s.c.Turns[i]; seen[t.MessageID] {
			t.MessageID = ""
		} else {
			seen[t.MessageID] = true
		}
	}
	if s.c.ID == "" {
		base := path.Base(strings.ReplaceAll(file, `\`, "/"))
		first := s.c.Turns[0]
		sum := sha256.Sum256([]byte("codex\x00" + base + "\x00" + first.Time.String() + "\x00" + first.Text))
		s.c.ID = fmt.Sprintf("%x", sum[:16])
	}
	s.c.Updated = s.last
	s.c.Current = s.c.Turns[len(s.c.Turns)-1].MessageID
	return s.c
}
