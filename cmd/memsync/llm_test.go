package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// newChatServer speaks OpenAI's chat protocol. Under /good it answers well, under
// /refuse it takes no key.
func newChatServer() *httptest.Server {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /good/v1/chat/completions", func(w http.ResponseWriter, req *http.Request) {
		var body struct {
			Model    string `json:"model"`
			Messages []struct {
				Content string `json:"content"`
			} `json:"messages"`
			Format struct {
				Schema struct {
					Name string `json:"name"`
				} `json:"json_schema"`
			} `json:"response_format"`
		}
		if err := json.NewDecoder(req.Body).Decode(&body); err != nil || req.Header.Get("Authorization") != "Bearer sesame" {
			http.Error(w, `{"error":{"message":"no key"}}`, http.StatusUnauthorized)
			return
		}
		text, err := json.Marshal(chatAnswer(body.Format.Schema.Name, body.Messages[len(body.Messages)-1].Content))
		if err == nil {
			w.Header().Set("Content-Type", "application/json")
			err = json.NewEncoder(w).Encode(map[string]any{
				"model": body.Model, "usage": map[string]int{"prompt_tokens": 1000, "completion_tokens": 100},
				"choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]string{"role": "assistant", "content": string(text)}}},
			})
		}
		if err != nil {
			panic(err)
		}
	})
	mux.HandleFunc("/refuse/", func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, `{"error":{"message":"wrong key"}}`, http.StatusUnauthorized)
	})
	return httptest.NewServer(mux)
}

var (
	personsTurn = regexp.MustCompile(`(?m)^\[(?:c\d+/)?(t\d+)\] user: ([^.?!\n]+)`)
	shownClaim  = regexp.MustCompile(`(?m)^\[(f-[a-z0-9]+)\] [a-z]+, [^:]*: (.+)$`)
)

// chatAnswer is a good answer for a schema: the person's own sentences with the
// turns in which they stand, and nothing else.
func chatAnswer(schema, prompt string) any {
	type object = map[string]any
	list := []object{}
	switch schema {
	case "session_summary":
		for _, m := range personsTurn.FindAllStringSubmatch(prompt, 4) {
			list = append(list, object{"turn": m[1], "kind": "fact", "text": "Told: " + m[2] + "."})
		}
		return object{"items": list, "key_topics": []string{}}
	case "operations":
		for _, m := range personsTurn.FindAllStringSubmatch(prompt, 4) {
			if len(m[2]) > 20 {
				list = append(list, object{"turn": m[1], "quote": m[2], "op": "create", "id": nil, "kind": "preference", "text": "Told: " + m[2] + ".", "domain": nil, "topic": nil, "confidence": nil})
			}
		}
		return object{"operations": list}
	case "profile_card":
		for _, m := range shownClaim.FindAllStringSubmatch(prompt, 5) {
			list = append(list, object{"text": m[2], "from": []string{m[1]}})
		}
		return object{"one": list[0], "bullets": list}
	case "answer":
		for _, l := range read(prompt, prompt)[:1] {
			list = append(list, object{"text": l.text, "cites": []string{l.id}}, object{"text": "And 4711 more.", "cites": []string{l.id}})
		}
		return object{"sentences": list, "recall": nil}
	}
	return object{}
}

func TestChatServerSaysWhatItIsAsked(t *testing.T) {
	got := chatAnswer("session_summary", "[t0001] user: I live in Ghent. And more.\n[t0002] assistant: Fine.")
	raw, err := json.Marshal(got)
	if err != nil || !strings.Contains(string(raw), `"Told: I live in Ghent."`) || strings.Contains(string(raw), "Fine") {
		t.Errorf("%s: %v", raw, err)
	}
}
