package anthropic_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/anthropic"
)

var schema = &llm.Schema{Name: "x", Fields: []llm.Field{{Name: "a", Type: llm.Type{Kind: llm.String}}}}

func TestComplete(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "from the environment")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		asked = append(asked, string(raw))
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("X-Api-Key") != "given" {
			t.Errorf("the key is %q", r.Header.Get("X-Api-Key"))
		}
		if strings.Contains(string(raw), "output_config") {
			w.WriteHeader(400)
			fmt.Fprint(w, `{"type":"error","error":{"type":"invalid_request_error","message":"output_config: not supported by this model"}}`)
			return
		}
		fmt.Fprint(w, `{"model":"m","role":"assistant","type":"message","stop_reason":"refusal","content":[{"type":"text","text":"{}"}],"usage":{"input_tokens":3,"output_tokens":2}}`)
	}))
	defer s.Close()
	m, err := anthropic.New(s.URL+"/v1", "m", "given", nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.Complete(t.Context(), llm.Request{System: "be brief", Schema: schema, Messages: []llm.Message{{Text: "go"}}})
	if err != nil || !r.Declined || r.Usage != (llm.Usage{In: 3, Out: 2}) || len(asked) != 2 || !strings.Contains(asked[1], "additionalProperties") {
		t.Errorf("%+v, %v after %v", r, err, asked)
	}
}

func TestErrorsAreSorted(t *testing.T) {
	for status, want := range map[int]error{529: llm.ErrDown, 429: llm.ErrDown, 401: llm.ErrRefused} {
		n := 0
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			n++
			w.WriteHeader(status)
			fmt.Fprint(w, `{"type":"error","error":{"type":"x","message":"no"}}`)
		}))
		m, err := anthropic.New(s.URL, "m", "k", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Complete(t.Context(), llm.Request{Messages: []llm.Message{{Text: "go"}}}); !errors.Is(err, want) || n != 1 {
			t.Errorf("status %d after %d requests: %v", status, n, err)
		}
		s.Close()
	}
}
