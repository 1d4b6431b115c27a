package mcpserver

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/memsync/memsync/cmd/internal/door"
)

// The bounds of the HTTP transport.
const (
	maxBody     = 1 << 20          // bytes of one request
	maxHeader   = 32 << 10         // bytes of its headers
	maxSessions = 64               // clients at the same time; more are turned away
	idleSession = 15 * time.Minute // a session without a request for so long is over
	slowest     = 20 * time.Second // how long a request may take to arrive
)

// Endpoint is the path that a client connects to.
const Endpoint = "/mcp"

// An HTTP says how a server is reached over HTTP.
type HTTP struct {
	// Addr is where to listen, host:port. Beyond loopback a Token is needed.
	Addr string
	// Token is what clients must send as a bearer token; empty asks for none.
	Token string
	Log   *slog.Logger
}

// Listen opens the address. It refuses to be reachable from other machines
// without a token.
func (c HTTP) Listen(ctx context.Context) (net.Listener, error) {
	return door.Listen(ctx, c.Addr, c.Token)
}

// Serve answers on l until ctx is done. Requests under way are given a moment to
// end.
func (c HTTP) Serve(ctx context.Context, l net.Listener, s *Server) error {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	srv := &http.Server{
		Handler:           c.Handler(s, l.Addr().String()),
		ReadHeaderTimeout: slowest / 2,
		ReadTimeout:       slowest,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelWarn),
	}
	return door.Serve(ctx, srv, l)
}

// Handler answers the protocol at Endpoint, for clients that came to the address
// at by a name of this machine.
func (c HTTP) Handler(s *Server, at string) http.Handler {
	protocol := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server {
		open := 0
		for range s.protocol.Sessions() {
			open++
		}
		if open >= maxSessions {
			return nil
		}
		return s.protocol
	}, &mcp.StreamableHTTPOptions{
		SessionTimeout: idleSession, MaxRequestBodyBytes: maxBody, PropagateRequestCancellation: true, Logger: c.Log,
		// A token may be asked for at other names than localhost; the guard
		// checks the name itself.
		DisableLocalhostProtection: true,
	})
	mux := http.NewServeMux()
	mux.Handle(Endpoint, protocol)
	return c.guard(mux, at)
}

// guard turns away what did not come from here, or came without the token where one
// is set. Inspectors of the protocol are pages of another port.
func (c HTTP) guard(next http.Handler, at string) http.Handler {
	d := door.Door{At: at, Token: c.Token, LocalPages: true}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case c.Token != "" && !d.Knows(r):
			w.Header().Set("WWW-Authenticate", `Bearer realm="memsync"`)
			http.Error(w, "a bearer token is needed: the one in memsync's token file", http.StatusUnauthorized)
		case c.Token == "" && !d.Names(r):
			http.Error(w, "this host is not served here", http.StatusForbidden)
		case !d.Page(r):
			http.Error(w, "requests from this origin are not answered", http.StatusForbidden)
		default:
			next.ServeHTTP(w, r)
		}
	})
}
