package codex

import (
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/jsonpull"
	"github.com/memsync/memsync/vault"
)

// A line of a rollout, envelope and payload in one.
type line struct {
	kind        string // of the envelope: session_meta, response_item, event_msg, turn_context
	item        string // of the payload: message, user_message, agent_message, ...
	id, role    string
	project     string
	model       string
	time        vault.Stamp
	text        string
	attachments []string
}

func parse(c *jsonpull.Cursor) line {
	var l line
	enveloped := false
	c.Object(func(key []byte) {
		switch string(key) {
		case "payload":
			enveloped = true
			c.Object(func(key []byte) { l.member(string(key), c) })
		case "type":
			l.kind = c.Str()
		case "timestamp":
			if t := importer.ISO(c.Str()); !t.IsZero() {
				l.time = t
			}
		default:
			l.member(string(key), c)
		}
	})
	if !enveloped && l.kind == "message" { // an early version's bare item
		l.item, l.kind = "message", "response_item"
	}
	return l
}

// member reads a member of the payload, or of a bare item.
func (l *line) member(name string, c *jsonpull.Cursor) {
	switch name {
	case "type":
		l.item = c.Str()
	case "id":
		l.id = c.Str()
	case "role":
		l.role = c.Str()
	case "cwd":
		l.project = c.Str()
	case "model":
		l.model = c.Str()
	case "message":
		l.text = c.Str()
	case "timestamp":
		if t := importer.ISO(c.Str()); !t.IsZero() && l.time.IsZero() {
			l.time = t
		}
	case "content":
		var texts []string
		c.Array(func(int) {
			var kind, text string
			c.Object(func(key []byte) {
				switch string(key) {
				case "type":
					kind = c.Str()
				case "text":
					text = c.Str()
				}
			})
			switch kind {
			case "input_text", "output_text", "text":
				if text != "" {
					texts = append(texts, text)
				}
			case "input_image":
				l.attachments = append(l.attachments, "image")
			}
		})
		l.text = strings.Join(texts, "\n\n")
	}
}
