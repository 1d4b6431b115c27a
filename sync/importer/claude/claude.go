// Package claude reads the conversations.json of an Anthropic data export, and
// single conversations as the site's API and browser extensions save them.
//
// A message there has a flat text and, since 2024, a list of content blocks. The
// blocks are the truth: the flat text mixes in the model's reasoning and a
// placeholder for every block that could not be shown. So the text of a turn is
// its text blocks, with an empty line between them, and the flat text serves only
// where no block has any. Reasoning and calls to tools are left out.
//
// Two things that are no message are worth keeping, and follow their message as
// turns of the sender "tool": the content of a pasted or attached file, and a
// document (artifact) that the model wrote.
//
// Newer exports link each message to the one it answers. Where no message does,
// the messages are in order. The provider's own summary is kept as it is.
package claude

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/jsonpull"
	"github.com/memsync/memsync/vault"
)

// Format reads Claude exports.
type Format struct{}

// Source is "claude".
func (Format) Source() string { return "claude" }

// Sniff recognises conversations by their "chat_messages".
func (Format) Sniff(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", ".md", ".markdown", ".html":
		return false
	}
	return bytes.Contains(head, []byte(`"chat_messages"`)) && importer.ShapeOf(head).Has("chat_messages")
}

// Read streams the conversations of one file.
func (Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	return importer.Each(ctx, in, importer.Wrappers, decode, emit, warn)
}

// A conversation as it stands in the file.
type conversation struct {
	id, title, summary, model, current string
	created, updated                   vault.Stamp
	messages                           []message
	noMessages                         bool
}

// decode makes a conversation of one value of the file.
func decode(v importer.Value) (d importer.Decoded) {
	warn := func(format string, args ...any) {
		d.Warnings = append(d.Warnings, importer.Warning{Text: fmt.Sprintf(format, args...)})
	}
	c := jsonpull.New(v.Raw)
	if c.Kind() != jsonpull.Object {
		warn("entry %d is not a conversation and is left out", v.Index+1)
		d.Foreign = true
		return d
	}
	conv := parse(c)
	label := conv.id
	if label == "" {
		label = fmt.Sprintf("%d of the file", v.Index+1)
	}
	if err := c.Err(); err != nil {
		warn("conversation %s is left out: %v of it", label, err)
		return d
	}
	if conv.noMessages {
		warn("conversation %s is left out: it has no messages (no chat_messages)", label)
		d.Foreign = true
		return d
	}
	warn = func(format string, args ...any) {
		d.Warnings = append(d.Warnings, importer.Warning{Text: "conversation " + label + ": " + fmt.Sprintf(format, args...)})
	}
	if c.Replaced > 0 {
		warn("%d characters that are not Unicode became U+FFFD", c.Replaced)
	}
	out := conv.thread(warn)
	if len(out.Turns) > 0 {
		d.Conversations = append(d.Conversations, out)
	}
	return d
}

func parse(c *jsonpull.Cursor) *conversation {
	conv := &conversation{noMessages: true}
	c.Object(func(key []byte) {
		switch string(key) {
		case "uuid":
			conv.id = c.Str()
		case "name":
			conv.title = c.Str()
		case "summary":
			conv.summary = c.Str()
		case "model":
			conv.model = c.Str()
		case "created_at":
			conv.created = importer.ISO(c.Str())
		case "updated_at":
			conv.updated = importer.ISO(c.Str())
		case "current_leaf_message_uuid":
			conv.current = c.Str()
		case "chat_messages":
			conv.noMessages = c.Kind() != jsonpull.Array
			c.Array(func(i int) {
				if c.Kind() == jsonpull.Object {
					conv.messages = append(conv.messages, parseMessage(c, i))
				}
			})
		}
	})
	return conv
}

func (m *message) time() time.Time { return m.created.Time }
