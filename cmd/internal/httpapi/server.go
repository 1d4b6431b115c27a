package httpapi

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/netutil"

	"github.com/memsync/memsync/cmd/internal/answer"
)

// The bounds of what is taken.
const (
	maxBody   = 1 << 20          // bytes of one request
	maxHeader = 32 << 10         // bytes of its headers
	maxConns  = 128              // connections at the same time; more wait
	slowest   = 20 * time.Second // how long a request may take to arrive, and its answer to be made
	shutdown  = 3 * time.Second  // how long requests under way have to end
	rate      = 500              // requests a second, over any longer time
	burst     = 1000             // and at once
	waiting   = 64               // searches that wait for their turn; more are turned away
)

// A Config says what is answered from and how it is reached.
type Config struct {
	// Open returns the memory as it is now, and a function that says it is no
	// longer used. It fails while there is none.
	Open func(ctx context.Context) (*answer.Memory, func(), error)
	// Ops applies memory operations, a JSON document, and returns the reply; nil
	// where this server takes no writes. An *answer.BadRequestError is the
	// caller's mistake.
	Ops func(ctx context.Context, body []byte) (any, error)
	// Addr is where the server listens, host:port.
	Addr string
	// Token is what a client must send beyond loopback, and for writes; "" takes
	// no writes and only loopback.
	Token string
	// Version is the program's.
	Version string
	Log     *slog.Logger
	Now     func() time.Time
}

// Listen opens the address. It refuses to be reachable from other machines
// without a token.
func (c Config) Listen(ctx context.Context) (net.Listener, error) {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return nil, fmt.Errorf("%q is no address such as 127.0.0.1:7583", c.Addr)
	}
	if !loopback(host) && c.Token == "" {
		return nil, fmt.Errorf("%s can be reached from other machines: a token is needed", c.Addr)
	}
	var lc net.ListenConfig
	l, err := lc.Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, err
	}
	return netutil.LimitListener(l, maxConns), nil
}

// Serve answers on l until ctx is done. Requests under way are given a moment to
// end.
func (c Config) Serve(ctx context.Context, l net.Listener) error {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	srv := &http.Server{
		Handler:           c.Handler(l.Addr().String()),
		ReadHeaderTimeout: slowest / 2,
		ReadTimeout:       slowest,
		WriteTimeout:      2 * slowest,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
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
	if srv.Shutdown(end) != nil {
		_ = srv.Close() // clients that stay
	}
	if err := <-ended; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}
