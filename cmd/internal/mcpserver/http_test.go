package mcpserver

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memsync/memsync/cmd/internal/door"
)

// serve runs a server over HTTP and returns its address.
func serve(t *testing.T, f *fake, c HTTP) string {
	t.Helper()
	if c.Addr == "" {
		c.Addr = "127.0.0.1:0"
	}
	l, err := c.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan error)
	go func() { over <- c.Serve(ctx, l, New(f, Config{Clean: noSecrets})) }()
	t.Cleanup(func() {
		stop()
		if err := <-over; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return l.Addr().String()
}

func TestTheSameOverHTTP(t *testing.T) {
	f := &fake{waiting: make(chan struct{})}
	at := serve(t, f, HTTP{})
	var clients sync.WaitGroup
	for range 4 {
		c := dial(t, &mcp.StreamableClientTransport{Endpoint: "http://" + at + Endpoint})
		for range 5 {
			clients.Go(func() {
				r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "memory_search", Arguments: map[string]any{"query": "wifi"}})
				if err != nil || r.IsError || strings.Contains(said(r), secretWord) {
					t.Errorf("%+v, %v", r, err)
				}
			})
		}
	}
	clients.Wait()

	c := dial(t, &mcp.StreamableClientTransport{Endpoint: "http://localhost:" + port(at) + Endpoint})
	r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: bootURI})
	if err != nil || !strings.Contains(r.Contents[0].Text, "Ana.") {
		t.Errorf("%+v, %v", r, err)
	}
	ctx, stop := context.WithCancel(t.Context())
	given := make(chan error)
	go func() {
		_, err := c.CallTool(ctx, &mcp.CallToolParams{Name: "memory_search", Arguments: map[string]any{"query": "wait"}})
		given <- err
	}()
	<-f.waiting
	stop()
	if err := <-given; !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	for f.stopped.Load() == 0 { // the client's word arrives in its own time
		select {
		case <-t.Context().Done():
			t.Fatal("the search was not told")
		case <-time.After(time.Millisecond):
		}
	}
}

func port(at string) string {
	_, p, _ := net.SplitHostPort(at)
	return p
}

func post(t *testing.T, at, body string, change func(*http.Request)) int {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+at+Endpoint, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	change(r)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode
}

func TestForeignRequestsAreTurnedAway(t *testing.T) {
	at := serve(t, &fake{}, HTTP{})
	nothing := func(*http.Request) {}
	for name, one := range map[string]struct {
		body   string
		change func(*http.Request)
		want   int
	}{
		"as it should be":         {hello, nothing, 200},
		"a page of this machine":  {hello, func(r *http.Request) { r.Header.Set("Origin", "http://localhost:5173") }, 200},
		"a page from elsewhere":   {hello, func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, 403},
		"a sandboxed page":        {hello, func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"a name that was rebound": {hello, func(r *http.Request) { r.Host = "evil.example:" + port(at) }, 403},
		"another port":            {hello, func(r *http.Request) { r.Host = "localhost:1" }, 403},
		"no port":                 {hello, func(r *http.Request) { r.Host = "localhost" }, 403},
		"another path":            {hello, func(r *http.Request) { r.URL.Path = "/" }, 404},
		"no JSON":                 {"{", nothing, 400},
		"too large":               {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"` + strings.Repeat("x", maxBody) + `"}}`, nothing, 413},
		"an unknown session":      {hello, func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "nobody") }, 404},
		"a form":                  {"a=b", func(r *http.Request) { r.Header.Set("Content-Type", "application/x-www-form-urlencoded") }, 415},
	} {
		if got := post(t, at, one.body, one.change); got != one.want {
			t.Errorf("%s: status %d, want %d", name, got, one.want)
		}
	}
}

func TestTokens(t *testing.T) {
	const token = "0123456789abcdef0123456789"
	at := serve(t, &fake{}, HTTP{Token: token})
	for given, want := range map[string]int{"": 401, "Bearer x": 401, "Basic " + token: 401, "Bearer " + token: 200} {
		if got := post(t, at, hello, func(r *http.Request) { r.Header.Set("Authorization", given) }); got != want {
			t.Errorf("%q: status %d, want %d", given, got, want)
		}
	}
}

func TestClientsAreBounded(t *testing.T) {
	at := serve(t, &fake{}, HTTP{})
	for i := range maxSessions {
		if got := post(t, at, hello, func(*http.Request) {}); got != 200 {
			t.Fatalf("client %d: status %d", i, got)
		}
	}
	if got := post(t, at, hello, func(*http.Request) {}); got == 200 {
		t.Error("one client too many is served")
	}
}

// A client that says nothing, or stops in the middle, holds up nobody.
func TestSlowClientsHoldUpNobody(t *testing.T) {
	at := serve(t, &fake{}, HTTP{})
	for i := range door.MaxConns / 2 {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		if i%2 == 0 {
			_, _ = io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: "+at+"\r\nContent-Length: 100\r\n\r\n{")
		}
	}
	if got := post(t, at, hello, func(*http.Request) {}); got != 200 {
		t.Errorf("status %d", got)
	}
}
