package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func TestToolsSayWhatTheyAre(t *testing.T) {
	c := connect(t, &fake{})
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
		a := tool.Annotations
		if a == nil || a.ReadOnlyHint != (tool.Name != "memory_ops") || a.DestructiveHint == nil || *a.DestructiveHint == a.ReadOnlyHint || a.OpenWorldHint == nil || *a.OpenWorldHint || a.Title == "" {
			t.Errorf("%s: annotations %+v", tool.Name, a)
		}
		if len(tool.Description) < 40 {
			t.Errorf("%s: description %q", tool.Name, tool.Description)
		}
		for kind, schema := range map[string]any{"input": tool.InputSchema, "output": tool.OutputSchema} {
			raw, err := json.Marshal(schema)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(raw), `"additionalProperties":false`) || strings.Contains(string(raw), "null") {
				t.Errorf("%s: %s schema %s", tool.Name, kind, raw)
			}
		}
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"fetch", "memory_context", "memory_get", "memory_ops", "memory_search", "search"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestSearchAnswersAsTextAndAsData(t *testing.T) {
	r := call(t, connect(t, &fake{}), "memory_search", map[string]any{"query": "oven", "limit": 3, "types": []string{"transcript"}})
	if r.IsError || strings.Count(said(r), "tr-1#^t000") != 3 || !strings.Contains(said(r), "transcripts/my oven.md:7, 2025-08-11, said by user") {
		t.Errorf("text: %s", said(r))
	}
	raw, _ := json.Marshal(r.StructuredContent)
	var found Found
	if err := json.Unmarshal(raw, &found); err != nil || len(found.Hits) != 3 || found.Hits[0].ID != "tr-1#^t0000" || !found.Fresh {
		t.Errorf("data: %s, %v", raw, err)
	}
}

func TestTheConnectorHasTheShapeThatChatGPTAsksFor(t *testing.T) {
	c := connect(t, &fake{})
	r := call(t, c, "search", map[string]any{"query": "oven"})
	want := `{"results":[{"id":"tr-1#^t0000","title":"The oven, 2025-08-11","url":"memory:///transcripts/my%20oven.md#%5Et0000"},` +
		`{"id":"tr-1#^t0001","title":"The oven, 2025-08-11","url":"memory:///transcripts/my%20oven.md#%5Et0001"}]}`
	if len(r.Content) != 1 || said(r) != want {
		t.Errorf("search: %s", said(r))
	}
	same(t, r)
	r = call(t, c, "fetch", map[string]any{"id": "tr-1#^t0001"})
	want = `{"id":"tr-1#^t0001","title":"Oven","text":"It bakes; [password].\n","url":"memory:///memory/oven.md#%5Et0001","metadata":{"path":"memory/oven.md","type":"topic"}}`
	if len(r.Content) != 1 || said(r) != want {
		t.Errorf("fetch: %s", said(r))
	}
	same(t, r)
}

// same checks that a result's text is its structured content.
func same(t *testing.T, r *mcp.CallToolResult) {
	t.Helper()
	var text any
	if err := json.Unmarshal([]byte(said(r)), &text); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, r.StructuredContent); diff != "" {
		t.Errorf("text and data differ: %s", diff)
	}
}

func TestNoSecretLeaves(t *testing.T) {
	c := connect(t, &fake{})
	for _, r := range []*mcp.CallToolResult{
		call(t, c, "memory_search", map[string]any{"query": "wifi"}),
		call(t, c, "memory_get", map[string]any{"ids": []string{"tr-1", "memory/oven.md"}}),
		call(t, c, "search", map[string]any{"query": "wifi"}),
		call(t, c, "fetch", map[string]any{"id": "tr-1"}),
		call(t, c, "memory_context", map[string]any{"message": "wifi?"}),
		call(t, c, "memory_ops", map[string]any{"delete": []any{map[string]any{"id": "a"}}}),
	} {
		raw, _ := json.Marshal(r)
		if strings.Contains(string(raw), secretWord) {
			t.Errorf("a secret left: %s", raw)
		}
	}
	for _, at := range []string{bootURI, "memory:///memory/oven.md"} {
		r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: at})
		if err != nil || strings.Contains(r.Contents[0].Text, secretWord) || !strings.Contains(r.Contents[0].Text, "[password]") {
			t.Errorf("%s: %+v, %v", at, r, err)
		}
	}
}

func TestMistakesAreToldToTheModel(t *testing.T) {
	c := connect(t, &fake{})
	for name, one := range map[string]struct {
		tool, want string
		args       any
	}{
		"empty":     {"memory_search", "minLength", map[string]any{"query": ""}},
		"blank":     {"memory_search", "the query is empty", map[string]any{"query": "  "}},
		"long":      {"memory_search", "maxLength", map[string]any{"query": strings.Repeat("x", maxQuery+1)}},
		"many":      {"memory_search", "maximum", map[string]any{"query": "x", "limit": 1000}},
		"type":      {"memory_search", "enum", map[string]any{"query": "x", "types": []string{"passwords"}}},
		"no query":  {"memory_search", "query", map[string]any{}},
		"a surplus": {"memory_search", "path", map[string]any{"query": "x", "path": "/etc/passwd"}},
		"no id":     {"memory_get", "minItems", map[string]any{"ids": []string{}}},
		"unknown":   {"memory_get", "there is nothing with that id", map[string]any{"ids": []string{"nothing"}}},
		"fetch":     {"fetch", "there is nothing with that id", map[string]any{"id": "../../etc/passwd"}},
	} {
		r := call(t, c, one.tool, one.args)
		if !r.IsError || !strings.Contains(said(r), one.want) {
			t.Errorf("%s: %s", name, said(r))
		}
	}
	none := connect(t, &fake{err: errors.New("no vault here\ntry: memsync init")})
	for tool, args := range map[string]any{"memory_search": map[string]any{"query": "x"}, "memory_get": map[string]any{"ids": []string{"x"}}} {
		if r := call(t, none, tool, args); !r.IsError || !strings.Contains(said(r), "try: memsync init") {
			t.Errorf("%s: %s", tool, said(r))
		}
	}
	if _, err := none.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: bootURI}); err == nil || !strings.Contains(err.Error(), "memsync init") {
		t.Errorf("resource: %v", err)
	}
	if list, err := none.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 1 {
		t.Errorf("resources without a vault: %+v, %v", list, err)
	}
}

func TestContextIsPacked(t *testing.T) {
	r := call(t, connect(t, &fake{}), "memory_context", map[string]any{"message": "the demo", "intent": "plan"})
	if r.IsError || said(r) != "for the demo: [password]" || r.StructuredContent.(map[string]any)["intent"] != "plan" {
		t.Errorf("%s %+v", said(r), r.StructuredContent)
	}
}

func TestOperationsAreAppliedOrRefusedWithReasons(t *testing.T) {
	c := connect(t, &fake{})
	two := []any{map[string]any{"id": "a"}, map[string]any{"id": "b"}}
	r := call(t, c, "memory_ops", map[string]any{"delete": two, "dry_run": true})
	if want := "would apply: delete[1] b in facts/x.md\nrefused: delete[0]: it holds [password] (secret)\n"; r.IsError || said(r) != want {
		t.Errorf("%s", said(r))
	}
	if r = call(t, c, "memory_ops", map[string]any{"delete": two[:1]}); !r.IsError || !strings.Contains(said(r), "refused: delete[0]") {
		t.Errorf("all refused: %s", said(r))
	}
	if r = call(t, c, "memory_ops", map[string]any{}); r.IsError || !strings.Contains(said(r), "nothing to do") {
		t.Errorf("nothing: %s", said(r))
	}
	if r = call(t, c, "memory_ops", map[string]any{"write_file": "x"}); !r.IsError {
		t.Errorf("no operation: %s", said(r))
	}
}

func TestSomeIDsAreMissing(t *testing.T) {
	r := call(t, connect(t, &fake{}), "memory_get", map[string]any{"ids": []string{"tr-1", "nothing"}})
	if r.IsError || !strings.Contains(said(r), "It bakes") || !strings.Contains(said(r), "get nothing: there is nothing") {
		t.Errorf("%s", said(r))
	}
}

func TestLongTextIsCutAndSaysSo(t *testing.T) {
	r := call(t, connect(t, &fake{}), "memory_get", map[string]any{"ids": []string{"big.md", "big.md"}})
	if len(said(r)) > maxText+1000 || !strings.Contains(said(r), "(cut here") {
		t.Errorf("%d bytes", len(said(r)))
	}
	const whole = "zażółć\ngęślą jaźń"
	for room := range 40 {
		kept, truncated := cut(whole, room)
		if len(kept) > room || !strings.HasPrefix(whole, kept) || truncated != (room < len(whole)) || !utf8.ValidString(kept) {
			t.Errorf("room %d: %q %v", room, kept, truncated)
		}
	}
}

func TestPagesAreListedAsTheyAre(t *testing.T) {
	f := &fake{topics: []Page{{"memory/café.md", "Café"}, {"memory/oven.md", "Oven"}}}
	c := connect(t, f)
	uris := func() (all []string) {
		list, err := c.ListResources(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range list.Resources {
			all = append(all, r.URI)
		}
		return all
	}
	if diff := cmp.Diff([]string{bootURI, "memory:///memory/caf%C3%A9.md", "memory:///memory/oven.md"}, uris()); diff != "" {
		t.Error(diff)
	}
	f.topics = f.topics[1:]
	if diff := cmp.Diff([]string{bootURI, "memory:///memory/oven.md"}, uris()); diff != "" {
		t.Error(diff)
	}
}

func TestResourcesDoNotLeadOut(t *testing.T) {
	c := connect(t, &fake{})
	for _, at := range []string{
		"memory:///../../etc/passwd", "memory:///%2e%2e/%2e%2e/etc/passwd.md", "memory:////etc/passwd.md", "memory:///C:/secret.md",
		"memory:///.git/config", "memory:///.git/x.md", "memory:///a%00b.md", "memory:///..%5C..%5Cx.md", "file:///etc/passwd",
		"memory:///memory/../../x.md", "memory:///nothing.md", "memory:///%ZZ.md", "memory:///.memoryrc",
	} {
		if r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: at}); err == nil {
			t.Errorf("%s was read: %+v", at, r)
		}
	}
}

func TestACallCanBeGivenUp(t *testing.T) {
	f := &fake{waiting: make(chan struct{})}
	c := connect(t, f)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "memory_search", Arguments: map[string]any{"query": "wait"}})
		done <- err
	}()
	<-f.waiting
	stop()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	if r := call(t, c, "memory_search", map[string]any{"query": "oven"}); r.IsError {
		t.Errorf("after it: %s", said(r))
	}
}

func TestManyCallsAtOnce(t *testing.T) {
	c := connect(t, &fake{})
	var calls sync.WaitGroup
	for i := range 100 {
		calls.Go(func() {
			q := fmt.Sprintf("oven %d", i)
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_search", Arguments: map[string]any{"query": q}})
			if err != nil || r.IsError || r.StructuredContent.(map[string]any)["query"] != q {
				t.Errorf("%s: %+v, %v", q, r, err)
			}
		})
	}
	calls.Wait()
}

// Whatever the arguments are, a tool answers: with a result or with an error that
// a model can read, and never with a secret.
func FuzzArguments(f *testing.F) {
	f.Add("memory_search", `{"query":"oven"}`)
	f.Add("memory_search", `{"query":"oven","limit":-1,"types":null}`)
	f.Add("memory_get", `{"ids":["../x","tr-1","\u0000"]}`)
	f.Add("fetch", `{"id":{"a":1}}`)
	f.Add("search", `[1,2]`)
	f.Add("none", `{}`)
	f.Fuzz(func(t *testing.T, tool, args string) {
		if !json.Valid([]byte(args)) || tool == "" {
			t.Skip()
		}
		if args == `{"query":"wait"}` {
			t.Skip()
		}
		c := connect(t, &fake{waiting: make(chan struct{}, 1)})
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
		if err != nil {
			known, listErr := c.ListTools(t.Context(), nil)
			if listErr != nil {
				t.Fatalf("the session is over: %v, %v", err, listErr)
			}
			for _, k := range known.Tools {
				if k.Name == tool && !strings.Contains(err.Error(), "unmarshal") {
					t.Fatalf("%s(%s): %v", tool, args, err)
				}
			}
			return
		}
		raw, err := json.Marshal(r)
		if err != nil || strings.Contains(string(raw), secretWord) {
			t.Fatalf("%s(%s): %s, %v", tool, args, raw, err)
		}
	})
}
