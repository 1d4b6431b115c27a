// Package notes reads plain markdown and text files, each as a conversation of
// one turn, so that a folder of old notes can be searched and learned from like
// a chat.
//
// A note has no id of its own. The transcript that is made of it is never
// rewritten, so the id is made of the file's name and its content: the same note
// imported twice is the same conversation, and an edited note is a new one.
//
// The time is the note's own word for it, its front matter's date or a date at
// the beginning of its name; else when the file was last written.
package notes

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"path"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// Format reads notes. It takes what no other format wants.
type Format struct{}

// Source is "notes".
func (Format) Source() string { return "notes" }

// largest is the largest note that is read, in bytes. A book has about one
// megabyte.
const largest = 16 << 20

// Sniff recognises text by its name and its bytes.
func (Format) Sniff(name string, head []byte) bool {
	return len(bytes.TrimSpace(head)) > 0 && isNote(name) && importer.IsText(head)
}

// Fallback keeps read-me files that lie beside an export out.
func (Format) Fallback(name string, besideExport bool) bool { return !besideExport }

func isNote(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".txt":
		return true
	}
	return false
}

// Read makes a conversation of one file.
func (Format) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	file, err := in.Open()
	if err != nil {
		return err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(importer.Text(file), largest+1))
	if err != nil {
		return err
	}
	switch {
	case len(data) > largest:
		return &importer.RefusedError{File: in.Name, Reason: "is too large for a note (more than 16 MiB)"}
	case !utf8.Valid(data):
		return &importer.RefusedError{File: in.Name, Reason: "is not text in UTF-8 or UTF-16"}
	case len(bytes.TrimSpace(data)) == 0:
		return &importer.RefusedError{File: in.Name, Reason: "is empty"}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	text := string(data)
	base := path.Base(strings.ReplaceAll(in.Name, `\`, "/"))
	sum := sha256.Sum256([]byte("notes\x00" + base + "\x00" + text))
	c := importer.Conversation{
		Source:  Format{}.Source(),
		ID:      fmt.Sprintf("%x", sum[:16]),
		Created: written(in, base, text),
		Title:   title(base, text),
	}
	t := vault.Turn{Sender: "user", Time: c.Created, MessageID: c.ID, Text: text}
	if importer.Injected(text) {
		t.Flags = append(t.Flags, vault.FlagInjected)
	}
	c.Append(t)
	c.Updated, c.Current = c.Created, t.MessageID
	return emit(c)
}

// title is the front matter's, else the first heading, else the file's name.
func title(base, text string) string {
	front, body := frontMatter(text)
	if s := strings.TrimSpace(front["title"]); s != "" {
		return s
	}
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if heading, ok := strings.CutPrefix(line, "# "); ok {
			return strings.TrimSpace(heading)
		}
		break
	}
	return strings.TrimSuffix(base, path.Ext(base))
}

// written is when the note was written.
func written(in importer.Input, base, text string) vault.Stamp {
	front, _ := frontMatter(text)
	for _, key := range []string{"created", "date"} {
		if t, err := vault.ParseStamp(front[key]); err == nil && !t.IsZero() {
			return t
		}
	}
	if len(base) >= len("2006-01-02") {
		if t, err := vault.ParseStamp(base[:len("2006-01-02")]); err == nil && !t.IsZero() {
			return t
		}
	}
	return vault.Stamp{Time: in.Modified.UTC()}
}

// frontMatter reads the YAML between --- at the beginning of a note, with dates
// as they were written. A note without it is all body.
func frontMatter(text string) (front map[string]string, body string) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return nil, text
	}
	block, body, ok := strings.Cut(rest, "\n---\n")
	if !ok {
		return nil, text
	}
	var nodes map[string]yaml.Node
	if yaml.Unmarshal([]byte(block), &nodes) != nil {
		return nil, text
	}
	front = map[string]string{}
	for key, n := range nodes {
		front[key] = n.Value
	}
	return front, body
}
