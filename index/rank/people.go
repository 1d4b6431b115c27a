package rank

import (
	"strings"

	"github.com/memsync/memsync/index/lexical"
)

// people are the speakers whom a query names or means by "I".
type people struct {
	any bool
	of  []float32 // factor by speaker
}

// named reads from a query's text whose turns it asks for. A person is named by
// any word of their name; a query in the first person means the user's own turns.
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
	p := people{of: make([]float32, len(c.Speakers))}
	for i, name := range c.Speakers {
		p.of[i] = 1
		switch name = strings.ToLower(name); name {
		case "":
		case "user", "human":
			if self {
				p.any, p.of[i] = true, float32(1+w.Self)
			}
		case "assistant", "tool", "system":
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

func (p people) factor(c *Corpus, i int) float32 { return p.of[c.Speaker[i]] }

// maxText bounds the query in which people and times are looked for; what is
// longer is a pasted text, not a question.
const maxText = 2000

var firstPerson = map[string]bool{"i": true, "my": true, "me": true, "mine": true, "myself": true, "im": true, "ive": true, "id": true}

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
