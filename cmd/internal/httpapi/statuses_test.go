package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/memsync/memsync/cmd/internal/answer"
)

// Every status that the document names for a path is given by it, with a body of
// the document's form and no other.
func TestEveryStatusOfTheDocumentIsGiven(t *testing.T) {
	c := config(t)
	c.Ops = func(context.Context, []byte) (any, error) {
		return nil, &answer.BadRequestError{Reason: "no such operation"}
	}
	bearer := map[string]string{"Authorization": "Bearer " + token}
	body := map[string]string{"/query": `{"query":"x"}`, "/context": `{"message":"x"}`, "/ops": `{}`}
	// provoke has a path give a status.
	provoke := func(path string, code int) (int, string) {
		c, at, one := c, at, call{path: strings.Replace(path, "{id}", "f-none", 1), body: body[path]}
		if path == "/ops" {
			one.header = bearer
		}
		switch code {
		case http.StatusBadRequest:
			one.body = `{"nonsense":1}`
		case http.StatusUnauthorized:
			at, one.host, one.header = "192.0.2.7:7583", "192.0.2.7:7583", nil
		case http.StatusForbidden:
			one.header, one.host = nil, "evil.example:7583"
		case http.StatusRequestEntityTooLarge:
			one.body = `"` + strings.Repeat("x", maxBody) + `"`
		case http.StatusUnsupportedMediaType:
			one.header = map[string]string{"Content-Type": "text/plain", "Authorization": "Bearer " + token}
		case http.StatusNotImplemented:
			c.Ops = nil
		case http.StatusServiceUnavailable:
			c.Open = func(context.Context) (*answer.Memory, func(), error) { return nil, nil, errors.New("it is locked") }
		}
		h := c.Handler(at)
		if code == http.StatusTooManyRequests {
			for range burst {
				call{path: "/healthz"}.to(h)
			}
		}
		return one.to(h)
	}
	raw, err := describe("test")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct{ Description string }
		}
		Components struct{ Schemas map[string]*jsonschema.Schema }
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	for path, methods := range doc.Paths {
		for method, op := range methods {
			for status, response := range op.Responses {
				code, err := strconv.Atoi(status)
				if err != nil || code == http.StatusOK {
					continue // default, and what TestTheDocumentIsTrue tries
				}
				got, text := provoke(path, code)
				if got != code || response.Description == "" {
					t.Errorf("%s %s: %d where the document has %d (%s): %s", method, path, got, code, response.Description, text)
				}
				check(t, path+" "+status, doc.Components.Schemas["Error"], text)
			}
		}
	}
	// Methods are those of the document; another one is told which.
	for _, rt := range routes() {
		one := strings.Replace(rt.path, "{id}", "f-4k7q", 1)
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"} {
			if slices.Contains([]string{rt.method, "HEAD"}, method) {
				continue
			}
			if code, text := (call{method: method, path: one, body: "{}"}).to(c.Handler(at)); code != http.StatusMethodNotAllowed && !(rt.path == "/ops" && code == http.StatusUnauthorized) {
				t.Errorf("%s %s: %d %s", method, one, code, text)
			}
		}
	}
}
