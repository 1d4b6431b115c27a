package vault

import (
	"fmt"
	"strings"
	"time"
)

// A Turn is one message of a conversation, as its provider kept it.
type Turn struct {
	// ID is the block id under which the transcript note links the turn
	// ("t0001"). A transcript assigns it when the turn is appended.
	ID string
	// Sender is "user", "assistant" or "tool" for assistants' histories and the
	// person's name, as the export gives it, for chats between people.
	Sender string
	// Time is when the turn was sent; zero where nothing is known of it.
	Time Stamp
	// Model is the model that wrote the turn, empty for people.
	Model string
	// MessageID is the provider's own id for the message, empty where it has none.
	MessageID string
	// Parent is the MessageID of the turn that this one answers. Empty means
	// the turn that stands before it in the transcript.
	Parent string
	// Branch says that the turn was off the active path when it was imported:
	// an answer that was regenerated, a question that was edited.
	Branch bool
	// Revises is the MessageID of the turn of which this is a later wording: the
	// provider gave the same message another text when it was imported again. It
	// takes that turn's place on the active path. Empty for most.
	Revises string
	// Attachments are names of files that came with the turn.
	Attachments []string
	// Languages are BCP 47 tags, most used first.
	Languages []string
	// Flags are sensitivity and kind marks: "otp", "card", "media", "deleted".
	Flags []string
	// Text is the raw text, byte for byte.
	Text string
}

// A Stamp is a moment as precisely as its source knew it.
//
// Providers of assistants give instants; chat exports between people give wall
// clock times without a zone, often without seconds. Floating keeps the two
// apart, so that a local 16:02 is never taken for 16:02 UTC.
type Stamp struct {
	// Time holds the moment. A floating stamp holds its wall clock in UTC.
	Time time.Time
	// Floating says that the zone is unknown.
	Floating bool
	// Minutes says that the source gave no seconds.
	Minutes bool
}

// IsZero reports whether nothing is known of the time.
func (s Stamp) IsZero() bool { return s.Time.IsZero() }

const (
	stampDate    = "2006-01-02"
	stampMinutes = "2006-01-02 15:04"
	stampSeconds = "2006-01-02 15:04:05"
)

// String formats s as transcripts write it: "2025-08-09 19:31:04Z" for an
// instant, with a fraction where there is one, and "2025-08-12 16:02" for a
// wall clock. A zero stamp is the empty string.
func (s Stamp) String() string {
	if s.IsZero() {
		return ""
	}
	t := s.Time.UTC()
	out := t.Format(stampSeconds)
	if s.Minutes {
		out = t.Format(stampMinutes)
	} else if ns := t.Nanosecond(); ns != 0 {
		out += strings.TrimRight(fmt.Sprintf(".%09d", ns), "0")
	}
	if !s.Floating {
		out += "Z"
	}
	return out
}

// Property formats s as front matter writes it: "2025-08-09T19:31:04Z", and
// without the Z for a wall clock.
func (s Stamp) Property() string { return strings.Replace(s.String(), " ", "T", 1) }

// Date is the day of s, YYYY-MM-DD; empty for a zero stamp.
func (s Stamp) Date() string {
	if s.IsZero() {
		return ""
	}
	return s.Time.UTC().Format(stampDate)
}

// ParseStamp reads what String wrote; also RFC 3339 and plain dates, as people
// write them into front matter.
func ParseStamp(text string) (Stamp, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Stamp{}, nil
	}
	bare, zulu := strings.CutSuffix(text, "Z")
	bare = strings.Replace(bare, "T", " ", 1)
	if t, err := time.Parse(stampSeconds, bare); err == nil {
		return Stamp{Time: t, Floating: !zulu}, nil
	}
	if t, err := time.Parse(stampMinutes, bare); err == nil {
		return Stamp{Time: t, Floating: !zulu, Minutes: true}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, strings.Replace(text, " ", "T", 1)); err == nil {
		return Stamp{Time: t.UTC()}, nil
	}
	if t, err := time.Parse(stampDate, text); err == nil {
		return Stamp{Time: t, Floating: true, Minutes: true}, nil
	}
	return Stamp{}, fmt.Errorf("%q is not a time", text)
}
