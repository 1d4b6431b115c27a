// Package chat reads a session that a person or a program wrote down by itself:
// who said what, as JSON or as markdown. It is what `memsync remember` takes where
// a host has no session files of its own.
//
// JSON is an object {"id", "title", "created", "messages"} or the list of messages
// alone. A message is {"role", "text", "time", "id"}; "content", as the APIs of
// models have it, may stand in place of "text". Markdown is a file in which each
// turn begins with who speaks: a heading ("## User") or a label ("**User:** ...",
// "User: ..."). A title is its first heading or its front matter's.
//
// A person writes these, so nothing is guessed: what cannot be read is refused in
// one sentence that names the line.
package chat

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// Format reads sessions. Now dates those that name no time and were read from no
// file; the zero stamp leaves them undated.
type Format struct{ Now vault.Stamp }

// Source is "chat".
func (Format) Source() string { return "chat" }

// largest is the largest session that is read, in bytes.
const largest = 64 << 20

// Sniff recognises messages with roles, and markdown whose first words name a
// speaker.
func (Format) Sniff(_ string, head []byte) bool {
	if !importer.IsText(head) {
		return false
	}
	s := importer.ShapeOf(head)
	if s.JSON {
		list := s.List && s.Has("role") && (s.Has("text") || s.Has("content"))
		return list || !s.List && s.Entries == 1 && s.Has("messages") && !s.Has("mapping")
	}
	for line := range strings.Lines(body(string(head))) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "# ") {
			continue
		}
		_, ok := speaker(line)
		return ok
	}
	return false
}

// Read hands over the one session of a file.
func (f Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, _ func(importer.Warning)) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(importer.Text(file), largest+1))
	switch {
	case err != nil:
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case len(data) > largest:
		return &importer.RefusedError{File: in.Name, Reason: "is too large for a session (more than 64 MiB)"}
	case !utf8.Valid(data):
		return &importer.RefusedError{File: in.Name, Reason: "is not text in UTF-8 or UTF-16"}
	case len(bytes.TrimSpace(data)) == 0:
		return &importer.RefusedError{File: in.Name, Reason: "is empty"}
	}
	c := importer.Conversation{Source: f.Source()}
	if first := bytes.TrimLeft(data, " \t\r\n"); first[0] == '{' || first[0] == '[' {
		err = readJSON(data, &c)
	} else {
		err = readMarkdown(string(data), &c)
	}
	if place, ok := errors.AsType[*placeError](err); ok {
		return &importer.RefusedError{File: fmt.Sprintf("%s:%d:", in.Name, place.line), Reason: place.text}
	}
	if err == nil && len(c.Turns) == 0 {
		return &importer.RefusedError{File: in.Name, Reason: "holds no message"}
	}
	if err != nil {
		return err
	}
	f.complete(&c, in)
	return emit(c)
}

// complete gives a session its identity: the one that it names, else one that
// stays the same when it goes on.
func (f Format) complete(c *importer.Conversation, in importer.Input) {
	if c.Created.IsZero() {
		c.Created = c.Turns[0].Time
	}
	if c.Created.IsZero() && !in.Modified.IsZero() {
		c.Created = vault.Stamp{Time: in.Modified.UTC()}
	}
	if c.Created.IsZero() {
		c.Created = f.Now
	}
	if c.ID == "" {
		c.ID = hash("chat", c.Title, c.Turns[0].Sender, c.Turns[0].Text)
	}
	seen, ids := map[string]int{}, map[string]bool{}
	c.Updated = c.Created
	for i := range c.Turns {
		t := &c.Turns[i]
		if t.MessageID == "" || ids[t.MessageID] {
			key := t.Sender + "\x00" + t.Text
			t.MessageID = hash(c.ID, key, fmt.Sprint(seen[key]))
			seen[key]++
		}
		ids[t.MessageID] = true
		if t.Time.Time.After(c.Updated.Time) {
			c.Updated = t.Time
		}
		if importer.Injected(t.Text) {
			t.Flags = append(t.Flags, vault.FlagInjected)
		}
	}
	c.Current = c.Turns[len(c.Turns)-1].MessageID
}

func hash(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return fmt.Sprintf("%x", sum[:16])
}

// A placeError is what is wrong at a line, from 1.
type placeError struct {
	line int
	text string
}

func (e *placeError) Error() string { return fmt.Sprintf("line %d %s", e.line, e.text) }

func wrong(line int, format string, args ...any) error {
	return &placeError{line, fmt.Sprintf(format, args...)}
}

// roles are the names of those who speak, and how transcripts name them.
var roles = map[string]string{
	"user": "user", "human": "user", "me": "user", "you": "user",
	"assistant": "assistant", "ai": "assistant", "model": "assistant", "chatgpt": "assistant", "claude": "assistant", "gemini": "assistant",
	"system": "system", "developer": "system", "tool": "tool", "function": "tool",
}
