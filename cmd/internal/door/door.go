// Package door decides who may ask a server that runs on a person's machine.
//
// Loopback is no wall. A page in a browser can send requests to it, also under a
// name of its own that it has resolve there; so a request must name the server as
// its Host, and where a browser sends an Origin, that must be the server's too.
// Beyond loopback a token is needed, and the server does not even listen without
// one. The token is a line in a file that only its owner may read.
//
// What the servers share besides stands here as well: a listener with bounded
// connections, and an end that lets requests under way be answered.
package door

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/netutil"
)

const (
	// MaxConns is how many connections are open at the same time; more wait.
	MaxConns = 128
	// shutdown is how long requests under way have to end.
	shutdown = 3 * time.Second
)

// A Door is one server's.
type Door struct {
	// At is the address that is listened on, host:port.
	At string
	// Token is what a client may show as a bearer token; "" is shown by none.
	Token string
	// LocalPages lets pages ask that come from any port of loopback, as the
	// inspectors of protocols do.
	LocalPages bool
}

// Knows reports whether a request shows the token.
func (d Door) Knows(r *http.Request) bool {
	given, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	got, want := sha256.Sum256([]byte(given)), sha256.Sum256([]byte(d.Token))
	return ok && d.Token != "" && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// Names reports whether a request's Host is the server: its address, or a name of
// loopback with its port.
func (d Door) Names(r *http.Request) bool { return d.ours(r.Host) }

// Page reports whether the page that a request comes from, if any, is the
// server's.
func (d Door) Page(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && (d.ours(u.Host) || d.LocalPages && Loopback(u.Hostname()))
}

// Open reports whether the server can be reached from this machine alone, so that
// reading needs no token.
func (d Door) Open() bool {
	host, _, err := net.SplitHostPort(d.At)
	return err == nil && Loopback(host)
}

func (d Door) ours(host string) bool {
	if host == d.At {
		return true
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		return false
	}
	_, own, err := net.SplitHostPort(d.At)
	return err == nil && port == own && Loopback(name)
}

// Loopback reports whether host is a name or an address of loopback.
func Loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// Listen opens an address, host:port, for MaxConns connections. It refuses to be
// reachable from other machines without a token.
func Listen(ctx context.Context, addr, token string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address such as 127.0.0.1:7583", addr)
	}
	if !Loopback(host) && token == "" {
		return nil, fmt.Errorf("%s can be reached from other machines: a token is needed", addr)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", addr)
	if err != nil {
		return nil, err
	}
	return netutil.LimitListener(l, MaxConns), nil
}

// Serve answers on l until ctx is done. Requests under way are given a moment to
// end; clients that stay are cut off.
func Serve(ctx context.Context, srv *http.Server, l net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- srv.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	end, stop := context.WithTimeout(context.WithoutCancel(ctx), shutdown)
	defer stop()
	if srv.Shutdown(end) != nil {
		_ = srv.Close() // clients that stay
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
