// Package salience says how much a conversation is worth distilling, and how
// deep.
//
// Years of chats hold little that lasts. What distilling costs, a model's time
// and money and a reader's patience, should go where it pays. So each
// conversation gets a score of five parts, each from 0 to 1 and each explained:
// how recent it is, how much of it is the person's, whether its subjects come
// again, how many things were said in it that last, and how much feeling and
// haste there is. The score is the weighted sum.
//
// Nothing is thrown away by it. A conversation of the lowest tier is stored word
// for word and found by search like any other; only nothing is written about it.
package salience

import (
	"fmt"
	"math"
	"time"
)

// Signals are what is counted in a conversation.
type Signals struct {
	// Age is how much older the conversation is than the newest one.
	Age time.Duration
	// Own counts the words of the person: an "ok" is less of them than a story.
	// Known says that it is known which are theirs.
	Own   int
	Known bool
	// Phrases counts what the conversation is about, Shared those of them that
	// other conversations are about too.
	Phrases, Shared int
	// Lasting is the sum of the scores of what was said that lasts.
	Lasting float64
	// Words counts the words; Names and Events what they name: people and
	// places, dates, hours and amounts.
	Words, Names, Events int
	// Feeling counts messages with signs of feeling or haste.
	Feeling int
}

// A Part is one part of a score.
type Part struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
	// Because says in a few words where the value comes from.
	Because string `json:"because"`
}

// A Score is how much a conversation is worth, from 0 to 1, and why.
type Score struct {
	Value float64 `json:"value"`
	Parts []Part  `json:"parts"`
}

// Weights of the parts. What was said outweighs the rest: a recent and lively
// conversation in which nothing was said is still small talk.
const (
	recencyWeight    = 0.15
	ownWeight        = 0.15
	repetitionWeight = 0.15
	densityWeight    = 0.40
	feelingWeight    = 0.15
)

// halfLife is the age at which recency has fallen to a half.
const halfLife = 180 * 24 * time.Hour

// Where a part reaches a half: this much that lasts (about three statements),
// names and events in a hundred words, messages with feeling.
const (
	halfLasting = 4.0
	halfNamed   = 4.0
	halfFeeling = 3.0
)

// Rate scores a conversation.
func Rate(s Signals) Score {
	parts := []Part{
		{"recency", math.Exp2(-s.Age.Hours() / halfLife.Hours()), recencyWeight, days(s.Age)},
		own(s),
		{"repetition", share(s.Shared, s.Phrases), repetitionWeight, fmt.Sprintf("%d of %d subjects come elsewhere too", s.Shared, s.Phrases)},
		density(s),
		{"feeling", half(float64(s.Feeling), halfFeeling), feelingWeight, fmt.Sprintf("%d messages with feeling or haste", s.Feeling)},
	}
	score := Score{Parts: parts}
	for _, p := range parts {
		score.Value += p.Value * p.Weight
	}
	return score
}

// own is the person's part in it. Where nobody is known to be the person, half:
// it is a chat from their phone.
func own(s Signals) Part {
	if !s.Known {
		return Part{"yours", 0.5, ownWeight, "nobody in it is known to be you"}
	}
	return Part{"yours", min(1, 2*share(s.Own, s.Words)), ownWeight, fmt.Sprintf("%d of %d words are yours", s.Own, s.Words)}
}

// density is what was said and named. What lasts counts three times as much as
// names and dates, which small talk has as well.
func density(s Signals) Part {
	named := 0.0
	if s.Words > 0 {
		// A few words with one name in them are not dense.
		named = 100 * float64(s.Names+s.Events) / float64(max(s.Words, 50))
	}
	value := 0.75*half(s.Lasting, halfLasting) + 0.25*half(named, halfNamed)
	return Part{"density", value, densityWeight, fmt.Sprintf("%.1f of what lasts, %d names, %d dates and amounts in %d words", s.Lasting, s.Names, s.Events, s.Words)}
}

func days(age time.Duration) string {
	return fmt.Sprintf("%d days older than the newest", int(age.Hours()/24))
}

func share(n, of int) float64 {
	if of <= 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// half grows from 0 towards 1 and is a half at h.
func half(x, h float64) float64 { return x / (x + h) }
