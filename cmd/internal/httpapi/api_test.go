package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/tools/txtar"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

var now = time.Date(2025, 9, 2, 6, 10, 0, 0, time.UTC)

const (
	at      = "127.0.0.1:7583"
	token   = "a-token-that-nobody-guesses"
	outside = "what stands outside the vault"
)

// memoryOf opens the vault that package pack is tested with, beside a file that
// nobody may read.
func memoryOf(t testing.TB) *answer.Memory {
	t.Helper()
	a, err := txtar.ParseFile("../../../index/pack/testdata/vault.txtar")
	if err != nil {
		t.Fatal(err)
	}
	base := t.TempDir()
	dir := filepath.Join(base, "vault")
	for _, f := range append(a.Files, txtar.File{Name: "../outside.md", Data: []byte(outside + "\n")}) {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(base, "outside.md"), filepath.Join(dir, "notes", "link.md")); err != nil {
		t.Log(err) // a system without symbolic links
	}
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	clock := func() time.Time { return now }
	x, err := index.Open(context.Background(), t.TempDir(), e, index.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if _, err := x.Sync(context.Background(), v); err != nil {
		t.Fatal(err)
	}
	r := privacy.NewRedactor(privacy.Policy(nil).Strict(), make([]byte, 32))
	return answer.New(answer.Config{Vault: v, Index: x, Now: clock, State: t.TempDir(), Redact: func(previous, text string) string {
		clean, _ := r.RedactAfter(previous, text)
		return clean
	}})
}

func config(t testing.TB) Config {
	m := memoryOf(t)
	return Config{
		Open:  func(context.Context) (*answer.Memory, func(), error) { return m, func() {}, nil },
		Ops:   func(_ context.Context, body []byte) (any, error) { return map[string]any{"given": len(body)}, nil },
		Token: token, Now: func() time.Time { return now }, Version: "test",
	}
}

type call struct {
	method, path, body string
	header             map[string]string
	host               string
}

func (c call) to(h http.Handler) (code int, body string) {
	method := c.method
	if method == "" {
		method = http.MethodGet
		if c.body != "" {
			method = http.MethodPost
		}
	}
	r := httptest.NewRequest(method, "http://"+at+"/", strings.NewReader(c.body))
	r.URL.Path, r.URL.RawPath, r.RequestURI = "", "", c.path
	if u, err := r.URL.Parse(c.path); err == nil {
		r.URL = u
	}
	r.Host = at
	if c.host != "" {
		r.Host = c.host
	}
	if c.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for k, v := range c.header {
		r.Header.Set(k, v)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// Every reply is as the document says, and every path of the document is served.
func TestTheDocumentIsTrue(t *testing.T) {
	h := config(t).Handler(at)
	code, text := call{path: "/openapi.json"}.to(h)
	if code != http.StatusOK {
		t.Fatalf("%d %s", code, text)
	}
	var doc struct {
		OpenAPI string
		Paths   map[string]map[string]struct {
			RequestBody struct {
				Content map[string]struct{ Schema *jsonschema.Schema }
			}
			Responses map[string]struct {
				Content map[string]struct{ Schema *jsonschema.Schema }
			}
		}
		Components struct{ Schemas map[string]*jsonschema.Schema }
	}
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	calls := map[string]call{
		"post /query":       {path: "/query", body: `{"query":"the export of Reflecta","limit":3,"mode":"hybrid"}`},
		"post /context":     {path: "/context", body: `{"message":"when did I ship the export?","turns":[{"speaker":"user","text":"hello"}]}`},
		"get /memory/{id}":  {path: "/memory/f-4k7q"},
		"post /ops":         {path: "/ops", body: `{"create":[]}`, header: map[string]string{"Authorization": "Bearer " + token}},
		"get /healthz":      {path: "/healthz"},
		"get /status":       {path: "/status"},
		"get /openapi.json": {path: "/openapi.json"},
	}
	seen := 0
	for path, methods := range doc.Paths {
		for method, op := range methods {
			seen++
			c, ok := calls[method+" "+path]
			if !ok {
				t.Errorf("%s %s is not tried here", method, path)
				continue
			}
			code, text := c.to(h)
			if code != http.StatusOK {
				t.Errorf("%s %s: %d %s", method, path, code, text)
				continue
			}
			check(t, method+" "+path, op.Responses["200"].Content["application/json"].Schema, text)
			if s := op.RequestBody.Content["application/json"].Schema; s != nil {
				check(t, "the body of "+path, s, c.body)
			}
		}
	}
	if seen != len(calls) {
		t.Errorf("the document has %d operations, %d are tried", seen, len(calls))
	}
	_, text = call{path: "/nowhere"}.to(h)
	check(t, "an error", doc.Components.Schemas["Error"], text)
}

func check(t *testing.T, what string, s *jsonschema.Schema, text string) {
	t.Helper()
	if s == nil {
		t.Errorf("%s: the document has no schema", what)
		return
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Errorf("%s: %v", what, err)
		return
	}
	if err := r.Validate(v); err != nil {
		t.Errorf("%s is not as the document says: %v\n%s", what, err, text)
	}
}

func TestAnswers(t *testing.T) {
	h := config(t).Handler(at)
	code, text := call{path: "/query", body: `{"query":"CSV export before the demo","limit":1,"types":["session"]}`}.to(h)
	for _, want := range []string{
		`{"schema_version":1,"results":[{"conversation_id":"`, `"title":"CSV export before the demo"`, `"summary":"Finished the CSV export`,
		`"created_at":"2025-08-09T19:31:04Z"`, `"score":`, `"fresh":true`,
	} {
		if code != http.StatusOK || !strings.Contains(text, want) {
			t.Errorf("%d, lacks %s: %s", code, want, text)
		}
	}
	if code, text := (call{path: "/memory/tr-jonas%23%5Et0004"}).to(h); code != http.StatusOK || strings.Contains(text, "Mango") || !strings.Contains(text, "[password ") {
		t.Errorf("a turn with a secret: %d %s", code, text)
	}
	if code, text := (call{path: "/memory/transcripts/whatsapp/2025/2025-08-12-jonas.md"}).to(h); code != http.StatusOK || strings.Contains(text, "Mango") {
		t.Errorf("a note with a secret: %d %s", code, text)
	}
	for _, body := range []call{{path: "/query", body: `{"query":"what's my wifi password"}`}, {path: "/context", body: `{"message":"what's my wifi password"}`}} {
		if code, text := body.to(h); code != http.StatusForbidden || !strings.Contains(text, `"kind":"refused"`) {
			t.Errorf("%s: %d %s", body.path, code, text)
		}
	}
}

func TestTheDoor(t *testing.T) {
	c := config(t)
	h := c.Handler(at)
	big := `{"query":"` + strings.Repeat("x", maxBody) + `"}`
	bearer := map[string]string{"Authorization": "Bearer " + token}
	for name, test := range map[string]struct {
		call
		want int
	}{
		"from here":                   {call{path: "/status"}, 200},
		"by the name localhost":       {call{path: "/status", host: "localhost:7583"}, 200},
		"by a name that resolves":     {call{path: "/status", host: "evil.example:7583"}, 403},
		"by another port":             {call{path: "/status", host: "127.0.0.1:80"}, 403},
		"by no port":                  {call{path: "/status", host: "localhost"}, 403},
		"from a page":                 {call{path: "/status", header: map[string]string{"Origin": "https://evil.example"}}, 403},
		"from a page of no origin":    {call{path: "/status", header: map[string]string{"Origin": "null"}}, 403},
		"from another local page":     {call{path: "/status", header: map[string]string{"Origin": "http://localhost:3000"}}, 403},
		"from our own page":           {call{path: "/status", header: map[string]string{"Origin": "http://" + at}}, 200},
		"a page with the token":       {call{path: "/status", header: map[string]string{"Origin": "https://evil.example", "Authorization": "Bearer " + token}}, 403},
		"a write without the token":   {call{path: "/ops", body: `{}`}, 401},
		"a write with another token":  {call{path: "/ops", body: `{}`, header: map[string]string{"Authorization": "Bearer x"}}, 401},
		"a write with the token":      {call{path: "/ops", body: `{}`, header: bearer}, 200},
		"the token at another name":   {call{path: "/status", host: "memory.home:7583", header: bearer}, 200},
		"a form":                      {call{path: "/query", body: `{"query":"x"}`, header: map[string]string{"Content-Type": "text/plain"}}, 415},
		"too large":                   {call{path: "/query", body: big}, 413},
		"no JSON":                     {call{path: "/query", body: `{"query":`}, 400},
		"two values":                  {call{path: "/query", body: `{"query":"x"}{}`}, 400},
		"an unknown field":            {call{path: "/query", body: `{"query":"x","limt":3}`}, 400},
		"an unknown mode":             {call{path: "/query", body: `{"query":"x","mode":"magic"}`}, 400},
		"a limit beyond":              {call{path: "/query", body: `{"query":"x","limit":100000}`}, 400},
		"an empty query":              {call{path: "/query", body: `{"query":"  "}`}, 400},
		"a budget beyond":             {call{path: "/context", body: `{"message":"x","budget":99999999}`}, 400},
		"an unknown intent":           {call{path: "/context", body: `{"message":"x","intent":"dream"}`}, 400},
		"a day that is none":          {call{path: "/query", body: `{"query":"x","since":"soon"}`}, 400},
		"another method":              {call{method: "DELETE", path: "/query"}, 405},
		"an id that nothing has":      {call{path: "/memory/f-none"}, 404},
		"a path that nothing answers": {call{path: "/etc/passwd"}, 404},
	} {
		if code, text := test.to(h); code != test.want {
			t.Errorf("%s: %d, want %d: %.200s", name, code, test.want, text)
		}
	}
	c.Token = ""
	if code, _ := (call{path: "/ops", body: `{}`}).to(c.Handler(at)); code != 401 {
		t.Errorf("a write where no token is set: %d", code)
	}
	c.Token = token
	far := c.Handler("192.0.2.7:7583")
	for path, want := range map[string]int{"/status": 401, "/healthz": 200, "/query": 401} {
		if code, _ := (call{path: path, host: "192.0.2.7:7583"}).to(far); code != want {
			t.Errorf("beyond loopback, %s without the token: %d, want %d", path, code, want)
		}
	}
	c.Addr, c.Token = "0.0.0.0:0", ""
	if l, err := c.Listen(t.Context()); err == nil {
		_ = l.Close()
		t.Error("listens beyond loopback without a token")
	}
}

// escapes are ids that try to leave the vault.
var escapes = []string{
	"../outside.md", "..%2foutside.md", "%2e%2e/outside.md", "%2e%2e%2foutside", "..%5coutside.md", "/outside.md", "%2fetc%2fpasswd",
	"notes/../../outside.md", "notes%2f..%2f..%2foutside.md", "notes/link.md", "notes%2flink.md", "notes/link", ".git/config", ".memoryrc",
	"%00", "outside.md%00.md", "C:%5cWindows%5cwin.ini", "file:%2f%2f%2fetc%2fpasswd", "....//outside.md", "transcripts", "",
}

func TestNothingOutsideTheVaultIsRead(t *testing.T) {
	h := config(t).Handler(at)
	for _, id := range escapes {
		code, text := call{path: "/memory/" + id}.to(h)
		if code == http.StatusOK || code >= 500 || strings.Contains(text, outside) {
			t.Errorf("%q: %d %s", id, code, text)
		}
	}
	_, text := call{path: "/query", body: `{"query":"` + outside + `","limit":50}`}.to(h)
	if strings.Contains(text, "outside.md") || strings.Contains(text, "link.md") {
		t.Errorf("a symbolic link was followed: %s", text)
	}
}

func TestTheRateIsBounded(t *testing.T) {
	c := config(t)
	clock := now
	c.Now = func() time.Time { return clock }
	h := c.Handler(at)
	turned := 0
	for range burst + 50 {
		if code, _ := (call{path: "/healthz"}).to(h); code == http.StatusTooManyRequests {
			turned++
		}
	}
	if turned != 50 {
		t.Errorf("%d requests were turned away, want 50", turned)
	}
	clock = clock.Add(time.Second)
	if code, _ := (call{path: "/healthz"}).to(h); code != http.StatusOK {
		t.Errorf("a second later: %d", code)
	}
}

func TestWithoutAMemory(t *testing.T) {
	c := config(t)
	c.Open = func(context.Context) (*answer.Memory, func(), error) {
		return nil, nil, errors.New("the vault is not there")
	}
	h := c.Handler(at)
	if code, text := (call{path: "/status"}).to(h); code != http.StatusServiceUnavailable || !strings.Contains(text, "the vault is not there") {
		t.Errorf("%d %s", code, text)
	}
	if code, _ := (call{path: "/healthz"}).to(h); code != http.StatusOK {
		t.Errorf("healthz: %d", code)
	}
}

// Requests under way are answered before the server ends.
func TestShutdown(t *testing.T) {
	c := config(t)
	inner, asked, proceed := c.Open, make(chan struct{}), make(chan struct{})
	c.Open = func(ctx context.Context) (*answer.Memory, func(), error) {
		close(asked)
		<-proceed
		return inner(ctx)
	}
	c.Addr, c.Now = "127.0.0.1:0", time.Now
	l, err := c.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	running.Go(func() {
		if err := c.Serve(ctx, l); err != nil {
			t.Error(err)
		}
	})
	running.Go(func() {
		r, err := http.Get("http://" + l.Addr().String() + "/status")
		if err != nil {
			t.Error(err)
			return
		}
		defer r.Body.Close()
		if body, err := io.ReadAll(r.Body); err != nil || r.StatusCode != http.StatusOK {
			t.Errorf("%d %v %s", r.StatusCode, err, body)
		}
	})
	<-asked
	stop()
	close(proceed)
	running.Wait()
}

func FuzzHandlers(f *testing.F) {
	c := config(f)
	var ticks atomic.Int64 // the rate is no subject here
	c.Now = func() time.Time { return now.Add(time.Duration(ticks.Add(1)) * time.Second) }
	h := c.Handler(at)
	f.Add("/query", `{"query":"export"}`)
	f.Add("/context", `{"message":"plan","turns":[{"text":""}],"budget":3}`)
	f.Add("/query", `{"query":"\u0000\ud800","limit":1e9}`)
	for _, id := range escapes {
		f.Add("/memory/"+id, "")
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		if !strings.HasPrefix(path, "/") {
			return
		}
		r, err := http.NewRequest("POST", "http://"+at+path, strings.NewReader(body))
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/json")
		for _, method := range []string{"GET", "POST"} {
			r.Method, r.Body = method, io.NopCloser(strings.NewReader(body))
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if w.Code >= 500 && w.Code != http.StatusNotImplemented || strings.Contains(w.Body.String(), outside) && !strings.Contains(body+path, outside) {
				t.Errorf("%s %s %q: %d %s", method, path, body, w.Code, w.Body)
			}
		}
	})
}
