package synth

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/openai"
	"github.com/memsync/memsync/synth/llm/passes"
)

// Endpoints that misbehave, over HTTP: what they say never becomes memory, a vault
// that could not be written stays as it was, and the next run completes it.
func TestEndpoints(t *testing.T) {
	chatReply := func(content string) string {
		return inJSON(object{"choices": []object{{"finish_reason": "stop", "message": object{"role": "assistant", "content": content}}}})
	}
	write := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			fmt.Fprint(w, body)
		}
	}
	for _, tc := range []struct {
		name  string
		serve http.HandlerFunc
		waits bool // or the rules write
	}{
		{"a web page of a hotel", write("text/html", "<html><body>Welcome to our Wi-Fi</body></html>"), true},
		{"no JSON at all", write("application/json", "gateway busy"), true},
		{"half an answer", write("application/json", `{"choices":[{"message":{"role":"assi`), true},
		{"an answer without a message", write("application/json", `{"choices":[]}`), true},
		{"a connection that breaks", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				conn.Close()
			}
		}, true},
		{"an answer that never comes", func(_ http.ResponseWriter, req *http.Request) {
			_, _ = io.Copy(io.Discard, req.Body) // else the server does not see that nobody waits any more
			<-req.Context().Done()
		}, true},
		{"too many requests", func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"rate limit"}}`, http.StatusTooManyRequests)
		}, true},
		{"an error as the answer", write("application/json", chatReply("Error: the upstream model is overloaded, please try again.")), false},
		{"half a JSON as the answer", write("application/json", chatReply(`{"items":[{"turn":"t0001","kind":"fact","text":"Moved to`)), false},
		{"a web page as the answer", write("application/json", chatReply("<!DOCTYPE html><html><h1>502</h1></html>")), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(tc.serve)
			defer server.Close()
			m, err := openai.New(server.URL+"/v1", "served", "", server.Client())
			if err != nil {
				t.Fatal(err)
			}
			l := newLab(t)
			l.add(said("c1", "Rye", "2025-01-12T07:30:00Z", "I've decided to buy a stone mill for the rye flour next week.", "I prefer weights in grams over cups."))
			before, n := l.pages(), l.commits()
			l.cfg.Writer = &passes.Writer{Model: llm.NewCaller(m, llm.Config{Timeout: 100 * time.Millisecond, Retries: 1, Pause: time.Millisecond})}
			reports := l.run()
			if d := cmp.Diff(before, l.pages()); tc.waits && (d != "" || l.commits() != n || waitsIn(reports) == 0) {
				t.Errorf("%d commits, %d wait\n%s", l.commits()-n, waitsIn(reports), d)
			}
			all := string(archive(l.pages()))
			for _, bad := range []string{"Wi-Fi", "overloaded", "502", "gateway", "model:"} {
				if strings.Contains(all, bad) {
					t.Errorf("%q got into the vault", bad)
				}
			}
			l.cfg.Writer = writer(good())
			l.run()
			if b, err := NewRunner(l.v, l.cfg).Backlog(t.Context()); b.Conversations != 0 || err != nil || len(l.paths("sessions")) != 1 {
				t.Errorf("%d still wait: %v", b.Conversations, err)
			}
		})
	}
}
