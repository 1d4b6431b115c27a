package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxBody bounds what is read of an answer, in bytes. Results of batches are the
// largest: 100,000 replies of a few kilobytes.
const maxBody = 512 << 20

// A Doer sends requests for the providers' clients, which keep neither the header
// of a refusal nor a body that is not their protocol's. It turns a status that is
// no success into a *StatusError, and an HTML page that comes with status 200,
// as captive portals and proxies send, too.
type Doer struct{ HTTP *http.Client }

// Do sends one request.
func (d Doer) Do(req *http.Request) (*http.Response, error) {
	client := d.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	page := strings.HasPrefix(res.Header.Get("Content-Type"), "text/html")
	if res.StatusCode >= 200 && res.StatusCode < 400 && !page {
		res.Body = bounded{io.LimitReader(res.Body, maxBody), res.Body}
		return res, nil
	}
	defer res.Body.Close()
	s := &StatusError{Code: res.StatusCode, After: retryAfter(res.Header)}
	body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	s.Text = Reason(body)
	if page {
		s.Text = "a web page instead of an answer"
		if res.StatusCode < 400 {
			s.Code = http.StatusBadGateway
		}
	}
	return nil, s
}

// retryAfter is what a server asks to wait. Seconds are what is sent in practice.
func retryAfter(h http.Header) time.Duration {
	if ms, err := strconv.ParseFloat(h.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms) * time.Millisecond
	}
	if n, err := strconv.ParseFloat(h.Get("Retry-After"), 64); err == nil && n > 0 && n < 1e6 {
		return time.Duration(n * float64(time.Second))
	}
	return 0
}

type bounded struct {
	io.Reader
	io.Closer
}

// Explain sorts an error of a provider's client into ErrDown and ErrRefused.
func Explain(ctx context.Context, err error) error {
	s, isStatus := errors.AsType[*StatusError](err)
	_, syntax := errors.AsType[*json.SyntaxError](err)
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil && !isStatus:
		return ctx.Err()
	case isStatus:
		return s
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it broke off", ErrDown)
	case syntax:
		return fmt.Errorf("%w: what came is not its protocol", ErrDown)
	}
	return fmt.Errorf("%w: %w", ErrDown, err)
}
