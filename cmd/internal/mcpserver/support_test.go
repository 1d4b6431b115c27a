package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// fake is a memory of three notes. Searching for "wait" waits until the caller
// gives up.
type fake struct {
	err     error
	topics  []Page
	waiting chan struct{} // told when a search waits
	stopped atomic.Int32  // searches that were given up
}

const secretWord = "Mango#55"

func (f *fake) Search(ctx context.Context, q Query) (Found, error) {
	if f.err != nil {
		return Found{}, f.err
	}
	if q.Query == "wait" {
		f.waiting <- struct{}{}
		<-ctx.Done()
		f.stopped.Add(1)
		return Found{}, ctx.Err()
	}
	found := Found{Query: q.Query, Fresh: true}
	for i := range min(max(q.Limit, 2), 3) {
		found.Hits = append(found.Hits, Hit{
			ID: fmt.Sprintf("tr-1#^t000%d", i), Path: "transcripts/my oven.md", Line: 7 + i, Type: "transcript",
			Title: "The oven", Snippet: "the wifi is " + secretWord, CreatedAt: "2025-08-11T18:00:00Z", Speaker: "user",
		})
	}
	return found, nil
}

func (f *fake) Get(_ context.Context, ids []string) (Got, error) {
	if f.err != nil {
		return Got{}, f.err
	}
	var got Got
	for _, id := range ids {
		switch {
		case id == "big.md":
			got.Items = append(got.Items, Item{ID: "big", Path: "big.md", Title: "Big", Text: strings.Repeat("zażółć gęślą jaźń\n", 10_000)})
		case strings.HasPrefix(id, "tr-1"), id == "memory/oven.md":
			got.Items = append(got.Items, Item{ID: id, Path: "memory/oven.md", Line: 3, Type: "topic", Title: "Oven", Text: "It bakes; " + secretWord + ".\n"})
		default:
			got.Missing = append(got.Missing, "get "+id+": there is nothing with that id")
		}
	}
	if len(got.Items) == 0 {
		return got, fmt.Errorf("get %s: %w", ids[0], ErrNotFound)
	}
	return got, nil
}

func (f *fake) Context(_ context.Context, m Message) (Pack, error) {
	return Pack{Intent: m.Intent, Text: "for " + m.Message + ": " + secretWord, Fresh: true}, f.err
}

// operations is a schema of operations, smaller than the real one.
const operations = `{"type":"object","additionalProperties":false,"properties":{"delete":{"type":"array","items":{"type":"object"}}}}`

// Operate refuses the first operation, and applies the others.
func (f *fake) Operate(_ context.Context, raw []byte, dryRun bool) (Operated, error) {
	var o struct {
		Delete []struct{ ID string }
	}
	if err := json.Unmarshal(raw, &o); err != nil || f.err != nil {
		return Operated{}, errors.Join(err, f.err)
	}
	d := Operated{DryRun: dryRun}
	for i, one := range o.Delete {
		if i == 0 {
			d.Rejected = append(d.Rejected, Rejected{"delete", 0, "secret", "it holds " + secretWord})
			continue
		}
		d.Applied = append(d.Applied, Applied{Op: "delete", Index: i, ID: one.ID, Path: "facts/x.md"})
	}
	return d, nil
}

func (f *fake) Boot(context.Context) (string, error) {
	return "# Memory\n\nAna. " + secretWord + "\n", f.err
}

func (f *fake) Pages(context.Context) ([]Page, error) { return f.topics, f.err }

// noSecrets is a Config's Clean for the fake's one secret.
func noSecrets(text string) string { return strings.ReplaceAll(text, secretWord, "[password]") }

// connect gives a client of a server over the fake, in this process.
func connect(t *testing.T, f *fake) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	s := New(f, Config{Version: "test", Clean: noSecrets, Operations: []byte(operations)})
	if _, err := s.protocol.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	return dial(t, here)
}

func dial(t *testing.T, transport mcp.Transport) *mcp.ClientSession {
	t.Helper()
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// call calls a tool, and fails where the protocol does.
func call(t *testing.T, c *mcp.ClientSession, tool string, args any) *mcp.CallToolResult {
	t.Helper()
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	return r
}

// said is the text of a result.
func said(r *mcp.CallToolResult) string {
	var b strings.Builder
	for _, c := range r.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			b.WriteString(text.Text)
		}
	}
	return b.String()
}
