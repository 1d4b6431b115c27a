package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/index/embed"
)

// A request is what a server was asked.
type request struct {
	Input      []string `json:"input"`
	Model      string   `json:"model"`
	Dimensions int      `json:"dimensions"`
}

// serve runs a server that answers with what answer writes.
func serve(t *testing.T, answer func(w http.ResponseWriter, r *http.Request, q request)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q request
		if err := json.NewDecoder(r.Body).Decode(&q); err != nil {
			t.Errorf("the request cannot be read: %v", err)
		}
		answer(w, r, q)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

// lengths answers with vectors that tell texts apart, in reverse order.
func lengths(w http.ResponseWriter, _ *http.Request, q request) {
	var data []string
	for i, t := range slices.Backward(q.Input) {
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,0,2]}`, i, len(t)))
	}
	fmt.Fprintf(w, `{"object":"list","model":"m","data":[%s]}`, strings.Join(data, ","))
}

func newTest(t *testing.T, url string, cfg Config) *Embedder {
	t.Helper()
	e, err := New(url, "m", cfg)
	if err != nil {
		t.Fatal(err)
	}
	e.wait = func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return e
}

func TestEmbed(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	url := serve(t, func(w http.ResponseWriter, r *http.Request, q request) {
		mu.Lock()
		defer mu.Unlock()
		seen = append(seen, q.Input...)
		if r.URL.Path != "/v1/embeddings" || q.Model != "m" || len(q.Input) > 3 || r.Header.Get("Authorization") != "Bearer k" {
			t.Errorf("%s %+v", r.URL.Path, q)
		}
		lengths(w, r, q)
	})
	e := newTest(t, url, Config{Key: "k", Batch: 3, DocumentPrefix: "d: ", QueryPrefix: "q: "})
	if m := e.Model(); m.Dim != 0 || !strings.HasPrefix(m.ID, "openai/m+") {
		t.Errorf("model %v", m)
	}
	texts := []string{"a", "", "bb", "ccc", "dddd", " \n", "eeeee", "ffffff", "ggggggg"}
	got, err := e.Embed(t.Context(), texts, embed.Document)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		n := float64(len("d: ") + len(texts[i]))
		want := []float32{float32(n / math.Hypot(n, 2)), 0, float32(2 / math.Hypot(n, 2))}
		if strings.TrimSpace(texts[i]) == "" {
			want = []float32{0, 0, 0}
		}
		if d := cmp.Diff(want, v); d != "" {
			t.Errorf("text %d: %s", i, d)
		}
	}
	if len(seen) != 7 || e.Model().Dim != 3 {
		t.Errorf("%d texts sent, dimension %d", len(seen), e.Model().Dim)
	}
	seen = nil
	if _, err := e.Embed(t.Context(), []string{"x"}, embed.Query); err != nil || !slices.Equal(seen, []string{"q: x"}) {
		t.Errorf("query: sent %q, %v", seen, err)
	}
	other := newTest(t, url, Config{})
	if other.Model().ID != "openai/m" {
		t.Errorf("without prefixes the model is %s", other.Model())
	}
}

// Every way in which a server may lie or stumble, and what is said of it.
func TestBadServers(t *testing.T) {
	vec := `{"index":%d,"embedding":[1,0,0]}`
	say := func(text string) func(http.ResponseWriter, *http.Request, request) {
		return func(w http.ResponseWriter, _ *http.Request, _ request) { fmt.Fprint(w, text) }
	}
	status := func(code int, body string) func(http.ResponseWriter, *http.Request, request) {
		return func(w http.ResponseWriter, _ *http.Request, _ request) {
			w.WriteHeader(code)
			fmt.Fprint(w, body)
		}
	}
	for name, c := range map[string]struct {
		answer func(http.ResponseWriter, *http.Request, request)
		kind   error
		asks   int64
		text   string
	}{
		"too few":         {say(`{"data":[` + fmt.Sprintf(vec, 0) + `]}`), embed.ErrAnswer, 1, "1 vectors for 2 texts"},
		"none":            {say(`{"data":[]}`), embed.ErrAnswer, 1, "0 vectors"},
		"too many":        {say(`{"data":[` + fmt.Sprintf(vec+","+vec+","+vec, 0, 1, 2) + `]}`), embed.ErrAnswer, 1, "3 vectors"},
		"same number":     {say(`{"data":[` + fmt.Sprintf(vec+","+vec, 0, 0) + `]}`), embed.ErrAnswer, 1, "numbers its vectors wrongly"},
		"far number":      {say(`{"data":[` + fmt.Sprintf(vec+","+vec, 0, 7) + `]}`), embed.ErrAnswer, 1, "numbers its vectors wrongly"},
		"other dimension": {say(`{"data":[` + fmt.Sprintf(vec, 0) + `,{"index":1,"embedding":[1,0]}]}`), embed.ErrAnswer, 1, "2 components, want 3"},
		"empty vector":    {say(`{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}`), embed.ErrAnswer, 1, "empty"},
		"infinite":        {say(`{"data":[{"index":0,"embedding":[1e38,1e38,1e308]},{"index":1,"embedding":[1,0,0]}]}`), embed.ErrAnswer, 1, "cannot be used"},
		"no numbers":      {say(`{"data":[{"index":0,"embedding":["NaN",1,2]},{"index":1,"embedding":[1,0,0]}]}`), embed.ErrAnswer, 1, "cannot be used"},
		"bare NaN":        {say(`{"data":[{"index":0,"embedding":[NaN,1,2]}]}`), embed.ErrAnswer, 1, "cannot be used"},
		"web page":        {say(`<html>Welcome</html>`), embed.ErrAnswer, 1, "cannot be used"},
		"half an answer":  {say(`{"data":[{"index":0,"embedd`), embed.ErrDown, 4, "broke off"},
		"nothing":         {say(``), embed.ErrDown, 4, "broke off"},
		"busy":            {status(429, `{"error":{"message":"slow down"}}`), embed.ErrDown, 4, "429 Too Many Requests: slow down"},
		"broken":          {status(500, `oops`), embed.ErrDown, 4, "500 Internal Server Error: oops"},
		"overloaded":      {status(503, `{"error":"loading"}`), embed.ErrDown, 4, "loading"},
		"no such model":   {status(404, `{"error":"model m not found"}`), nil, 1, "model m not found"},
		"no key":          {status(401, `{"error":{"message":"bad key"}}`), nil, 1, "refused: status 401 Unauthorized: bad key"},
		"long refusal":    {status(403, strings.Repeat("x", 100_000)), nil, 1, "…"},
		"hangs up": {func(w http.ResponseWriter, _ *http.Request, _ request) {
			c, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				c.Close()
			}
		}, embed.ErrDown, 4, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var asks atomic.Int64
			url := serve(t, func(w http.ResponseWriter, r *http.Request, q request) { asks.Add(1); c.answer(w, r, q) })
			e := newTest(t, url, Config{})
			_, err := e.Embed(t.Context(), []string{"one", "two"}, embed.Document)
			if err == nil || !strings.Contains(err.Error(), c.text) || len(err.Error()) > 400 {
				t.Fatalf("error %v", err)
			}
			for _, kind := range []error{embed.ErrDown, embed.ErrAnswer} {
				if errors.Is(err, kind) != (kind == c.kind) {
					t.Errorf("%v: is it %v?", err, kind)
				}
			}
			if asks.Load() != c.asks {
				t.Errorf("asked %d times, want %d", asks.Load(), c.asks)
			}
		})
	}
}

func TestRecovers(t *testing.T) {
	var asks atomic.Int64
	url := serve(t, func(w http.ResponseWriter, r *http.Request, q request) {
		if asks.Add(1) < 3 {
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		lengths(w, r, q)
	})
	e := newTest(t, url, Config{})
	var waited []time.Duration
	e.wait = func(_ context.Context, d time.Duration) error { waited = append(waited, d); return nil }
	if _, err := e.Embed(t.Context(), []string{"one"}, embed.Document); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(waited, []time.Duration{7 * time.Second, 7 * time.Second}) {
		t.Errorf("waited %v", waited)
	}
}

// A server with a limit on requests gets smaller ones.
func TestRequestTooLarge(t *testing.T) {
	url := serve(t, func(w http.ResponseWriter, r *http.Request, q request) {
		if len(q.Input) > 3 {
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			return
		}
		lengths(w, r, q)
	})
	var texts []string
	for i := range 20 {
		texts = append(texts, strings.Repeat("x", i+1))
	}
	got, err := newTest(t, url, Config{}).Embed(t.Context(), texts, embed.Document)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		if n := float64(i + 1); math.Abs(float64(v[0])-n/math.Hypot(n, 2)) > 1e-6 {
			t.Errorf("text %d got another's vector %v", i, v)
		}
	}
}

func TestHangs(t *testing.T) {
	release := make(chan struct{})
	url := serve(t, func(_ http.ResponseWriter, r *http.Request, _ request) {
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	e := newTest(t, url, Config{Timeout: 20 * time.Millisecond, Retries: -1})
	if _, err := e.Embed(t.Context(), []string{"x"}, embed.Query); !errors.Is(err, embed.ErrDown) {
		t.Errorf("a server that hangs: %v", err)
	}
	slow := newTest(t, url, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := slow.Embed(ctx, []string{"x"}, embed.Query); !errors.Is(err, context.Canceled) || errors.Is(err, embed.ErrDown) {
		t.Errorf("a cancelled request: %v", err)
	}
}

func TestNobodyThere(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	s.Close()
	_, err := newTest(t, s.URL, Config{Retries: -1}).Embed(t.Context(), []string{"x"}, embed.Query)
	if !errors.Is(err, embed.ErrDown) {
		t.Errorf("nobody listens: %v", err)
	}
	if _, err := New("", "m", Config{}); err == nil {
		t.Error("an endpoint without an address was taken")
	}
}
