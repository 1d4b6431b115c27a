// Package openai embeds text through any server that speaks OpenAI's embeddings
// protocol: Ollama, llama.cpp, vLLM, LM Studio, text-embeddings-inference, or a
// hosted one.
//
// Texts go in batches, several at a time. An answer is checked before it is
// believed: one vector a text, all of one size, all of them numbers; they are
// brought to unit length here, whatever the server does. A server that is busy or
// stumbles is asked again after a pause that doubles; one that stays away gives
// an error that wraps embed.ErrDown, on which the caller goes on without vectors.
//
// It reads no environment and knows no address by itself.
package openai

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	client "github.com/sashabaranov/go-openai"
	"golang.org/x/sync/errgroup"

	"github.com/memsync/memsync/index/embed"
)

// A Config says how a server is used. Its zero value works with most.
type Config struct {
	// Key is sent as the bearer token; local servers need none.
	Key string
	// Dim is the number of components to ask for, where the model can give
	// several; 0 takes what it gives.
	Dim int
	// QueryPrefix and DocumentPrefix go before each text, as some models want it
	// ("search_query: ").
	QueryPrefix, DocumentPrefix string
	// Batch is the number of texts in a request; 0 is 64.
	Batch int
	// Parallel is the number of requests at once; 0 is 4.
	Parallel int
	// Timeout bounds one request; 0 is a minute, since a server may have to load
	// its model first.
	Timeout time.Duration
	// Retries is how often a request is repeated; 0 is 3, negative is never.
	Retries int
	// Pause is the wait before the first repetition; it doubles with each. 0 is
	// half a second.
	Pause time.Duration
	// HTTP is the client to use; nil is one of its own.
	HTTP *http.Client
}

// An Embedder embeds through a server. It may be used by several goroutines.
type Embedder struct {
	url    string
	model  string
	cfg    Config
	client *client.Client

	mu  sync.Mutex
	dim int

	// wait sleeps; tests do not.
	wait func(ctx context.Context, d time.Duration) error
}

var _ embed.Embedder = (*Embedder)(nil)

// New returns an embedder for a model of the server at url, which ends in its
// version: "http://localhost:11434/v1". It does not connect.
func New(url, model string, cfg Config) (*Embedder, error) {
	if url == "" || model == "" {
		return nil, errors.New("openai: an endpoint needs an address and a model")
	}
	if cfg.Batch <= 0 {
		cfg.Batch = 64
	}
	if cfg.Parallel <= 0 {
		cfg.Parallel = 4
	}
	if cfg.Timeout <= 0 {
		cfg.Timeout = time.Minute
	}
	if cfg.Retries == 0 {
		cfg.Retries = 3
	}
	if cfg.Pause <= 0 {
		cfg.Pause = time.Second / 2
	}
	if cfg.HTTP == nil {
		cfg.HTTP = &http.Client{}
	}
	c := client.DefaultConfig(cfg.Key)
	c.BaseURL = strings.TrimSuffix(url, "/")
	c.HTTPClient = doer{cfg.HTTP}
	return &Embedder{url: c.BaseURL, model: model, cfg: cfg, client: client.NewClientWithConfig(c), dim: cfg.Dim, wait: wait}, nil
}

// Model names the space by the model and, where there are prefixes, by them too:
// other prefixes make other vectors. The server's address is not part of it.
func (e *Embedder) Model() embed.Model {
	id := "openai/" + e.model
	if p := e.cfg.QueryPrefix + "\x00" + e.cfg.DocumentPrefix; p != "\x00" {
		id += fmt.Sprintf("+%x", sha256.Sum256([]byte(p)))[:9]
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return embed.Model{ID: id, Dim: e.dim}
}

// Embed returns one unit vector a text. A text without words gets the zero
// vector and is not sent.
func (e *Embedder) Embed(ctx context.Context, texts []string, as embed.Purpose) ([][]float32, error) {
	prefix := e.cfg.DocumentPrefix
	if as == embed.Query {
		prefix = e.cfg.QueryPrefix
	}
	out := make([][]float32, len(texts))
	var send []int
	for i, t := range texts {
		if strings.TrimSpace(t) != "" {
			send = append(send, i)
		}
	}
	group, inner := errgroup.WithContext(ctx)
	group.SetLimit(e.cfg.Parallel)
	for from := 0; from < len(send); from += e.cfg.Batch {
		part := send[from:min(from+e.cfg.Batch, len(send))]
		group.Go(func() error {
			input := make([]string, len(part))
			for n, i := range part {
				input[n] = prefix + strings.ToValidUTF8(texts[i], " ")
			}
			vectors, err := e.batch(inner, input)
			for n, v := range vectors {
				out[part[n]] = v
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%s at %s: %w", e.model, e.url, err)
	}
	dim := e.Model().Dim
	for i, v := range out {
		if v == nil {
			out[i] = make([]float32, dim)
		}
	}
	return out, nil
}

// batch embeds texts in one request, or in two halves where the server refuses
// them together: a limit on the size of a request cannot be known before.
func (e *Embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := e.persist(ctx, texts)
	var s *statusError
	if err == nil || len(texts) == 1 || !errors.As(err, &s) || s.code != http.StatusBadRequest && s.code != http.StatusRequestEntityTooLarge {
		return vectors, err
	}
	half := len(texts) / 2
	first, err := e.batch(ctx, texts[:half])
	if err != nil {
		return nil, err
	}
	second, err := e.batch(ctx, texts[half:])
	return append(first, second...), err
}

// persist asks until the server answers, refuses for good, or was asked often
// enough.
func (e *Embedder) persist(ctx context.Context, texts []string) ([][]float32, error) {
	pause := e.cfg.Pause
	for try := 0; ; try++ {
		vectors, err := e.ask(ctx, texts)
		if err == nil || ctx.Err() != nil || !errors.Is(err, embed.ErrDown) || try >= e.cfg.Retries {
			return vectors, err
		}
		d := pause
		var s *statusError
		if errors.As(err, &s) && s.after > 0 {
			d = min(s.after, longestPause)
		}
		if err := e.wait(ctx, d); err != nil {
			return nil, err
		}
		pause = min(2*pause, longestPause)
	}
}

// longestPause bounds what a server may ask us to wait.
const longestPause = 30 * time.Second

func wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
