package mcpserver

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// ChatGPT asks two tools of every connector, with these names and shapes: search
// takes a query and answers results with id, title and url; fetch takes an id and
// answers the document. The text of either is the structured content as JSON, in
// exactly one item. A result without a url cannot be cited.

type connectorQuery struct {
	Query string `json:"query" jsonschema:"what to look for"`
}

type connectorResults struct {
	Results []connectorResult `json:"results"`
}

type connectorResult struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

type connectorID struct {
	ID string `json:"id" jsonschema:"the id of a result of search"`
}

type connectorDocument struct {
	ID       string            `json:"id"`
	Title    string            `json:"title"`
	Text     string            `json:"text"`
	URL      string            `json:"url"`
	Metadata map[string]string `json:"metadata"`
}

func (s *Server) addConnector(m *mcp.Server) {
	query := schemaOf[connectorQuery]()
	query.Properties["query"].MaxLength = ptr(maxQuery)
	mcp.AddTool(m, &mcp.Tool{
		Name:        "search",
		Title:       "Search the memory",
		Description: "Search the person's memory. The same as memory_search, in the shape that ChatGPT asks of connectors.",
		InputSchema: query, OutputSchema: schemaOf[connectorResults](),
		Annotations: reads("Search the memory"),
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in connectorQuery) (*mcp.CallToolResult, connectorResults, error) {
		found, err := s.search(ctx, Query{Query: in.Query})
		if err != nil {
			return nil, connectorResults{}, err
		}
		out := connectorResults{Results: []connectorResult{}}
		for _, h := range found.Hits {
			out.Results = append(out.Results, connectorResult{ID: h.ID, Title: h.label(), URL: uri(h.Path, h.ID)})
		}
		return asJSON(out), out, nil
	})
	mcp.AddTool(m, &mcp.Tool{
		Name:        "fetch",
		Title:       "Read from the memory",
		Description: "Read what a result of search stands for, in full. The same as memory_get for one id.",
		Annotations: reads("Read from the memory"),
	}, func(ctx context.Context, _ *mcp.CallToolRequest, in connectorID) (*mcp.CallToolResult, connectorDocument, error) {
		got, err := s.get(ctx, []string{in.ID})
		if err != nil {
			return nil, connectorDocument{}, err
		}
		out := document(in.ID, got)
		return asJSON(out), out, nil
	})
}

// label is a hit's title with what tells it from others of the same note.
func (h Hit) label() string {
	title := h.Title
	if day, _, ok := strings.Cut(h.CreatedAt, "T"); ok && !strings.Contains(title, day) {
		title += ", " + day
	}
	return title
}

// document makes one document of what an id names, which may be several parts.
func document(id string, got Got) connectorDocument {
	d := connectorDocument{ID: id, Metadata: map[string]string{}}
	for i, it := range got.Items {
		if i == 0 {
			d.Title, d.URL = it.Title, uri(it.Path, it.ID)
			d.Metadata["path"], d.Metadata["type"] = it.Path, it.Type
			if it.CreatedAt != "" {
				d.Metadata["created_at"] = it.CreatedAt
			}
		} else {
			d.Text += "\n"
		}
		d.Text += it.Text
		if it.Truncated {
			d.Metadata["truncated"] = "true"
		}
	}
	return d
}

func asJSON(v any) *mcp.CallToolResult {
	raw, err := json.Marshal(v)
	if err != nil { // strings and maps of them always encode
		panic(err)
	}
	return text(string(raw))
}

// scheme is that of our resources. The third slash leaves the authority empty: a
// path's first folder is no host.
const scheme = "memory:///"

// uri is the address of a note, or of the part of it that an id names.
func uri(path, id string) string {
	segments := strings.Split(path, "/")
	for i, s := range segments {
		segments[i] = url.PathEscape(s)
	}
	at := scheme + strings.Join(segments, "/")
	if _, block, ok := strings.Cut(id, "#"); ok {
		at += "#" + url.PathEscape(block)
	}
	return at
}
