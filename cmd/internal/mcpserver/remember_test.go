package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// learner is a memory that takes in sessions: it refuses the first thing that is
// to be remembered, and knows a session that says "again".
type learner struct{ fake }

func (l *learner) Remember(_ context.Context, s Session) (Remembered, error) {
	if l.err != nil || s.Messages[0].Text == "again" {
		return Remembered{}, l.err
	}
	d := Remembered{Commit: "3f9c2d1e0b7a", Transcripts: []string{"transcripts/chat/2025/2025-09-01-oven.md"}, Notes: []string{"oven merged into " + secretWord}}
	for i, t := range s.Remember {
		if i == 0 {
			d.Rejected = append(d.Rejected, Rejected{"create", 0, "quote-not-in-turn", secretWord + " does not stand in turn t0001"})
			continue
		}
		d.Applied = append(d.Applied, Applied{Op: "create", Index: i, ID: "f-1", Path: "facts/home/" + t.Topic + ".md"})
	}
	return d, nil
}

func connectLearner(t *testing.T, l *learner) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	if _, err := New(l, Config{Version: "test", Clean: noSecrets}).protocol.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	return dial(t, here)
}

func TestRemember(t *testing.T) {
	c := connectLearner(t, &learner{})
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var tool *mcp.Tool
	for _, one := range list.Tools {
		if one.Name == "memory_remember" {
			tool = one
		}
	}
	if tool == nil {
		t.Fatal("memory_remember is not offered")
	}
	if a := tool.Annotations; a.ReadOnlyHint || !a.IdempotentHint || *a.DestructiveHint || *a.OpenWorldHint || a.Title == "" {
		t.Errorf("annotations %+v", a)
	}
	for _, schema := range []any{tool.InputSchema, tool.OutputSchema} {
		raw, err := json.Marshal(schema)
		if err != nil || !strings.Contains(string(raw), `"additionalProperties":false`) || strings.Contains(string(raw), "null") {
			t.Errorf("schema %s, %v", raw, err)
		}
	}
	message := map[string]any{"role": "user", "text": "I prefer grams."}
	thing := map[string]any{"text": "Prefers grams.", "kind": "preference", "quote": "I prefer grams", "topic": "oven"}
	r := call(t, c, "memory_remember", map[string]any{"title": "Oven", "messages": []any{message}, "remember": []any{thing, thing}})
	for _, want := range []string{"remembered in commit 3f9c2d1e0b", "kept word for word: transcripts/chat", "merged into [password]", "filed: f-1 in facts/home/oven.md", "refused: remember[0]: [password] does not stand", "(quote-not-in-turn)"} {
		if !strings.Contains(said(r), want) {
			t.Errorf("the answer lacks %q:\n%s", want, said(r))
		}
	}
	if r.IsError {
		t.Error("a session that was remembered is an error")
	}
	raw, _ := json.Marshal(r.StructuredContent)
	var done Remembered
	if err := json.Unmarshal(raw, &done); err != nil || len(done.Applied) != 1 || len(done.Rejected) != 1 || strings.Contains(string(raw), secretWord) {
		t.Errorf("data: %s, %v", raw, err)
	}
	r = call(t, c, "memory_remember", map[string]any{"messages": []any{map[string]any{"role": "user", "text": "again"}}})
	raw, _ = json.Marshal(r.StructuredContent)
	if r.IsError || !strings.Contains(said(r), "nothing new") || strings.Contains(string(raw), "null") {
		t.Errorf("%s %s", said(r), raw)
	}
	for _, bad := range []map[string]any{{}, {"messages": []any{}}, {"messages": []any{map[string]any{"text": "x"}}}, {"messages": "x"}, {"messages": []any{message}, "file": "x"}} {
		if r := call(t, c, "memory_remember", bad); !r.IsError {
			t.Errorf("%v is taken", bad)
		}
	}
}

// A memory that only answers does not offer the tool.
func TestRememberIsNotOffered(t *testing.T) {
	r, err := connect(t, &fake{}).CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_remember", Arguments: map[string]any{}})
	if err == nil && !r.IsError {
		t.Error("the tool answers")
	}
}
