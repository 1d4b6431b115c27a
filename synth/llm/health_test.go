package llm

import (
	"errors"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestHealthOfALedger(t *testing.T) {
	at := func(min int) time.Time { return time.Date(2025, 9, 1, 8, min, 0, 0, time.UTC) }
	call := func(min int, outcome, why string) Call {
		return Call{At: at(min), Model: "m", Outcome: outcome, Why: why}
	}
	for name, test := range map[string]struct {
		calls []Call
		want  Health
	}{
		"never asked":          {nil, Health{}},
		"answers":              {[]Call{call(1, "ok", ""), call(2, "cut", "")}, Health{LastCall: at(2), LastAnswer: at(2)}},
		"declining is answers": {[]Call{call(1, "declined", "")}, Health{LastCall: at(1), LastAnswer: at(1)}},
		"fails since the first in a row": {
			[]Call{call(1, "refused", "status 401"), call(2, "ok", ""), call(3, "down", ""), call(4, "down", "no route")},
			Health{LastCall: at(4), LastAnswer: at(2), FailingSince: at(3), LastError: "the model does not answer: no route"},
		},
		"answers again": {
			[]Call{call(1, "refused", "status 401 Unauthorized"), call(2, "ok", "")},
			Health{LastCall: at(2), LastAnswer: at(2), LastError: "the server refused: status 401 Unauthorized"},
		},
		"stopped says nothing":       {[]Call{call(1, "ok", ""), call(2, "stopped", "")}, Health{LastCall: at(1), LastAnswer: at(1)}},
		"another model says nothing": {[]Call{{At: at(1), Model: "other", Outcome: "down"}}, Health{}},
	} {
		if diff := cmp.Diff(test.want, HealthOf(test.calls, "m")); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// A refusal may quote what was sent: the ledger keeps the status alone.
func TestTheLedgerKeepsNoWordOfARefusal(t *testing.T) {
	refused := &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	for want, err := range map[string]error{
		"":                             fmt.Errorf("%w: her diary says so", ErrRefused),
		"status 400 Bad Request":       fmt.Errorf("m: %w", &StatusError{Code: 400, Text: "bad input: her diary says so"}),
		"dial tcp: connection refused": fmt.Errorf("%w: %w", ErrDown, refused),
	} {
		if got := why(err); got != want {
			t.Errorf("%v: %q, want %q", err, got, want)
		}
	}
}
