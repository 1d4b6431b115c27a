package openai

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

	client "github.com/sashabaranov/go-openai"

	"github.com/memsync/memsync/index/embed"
)

// ask makes one request.
func (e *Embedder) ask(ctx context.Context, texts []string) ([][]float32, error) {
	inner, cancel := context.WithTimeout(ctx, e.cfg.Timeout)
	defer cancel()
	res, err := e.client.CreateEmbeddings(inner, client.EmbeddingRequestStrings{
		Input: texts, Model: client.EmbeddingModel(e.model), Dimensions: e.cfg.Dim,
	})
	if err != nil {
		return nil, e.explain(ctx, inner, err)
	}
	return e.read(res.Data, len(texts))
}

// explain sorts errors into those that may pass and those that will not.
func (e *Embedder) explain(ctx, inner context.Context, err error) error {
	var s *statusError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &s):
		if s.code == http.StatusTooManyRequests || s.code == http.StatusRequestTimeout || s.code >= 500 {
			return fmt.Errorf("%w: %w", embed.ErrDown, s)
		}
		return fmt.Errorf("the server refused: %w", s)
	case inner.Err() != nil:
		return fmt.Errorf("%w: no answer within %s", embed.ErrDown, e.cfg.Timeout)
	case brokenOff(err):
		return fmt.Errorf("%w: it broke off", embed.ErrDown)
	case unreadable(err):
		return fmt.Errorf("%w: %w", embed.ErrAnswer, err)
	}
	return fmt.Errorf("%w: %w", embed.ErrDown, err)
}

func brokenOff(err error) bool {
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// unreadable reports whether an answer came that is not what the protocol says.
func unreadable(err error) bool {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	return errors.As(err, &syntax) || errors.As(err, &kind)
}

// read checks an answer and returns its vectors in the order of the texts.
func (e *Embedder) read(data []client.Embedding, want int) ([][]float32, error) {
	if len(data) != want {
		return nil, fmt.Errorf("%w: %d vectors for %d texts", embed.ErrAnswer, len(data), want)
	}
	out := make([][]float32, want)
	for _, d := range data {
		if d.Index < 0 || d.Index >= want || out[d.Index] != nil {
			return nil, fmt.Errorf("%w: it numbers its vectors wrongly", embed.ErrAnswer)
		}
		if err := e.learn(len(d.Embedding)); err != nil {
			return nil, err
		}
		if !embed.Normalize(d.Embedding) {
			return nil, fmt.Errorf("%w: a vector holds something that is no number", embed.ErrAnswer)
		}
		out[d.Index] = d.Embedding
	}
	return out, nil
}

// learn takes the dimension from the first answer and holds later ones to it.
func (e *Embedder) learn(dim int) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case dim == 0:
		return fmt.Errorf("%w: a vector is empty", embed.ErrAnswer)
	case e.dim == 0:
		e.dim = dim
	case e.dim != dim:
		return fmt.Errorf("%w: a vector has %d components, want %d", embed.ErrAnswer, dim, e.dim)
	}
	return nil
}

// A statusError is an answer with a status that is no success.
type statusError struct {
	code  int
	after time.Duration // what the server asks to wait, 0 where it does not say
	text  string
}

func (s *statusError) Error() string {
	text := fmt.Sprintf("status %d", s.code)
	if name := http.StatusText(s.code); name != "" {
		text += " " + name
	}
	if s.text != "" {
		text += ": " + s.text
	}
	return text
}

// maxAnswer bounds an answer: 256 vectors of 4096 components are some 16 MB.
const maxAnswer = 64 << 20

// maxReason bounds what is quoted from a refusal.
const maxReason = 200

// A doer sends requests, bounds answers and reads refusals, of which go-openai
// keeps neither the header nor a body that is not OpenAI's.
type doer struct{ http *http.Client }

func (d doer) Do(req *http.Request) (*http.Response, error) {
	res, err := d.http.Do(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode >= 200 && res.StatusCode < 400 {
		res.Body = bounded{io.LimitReader(res.Body, maxAnswer), res.Body}
		return res, nil
	}
	defer res.Body.Close()
	s := &statusError{code: res.StatusCode}
	if n, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && n > 0 {
		s.after = time.Duration(n) * time.Second
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10))
	s.text = reason(body)
	return nil, s
}

// reason is the sentence in a refusal, on one line.
func reason(body []byte) string {
	var answer struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
	}
	text := string(body)
	if json.Unmarshal(body, &answer) == nil {
		var inner struct {
			Message string `json:"message"`
		}
		switch {
		case json.Unmarshal(answer.Error, &inner) == nil && inner.Message != "":
			text = inner.Message
		case json.Unmarshal(answer.Error, &text) == nil:
		case answer.Message != "":
			text = answer.Message
		}
	}
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if r := []rune(text); len(r) > maxReason {
		text = string(r[:maxReason]) + "…"
	}
	return text
}

// bounded is a body that ends early rather than fill the memory.
type bounded struct {
	io.Reader
	io.Closer
}
