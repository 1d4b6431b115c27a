package llm

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

var (
	// ErrDown is wrapped by errors that may pass: the server cannot be reached,
	// is busy, broke off, or did not answer in time. The work stays queued.
	ErrDown = errors.New("the model does not answer")
	// ErrRefused is wrapped by errors that will not pass by waiting: a wrong key,
	// an unknown model, a request that the server does not take.
	ErrRefused = errors.New("the server refused")
	// ErrAnswer is wrapped by errors about a reply that cannot be used, after all
	// its repetitions.
	ErrAnswer = errors.New("the model's answer cannot be used")
	// ErrCounted is what a Counter answers: the request was counted and not sent.
	ErrCounted = errors.New("the request was only counted")
)

// A LimitError says that a run reached its ceiling. What was done before stays.
type LimitError struct {
	// Limit is "tokens" or "cost".
	Limit string
	// Most is the ceiling, in tokens or US dollars, and Next what it would have
	// come to with the request that was not sent.
	Most, Next float64
}

func (e *LimitError) Error() string {
	if e.Limit == "cost" {
		return fmt.Sprintf("the run's ceiling of $%.2f is reached: the next request could bring it to $%.2f", e.Most, e.Next)
	}
	return fmt.Sprintf("the run's ceiling of %.0f tokens is reached: the next request could bring it to %.0f", e.Most, e.Next)
}

// A StatusError is an answer with a status that is no success.
type StatusError struct {
	Code int
	// After is what the server asks to wait, 0 where it does not say.
	After time.Duration
	// Text is the server's reason, on one line, shortened.
	Text string
}

func (s *StatusError) Error() string {
	text := fmt.Sprintf("status %d", s.Code)
	if name := http.StatusText(s.Code); name != "" {
		text += " " + name
	}
	if s.Text != "" {
		text += ": " + s.Text
	}
	return text
}

// Unwrap sorts the status: ErrDown where it may pass, else ErrRefused.
func (s *StatusError) Unwrap() error {
	switch {
	case s.Code == http.StatusTooManyRequests, s.Code == http.StatusRequestTimeout, s.Code == http.StatusConflict, s.Code >= 500:
		return ErrDown
	}
	return ErrRefused
}

// maxReason bounds what is quoted from a refusal, in characters.
const maxReason = 200

// Reason is the sentence in the body of a refusal, on one line.
func Reason(body []byte) string {
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
	return Clip(text, maxReason)
}

// Clip is text on one line, shortened to n characters.
func Clip(text string, n int) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " ")
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}
