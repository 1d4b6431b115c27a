package batch_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// provider is a server that speaks both batch interfaces. It makes a reply of a
// request's last message, and misbehaves as it is told to.
type provider struct {
	mu      sync.Mutex
	files   map[string]string
	batches []*made
	polls   int // looks at a batch before it has ended
	// what becomes of a request: "", "expire", "error", "refuse", "wrong" or "omit"
	fate  func(text string, try int) string
	tries map[string]int
	// cut says which calls are cut off, by their number: before they are carried
	// out, or after.
	before, after func(call int) bool
	calls         int
}

type made struct {
	id, tag string
	at      time.Time
	ids     []string
	text    map[string]string
	fates   map[string]string
	looks   int
}

func serve(t *testing.T, p *provider) string {
	p.files, p.tries = map[string]string{}, map[string]int{}
	if p.fate == nil {
		p.fate = func(string, int) string { return "" }
	}
	s := httptest.NewServer(http.HandlerFunc(p.handle))
	t.Cleanup(s.Close)
	return s.URL
}

func (p *provider) handle(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls++
	if p.before != nil && p.before(p.calls) {
		panic(http.ErrAbortHandler)
	}
	rec := httptest.NewRecorder()
	p.answer(rec, r)
	if p.after != nil && p.after(p.calls) {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(rec.Code)
	_, _ = io.Copy(w, rec.Body)
}

func (p *provider) answer(w http.ResponseWriter, r *http.Request) {
	path := strings.TrimPrefix(r.URL.Path, "/v1")
	switch {
	case path == "/files":
		f, _, err := r.FormFile("file")
		if err != nil {
			http.Error(w, err.Error(), 400)
			return
		}
		raw, _ := io.ReadAll(f)
		id := fmt.Sprintf("file-%d", len(p.files))
		p.files[id] = string(raw)
		reply(w, map[string]any{"id": id})
	case strings.HasPrefix(path, "/files/"):
		_, _ = io.WriteString(w, p.files[strings.TrimSuffix(strings.TrimPrefix(path, "/files/"), "/content")])
	case path == "/batches" && r.Method == http.MethodPost:
		var req struct {
			File     string            `json:"input_file_id"`
			Metadata map[string]string `json:"metadata"`
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		b := p.begin(req.Metadata["memsync_tag"])
		for l := range strings.Lines(p.files[req.File]) {
			var item struct {
				ID   string `json:"custom_id"`
				Body struct {
					Messages []struct{ Content string } `json:"messages"`
				} `json:"body"`
			}
			_ = json.Unmarshal([]byte(l), &item)
			p.put(b, item.ID, item.Body.Messages[len(item.Body.Messages)-1].Content)
		}
		reply(w, p.openai(b))
	case path == "/batches":
		list := []any{}
		for _, b := range p.batches {
			list = append(list, p.openai(b))
		}
		reply(w, map[string]any{"data": list})
	case strings.HasPrefix(path, "/batches/"):
		if b := p.look(strings.TrimPrefix(path, "/batches/")); b != nil {
			reply(w, p.openai(b))
			return
		}
		http.Error(w, `{"error":{"message":"no such batch"}}`, 404)
	case path == "/messages/batches" && r.Method == http.MethodPost:
		var req struct {
			Requests []struct {
				ID     string `json:"custom_id"`
				Params struct {
					Messages []struct {
						Content []struct{ Text string } `json:"content"`
					} `json:"messages"`
				} `json:"params"`
			} `json:"requests"`
		}
		_ = json.NewDecoder(r.Body).Decode(&req)
		b := p.begin("")
		for _, item := range req.Requests {
			p.put(b, item.ID, item.Params.Messages[len(item.Params.Messages)-1].Content[0].Text)
		}
		reply(w, p.anthropic(b))
	case path == "/messages/batches":
		list := []any{}
		for i := range p.batches {
			list = append(list, p.anthropic(p.batches[len(p.batches)-1-i]))
		}
		reply(w, map[string]any{"data": list, "has_more": false})
	case strings.HasSuffix(path, "/results"):
		b := p.find(strings.TrimSuffix(strings.TrimPrefix(path, "/messages/batches/"), "/results"))
		for _, id := range b.ids {
			result := map[string]any{"type": "succeeded", "message": map[string]any{
				"model": "m", "role": "assistant", "type": "message", "stop_reason": "end_turn",
				"content": []any{map[string]any{"type": "text", "text": said(b.text[id], b.fates[id])}}, "usage": map[string]int{"input_tokens": 10, "output_tokens": 6},
			}}
			switch b.fates[id] {
			case "omit":
				continue
			case "expire":
				result = map[string]any{"type": "expired"}
			case "error":
				result = map[string]any{"type": "errored", "error": map[string]any{"type": "error", "error": map[string]any{"type": "api_error", "message": "overloaded"}}}
			case "refuse":
				result = map[string]any{"type": "errored", "error": map[string]any{"type": "error", "error": map[string]any{"type": "invalid_request_error", "message": "too long"}}}
			}
			reply(w, map[string]any{"custom_id": id, "result": result})
		}
	case strings.HasPrefix(path, "/messages/batches/"):
		if b := p.look(strings.TrimPrefix(path, "/messages/batches/")); b != nil {
			reply(w, p.anthropic(b))
			return
		}
		http.Error(w, `{"type":"error","error":{"type":"not_found_error","message":"no such batch"}}`, 404)
	default:
		http.NotFound(w, r)
	}
}

func (p *provider) begin(tag string) *made {
	b := &made{id: fmt.Sprintf("batch-%d", len(p.batches)), tag: tag, at: time.Now(), text: map[string]string{}, fates: map[string]string{}}
	p.batches = append(p.batches, b)
	return b
}

func (p *provider) put(b *made, id, text string) {
	p.tries[text]++
	b.ids, b.text[id] = append(b.ids, id), text
	b.fates[id] = p.fate(text, p.tries[text])
}

func (p *provider) find(id string) *made {
	for _, b := range p.batches {
		if b.id == id {
			return b
		}
	}
	return nil
}

func (p *provider) look(id string) *made {
	b := p.find(id)
	if b != nil {
		b.looks++
	}
	return b
}

func (p *provider) ended(b *made) bool { return b.looks > p.polls }

func (p *provider) openai(b *made) any {
	o := map[string]any{"id": b.id, "status": "in_progress", "metadata": map[string]string{"memsync_tag": b.tag}}
	if !p.ended(b) {
		return o
	}
	var out, bad strings.Builder
	o["status"] = "completed"
	for _, id := range b.ids {
		switch b.fates[id] {
		case "omit":
		case "expire":
			o["status"] = "expired"
			fmt.Fprintf(&bad, `{"custom_id":%q,"response":null,"error":{"code":"batch_expired","message":"expired"}}`+"\n", id)
		case "error":
			fmt.Fprintf(&bad, `{"custom_id":%q,"response":{"status_code":500,"body":{"error":{"message":"overloaded"}}},"error":null}`+"\n", id)
		case "refuse":
			fmt.Fprintf(&bad, `{"custom_id":%q,"response":{"status_code":400,"body":{"error":{"message":"too long"}}},"error":null}`+"\n", id)
		default:
			fmt.Fprintf(&out, `{"custom_id":%q,"response":{"status_code":200,"body":{"model":"m","choices":[{"finish_reason":"stop","message":{"role":"assistant","content":%q}}],"usage":{"prompt_tokens":10,"completion_tokens":6}}},"error":null}`+"\n", id, said(b.text[id], b.fates[id]))
		}
	}
	p.files["out-"+b.id], p.files["bad-"+b.id] = out.String(), bad.String()
	o["output_file_id"], o["error_file_id"] = "out-"+b.id, "bad-"+b.id
	return o
}

func (p *provider) anthropic(b *made) any {
	status, counts := "in_progress", map[string]int{"processing": len(b.ids)}
	if p.ended(b) {
		status, counts = "ended", map[string]int{"succeeded": len(b.ids)}
	}
	return map[string]any{"id": b.id, "type": "message_batch", "processing_status": status, "request_counts": counts, "created_at": b.at.Format(time.RFC3339Nano)}
}

func said(text, fate string) string {
	if fate == "wrong" {
		return "I'm sorry, but I can't help with that."
	}
	return `{"echo":"` + text + `"}`
}

func reply(w http.ResponseWriter, v any) { _ = json.NewEncoder(w).Encode(v) }
