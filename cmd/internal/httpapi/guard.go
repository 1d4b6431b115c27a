package httpapi

import (
	"net/http"
	"sync"
	"time"

	"github.com/memsync/memsync/cmd/internal/door"
)

// guard turns away what did not come from here, came without the token that it
// needs, or comes too often. At is the address that is listened on.
func (c Config) guard(next http.Handler, at string) http.Handler {
	b := &bucket{now: c.Now, left: burst}
	d := door.Door{At: at, Token: c.Token}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store")
		if !b.take() {
			h.Set("Retry-After", "1")
			fail(w, http.StatusTooManyRequests, "too_many", "there are more requests than are answered; wait a second")
			return
		}
		known := d.Knows(r)
		if !d.Page(r) {
			fail(w, http.StatusForbidden, "forbidden", "requests from this origin are not answered")
			return
		}
		if !known && !d.Names(r) {
			fail(w, http.StatusForbidden, "forbidden", "this host is not served here")
			return
		}
		if !known && (!d.Open() && r.URL.Path != "/healthz" || writes[r.URL.Path]) {
			h.Set("WWW-Authenticate", `Bearer realm="memsync"`)
			fail(w, http.StatusUnauthorized, "unauthorised", "a bearer token is needed: the one in memsync's token file")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// writes are the paths that change the vault.
var writes = map[string]bool{"/ops": true}

// A bucket bounds a rate: it holds so many requests and fills up by rate a second.
type bucket struct {
	now  func() time.Time
	mu   sync.Mutex
	left float64
	last time.Time
}

func (b *bucket) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	if !b.last.IsZero() {
		b.left = min(burst, b.left+rate*max(now.Sub(b.last).Seconds(), 0))
	}
	b.last = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
