package httpapi

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/door"
)

// served answers on a real listener until the test ends. It gives the address.
func served(t *testing.T, c Config) string {
	t.Helper()
	c.Addr, c.Now = "127.0.0.1:0", time.Now
	l, err := c.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- c.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	return l.Addr().String()
}

func dial(t *testing.T, at string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func healthyAt(t *testing.T, at string) {
	t.Helper()
	client := http.Client{Timeout: 10 * time.Second}
	r, err := client.Get("http://" + at + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("healthz: %s", r.Status)
	}
}

// Clients that say nothing, stop in the middle, or drip hold up nobody.
func TestSlowClientsHoldUpNobody(t *testing.T) {
	at := served(t, config(t))
	for i := range door.MaxConns / 2 {
		c := dial(t, at)
		switch i % 4 {
		case 1:
			_, _ = io.WriteString(c, "GET /healthz HTTP/1.1\r\nHost: "+at+"\r\nX-Drip: ")
		case 2:
			_, _ = io.WriteString(c, "POST /query HTTP/1.1\r\nHost: "+at+"\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{")
		case 3:
			_, _ = io.WriteString(c, "POST /query HTTP/1.1\r\nHost: "+at+"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"qu")
		}
	}
	healthyAt(t, at)
}

// One that drips its headers or its body is cut off when its time is over.
func TestASlowClientIsCutOff(t *testing.T) {
	c := config(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	const patience = 200 * time.Millisecond
	srv := c.server(l.Addr().String(), patience)
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	defer func() {
		_ = srv.Close()
		if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	at := l.Addr().String()
	for name, begin := range map[string]string{
		"headers": "GET /healthz HTTP/1.1\r\nHost: " + at + "\r\n",
		"body":    "POST /query HTTP/1.1\r\nHost: " + at + "\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n",
	} {
		conn := dial(t, at)
		_, _ = io.WriteString(conn, begin)
		over := make(chan struct{})
		go func() { // it drips until the server hangs up
			defer close(over)
			drip := time.NewTicker(patience / 10)
			defer drip.Stop()
			for range drip.C {
				if _, err := io.WriteString(conn, "x"); err != nil {
					return
				}
			}
		}()
		_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
		if said, err := io.ReadAll(conn); errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("%s: the connection is still open after 30 s: %q", name, said)
		}
		_ = conn.Close()
		<-over
	}
}

// What is no HTTP, or far too much of it, gets an error or a closed connection, and
// the server goes on.
func TestMalformedAndHugeRequests(t *testing.T) {
	at := served(t, config(t))
	huge := strings.Repeat("x", 2*maxHeader)
	r := rand.New(rand.NewPCG(3, 4))
	noise := make([]byte, 4096)
	for i := range noise {
		noise[i] = byte(r.IntN(256))
	}
	for name, text := range map[string]string{
		"noise":             string(noise) + "\r\n\r\n",
		"no HTTP":           "hello\r\n\r\n",
		"TLS":               "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"a header too long": "GET /healthz HTTP/1.1\r\nHost: " + at + "\r\nX: " + huge + "\r\n\r\n",
		"a path too long":   "GET /" + huge + " HTTP/1.1\r\nHost: " + at + "\r\n\r\n",
		"two lengths":       "POST /query HTTP/1.1\r\nHost: " + at + "\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
		"a negative length": "POST /query HTTP/1.1\r\nHost: " + at + "\r\nContent-Length: -1\r\n\r\n{}",
		"length and chunks": "POST /query HTTP/1.1\r\nHost: " + at + "\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
		"no host":           "GET /status HTTP/1.1\r\n\r\n",
		"two hosts":         "GET /status HTTP/1.1\r\nHost: " + at + "\r\nHost: evil.example\r\n\r\n",
		"an old protocol":   "GET /status HTTP/1.0\r\n\r\n",
		"a proxy's request": "GET http://evil.example/status HTTP/1.1\r\nHost: " + at + "\r\n\r\n",
	} {
		c := dial(t, at)
		_, _ = io.WriteString(c, text)
		_ = c.(*net.TCPConn).CloseWrite()
		_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
		said, err := io.ReadAll(io.LimitReader(c, 1<<20))
		if errors.Is(err, os.ErrDeadlineExceeded) || bytes.HasPrefix(said, []byte("HTTP/1.1 2")) || bytes.HasPrefix(said, []byte("HTTP/1.1 500")) {
			t.Errorf("%s: %v %.200q", name, err, said)
		}
	}
	// A body without an end is read to its bound and no further.
	c := dial(t, at)
	_, _ = io.WriteString(c, "POST /query HTTP/1.1\r\nHost: "+at+"\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
	chunk := fmt.Sprintf("%x\r\n%s\r\n", 64<<10, strings.Repeat("x", 64<<10))
	sent := 0
	for sent < 256<<20 {
		n, err := io.WriteString(c, chunk)
		if sent += n; err != nil {
			break
		}
	}
	if sent >= 256<<20 {
		t.Errorf("%d bytes of one body were taken", sent)
	}
	healthyAt(t, at)
}

var loadRequests = flag.Int("requests", 600, "how many requests TestNothingGrows makes")

// Many clients at the same time, while notes are edited: no answer is an error, and
// afterwards the server holds as much as before. bench --http does the same with a
// daemon on 10,000 notes.
func TestNothingGrows(t *testing.T) {
	c := config(t)
	m, _, _ := c.Open(t.Context())
	at := served(t, c)
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{MaxIdleConnsPerHost: 8}}
	var failed atomic.Pointer[string]
	one := func(n int) {
		paths := []struct{ path, body string }{
			{"/context", fmt.Sprintf(`{"message":"when did I ship export %d?"}`, n)},
			{"/query", fmt.Sprintf(`{"query":"export number %d"}`, n)},
			{"/memory/f-4k7q", ""}, {"/status", ""},
		}
		p := paths[n%len(paths)]
		method, body := http.MethodGet, io.Reader(nil)
		if p.body != "" {
			method, body = http.MethodPost, strings.NewReader(p.body)
		}
		r, err := http.NewRequestWithContext(t.Context(), method, "http://"+at+p.path, body)
		if err != nil {
			return
		}
		r.Header.Set("Content-Type", "application/json")
		reply, err := client.Do(r)
		if err != nil {
			said := err.Error()
			failed.Store(&said)
			return
		}
		defer reply.Body.Close()
		raw, err := io.ReadAll(reply.Body)
		if err != nil || reply.StatusCode != http.StatusOK {
			said := fmt.Sprintf("%s: %d %v %.200s", p.path, reply.StatusCode, err, raw)
			failed.Store(&said)
		}
	}
	pace := time.NewTicker(time.Second / (rate - 100))
	defer pace.Stop()
	// round asks n times, by so many clients as the queue has room for.
	round := func(n int) {
		var clients sync.WaitGroup
		next := atomic.Int64{}
		for range 8 {
			clients.Go(func() {
				for i := next.Add(1); i <= int64(n); i = next.Add(1) {
					<-pace.C
					one(int(i))
					if i%50 == 0 {
						_ = os.WriteFile(filepath.Join(m.Vault().Dir(), "notes", "busy.md"), fmt.Appendf(nil, "# Busy %d\n", i), 0o600)
					}
				}
			})
		}
		clients.Wait()
	}
	round(200)
	before := held(client)
	round(*loadRequests)
	after := held(client)
	if said := failed.Load(); said != nil {
		t.Errorf("a request failed: %s", *said)
	}
	t.Logf("%d requests; before %s, after %s", *loadRequests, before, after)
	if after.goroutines > before.goroutines+4 || after.files > before.files+4 || after.heap > before.heap+8<<20 {
		t.Errorf("it grows: before %s, after %s", before, after)
	}
}

// A hold is what a process holds at a moment.
type hold struct {
	heap       uint64
	goroutines int
	files      int // 0 where nobody can tell
}

func (h hold) String() string {
	return fmt.Sprintf("%.1f MB, %d goroutines, %d files", float64(h.heap)/1e6, h.goroutines, h.files)
}

// held counts when nothing is under way: connections are closed first.
func held(client *http.Client) hold {
	client.CloseIdleConnections()
	var h hold
	for range 20 { // goroutines of closed connections end in their own time
		runtime.GC()
		runtime.Gosched()
	}
	var s runtime.MemStats
	runtime.ReadMemStats(&s)
	entries, _ := os.ReadDir("/proc/self/fd")
	h.heap, h.goroutines, h.files = s.HeapAlloc, runtime.NumGoroutine(), len(entries)
	return h
}

// A memory that fails while it is used is an error of that request alone.
func TestAFailureIsOneRequests(t *testing.T) {
	c := config(t)
	inner := c.Open
	n := atomic.Int64{}
	c.Open = func(ctx context.Context) (*answer.Memory, func(), error) {
		if n.Add(1)%2 == 0 {
			return nil, nil, errors.New("the disk is gone")
		}
		return inner(ctx)
	}
	h := c.Handler(at)
	for i, want := range []int{200, 503, 200, 503} {
		if code, text := (call{path: "/status"}).to(h); code != want {
			t.Errorf("request %d: %d %s", i, code, text)
		}
	}
}
