package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"sync"
	"time"
)

// serve takes connections until ctx is done, and waits a little for commands
// that run then: each is told to stop and ends at a point where nothing is half
// done.
func (d *Daemon) serve(ctx context.Context, l net.Listener) {
	context.AfterFunc(ctx, func() { l.Close() })
	var clients sync.WaitGroup
	waiting, most := bounds(openFiles())
	connections, running := make(chan struct{}, waiting), make(turns, most)
	for {
		select {
		case connections <- struct{}{}:
		case <-ctx.Done():
		}
		conn, err := l.Accept()
		if err != nil {
			if ctx.Err() != nil {
				break
			}
			d.cfg.Log.Warn("socket", "error", err)
			time.Sleep(100 * time.Millisecond) // too many open files: let some close
			<-connections
			continue
		}
		clients.Go(func() {
			defer func() { <-connections }()
			d.client(ctx, conn, running)
		})
	}
	ended := make(chan struct{})
	go func() {
		clients.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-time.After(grace):
		d.cfg.Log.Warn("stopping although a command still runs; what it did is kept")
	}
}

// grace is how long commands have to end after they were told to stop.
const grace = 1500 * time.Millisecond

// client serves one connection.
func (d *Daemon) client(ctx context.Context, conn net.Conn, running turns) {
	defer conn.Close()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxRequest)
	out := &sender{conn: conn}
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	var r Request
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &r) != nil {
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	if r.Protocol != protocol || r.Version != d.cfg.Version {
		out.send(message{Refused: fmt.Sprintf("the daemon is another build of memsync (%s); restart it (memsync watch)", d.cfg.Version)})
		return
	}
	if out.send(message{Taken: true}) != nil {
		return
	}
	status := 0
	if len(r.Args) > 0 {
		if running.take(ctx) != nil {
			return
		}
		defer running.give()
		status = d.run(ctx, r, lines, out)
	}
	out.send(message{Exit: &status})
}

// run runs a command for a client, and stops it when the client goes.
func (d *Daemon) run(ctx context.Context, r Request, lines *bufio.Scanner, out *sender) int {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d.set(func(s *State) { s.Commands++; s.Clients++ })
	defer d.set(func(s *State) { s.Clients-- })
	input, feed := io.Pipe()
	defer input.Close()
	go func() {
		defer stop()
		defer feed.Close()
		for lines.Scan() {
			var s signal
			if json.Unmarshal(lines.Bytes(), &s) != nil || s.Stop {
				return
			}
			if len(s.In) > 0 {
				if _, err := feed.Write(s.In); err != nil {
					return
				}
			}
			if s.End {
				_ = feed.Close()
			}
		}
	}()
	stdin := &asking{pipe: input, ask: func() { out.send(message{Want: true}) }}
	stdout := terminal{writer(func(b []byte) error { return out.send(message{Out: b}) }), r.OutTerminal}
	stderr := terminal{writer(func(b []byte) error { return out.send(message{Err: b}) }), r.ErrTerminal}
	return d.cfg.Serve(ctx, r, stdin, stdout, stderr)
}

// A sender writes messages, one at a time.
type sender struct {
	mu   sync.Mutex
	conn net.Conn
}

// sendTimeout bounds the wait for a client that does not read.
const sendTimeout = 30 * time.Second

func (s *sender) send(m message) error {
	line, err := json.Marshal(m)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.conn.SetWriteDeadline(time.Now().Add(sendTimeout))
	_, err = s.conn.Write(append(line, '\n'))
	return err
}

// A writer sends what is written to it in pieces.
type writer func([]byte) error

func (w writer) Write(b []byte) (int, error) {
	for at := 0; at < len(b); at += chunkSize {
		if err := w(b[at:min(at+chunkSize, len(b))]); err != nil {
			return at, err
		}
	}
	return len(b), nil
}

// A terminal is a writer that knows what it will be seen on.
type terminal struct {
	io.Writer
	is bool
}

// IsTerminal reports whether what is written will be seen on a terminal.
func (t terminal) IsTerminal() bool { return t.is }

// asking asks for input when it is first read.
type asking struct {
	pipe io.Reader
	ask  func()
	once sync.Once
}

func (a *asking) Read(b []byte) (int, error) {
	a.once.Do(a.ask)
	return a.pipe.Read(b)
}
