package whatsapp

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/vault"
)

// A SessionConfig says where a long chat is cut. Zero values are defaults.
//
// The gaps are ours: people who chat answer within minutes; after an hour of
// silence a message may still answer what stood there, after six it is read as
// a new conversation. The caps keep a note of one session readable.
type SessionConfig struct {
	// SoftGap is the silence after which a change of topic begins a session,
	// MidGap the one after which a message that does not show its topic does,
	// HardGap the one after which any message does. Defaults: 1 h, 3 h, 6 h.
	SoftGap, MidGap, HardGap time.Duration
	// MaxTurns and MaxBytes of text bound a session. Defaults: 400, 64 KiB.
	// From half of them on ever shorter silences begin a new one.
	MaxTurns, MaxBytes int
	// Similarity of two texts between 0 and 1; nil compares words.
	Similarity func(a, b string) float64
	// SameTopic is the similarity from which a text goes on with a topic.
	// Default: 0.12, for words.
	SameTopic float64
}

func (c SessionConfig) withDefaults() SessionConfig {
	set := func(d *time.Duration, v time.Duration) {
		if *d <= 0 {
			*d = v
		}
	}
	set(&c.SoftGap, time.Hour)
	set(&c.MidGap, 3*time.Hour)
	set(&c.HardGap, 6*time.Hour)
	if c.MaxTurns <= 0 {
		c.MaxTurns = 400
	}
	if c.MaxBytes <= 0 {
		c.MaxBytes = 64 << 10
	}
	if c.Similarity == nil {
		c.Similarity = sharedWords
	}
	if c.SameTopic <= 0 {
		c.SameTopic = 0.12
	}
	return c
}

// tailBytes is how much of a session's end a new message is compared with.
const tailBytes = 2000

// minWords is how many words a text needs to show its topic.
const minWords = 3

// A Cutter cuts a chat into sessions while it goes by.
//
// It decides about each turn from the turns before it alone. So a cut never
// moves when later messages arrive: a chat that has grown has the same
// sessions as before, and only its last one goes on.
type Cutter struct {
	cfg   SessionConfig
	turns int
	bytes int
	last  time.Time
	tail  string
}

// NewCutter returns a Cutter at the beginning of a chat.
func NewCutter(cfg SessionConfig) *Cutter {
	return &Cutter{cfg: cfg.withDefaults()}
}

// Next takes the next turn and reports whether it begins a session.
func (c *Cutter) Next(t vault.Turn) bool {
	cut := c.turns == 0 || c.begins(t)
	if cut {
		c.turns, c.bytes, c.tail = 0, 0, ""
	}
	c.turns++
	c.bytes += len(t.Text)
	if !t.Time.IsZero() {
		c.last = t.Time.Time
	}
	if speaks(t) {
		c.tail += "\n" + t.Text
		if n := len(c.tail) - tailBytes; n > 0 {
			for n < len(c.tail) && !utf8.RuneStart(c.tail[n]) {
				n++
			}
			c.tail = c.tail[n:]
		}
	}
	return cut
}

func (c *Cutter) begins(t vault.Turn) bool {
	if c.turns >= c.cfg.MaxTurns || c.bytes > 0 && c.bytes+len(t.Text) > c.cfg.MaxBytes {
		return true
	}
	if t.Time.IsZero() || c.last.IsZero() {
		return false
	}
	gap := t.Time.Time.Sub(c.last).Abs()
	// From half full to full, the gaps shrink to a twelfth.
	full := max(float64(c.turns)/float64(c.cfg.MaxTurns), float64(c.bytes)/float64(c.cfg.MaxBytes))
	if full > 0.5 {
		gap = time.Duration(float64(gap) * (1 + 22*(full-0.5)))
	}
	switch {
	case gap < c.cfg.SoftGap:
		return false
	case gap >= c.cfg.HardGap:
		return true
	case !speaks(t) || len(words(t.Text)) < minWords || c.tail == "":
		return gap >= c.cfg.MidGap
	}
	return c.cfg.Similarity(c.tail, t.Text) < c.cfg.SameTopic
}

// speaks reports whether a turn's text is a person's words.
func speaks(t vault.Turn) bool {
	for _, f := range t.Flags {
		switch f {
		case flagSystem, flagDeleted, flagCall, flagLocation:
			return false
		case flagMedia:
			return strings.Contains(t.Text, "\n")
		}
	}
	return true
}

// Sessions cuts turns into sessions.
func Sessions(turns []vault.Turn, cfg SessionConfig) [][]vault.Turn {
	c := NewCutter(cfg)
	var out [][]vault.Turn
	start := 0
	for i, t := range turns {
		if c.Next(t) && i > 0 {
			out = append(out, turns[start:i:i])
			start = i
		}
	}
	if start < len(turns) {
		out = append(out, turns[start:])
	}
	return out
}

// sharedWords is the part of b's words that a has too.
func sharedWords(a, b string) float64 {
	in := map[string]bool{}
	for _, w := range words(a) {
		in[w] = true
	}
	seen := map[string]bool{}
	shared := 0
	for _, w := range words(b) {
		if seen[w] {
			continue
		}
		seen[w] = true
		if in[w] {
			shared++
		}
	}
	if len(seen) == 0 {
		return 0
	}
	return float64(shared) / float64(len(seen))
}

// words are the words of a text that carry a topic: those of four letters and
// more, and in scripts without blanks pairs of signs.
func words(s string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !isLetter(r) && !unicode.IsDigit(r) }) {
		r, _ := utf8.DecodeRuneInString(w)
		if wide(r) {
			runes := []rune(w)
			for i := 0; i+1 < len(runes); i++ {
				out = append(out, string(runes[i:i+2]))
			}
			continue
		}
		if utf8.RuneCountInString(w) >= 4 {
			out = append(out, w)
		}
	}
	return out
}
