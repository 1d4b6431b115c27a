package mcpserver

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
)

// A wire carries messages to a server and its answers back, as they stand.
type wire interface {
	// ask sends a request and returns its answer.
	ask(line string) reply
	// tell sends a notification.
	tell(line string)
}

// A reply is a message of JSON-RPC.
type reply struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

// A stdioWire is standard input and output.
type stdioWire struct{ *raw }

func (w stdioWire) tell(line string) { w.send(line + "\n") }

func (w stdioWire) ask(line string) (m reply) {
	w.t.Helper()
	w.tell(line)
	for {
		text, err := w.out.ReadString('\n')
		if err == nil {
			err = json.Unmarshal([]byte(text), &m)
		}
		if err != nil {
			w.t.Fatalf("%q: %v", text, err)
		}
		if len(m.ID) > 0 { // not a notification of the server
			return m
		}
	}
}

// An httpWire is streamable HTTP; it keeps the session that it is given.
type httpWire struct {
	t       *testing.T
	at      string
	session string
}

func (w *httpWire) post(line string) *http.Response {
	w.t.Helper()
	r, err := http.NewRequestWithContext(w.t.Context(), http.MethodPost, "http://"+w.at+Endpoint, strings.NewReader(line))
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	if w.session != "" {
		r.Header.Set("Mcp-Session-Id", w.session)
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		w.t.Fatal(err)
	}
	if id := answer.Header.Get("Mcp-Session-Id"); id != "" {
		w.session = id
	}
	return answer
}

func (w *httpWire) tell(line string) {
	w.t.Helper()
	answer := w.post(line)
	defer answer.Body.Close()
	if text, _ := io.ReadAll(answer.Body); answer.StatusCode != http.StatusAccepted || len(text) > 0 {
		w.t.Errorf("a notification is answered: %s %s", answer.Status, text)
	}
}

func (w *httpWire) ask(line string) (m reply) {
	w.t.Helper()
	answer := w.post(line)
	defer answer.Body.Close()
	for lines := bufio.NewScanner(answer.Body); lines.Scan(); {
		text := strings.TrimPrefix(lines.Text(), "data: ")
		if json.Unmarshal([]byte(text), &m) == nil && len(m.ID) > 0 {
			return m
		}
	}
	w.t.Fatalf("no answer to %s: %s", line, answer.Status)
	return m
}

// The protocol as its specification has it, message by message, over either
// transport.
func TestConformance(t *testing.T) {
	for name, open := range map[string]func(t *testing.T) wire{
		"stdio": func(t *testing.T) wire { return stdioWire{newRaw(t)} },
		"http":  func(t *testing.T) wire { return &httpWire{t: t, at: serve(t, &fake{}, HTTP{})} },
	} {
		t.Run(name, func(t *testing.T) {
			for asked, want := range map[string]string{
				"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "1999-01-01": "20", "": "20",
			} {
				m := open(t).ask(fmt.Sprintf(`{"jsonrpc":"2.0","id":"v","method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`, asked))
				var hello struct {
					ProtocolVersion string
					ServerInfo      struct{ Name, Version string }
					Instructions    string
					Capabilities    struct{ Tools, Resources *struct{} }
				}
				if m.Error != nil || json.Unmarshal(m.Result, &hello) != nil || !strings.HasPrefix(hello.ProtocolVersion, want) {
					t.Errorf("version %q: %s, %+v", asked, m.Result, m.Error)
				}
				if hello.ServerInfo.Name != "memsync" || hello.Instructions == "" || hello.Capabilities.Tools == nil || hello.Capabilities.Resources == nil {
					t.Errorf("version %q: %s", asked, m.Result)
				}
			}
			w := open(t)
			if m := w.ask(strings.TrimSpace(hello)); m.Error != nil || string(m.ID) != "1" {
				t.Fatalf("initialize: %+v", m)
			}
			w.tell(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
			w.tell(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":12345}}`)
			for name, c := range map[string]struct {
				ask string // after the id
				// code is the error's, 0 for none; has stands in the result.
				code int
				has  string
			}{
				"ping":                  {`"method":"ping"`, 0, `{}`},
				"tools":                 {`"method":"tools/list"`, 0, `"outputSchema"`},
				"tools, no such page":   {`"method":"tools/list","params":{"cursor":"nonsense"}`, -32602, ""},
				"a call":                {`"method":"tools/call","params":{"name":"search","arguments":{"query":"oven"}}`, 0, `"structuredContent":{"results":[`},
				"no such tool":          {`"method":"tools/call","params":{"name":"rm","arguments":{}}`, -32602, ""},
				"arguments of no tool":  {`"method":"tools/call","params":{"name":"search","arguments":{"query":7}}`, 0, `"isError":true`},
				"resources":             {`"method":"resources/list"`, 0, `"memory:///MEMORY.md"`},
				"templates":             {`"method":"resources/templates/list"`, 0, `"memory:///{+path}"`},
				"a resource":            {`"method":"resources/read","params":{"uri":"memory:///MEMORY.md"}`, 0, `"text":"# Memory`},
				"no such resource":      {`"method":"resources/read","params":{"uri":"memory:///nothing.md"}`, -32602, ""},
				"a foreign resource":    {`"method":"resources/read","params":{"uri":"file:///etc/passwd"}`, -32602, ""},
				"prompts, none offered": {`"method":"prompts/get","params":{"name":"x"}`, -32602, ""},
			} {
				for _, id := range []string{"7", `"a string"`} {
					m := w.ask(`{"jsonrpc":"2.0","id":` + id + `,` + c.ask + `}`)
					code := 0
					if m.Error != nil {
						code = m.Error.Code
						if m.Error.Message == "" {
							t.Errorf("%s: the error says nothing", name)
						}
					}
					if string(m.ID) != id || code != c.code || !strings.Contains(string(m.Result), c.has) {
						t.Errorf("%s: id %s, %s, %+v", name, m.ID, m.Result, m.Error)
					}
				}
			}
		})
	}
}
