package mcpserver

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The bounds of the HTTP transport.
const (
	maxBody     = 1 << 20          // bytes of one request
	maxHeader   = 32 << 10         // bytes of its headers
	maxConns    = 128              // connections at the same time; more wait
	maxSessions = 64               // clients at the same time; more are turned away
	idleSession = 15 * time.Minute // a session without a request for so long is over
	slowest     = 20 * time.Second // how long a request may take to arrive
	shutdown    = 3 * time.Second  // how long requests have to end
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
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address such as 127.0.0.1:7788", c.Addr)
	}
	if !loopback(host) && c.Token == "" {
		return nil, fmt.Errorf("%s can be reached from other machines: a token is needed", c.Addr)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, err
	}
	return &bounded{Listener: l, places: make(chan struct{}, maxConns)}, nil
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
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
	defer stop()
	if err := srv.Shutdown(end); err != nil { // streams of clients that stay
		_ = srv.Close()
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
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

// guard turns away what did not come from here. A page in a browser can send
// requests to loopback, also under a name of its own that resolves to it; so the
// Host must be ours and an Origin, which browsers send, must be too.
func (c HTTP) guard(next http.Handler, at string) http.Handler {
	want := sha256.Sum256([]byte(c.Token))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c.Token != "" {
			given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
			got := sha256.Sum256([]byte(given))
			if !ok || subtle.ConstantTimeCompare(got[:], want[:]) != 1 {
				w.Header().Set("WWW-Authenticate", `Bearer realm="memsync"`)
				http.Error(w, "a bearer token is needed: the one in memsync's token file", http.StatusUnauthorized)
				return
			}
		}
		if !ours(r.Host, at) && c.Token == "" {
			http.Error(w, "this host is not served here", http.StatusForbidden)
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			u, err := url.Parse(origin)
			if err != nil || (!ours(u.Host, at) && !loopback(u.Hostname())) {
				http.Error(w, "requests from this origin are not answered", http.StatusForbidden)
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// ours reports whether host, as a client names it, is the address at or a name of
// loopback with its port.
func ours(host, at string) bool {
	if host == at {
		return true
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	_, own, err := net.SplitHostPort(at)
	return err == nil && port == own && loopback(name)
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// minToken is the shortest token that is worth guessing against: 16 random bytes
// in base64.
const minToken = 22

// ReadToken reads a token from a file, which only its owner may read.
func ReadToken(name string) (string, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("the token file %s is not there", name)
	}
	if err != nil {
		return "", err
	}
	if info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("others may read the token file %s: chmod 600 it", name)
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(raw))
	if len(token) < minToken {
		return "", fmt.Errorf("the token in %s is shorter than %d characters", name, minToken)
	}
	return token, nil
}

// bounded is a listener with so many connections at a time.
type bounded struct {
	net.Listener
	places chan struct{}
}

func (b *bounded) Accept() (net.Conn, error) {
	b.places <- struct{}{}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	return &place{Conn: c, free: func() { <-b.places }}, nil
}

// place is a connection that gives its place back when it is closed.
type place struct {
	net.Conn
	free func()
	once sync.Once
}

func (p *place) Close() error {
	defer p.once.Do(p.free)
	return p.Conn.Close()
}
