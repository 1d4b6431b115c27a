package chatgpt

import (
	"strings"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/jsonpull"
	"github.com/memsync/memsync/vault"
)

// A message as it stands in the file.
type message struct {
	id, role, recipient, channel string
	created                      vault.Stamp
	contentType                  string
	text                         string
	noText                       bool // the content has neither parts nor text
	model                        string
	hidden                       bool
	attachments                  []string
}

func parseMessage(c *jsonpull.Cursor) *message {
	m := &message{}
	var assets []asset
	var files []asset
	c.Object(func(key []byte) {
		switch string(key) {
		case "id":
			m.id = c.Str()
		case "author":
			c.Object(func(key []byte) {
				if string(key) == "role" {
					m.role = c.Str()
				}
			})
		case "create_time":
			m.created = stamp(c)
		case "recipient":
			m.recipient = c.Str()
		case "channel":
			m.channel = c.Str()
		case "content":
			assets = m.content(c)
		case "metadata":
			files = m.metadata(c)
		}
	})
	m.attachments = names(files, assets)
	return m
}

// An asset is a file that came with a message: named in its metadata, or
// pointed at from its text.
type asset struct{ id, name string }

// names lists the attachments' names, and the ids of assets that have none.
func names(files, assets []asset) []string {
	var out []string
	named := map[string]bool{}
	for _, f := range files {
		if f.name == "" {
			f.name = f.id
		}
		if f.name != "" {
			out = append(out, f.name)
			named[f.id] = true
		}
	}
	for _, a := range assets {
		if !named[a.id] {
			named[a.id] = true
			out = append(out, a.id)
		}
	}
	return out
}

func (m *message) content(c *jsonpull.Cursor) (assets []asset) {
	var parts []string
	var text string
	m.noText = true
	c.Object(func(key []byte) {
		switch string(key) {
		case "content_type":
			m.contentType = c.Str()
		case "text":
			if s, ok := c.StrOK(); ok {
				text, m.noText = s, false
			}
		case "parts":
			m.noText = m.noText && c.Kind() != jsonpull.Array
			c.Array(func(int) {
				switch c.Kind() {
				case jsonpull.String:
					if s := c.Str(); s != "" {
						parts = append(parts, s)
					}
				case jsonpull.Object:
					s, found := part(c)
					if s != "" {
						parts = append(parts, s)
					}
					assets = append(assets, found...)
				}
			})
		}
	})
	m.text = strings.Join(parts, "\n")
	if len(parts) == 0 {
		m.text = text
	}
	return assets
}

// part reads a part that is not plain text: a transcription of speech has a
// text, a picture or a recording points at its file.
func part(c *jsonpull.Cursor) (text string, assets []asset) {
	c.Object(func(key []byte) {
		switch string(key) {
		case "text":
			text = c.Str()
		case "asset_pointer":
			assets = appendAsset(assets, c.Str())
		case "audio_asset_pointer", "video_container_asset_pointer":
			c.Object(func(key []byte) {
				if string(key) == "asset_pointer" {
					assets = appendAsset(assets, c.Str())
				}
			})
		}
	})
	return text, assets
}

// appendAsset takes the file's id out of a pointer such as file-service://file-x.
func appendAsset(assets []asset, pointer string) []asset {
	if _, id, ok := strings.Cut(pointer, "://"); ok {
		pointer = id
	}
	if pointer == "" {
		return assets
	}
	return append(assets, asset{id: pointer})
}

func (m *message) metadata(c *jsonpull.Cursor) (files []asset) {
	c.Object(func(key []byte) {
		switch string(key) {
		case "is_visually_hidden_from_conversation", "is_user_system_message":
			m.hidden = c.True() || m.hidden
		case "model_slug":
			m.model = c.Str()
		case "attachments":
			c.Array(func(int) {
				var f asset
				c.Object(func(key []byte) {
					switch string(key) {
					case "id":
						f.id = c.Str()
					case "name":
						f.name = c.Str()
					}
				})
				files = append(files, f)
			})
		}
	})
	return files
}

// internal are the kinds of content that nobody said: reasoning, fetched pages,
// the person's standing instructions, errors of the service.
var internal = map[string]bool{
	"thoughts":                  true,
	"reasoning_recap":           true,
	"tether_browsing_display":   true,
	"tether_browsing_code":      true,
	"tether_quote":              true,
	"sonic_webpage":             true,
	"user_editable_context":     true,
	"model_editable_context":    true,
	"system_error":              true,
	"app_pairing_content":       true,
	"computer_initialize_state": true,
}

// left reports whether a message is left out, and complains where it is left
// out because it is unknown.
func (m *message) left(warn func(string, ...any)) bool {
	switch {
	case m == nil || m.hidden || internal[m.contentType]:
		return true
	case m.role == "system" || m.role == "developer" || m.role == "critic":
		return true
	case m.role != "user" && m.role != "assistant" && m.role != "tool":
		warn("message %s is left out: its author %q is neither user, assistant nor tool", m.id, m.role)
		return true
	case m.noText && len(m.attachments) == 0:
		if m.contentType != "" && m.role != "tool" {
			warn("message %s is left out: its content is of the unknown kind %q", m.id, m.contentType)
		}
		return true
	}
	return strings.TrimSpace(m.text) == "" && len(m.attachments) == 0
}

// turn makes the message a turn; model is the conversation's default.
func (m *message) turn(model string) vault.Turn {
	t := vault.Turn{
		Sender:      m.role,
		Time:        m.created,
		MessageID:   m.id,
		Attachments: m.attachments,
		Text:        m.text,
	}
	if m.role == "assistant" {
		if t.Model = m.model; t.Model == "" {
			t.Model = model
		}
		switch {
		case m.recipient != "" && m.recipient != "all":
			t.Flags = append(t.Flags, vault.FlagToolCall)
		case m.channel == "analysis":
			t.Flags = append(t.Flags, vault.FlagReasoning)
		}
	}
	if importer.Injected(m.text) {
		t.Flags = append(t.Flags, vault.FlagInjected)
	}
	return t
}
