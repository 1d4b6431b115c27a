package mcpserver

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// raw is a client that writes lines as it likes.
type raw struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Reader
	over chan error
}

func newRaw(t *testing.T) *raw {
	in, feed := io.Pipe()
	out, answers := io.Pipe()
	r := &raw{t: t, in: feed, out: bufio.NewReader(out), over: make(chan error, 1)}
	s := New(&fake{}, Config{})
	go func() {
		r.over <- s.Run(t.Context(), in, answers)
		answers.Close()
	}()
	t.Cleanup(func() { feed.Close(); out.Close() })
	return r
}

func (r *raw) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line); err != nil {
		r.t.Fatal(err)
	}
}

// answer is the next message.
func (r *raw) answer() (m struct {
	ID    any                `json:"id"`
	Error struct{ Code int } `json:"error"`
}) {
	r.t.Helper()
	line, err := r.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		r.t.Fatalf("%q: %v", line, err)
	}
	return m
}

const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n"

func TestBadLinesDoNotEndASession(t *testing.T) {
	r := newRaw(t)
	r.send(hello)
	if m := r.answer(); m.Error.Code != 0 {
		t.Fatalf("initialize: %+v", m)
	}
	r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for name, one := range map[string]struct {
		line string
		code int
	}{
		"no JSON":       {"hello there\n", -32700},
		"half a line":   {`{"jsonrpc":"2.0","id":7,"meth` + "\n", -32700},
		"bytes":         {"\xff\xfe\x00\n", -32700},
		"no message":    {`{"foo":1}` + "\n", -32600},
		"an empty list": {"[]\n", -32600},
		"too long":      {`{"jsonrpc":"2.0","id":8,"method":"ping","params":{"x":"` + strings.Repeat("x", 3*maxBody) + `"}}` + "\n", -32600},
	} {
		r.send(one.line)
		if m := r.answer(); m.Error.Code != one.code || m.ID != nil {
			t.Errorf("%s: %+v, want %d", name, m, one.code)
		}
	}
	r.send("\n\r\n")
	r.send(`{"jsonrpc":"2.0","id":9,"method":"ping"}` + "\n")
	if m := r.answer(); m.ID != 9.0 || m.Error.Code != 0 {
		t.Errorf("after them: %+v", m)
	}
	r.send(`{"jsonrpc":"2.0","id":10,"method":"no/such"}` + "\n")
	if m := r.answer(); m.ID != 10.0 || m.Error.Code != -32601 {
		t.Errorf("an unknown method: %+v", m)
	}
	r.in.Close()
	if err := <-r.over; err != nil {
		t.Errorf("after the client hung up: %v", err)
	}
}

// Whatever a client writes, the next sound line is answered.
func FuzzLines(f *testing.F) {
	f.Add([]byte("x"))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1}`))
	f.Add([]byte(`[{"jsonrpc":"2.0","method":"x"},1]`))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		r := newRaw(t)
		r.send(hello)
		r.answer()
		r.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
		go io.WriteString(r.in, strings.ReplaceAll(string(line), "\n", " ")+"\n"+`{"jsonrpc":"2.0","id":"last","method":"ping"}`+"\n")
		for {
			if m := r.answer(); m.ID == "last" {
				return
			}
		}
	})
}
