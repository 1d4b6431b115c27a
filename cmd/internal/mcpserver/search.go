package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A Query is what memory_search is asked.
type Query struct {
	Query string   `json:"query" jsonschema:"what to look for, in a few words or as a question"`
	Limit int      `json:"limit,omitempty" jsonschema:"how many hits, 10 where not given"`
	Types []string `json:"types,omitempty" jsonschema:"only notes of these types; all where not given"`
	Since string   `json:"since,omitempty" jsonschema:"only what is dated on or after this day, as in 2025-09-01"`
	Until string   `json:"until,omitempty" jsonschema:"only what is dated on or before this day, as in 2025-09-30"`
}

// Found is what memory_search answers.
type Found struct {
	Query string `json:"query"`
	Hits  []Hit  `json:"hits"`
	// Fresh and Notes say how far the answer can be trusted.
	Fresh bool     `json:"fresh" jsonschema:"whether the index was in step with the notes"`
	Notes []string `json:"notes" jsonschema:"what is missing, stale or degraded, in sentences"`
}

// A Hit is one thing that was found.
type Hit struct {
	ID         string  `json:"id" jsonschema:"give this to memory_get for the full text"`
	Path       string  `json:"path" jsonschema:"the note it stands in"`
	Line       int     `json:"line"`
	Type       string  `json:"type"`
	Title      string  `json:"title"`
	Snippet    string  `json:"snippet"`
	Score      float64 `json:"score" jsonschema:"higher is nearer; comparable within one answer only"`
	CreatedAt  string  `json:"created_at,omitempty" jsonschema:"when it was said or dated, RFC 3339"`
	Speaker    string  `json:"speaker,omitempty"`
	Heading    string  `json:"heading,omitempty"`
	Superseded bool    `json:"superseded,omitempty" jsonschema:"true: it was replaced and is no longer true"`
}

// Bounds of a query: a question is shorter, and a longer list is not read.
const (
	maxQuery = 2000 // characters
	maxHits  = 50
)

// noteTypes are the types that a search can be narrowed to.
var noteTypes = []any{"session", "facts", "topic", "transcript", "profile", "user", "schema", "epoch", "proposal", "note"}

func (s *Server) addSearch(m *mcp.Server) {
	in := schemaOf[Query]()
	in.Properties["query"].MinLength = ptr(1)
	in.Properties["query"].MaxLength = ptr(maxQuery)
	in.Properties["limit"].Minimum = ptr(1.0)
	in.Properties["limit"].Maximum = ptr(float64(maxHits))
	in.Properties["types"] = &jsonschema.Schema{
		Type: "array", Description: in.Properties["types"].Description, Items: &jsonschema.Schema{Type: "string", Enum: noteTypes},
	}
	mcp.AddTool(m, &mcp.Tool{
		Name:  "memory_search",
		Title: "Search the memory",
		Description: `Search the person's memory (summaries, facts, preferences, topics and past conversations) by words and by meaning. ` +
			`Answers with short passages, each with an id for memory_get, its note and its date.`,
		InputSchema: in, OutputSchema: schemaOf[Found](),
		Annotations: reads("Search the memory"),
	}, func(ctx context.Context, _ *mcp.CallToolRequest, q Query) (*mcp.CallToolResult, Found, error) {
		found, err := s.search(ctx, q)
		if err != nil {
			return nil, Found{}, err
		}
		return text(found.text()), found, nil
	})
}

// search asks the memory and cleans what it says.
func (s *Server) search(ctx context.Context, q Query) (Found, error) {
	if q.Query = strings.TrimSpace(q.Query); q.Query == "" {
		return Found{}, errors.New("the query is empty: say in a few words what to look for")
	}
	if n := utf8.RuneCountInString(q.Query); n > maxQuery {
		return Found{}, fmt.Errorf("the query has %d characters, at most %d are read: ask for the point of it", n, maxQuery)
	}
	found, err := s.memory.Search(ctx, q)
	if err != nil {
		return Found{}, err
	}
	for i := range found.Hits {
		h := &found.Hits[i]
		for _, field := range []*string{&h.Title, &h.Snippet, &h.Speaker, &h.Heading} {
			*field = s.cfg.Clean(*field)
		}
	}
	if found.Hits == nil {
		found.Hits = []Hit{}
	}
	if found.Notes == nil {
		found.Notes = []string{}
	}
	return found, nil
}

// text is the answer as a model reads it best.
func (f Found) text() string {
	var b strings.Builder
	for i, h := range f.Hits {
		fmt.Fprintf(&b, "%d. %s [%s] %s:%d", i+1, h.Title, h.ID, h.Path, h.Line)
		if day, _, ok := strings.Cut(h.CreatedAt, "T"); ok {
			fmt.Fprintf(&b, ", %s", day)
		}
		if h.Speaker != "" {
			fmt.Fprintf(&b, ", said by %s", h.Speaker)
		}
		if h.Superseded {
			b.WriteString(", superseded: no longer true")
		}
		b.WriteString("\n")
		for line := range strings.Lines(strings.TrimSpace(h.Snippet)) {
			b.WriteString("   " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	if len(f.Hits) == 0 {
		b.WriteString("Nothing in the memory is near to this. Try other words, or fewer filters.\n")
	}
	for _, n := range f.Notes {
		b.WriteString("(" + n + ")\n")
	}
	return b.String()
}

// schemaOf is the schema of what a tool takes or answers, to be narrowed. The types are our
// own, so it cannot fail but in a test.
func schemaOf[T any]() *jsonschema.Schema {
	s, err := jsonschema.For[T](nil)
	if err != nil {
		panic(err)
	}
	listsAreLists(s)
	return s
}

// listsAreLists says of every list in a schema that it is one: ours are never
// null.
func listsAreLists(s *jsonschema.Schema) {
	if slices.Contains(s.Types, "array") {
		s.Type, s.Types = "array", nil
	}
	if s.Items != nil {
		listsAreLists(s.Items)
	}
	for _, p := range s.Properties {
		listsAreLists(p)
	}
}

func ptr[T any](v T) *T { return &v }
