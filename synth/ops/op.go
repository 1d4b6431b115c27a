package ops

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Version is the version of the format of operations.
const Version = 1

// Operations are changes of memory, each kind in its own list. They are applied
// in the order create, update, supersede, delete, pin.
type Operations struct {
	SchemaVersion int         `json:"schema_version,omitempty"`
	Create        []Create    `json:"create,omitempty"`
	Update        []Update    `json:"update,omitempty"`
	Supersede     []Supersede `json:"supersede,omitempty"`
	Delete        []Delete    `json:"delete,omitempty"`
	Pin           []Pin       `json:"pin,omitempty"`
}

// Len is the number of operations.
func (o Operations) Len() int {
	return len(o.Create) + len(o.Update) + len(o.Supersede) + len(o.Delete) + len(o.Pin)
}

// A Proof names a turn and words in it.
type Proof struct {
	// Transcript is the transcript's path, its id or its conversation's id.
	Transcript string `json:"transcript"`
	// Turn is the turn's block id (t0003) or the provider's message id.
	Turn string `json:"turn"`
	// Quote stands in the turn, word for word.
	Quote string `json:"quote"`
}

// A Statement is what a claim says.
type Statement struct {
	// Text is one sentence.
	Text string `json:"text"`
	// Kind is one of Kinds.
	Kind string `json:"kind"`
	// Domain and Topic say in which ledger the claim is filed.
	Domain     string   `json:"domain,omitempty"`
	Topic      string   `json:"topic,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	Importance *float64 `json:"importance,omitempty"`
	// P and O are the claim's predicate and object, where it has them.
	P string `json:"p,omitempty"`
	O string `json:"o,omitempty"`
}

// A Create adds a claim.
type Create struct {
	Statement
	// Supersedes is the id of the claim that this one replaces; a correction
	// must name one.
	Supersedes string  `json:"supersedes,omitempty"`
	Provenance []Proof `json:"provenance"`
}

// An Update changes a claim's wording or adds proof to it. Empty fields stay.
type Update struct {
	ID         string   `json:"id"`
	Text       string   `json:"text,omitempty"`
	Kind       string   `json:"kind,omitempty"`
	Confidence *float64 `json:"confidence,omitempty"`
	Importance *float64 `json:"importance,omitempty"`
	Provenance []Proof  `json:"provenance"`
}

// A Supersede replaces a claim that holds no more by another.
type Supersede struct {
	ID         string    `json:"id"`
	By         Statement `json:"by"`
	Provenance []Proof   `json:"provenance"`
}

// A Delete forgets a claim: it is not learned again.
type Delete struct {
	ID         string  `json:"id"`
	Provenance []Proof `json:"provenance"`
}

// A Pin keeps a claim at hand ("system"), or lets go of it ("none").
type Pin struct {
	ID         string  `json:"id"`
	Pin        string  `json:"pin"`
	Provenance []Proof `json:"provenance"`
}

// Kinds are the kinds of claims.
var Kinds = []string{
	"decision", "preference", "constraint", "entity", "definition", "task", "correction",
	"identity", "relationship", "event", "goal", "value", "policy",
}

// maxBytes bounds what Parse reads: some ten thousand operations.
const maxBytes = 16 << 20

// Parse reads operations. Fields that it does not know are errors: a misspelt
// "provenance" must not pass for none.
func Parse(r io.Reader) (Operations, error) {
	var o Operations
	d := json.NewDecoder(io.LimitReader(r, maxBytes+1))
	if err := strictly(d, &o); err != nil {
		return o, fmt.Errorf("operations: %w", err)
	}
	if _, err := d.Token(); err != io.EOF {
		return o, fmt.Errorf("operations: something follows the JSON object")
	}
	if d.InputOffset() > maxBytes {
		return o, fmt.Errorf("operations: more than %d MiB", maxBytes>>20)
	}
	if o.SchemaVersion > Version {
		return o, fmt.Errorf("operations: schema_version %d is newer than this program's %d", o.SchemaVersion, Version)
	}
	return o, nil
}

// Decode reads one operation, as strictly as Parse reads all.
func Decode(raw []byte, op any) error { return strictly(json.NewDecoder(bytes.NewReader(raw)), op) }

func strictly(d *json.Decoder, into any) error {
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return errors.New(strings.TrimPrefix(err.Error(), "json: "))
	}
	return nil
}
