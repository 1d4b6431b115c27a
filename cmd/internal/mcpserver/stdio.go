package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Run speaks the protocol with one client, a line a message, until it hangs up or
// ctx is done. Nothing else may be written to w.
//
// A line that is no message, or is longer than a request may be, is answered with
// the protocol's error and forgotten: the client's next line is read as if
// nothing had been.
func (s *Server) Run(ctx context.Context, r io.Reader, w io.Writer) error {
	out := &lines{w: w}
	sifted, feed := io.Pipe()
	go func() {
		err := sift(r, feed, out)
		_ = feed.CloseWithError(err) // always nil
	}()
	defer sifted.Close()
	return s.protocol.Run(ctx, &mcp.IOTransport{Reader: sifted, Writer: out})
}

// sift passes on the lines that are messages.
func sift(r io.Reader, messages io.Writer, out *lines) error {
	in := bufio.NewReaderSize(r, 64<<10)
	for {
		line, long, err := readLine(in)
		switch {
		case long:
			out.refuse(jsonrpc.CodeInvalidRequest, "the message is longer than 1 MiB")
		case len(bytes.TrimSpace(line)) == 0:
		case !json.Valid(line):
			out.refuse(jsonrpc.CodeParseError, "the line is no JSON")
		case !isMessage(line):
			out.refuse(jsonrpc.CodeInvalidRequest, "the line is no JSON-RPC 2.0 message")
		default:
			if _, err := messages.Write(append(line, '\n')); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// readLine reads a line. One that is longer than maxBody is read to its end and
// not kept.
func readLine(in *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if long = long || len(line)+len(part) > maxBody; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimRight(line, "\r\n"), long, err
		}
	}
}

// isMessage reports whether a line is a message, or a batch of them as clients of
// 2025-03-26 send.
func isMessage(line []byte) bool {
	var batch []json.RawMessage
	if json.Unmarshal(line, &batch) != nil {
		batch = []json.RawMessage{line}
	}
	for _, m := range batch {
		if _, err := jsonrpc.DecodeMessage(m); err != nil {
			return false
		}
	}
	return len(batch) > 0
}

// lines is a writer of whole messages that several goroutines use.
type lines struct {
	mu sync.Mutex
	w  io.Writer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.w.Write(b)
}

// Close leaves the writer open: standard output is the process's.
func (l *lines) Close() error { return nil }

// refuse answers a line that has no id to answer to.
func (l *lines) refuse(code int64, why string) {
	raw, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": map[string]any{"code": code, "message": why},
	})
	if err == nil {
		_, _ = l.Write(append(raw, '\n')) // a client that does not read is gone soon
	}
}
