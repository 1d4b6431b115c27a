package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// A mailbox speaks the batch interfaces of OpenAI and of Anthropic, and answers each
// request well. A batch that is sent while it holds what comes is under way until it
// brings all of them.
type mailbox struct {
	*httptest.Server

	mu      sync.Mutex
	holds   bool
	files   map[string]string
	batches []*sentBatch
}

type sentBatch struct {
	id, tag string
	at      time.Time
	held    bool
	items   []sentItem
}

type sentItem struct{ id, prompt string }

func newMailbox() *mailbox {
	m := &mailbox{files: map[string]string{}}
	mux := http.NewServeMux()
	for pattern, handle := range map[string]func(*http.Request) (any, error){
		"POST /v1/files":                        m.upload,
		"GET /v1/files/{id}/content":            m.content,
		"POST /v1/batches":                      m.submitFile,
		"GET /v1/batches":                       m.list((*mailbox).openai),
		"GET /v1/batches/{id}":                  m.look((*mailbox).openai),
		"POST /v1/messages/batches":             m.submit,
		"GET /v1/messages/batches":              m.list((*mailbox).anthropic),
		"GET /v1/messages/batches/{id}":         m.look((*mailbox).anthropic),
		"GET /v1/messages/batches/{id}/results": m.results,
	} {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, req *http.Request) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if req.Header.Get("Authorization") != "Bearer sesame" && req.Header.Get("X-Api-Key") != "sesame" {
				http.Error(w, `{"error":{"message":"no key"}}`, http.StatusUnauthorized)
				return
			}
			answer, err := handle(req)
			if err != nil {
				http.Error(w, fmt.Sprintf(`{"type":"error","error":{"type":"not_found_error","message":%q}}`, err), http.StatusNotFound)
				return
			}
			if text, ok := answer.(string); ok { // lines of JSON
				_, _ = io.WriteString(w, text)
				return
			}
			w.Header().Set("Content-Type", "application/json")
			_ = json.NewEncoder(w).Encode(answer)
		})
	}
	m.Server = httptest.NewServer(mux)
	return m
}

func (m *mailbox) upload(req *http.Request) (any, error) {
	f, _, err := req.FormFile("file")
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(f)
	id := fmt.Sprintf("file-%d", len(m.files))
	m.files[id] = string(raw)
	return map[string]any{"id": id}, err
}

func (m *mailbox) content(req *http.Request) (any, error) { return m.files[req.PathValue("id")], nil }

func (m *mailbox) begin(tag string) *sentBatch {
	b := &sentBatch{id: fmt.Sprintf("batch-%d", len(m.batches)), tag: tag, at: time.Now(), held: m.holds}
	m.batches = append(m.batches, b)
	return b
}

func (m *mailbox) submitFile(req *http.Request) (any, error) {
	var body struct {
		File     string            `json:"input_file_id"`
		Metadata map[string]string `json:"metadata"`
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		return nil, err
	}
	b := m.begin(body.Metadata["memsync_tag"])
	for line := range strings.Lines(m.files[body.File]) {
		var item struct {
			ID   string `json:"custom_id"`
			Body struct {
				Messages []struct{ Content string } `json:"messages"`
			} `json:"body"`
		}
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			return nil, err
		}
		b.items = append(b.items, sentItem{item.ID, item.Body.Messages[len(item.Body.Messages)-1].Content})
	}
	return m.openai(b), nil
}

func (m *mailbox) submit(req *http.Request) (any, error) {
	var body struct {
		Requests []struct {
			ID     string `json:"custom_id"`
			Params struct {
				Messages []struct {
					Content []struct{ Text string } `json:"content"`
				} `json:"messages"`
			} `json:"params"`
		} `json:"requests"`
	}
	if err := json.NewDecoder(req.Body).Decode(&body); err != nil {
		return nil, err
	}
	b := m.begin("")
	for _, r := range body.Requests {
		b.items = append(b.items, sentItem{r.ID, r.Params.Messages[len(r.Params.Messages)-1].Content[0].Text})
	}
	return m.anthropic(b), nil
}

func (m *mailbox) list(show func(*mailbox, *sentBatch) any) func(*http.Request) (any, error) {
	return func(*http.Request) (any, error) {
		all := []any{}
		for _, b := range slices.Backward(m.batches) {
			all = append(all, show(m, b))
		}
		return map[string]any{"data": all, "has_more": false}, nil
	}
}

func (m *mailbox) find(id string) (*sentBatch, error) {
	i := slices.IndexFunc(m.batches, func(b *sentBatch) bool { return b.id == id })
	if i < 0 {
		return nil, fmt.Errorf("no batch %s", id)
	}
	return m.batches[i], nil
}

func (m *mailbox) look(show func(*mailbox, *sentBatch) any) func(*http.Request) (any, error) {
	return func(req *http.Request) (any, error) {
		b, err := m.find(req.PathValue("id"))
		if err != nil {
			return nil, err
		}
		return show(m, b), nil
	}
}

// openai is a batch as OpenAI shows it; its replies are a file of their own.
func (m *mailbox) openai(b *sentBatch) any {
	o := map[string]any{"id": b.id, "status": "in_progress", "metadata": map[string]string{"memsync_tag": b.tag}}
	if b.held {
		return o
	}
	var out strings.Builder
	for _, it := range b.items {
		fmt.Fprintf(&out, `{"custom_id":%q,"response":{"status_code":200,"body":{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":%s}}],"usage":{"prompt_tokens":10,"completion_tokens":6}}},"error":null}`+"\n", it.id, answered(it.prompt))
	}
	m.files["out-"+b.id] = out.String()
	o["status"], o["output_file_id"] = "completed", "out-"+b.id
	return o
}

func (m *mailbox) anthropic(b *sentBatch) any {
	status, counts := "ended", map[string]int{"succeeded": len(b.items)}
	if b.held {
		status, counts = "in_progress", map[string]int{"processing": len(b.items)}
	}
	return map[string]any{"id": b.id, "type": "message_batch", "processing_status": status, "request_counts": counts, "created_at": b.at.Format(time.RFC3339Nano)}
}

func (m *mailbox) results(req *http.Request) (any, error) {
	b, err := m.find(req.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var out strings.Builder
	for _, it := range b.items {
		fmt.Fprintf(&out, `{"custom_id":%q,"result":{"type":"succeeded","message":{"model":"m","role":"assistant","type":"message","stop_reason":"end_turn","content":[{"type":"text","text":%s}],"usage":{"input_tokens":10,"output_tokens":6}}}}`+"\n", it.id, answered(it.prompt))
	}
	return out.String(), nil
}

// answered is the answer to a prompt as a string of JSON. What goes in batches are
// summaries of sessions.
func answered(prompt string) string {
	answer, err := json.Marshal(chatAnswer("session_summary", prompt))
	if err != nil {
		panic(err)
	}
	text, err := json.Marshal(string(answer))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// mail hold, or bring: what is sent from now on is under way, or all that was sent is
// answered. mail sent N... waits until batches of just these sizes were sent.
func mail(ts *testscript.TestScript, neg bool, args []string) {
	m := ts.Value("mailbox").(*mailbox)
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mail hold|bring|sent N...")
	}
	switch args[0] {
	case "hold", "bring":
		m.mu.Lock()
		defer m.mu.Unlock()
		m.holds = args[0] == "hold"
		for _, b := range m.batches {
			b.held = b.held && m.holds
		}
	case "sent":
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		var sizes []string
		for begin := time.Now(); time.Since(begin) < 20*time.Second; <-tick.C {
			sizes = nil
			m.mu.Lock()
			for _, b := range m.batches {
				sizes = append(sizes, strconv.Itoa(len(b.items)))
			}
			m.mu.Unlock()
			if slices.Equal(sizes, args[1:]) {
				return
			}
		}
		ts.Fatalf("batches of %v were sent, not %v", sizes, args[1:])
	default:
		ts.Fatalf("mail %s: hold, bring or sent", args[0])
	}
}

// talks N FILE writes an export of N conversations, a day each.
func talks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: talks N FILE")
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	type object = map[string]any
	var all []object
	for i := range n {
		at := time.Date(2025, 3, 1+i, 9, 0, 0, 0, time.UTC).Unix()
		said := func(id, parent, child, role, text string) object {
			children := []string{}
			if child != "" {
				children = append(children, child)
			}
			return object{"id": id, "parent": parent, "children": children, "message": object{
				"id": id, "author": object{"role": role}, "create_time": at, "content": object{"content_type": "text", "parts": []string{text}}, "metadata": object{}}}
		}
		all = append(all, object{
			"id": fmt.Sprintf("talk-%d", i), "conversation_id": fmt.Sprintf("talk-%d", i), "title": fmt.Sprintf("Orchard %d", i), "create_time": at, "update_time": at, "current_node": "c",
			"mapping": object{
				"root": object{"id": "root", "message": nil, "parent": nil, "children": []string{"a"}},
				"a":    said("a", "root", "b", "user", fmt.Sprintf("I've decided to plant %d apple trees behind the shed of lot %d.", i+2, 7*i)),
				"b":    said("b", "a", "c", "assistant", "A good plan."),
				"c":    said("c", "b", "", "user", "I prefer old sorts of apples over the ones in the supermarket."),
			},
		})
	}
	raw, err := json.Marshal(all)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), raw, 0o600))
}
