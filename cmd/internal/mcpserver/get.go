package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ids is what memory_get is asked.
type ids struct {
	IDs []string `json:"ids" jsonschema:"ids from memory_search, or paths of notes"`
}

// Got is what memory_get answers.
type Got struct {
	Items []Item `json:"items"`
	// Missing are sentences about the ids that name nothing.
	Missing []string `json:"missing" jsonschema:"the ids that name nothing, and why"`
	Fresh   bool     `json:"fresh" jsonschema:"whether the index was in step with the notes"`
	Notes   []string `json:"notes" jsonschema:"what is missing, stale or degraded, in sentences"`
}

// An Item is a note, or a part of one.
type Item struct {
	ID        string `json:"id"`
	Path      string `json:"path"`
	Line      int    `json:"line"`
	Type      string `json:"type"`
	Title     string `json:"title"`
	Text      string `json:"text"`
	CreatedAt string `json:"created_at,omitempty" jsonschema:"when it was said or dated, RFC 3339"`
	Speaker   string `json:"speaker,omitempty"`
	Truncated bool   `json:"truncated,omitempty" jsonschema:"true: only the beginning is here; ask for a part, as in path:120 or id#^block"`
}

const (
	maxIDs = 20
	// maxText is how many bytes of text one answer holds: about 15,000 tokens,
	// below the 25,000 at which Claude Code cuts a tool's answer.
	maxText = 60_000
)

func (s *Server) addGet(m *mcp.Server) {
	in := schemaOf[ids]()
	in.Properties["ids"] = &jsonschema.Schema{
		Type: "array", Description: in.Properties["ids"].Description,
		Items: &jsonschema.Schema{Type: "string", MinLength: ptr(1), MaxLength: ptr(maxQuery)}, MinItems: ptr(1), MaxItems: ptr(maxIDs),
	}
	mcp.AddTool(m, &mcp.Tool{
		Name:  "memory_get",
		Title: "Read from the memory",
		Description: `Read what ids name, in full: a hit of memory_search by its id, a note by its path or id, ` +
			`a turn or claim as note#^block, turns that follow each other as note#^first..last, a passage as path:line.`,
		InputSchema: in, OutputSchema: schemaOf[Got](),
		Annotations: reads("Read from the memory"),
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in ids) (*mcp.CallToolResult, Got, error) {
		got, err := s.get(ctx, in.IDs)
		if err != nil {
			return nil, Got{}, err
		}
		return text(got.text()), got, nil
	})
}

// get asks the memory, cleans what it says and keeps it to a length that hosts
// take.
func (s *Server) get(ctx context.Context, ids []string) (Got, error) {
	got, err := s.memory.Get(ctx, ids)
	if err != nil {
		return Got{}, err
	}
	room := maxText
	for i := range got.Items {
		it := &got.Items[i]
		it.Title, it.Speaker = s.cfg.Clean(it.Title), s.cfg.Clean(it.Speaker)
		it.Text, it.Truncated = cut(s.cfg.Clean(it.Text), room)
		room -= len(it.Text)
	}
	if got.Items == nil {
		got.Items = []Item{}
	}
	if got.Missing == nil {
		got.Missing = []string{}
	}
	if got.Notes == nil {
		got.Notes = []string{}
	}
	return got, nil
}

// cut keeps at most room bytes of text, whole lines where there are any.
func cut(text string, room int) (string, bool) {
	if len(text) <= room {
		return text, false
	}
	kept := text[:max(room, 0)]
	if end := strings.LastIndexByte(kept, '\n'); end > room/2 {
		kept = kept[:end+1]
	}
	for len(kept) > 0 && !utf8.ValidString(kept[max(0, len(kept)-utf8.UTFMax):]) && !utf8.RuneStart(text[len(kept)]) {
		kept = kept[:len(kept)-1]
	}
	return kept, true
}

func (g Got) text() string {
	var b strings.Builder
	for _, it := range g.Items {
		fmt.Fprintf(&b, "# %s [%s] %s:%d\n\n%s", it.Title, it.ID, it.Path, it.Line, it.Text)
		if !strings.HasSuffix(it.Text, "\n") {
			b.WriteString("\n")
		}
		if it.Truncated {
			b.WriteString("(cut here: ask for a part of it, as path:line, id#^block or id#^first..last)\n")
		}
		b.WriteString("\n")
	}
	for _, n := range append(g.Missing, g.Notes...) {
		b.WriteString("(" + n + ")\n")
	}
	return b.String()
}
