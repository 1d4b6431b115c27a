package llm

import (
	"errors"
	"net"
	"time"
)

// A Health is how a model did, as its ledger of calls tells it: nobody is asked.
type Health struct {
	// LastCall is when it was last asked, LastAnswer when it last answered; zero
	// for never.
	LastCall, LastAnswer time.Time
	// FailingSince is the first of the calls in a row, up to the last, that were
	// not answered; zero where the last was.
	FailingSince time.Time
	// LastError is what became of the newest call that was not answered, whether
	// or not later ones were; "" for none.
	LastError string
}

// HealthOf looks through a ledger, the oldest call first, for the calls of a
// model. Calls that were stopped say nothing of it.
func HealthOf(calls []Call, model string) Health {
	var h Health
	for _, c := range calls {
		if c.Model != model || c.Outcome == "stopped" {
			continue
		}
		h.LastCall = c.At
		switch c.Outcome {
		case "ok", "cut", "declined":
			h.LastAnswer, h.FailingSince = c.At, time.Time{}
			continue
		}
		if h.FailingSince.IsZero() {
			h.FailingSince = c.At
		}
		h.LastError = c.Failure()
	}
	return h
}

// Failure says why a call was not answered, "" for one that was.
func (c Call) Failure() string {
	text := map[string]string{
		"down": ErrDown.Error(), "refused": ErrRefused.Error(), "stopped": "it was stopped", "error": "the call failed",
	}[c.Outcome]
	if text != "" && c.Why != "" {
		text += ": " + c.Why
	}
	return text
}

// why is what a ledger may keep of an error: the status that a server gave, or
// what the network said.
func why(err error) string {
	if s, ok := errors.AsType[*StatusError](err); ok {
		return (&StatusError{Code: s.Code}).Error()
	}
	if d, ok := errors.AsType[*net.DNSError](err); ok {
		return d.Error()
	}
	if o, ok := errors.AsType[*net.OpError](err); ok {
		return o.Error()
	}
	return ""
}
