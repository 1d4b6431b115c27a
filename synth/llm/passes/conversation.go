package passes

import (
	"strings"
	"time"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/vault/tokens"
)

// A Turn is what one sender said at once. Text is what the sender wrote, without
// what programs put there.
type Turn struct {
	// ID is the turn's block id, t0012.
	ID     string
	Sender string
	Text   string
}

// A Conversation is a transcript as a model reads it.
type Conversation struct {
	// Transcript is the path or the id that operations name.
	Transcript string
	Title      string
	// Date is YYYY-MM-DD, or empty.
	Date  string
	Turns []Turn
}

// turn finds a turn by its id, written as people and models write ids: t12, T0012,
// ^t0012.
func (c Conversation) turn(id string) (Turn, bool) {
	for _, t := range c.Turns {
		if sameID(t.ID, id) {
			return t, true
		}
	}
	return Turn{}, false
}

func sameID(a, b string) bool { return a == b || plainID(a) == plainID(b) }

func plainID(id string) string {
	id = strings.ToLower(strings.Trim(strings.TrimSpace(id), "^[]()#:"))
	if rest, ok := strings.CutPrefix(id, "t"); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
		return "t" + strings.TrimLeft(rest, "0")
	}
	return id
}

// day is a date as a prompt says it: what is none comes from who knows where.
func day(date string) string {
	if _, err := time.Parse(time.DateOnly, date); err != nil {
		return "unknown date"
	}
	return date
}

// near are the texts of a turn and its two neighbours: what "yes, do that" refers
// to.
func (c Conversation) near(id string) []string {
	for i, t := range c.Turns {
		if sameID(t.ID, id) {
			var out []string
			for _, n := range c.Turns[max(0, i-1):min(len(c.Turns), i+2)] {
				out = append(out, n.Text, n.Sender)
			}
			return out
		}
	}
	return nil
}

// longTurn is how many tokens of one turn a model reads; what is longer is mostly
// pasted.
const longTurn = 2000

// paragraph is a turn in a prompt.
func (t Turn) paragraph() string {
	return "[" + t.ID + "] " + t.Sender + ": " + tokens.Cut(t.Text, longTurn)
}

// text is the conversation in a prompt.
func (c Conversation) text() llm.Data {
	var lines []string
	for _, t := range c.Turns {
		lines = append(lines, t.paragraph())
	}
	return llm.NewData(strings.Join(lines, "\n\n"))
}

// parts cuts a conversation between turns into pieces of at most n tokens.
func (c Conversation) parts(n int) []Conversation {
	var out []Conversation
	part, used := c, 0
	part.Turns = nil
	for _, t := range c.Turns {
		cost := tokens.Count(t.paragraph()) + 2
		if used+cost > n && len(part.Turns) > 0 {
			out = append(out, part)
			part.Turns, used = nil, 0
		}
		part.Turns, used = append(part.Turns, t), used+cost
	}
	return append(out, part)
}
