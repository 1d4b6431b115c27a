package daemon

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"time"
)

// ErrNobody is returned by Relay when no daemon answers.
var ErrNobody = errors.New("no daemon answers")

// A RefusedError says why a daemon would not run a command.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

// dialTimeout bounds the wait for a daemon that hangs: a command then works alone
// as far as it can.
const dialTimeout = 500 * time.Millisecond

// takenTimeout bounds the wait for its word that it will run the command.
const takenTimeout = 3 * time.Second

// stopTimeout is how long a command that was told to stop has to say how it ended.
const stopTimeout = 5 * time.Second

// Relay has a daemon run a command and returns its exit status. With ErrNobody
// or a *RefusedError nothing was run.
func Relay(ctx context.Context, socket string, r Request, stdin io.Reader, stdout, stderr io.Writer) (int, error) {
	conn, err := dial(socket)
	if err != nil {
		return 0, ErrNobody
	}
	defer conn.Close()
	r.Protocol = protocol
	out := json.NewEncoder(conn)
	_ = conn.SetWriteDeadline(time.Now().Add(dialTimeout))
	if err := out.Encode(r); err != nil {
		return 0, ErrNobody
	}
	_ = conn.SetWriteDeadline(time.Time{})
	signals := make(chan signal)
	ended := make(chan struct{})
	defer close(ended)
	go func() {
		for {
			select {
			case s := <-signals:
				_ = out.Encode(s)
			case <-ctx.Done():
				_ = out.Encode(signal{Stop: true})
				_ = conn.SetReadDeadline(time.Now().Add(stopTimeout))
				return
			case <-ended:
				return
			}
		}
	}()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, maxMessage)
	_ = conn.SetReadDeadline(time.Now().Add(takenTimeout))
	began := false
	for lines.Scan() {
		var m message
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			return 0, fmt.Errorf("the daemon's answer: %w", err)
		}
		if !began {
			began = true
			_ = conn.SetReadDeadline(time.Time{})
			if ctx.Err() != nil { // it was told to stop in between
				_ = conn.SetReadDeadline(time.Now().Add(stopTimeout))
			}
		}
		switch {
		case m.Refused != "":
			return 0, &RefusedError{m.Refused}
		case m.Exit != nil:
			return *m.Exit, nil
		case m.Want:
			go forward(stdin, signals, ended)
		}
		if _, err := stdout.Write(m.Out); err != nil {
			return 0, err
		}
		if _, err := stderr.Write(m.Err); err != nil {
			return 0, err
		}
	}
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	if !began {
		return 0, ErrNobody // it hangs, or ended just now
	}
	return 0, errors.Join(errors.New("the daemon ended before the command did; what was finished is kept"), lines.Err())
}

// forward sends what stands on standard input.
func forward(stdin io.Reader, signals chan<- signal, ended <-chan struct{}) {
	buf := make([]byte, chunkSize)
	for {
		n, err := stdin.Read(buf)
		s := signal{In: append([]byte(nil), buf[:n]...), End: err != nil}
		select {
		case signals <- s:
		case <-ended:
			return
		}
		if err != nil {
			return
		}
	}
}

// Answers reports whether a daemon answers at a socket.
func Answers(socket, version string) error {
	ctx, stop := context.WithTimeout(context.Background(), 2*dialTimeout)
	defer stop()
	_, err := Relay(ctx, socket, Request{Version: version}, nil, io.Discard, io.Discard)
	return err
}

func dial(socket string) (net.Conn, error) {
	if socket == "" {
		return nil, ErrNobody
	}
	return net.DialTimeout("unix", socket, dialTimeout)
}
