package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Tries is how often a request is made until its reply is of the schema and
// passes the check: the first, and two with the reason.
const Tries = 3

// echo bounds how much of a bad reply is shown to the model again, in characters.
const echo = 2000

// Ask asks for JSON of req.Schema and decodes it into out. The check, which may
// be nil, looks at what was decoded; its error goes back to the model as the
// reason to try again. After Tries the error wraps ErrAnswer.
func Ask[T any](ctx context.Context, m Model, req Request, check func(*T) error) (T, error) {
	var zero T
	if req.Schema == nil {
		return zero, errors.New("llm: a request for JSON needs a schema")
	}
	base := req.Messages
	var last error
	for range Tries {
		reply, err := m.Complete(ctx, req)
		if err != nil {
			return zero, err
		}
		out, err := Read(reply, req.Schema, check)
		if err == nil {
			return out, nil
		}
		last = err
		req.Messages = append(append([]Message{}, base...),
			Message{Assistant: true, Text: shown(reply.Text)},
			Message{Text: "That cannot be used: " + err.Error() + ". Answer again, with one JSON object of the schema and nothing else."})
	}
	return zero, fmt.Errorf("%w: %w", ErrAnswer, last)
}

// Read decodes one reply: what Ask does with each, and what a batch does with
// all of them.
func Read[T any](reply Reply, s *Schema, check func(*T) error) (T, error) {
	var out T
	raw, err := onlyObject(reply)
	if err != nil {
		return out, err
	}
	if err := s.Check(raw); err != nil {
		return out, err
	}
	if err := json.Unmarshal(raw, &out); err != nil {
		return out, fmt.Errorf("it does not fit the schema: %w", err)
	}
	if check != nil {
		if err := check(&out); err != nil {
			return out, err
		}
	}
	return out, nil
}

// onlyObject is the one JSON object of a reply that is an answer at all.
func onlyObject(reply Reply) ([]byte, error) {
	raw, err := Extract(reply.Text)
	switch {
	case reply.Declined, err != nil && Declines(reply.Text):
		return nil, errors.New("it is an apology or an error, not an answer")
	case err != nil && reply.Cut:
		return nil, ErrCut
	}
	return raw, err
}

// shown is a bad reply as the model sees it again. An empty turn is not taken by
// every server.
func shown(text string) string {
	if text = Clip(text, echo); text == "" {
		return "(nothing)"
	}
	return text
}
