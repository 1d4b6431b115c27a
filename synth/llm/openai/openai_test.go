package openai_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/openai"
)

var schema = &llm.Schema{Name: "x", Fields: []llm.Field{{Name: "a", Type: llm.Type{Kind: llm.String}}}}

// A server that takes no schema is asked for any object, then in words; what it
// takes is remembered.
func TestFormStepsDown(t *testing.T) {
	var forms []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Format *struct {
				Type string `json:"type"`
			} `json:"response_format"`
			Messages []struct{ Content string } `json:"messages"`
		}
		_ = json.NewDecoder(r.Body).Decode(&body)
		form := "none"
		if body.Format != nil {
			form = body.Format.Type
		}
		forms = append(forms, form)
		if form != "none" {
			w.WriteHeader(400)
			fmt.Fprintf(w, `{"error":{"message":"response_format %s is not supported"}}`, form)
			return
		}
		if !strings.Contains(body.Messages[0].Content, `"properties"`) {
			t.Error("the prompt does not show the schema")
		}
		fmt.Fprint(w, `{"model":"m","choices":[{"finish_reason":"length","message":{"content":"{}"}}],"usage":{"prompt_tokens":3,"completion_tokens":2}}`)
	}))
	defer s.Close()
	m, err := openai.New(s.URL, "m", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	req := llm.Request{Schema: schema, Messages: []llm.Message{{Text: "go"}}}
	for range 2 {
		r, err := m.Complete(t.Context(), req)
		if err != nil || !r.Cut || r.Usage != (llm.Usage{In: 3, Out: 2}) {
			t.Errorf("%+v, %v", r, err)
		}
	}
	if got := strings.Join(forms, " "); got != "json_schema json_object none none" {
		t.Errorf("asked as %s", got)
	}
}

func TestErrorsAreSorted(t *testing.T) {
	for _, tc := range []struct {
		name, kind, body string
		status           int
		want             error
	}{
		{"busy", "application/json", `{"error":{"message":"slow down"}}`, 429, llm.ErrDown},
		{"wrong key", "application/json", `{"error":{"message":"bad key"}}`, 401, llm.ErrRefused},
		{"too long", "application/json", `{"error":{"message":"maximum context length"}}`, 400, llm.ErrRefused},
		{"a page of a proxy", "text/html", "<html>please log in</html>", 200, llm.ErrDown},
		{"cut off", "application/json", `{"choices":[{"mess`, 200, llm.ErrDown},
		{"empty", "application/json", `{"choices":[]}`, 200, llm.ErrDown},
	} {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", tc.kind)
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(tc.status)
			fmt.Fprint(w, tc.body)
		}))
		m, err := openai.New(s.URL, "m", "", nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = m.Complete(t.Context(), llm.Request{Schema: schema, Messages: []llm.Message{{Text: "go"}}})
		if !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
		if status, ok := errors.AsType[*llm.StatusError](err); ok && status.After != 7*time.Second {
			t.Errorf("%s: asked to wait %s", tc.name, status.After)
		}
		s.Close()
	}
}
