package claude

import (
	"fmt"
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/jsonpull"
	"github.com/memsync/memsync/vault"
)

// A message as it stands in the file.
type message struct {
	id, sender, parent string
	created            vault.Stamp
	flat               string   // the field "text"
	contentIsText      bool     // the content is a text instead of blocks
	blocks             []string // the texts of the content blocks
	strange            string   // what is wrong with the content, for a warning
	attachments        []string
	documents          []document
}

// A document is a text that came with a message or was written beside it.
type document struct{ name, text string }

func parseMessage(c *jsonpull.Cursor, index int) message {
	var m message
	c.Object(func(key []byte) {
		switch string(key) {
		case "uuid":
			m.id = c.Str()
		case "sender", "role":
			if m.sender == "" {
				m.sender = c.Str()
			}
		case "parent_message_uuid":
			m.parent = c.Str()
		case "created_at":
			m.created = importer.ISO(c.Str())
		case "text":
			m.flat = c.Str()
		case "content":
			m.content(c)
		case "attachments", "files":
			c.Array(func(int) { m.file(c) })
		}
	})
	if m.id == "" {
		m.id = fmt.Sprintf("message-%d", index+1)
	}
	return m
}

func (m *message) content(c *jsonpull.Cursor) {
	switch c.Kind() {
	case jsonpull.Array:
		c.Array(func(int) {
			if c.Kind() == jsonpull.Object {
				m.block(c)
			} else {
				m.strange = "a content block is not an object"
			}
		})
	case jsonpull.String:
		// Neither the export nor the site writes this, other programs do. The
		// flat text, where there is one, is the message.
		if s := c.Str(); s != "" {
			m.contentIsText, m.strange = true, "its content is a text, not a list"
			m.blocks = append(m.blocks, s)
		}
	case jsonpull.Null:
	default:
		m.strange = "its content is not a list"
	}
}

// block reads one content block.
func (m *message) block(c *jsonpull.Cursor) {
	var kind, text, name string
	var ok, written bool
	var doc document
	c.Object(func(key []byte) {
		switch string(key) {
		case "type":
			kind = c.Str()
		case "text":
			text, ok = c.StrOK()
		case "name":
			name = c.Str()
		case "input":
			c.Object(func(key []byte) {
				switch string(key) {
				case "title":
					doc.name = c.Str()
				case "content":
					doc.text, written = c.StrOK()
				}
			})
		}
	})
	switch kind {
	case "text", "voice_note":
		if !ok {
			m.strange = "a text block has no text"
		} else if text != "" {
			m.blocks = append(m.blocks, text)
		}
	case "tool_use":
		if written && strings.Contains(name, "artifact") && strings.TrimSpace(doc.text) != "" {
			if doc.name == "" {
				doc.name = name
			}
			m.documents = append(m.documents, doc)
		}
	}
}

// file reads an attachment: a pasted or uploaded text with its content, or a
// picture or document of which only the name is there.
func (m *message) file(c *jsonpull.Cursor) {
	var doc document
	var id string
	c.Object(func(key []byte) {
		switch string(key) {
		case "file_name":
			doc.name = c.Str()
		case "file_uuid", "id":
			id = c.Str()
		case "extracted_content":
			doc.text = c.Str()
		}
	})
	if doc.name == "" {
		doc.name = id
	}
	if doc.name == "" && doc.text != "" {
		doc.name = "pasted text"
	}
	if doc.name != "" {
		m.attachments = append(m.attachments, doc.name)
	}
	if strings.TrimSpace(doc.text) != "" {
		m.documents = append(m.documents, doc)
	}
}

// placeholder stands in the flat text for every block that could not be shown.
const placeholder = "```\nThis block is not supported on your current device yet.\n```"

// text is what the message says.
func (m *message) text() string {
	fromBlocks := strings.Join(m.blocks, "\n\n")
	if m.contentIsText && m.flat != "" {
		return m.flat
	}
	if strings.TrimSpace(fromBlocks) != "" {
		return fromBlocks
	}
	if strings.TrimSpace(strings.ReplaceAll(m.flat, placeholder, "")) == "" {
		return ""
	}
	return m.flat
}

// turns are the message and the documents that belong to it.
func (m *message) turns(model string) []vault.Turn {
	sender := map[string]string{"human": "user", "user": "user", "assistant": "assistant"}[m.sender]
	var out []vault.Turn
	if text := m.text(); strings.TrimSpace(text) != "" || len(m.attachments) > 0 {
		t := vault.Turn{Sender: sender, Time: m.created, MessageID: m.id, Attachments: m.attachments, Text: text}
		if sender == "assistant" {
			t.Model = model
		}
		if importer.Injected(text) {
			t.Flags = append(t.Flags, vault.FlagInjected)
		}
		out = append(out, t)
	}
	for i, d := range m.documents {
		out = append(out, vault.Turn{
			Sender:      "tool",
			Time:        m.created,
			MessageID:   fmt.Sprintf("%s/%d", m.id, i+1),
			Attachments: []string{d.name},
			Flags:       []string{vault.FlagAttachment},
			Text:        d.text,
		})
	}
	return out
}
