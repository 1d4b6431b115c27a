// Package chatgpt reads the conversations.json of an OpenAI data export.
//
// A conversation there is a tree, since questions can be edited and answers
// regenerated. The active path runs from current_node up to the root; it becomes
// the conversation's turns, and what lies beside it follows, marked as branches.
//
// Most nodes are not what anybody said: system prompts, hidden context, the
// model's reasoning, pages that a browser tool fetched. They are left out (see
// left in message.go). Calls to tools and the tools' visible answers stay, as
// turns that say so.
//
// The text of a message is kept to the byte. A message in several parts (text
// around an image, say) is the parts that are text, one to a line, as most
// converters join them. Halves of surrogate pairs cannot be written as UTF-8;
// they become U+FFFD, with a warning.
package chatgpt

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

// Format reads ChatGPT exports.
type Format struct{}

// Source is "chatgpt".
func (Format) Source() string { return "chatgpt" }

// Sniff recognises a list of conversations by their "mapping".
func (Format) Sniff(name string, head []byte) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".txt", ".md", ".markdown", ".html":
		return false
	}
	return bytes.Contains(head, []byte(`"mapping"`)) && importer.ShapeOf(head).Has("mapping")
}

// Read streams the conversations of one file.
func (Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	return importer.Each(ctx, in, importer.Wrappers, decode, emit, warn)
}

// A conversation as it stands in the file.
type conversation struct {
	id, title, current, model string
	created, updated          vault.Stamp
	nodes                     []node
	index                     map[string]int // by node id
	noMapping                 bool
}

// A node of the tree. Most carry a message, the root does not.
type node struct {
	id, parent string
	children   []string
	message    *message
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
	if err := c.Err(); err != nil {
		warn("conversation %s is left out: %v of it", label(conv, v), err)
		return d
	}
	if conv.noMapping {
		warn("conversation %s is left out: it has no messages (no mapping)", label(conv, v))
		d.Foreign = true
		return d
	}
	if conv.id == "" {
		conv.id = conv.deriveID()
	}
	warn = func(format string, args ...any) {
		d.Warnings = append(d.Warnings, importer.Warning{Text: "conversation " + label(conv, v) + ": " + fmt.Sprintf(format, args...)})
	}
	if c.Replaced > 0 {
		warn("%d characters that are not Unicode became U+FFFD", c.Replaced)
	}
	if out := conv.thread(warn); len(out.Turns) > 0 {
		d.Conversations = append(d.Conversations, out)
	}
	return d
}

// label names a conversation in a warning.
func label(c *conversation, v importer.Value) string {
	if c.id != "" {
		return c.id
	}
	return fmt.Sprintf("%d of the file", v.Index+1)
}

func parse(c *jsonpull.Cursor) *conversation {
	conv := &conversation{noMapping: true}
	var otherID string
	c.Object(func(key []byte) {
		switch string(key) {
		case "id":
			otherID = c.Str()
		case "conversation_id":
			conv.id = c.Str()
		case "title":
			conv.title = c.Str()
		case "create_time":
			conv.created = stamp(c)
		case "update_time":
			conv.updated = stamp(c)
		case "current_node":
			conv.current = c.Str()
		case "default_model_slug":
			conv.model = c.Str()
		case "mapping":
			conv.noMapping = c.Kind() != jsonpull.Object
			conv.mapping(c)
		}
	})
	if conv.id == "" {
		conv.id = otherID
	}
	return conv
}

func (conv *conversation) mapping(c *jsonpull.Cursor) {
	conv.index = map[string]int{}
	c.Object(func(key []byte) {
		if c.Kind() != jsonpull.Object {
			return
		}
		n := node{id: string(key)}
		c.Object(func(key []byte) {
			switch string(key) {
			case "parent":
				n.parent = c.Str()
			case "children":
				c.Array(func(int) {
					if id, ok := c.StrOK(); ok {
						n.children = append(n.children, id)
					}
				})
			case "message":
				if c.Kind() == jsonpull.Object {
					n.message = parseMessage(c)
				}
			}
		})
		if i, again := conv.index[n.id]; again {
			conv.nodes[i] = n
			return
		}
		conv.index[n.id] = len(conv.nodes)
		conv.nodes = append(conv.nodes, n)
	})
}

// stamp reads a time: seconds since 1970 as a number, or RFC 3339.
func stamp(c *jsonpull.Cursor) vault.Stamp {
	if c.Kind() == jsonpull.String {
		return importer.ISO(c.Str())
	}
	return importer.Seconds(c.Num())
}

// time is when a node's message was sent; zero where the file does not say.
func (n *node) time() time.Time {
	if n.message == nil {
		return time.Time{}
	}
	return n.message.created.Time
}
