package rank

import (
	"strings"

	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// people are the speakers whom a query names or means by "I".
type people struct {
	any   bool
	of    []float32 // factor by speaker
	tells float32   // factor for who speaks of themselves
}

// named reads from a query's text whose turns it asks for. A person is named by
// any word of their name; a query in the first person means the user's own turns,
// but one for what "you" said means the assistant's.
func named(c *Corpus, text string, w *Weights) people {
	if c.Speaker == nil || len(c.Speakers) < 2 || len(text) > maxText {
		return people{}
	}
	asked := make(map[string]bool)
	self := false
	for _, t := range lexical.Analyze(text) {
		asked[t] = true
		self = self || firstPerson[t]
	}
	yours := youSaid.MatchString(text)
	p := people{of: make([]float32, len(c.Speakers)), tells: float32(1 + w.Tells)}
	for i, name := range c.Speakers {
		p.of[i] = 1
		switch name = strings.ToLower(name); name {
		case "":
		case "user", "human":
			if self && !yours {
				p.any, p.of[i] = true, float32(1+w.Self)
			}
		case "assistant":
			if yours {
				p.any, p.of[i] = true, float32(1+w.Self)
			}
		case "tool", "system":
		default:
			for _, t := range lexical.Query(name) {
				if asked[t] && !lexical.IsStop(t) {
					p.any, p.of[i] = true, float32(1+w.Speaker)
				}
			}
		}
	}
	return p
}

// factor is what chunk i's evidence is multiplied with.
func (p people) factor(c *Corpus, i int) float32 {
	f := p.of[c.Speaker[i]]
	if c.Flags != nil && c.Flags[i]&(Personal|Assistant) == Personal {
		f *= p.tells
	}
	return f
}

// Tells says whether a text speaks of whoever wrote it, in English: what there is
// to know of a person is mostly said by "I", "my", "we" and "our", while advice,
// courtesies and questions go without.
func Tells(text string) bool {
	for i := 0; i < len(text); {
		start := i
		for i < len(text) && inWord(text[i]) {
			i++
		}
		word := text[start:i]
		if word == "" {
			i++
			continue
		}
		for _, own := range [...]string{"i", "my", "we", "our"} {
			if len(word) == len(own) && strings.EqualFold(word, own) {
				return true
			}
		}
	}
	return false
}

// inWord says whether a byte is part of a word: a letter, a digit or a byte beyond
// ASCII, but for the one that begins general punctuation, as in "I’m".
func inWord(b byte) bool {
	return b|0x20 >= 'a' && b|0x20 <= 'z' || b >= '0' && b <= '9' || b == '_' || b >= 0x80 && b != 0xe2
}

// maxText bounds the query in which people and times are looked for; what is
// longer is a pasted text, not a question.
const maxText = 2000

var firstPerson = map[string]bool{"i": true, "my": true, "me": true, "mine": true, "myself": true, "im": true, "ive": true, "id": true}

// youSaid matches a question for what the assistant said: "how did you suggest to
// do it?", unlike "what would you suggest?".
var youSaid = lazyregexp.New(`(?i)\b(?:did|had|have) you\b|\byou (?:\w+ )?(?:said|told|suggested|recommended|mentioned|gave|provided|listed|explained|wrote|proposed|advised|described|showed|shared)\b`)

// asksNow says whether a query asks for what holds at present.
func asksNow(text string) bool {
	if len(text) > maxText {
		return false
	}
	for _, t := range lexical.Analyze(text) {
		if now[t] {
			return true
		}
	}
	return false
}

var now = func() map[string]bool {
	m := make(map[string]bool)
	for _, t := range lexical.Analyze("now current currently latest newest recent recently lately nowadays present presently anymore") {
		m[t] = true
	}
	return m
}()
