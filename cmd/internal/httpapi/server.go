package httpapi

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/cmd/internal/door"
)

// The bounds of what is taken.
const (
	maxBody   = 1 << 20          // bytes of one request
	maxHeader = 32 << 10         // bytes of its headers
	slowest   = 20 * time.Second // how long a request may take to arrive, and its answer to be made
	rate      = 500              // requests a second, over any longer time
	burst     = 1000             // and at once
	waiting   = 120              // searches that wait for their turn, nearly as many as connections; more are turned away
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
	return door.Listen(ctx, c.Addr, c.Token)
}

// Serve answers on l until ctx is done. Requests under way are given a moment to
// end.
func (c Config) Serve(ctx context.Context, l net.Listener) error {
	return door.Serve(ctx, c.server(l.Addr().String(), slowest), l)
}

// server is the HTTP server of the address at, in which a request may take so long
// to arrive.
func (c Config) server(at string, slowest time.Duration) *http.Server {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &http.Server{
		Handler:           c.Handler(at),
		ReadHeaderTimeout: slowest / 2,
		ReadTimeout:       slowest,
		WriteTimeout:      2 * slowest,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(c.Log.Handler(), slog.LevelDebug),
	}
}
