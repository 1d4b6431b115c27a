package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"runtime"
	"runtime/metrics"
	"strings"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/synth/ops"
)

// A route is a path, what it takes and what it answers. The handler and the
// OpenAPI document are both made of the table of routes.
type route struct {
	method, path string
	summary      string
	takes        any // a value of the body's type, nil for none
	needs        []string
	raw          []byte // the schema of the body, where it is no type of ours
	answers      any
	work         bool // it searches: so many at a time, and no more
	// fails are the statuses of its errors, besides those of every route.
	fails  []int
	handle func(c Config, w http.ResponseWriter, r *http.Request) (any, error)
}

func routes() []route {
	return []route{
		{
			method: "POST", path: "/query", summary: "Find what is in the notes, by words and by meaning",
			takes: answer.Query{}, needs: []string{"query"}, answers: answer.Reply{}, work: true, handle: query,
			fails: []int{400, 413, 415, 503},
		},
		{
			method: "POST", path: "/context", summary: "Pack the context that an assistant should have for a message",
			takes: answer.ContextRequest{}, needs: []string{"message"}, answers: pack.Pack{}, work: true, handle: packed,
			fails: []int{400, 413, 415, 503},
		},
		{
			method: "GET", path: "/memory/{id}", summary: "A note, turn or claim by its id, which is percent-encoded",
			answers: items{}, handle: memory, fails: []int{404, 503},
		},
		{
			method: "POST", path: "/ops", summary: "Apply memory operations; the token is needed",
			raw: ops.Schema(), answers: map[string]any{}, handle: operate, fails: []int{400, 413, 415, 501},
		},
		{method: "GET", path: "/healthz", summary: "Whether the server answers", answers: health{}, handle: healthy},
		{method: "GET", path: "/status", summary: "How the index stands", answers: status{}, handle: stands, fails: []int{503}},
		{method: "GET", path: "/openapi.json", summary: "This document", handle: document},
	}
}

// serves reports whether a path is the route's.
func (rt route) serves(path string) bool {
	if before, ok := strings.CutSuffix(rt.path, "{id}"); ok {
		return strings.HasPrefix(path, before)
	}
	return rt.path == path
}

// failing are the statuses of a route's errors. Only healthz is answered to anyone.
func (rt route) failing() []int {
	always := []int{http.StatusUnauthorized, http.StatusForbidden, http.StatusTooManyRequests}
	if rt.path == "/healthz" {
		always = always[1:]
	}
	return append(always, rt.fails...)
}

type items struct {
	Items []answer.Item `json:"items"`
	// Stale says how the index is behind the vault, "" where it is in step.
	Stale string `json:"stale"`
}

type health struct {
	OK      bool   `json:"ok"`
	Version string `json:"version"`
}

type status struct {
	Notes   int    `json:"notes"`
	Chunks  int    `json:"chunks"`
	Model   string `json:"model"`
	Pending int    `json:"pending"`
	// Fresh says that the index is in step with the vault, Stale how it is not.
	Fresh bool   `json:"fresh"`
	Stale string `json:"stale"`
	// Problems counts notes that were indexed in part only.
	Problems int `json:"problems"`
	// HeapBytes and Goroutines are the server's, for those who look whether it
	// grows.
	HeapBytes  uint64 `json:"heap_bytes"`
	Goroutines int    `json:"goroutines"`
}

// Handler answers requests that came to the address at.
func (c Config) Handler(at string) http.Handler {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	q := newQueue(atOnce(), waiting)
	mux := http.NewServeMux()
	for _, rt := range routes() {
		path := rt.path
		if path == "/memory/{id}" {
			path = "/memory/{id...}" // an id may be a path of the vault
		}
		mux.Handle(rt.method+" "+path, c.answering(rt, q))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		for _, rt := range routes() {
			if rt.serves(r.URL.Path) && rt.method != r.Method {
				w.Header().Set("Allow", rt.method)
				fail(w, http.StatusMethodNotAllowed, "method", r.URL.Path+" takes "+rt.method)
				return
			}
		}
		fail(w, http.StatusNotFound, "not_found", "there is nothing here; see /openapi.json")
	})
	return c.guard(mux, at)
}

// answering runs a route within its time and writes its answer.
func (c Config) answering(rt route, q *queue) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithTimeout(r.Context(), slowest)
		defer stop()
		r = r.WithContext(ctx)
		r.Body = http.MaxBytesReader(w, r.Body, maxBody)
		reply, err := q.within(ctx, rt.work, func() (any, error) { return rt.handle(c, w, r) })
		if err != nil {
			code, kind := statusOf(ctx, err)
			if code == http.StatusServiceUnavailable {
				w.Header().Set("Retry-After", "1")
			}
			if code >= http.StatusInternalServerError {
				c.Log.Warn("request", "path", rt.path, "error", err)
			}
			fail(w, code, kind, err.Error())
			return
		}
		var body bytes.Buffer
		if raw, ok := reply.(json.RawMessage); ok {
			body.Write(raw)
		} else if err := output.Encode(&body, reply); err != nil {
			fail(w, http.StatusInternalServerError, "failed", err.Error())
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(body.Bytes()) // a client that went away needs no answer
	}
}

// A mistake is a request that cannot be answered as it is.
type mistake struct {
	code   int
	kind   string
	reason string
}

func (m *mistake) Error() string { return m.reason }

func statusOf(ctx context.Context, err error) (code int, kind string) {
	if m, ok := errors.AsType[*mistake](err); ok {
		return m.code, m.kind
	}
	if _, ok := errors.AsType[*answer.BadRequestError](err); ok {
		return http.StatusBadRequest, "usage"
	}
	if _, ok := errors.AsType[*answer.RefusedError](err); ok {
		return http.StatusForbidden, "refused"
	}
	switch {
	case errors.Is(err, index.ErrNotFound):
		return http.StatusNotFound, "not_found"
	case errors.Is(err, errNoMemory), errors.Is(err, errBusy), ctx.Err() != nil:
		return http.StatusServiceUnavailable, "unavailable"
	}
	return http.StatusInternalServerError, "failed"
}

// fail writes an error as the command line does with --json.
func fail(w http.ResponseWriter, code int, kind, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = output.Encode(w, failure{failed{message, kind}})
}

type failure struct {
	Error failed `json:"error"`
}

type failed struct {
	Message string `json:"message"`
	Kind    string `json:"kind"`
}

// errNoMemory is said while the vault cannot be opened.
var errNoMemory = errors.New("the memory cannot be opened now")

func (c Config) open(ctx context.Context) (*answer.Memory, func(), error) {
	m, done, err := c.Open(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", errNoMemory, err)
	}
	return m, done, nil
}

// body reads the whole of a JSON body.
func body(r *http.Request) ([]byte, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		// A form in a page cannot send this type, so it cannot pass for us.
		return nil, &mistake{http.StatusUnsupportedMediaType, "usage", "the Content-Type must be application/json"}
	}
	raw, err := io.ReadAll(r.Body)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, &mistake{http.StatusRequestEntityTooLarge, "usage", fmt.Sprintf("the body is larger than %d bytes", maxBody)}
	}
	if err != nil {
		return nil, &mistake{http.StatusBadRequest, "usage", "the body did not arrive"}
	}
	return raw, nil
}

// decode reads a body into v. A field that nobody knows is a mistake: a slip of
// the finger is never silently ignored.
func decode(r *http.Request, v any) error {
	raw, err := body(r)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return &mistake{http.StatusBadRequest, "usage", "the body: " + err.Error()}
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return &mistake{http.StatusBadRequest, "usage", "the body holds more than one JSON value"}
	}
	return nil
}

func query(c Config, _ http.ResponseWriter, r *http.Request) (any, error) {
	var q answer.Query
	if err := decode(r, &q); err != nil {
		return nil, err
	}
	m, done, err := c.open(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	return m.Query(r.Context(), q)
}

func packed(c Config, _ http.ResponseWriter, r *http.Request) (any, error) {
	var q answer.ContextRequest
	if err := decode(r, &q); err != nil {
		return nil, err
	}
	m, done, err := c.open(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	p, err := m.Context(r.Context(), q)
	if err == nil && p.Refusal != "" {
		return nil, &mistake{http.StatusForbidden, "refused", p.Refusal}
	}
	return p, err
}

func memory(c Config, _ http.ResponseWriter, r *http.Request) (any, error) {
	m, done, err := c.open(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	found, err := m.Items(r.Context(), r.PathValue("id"))
	return items{found, m.Stale(r.Context())}, err
}

func operate(c Config, _ http.ResponseWriter, r *http.Request) (any, error) {
	if c.Ops == nil {
		return nil, &mistake{http.StatusNotImplemented, "failed", "this server takes no writes"}
	}
	raw, err := body(r)
	if err != nil {
		return nil, err
	}
	return c.Ops(r.Context(), raw)
}

func healthy(c Config, _ http.ResponseWriter, _ *http.Request) (any, error) {
	return health{true, c.Version}, nil
}

func stands(c Config, _ http.ResponseWriter, r *http.Request) (any, error) {
	m, done, err := c.open(r.Context())
	if err != nil {
		return nil, err
	}
	defer done()
	s, err := m.Status(r.Context())
	stale := m.Stale(r.Context())
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(heap)
	return status{
		Notes: s.Notes, Chunks: s.Chunks, Model: s.Model, Pending: s.Pending, Fresh: stale == "", Stale: stale, Problems: len(s.Problems),
		HeapBytes: heap[0].Value.Uint64(), Goroutines: runtime.NumGoroutine(),
	}, err
}
