package rank

import "github.com/memsync/memsync/index/lexical"

// named returns which speakers the query names, by any word of their name, and
// whether there is one. Nobody is named who is called like every speaker.
func named(c *Corpus, text string) ([]bool, bool) {
	if c.Speaker == nil || len(c.Speakers) < 2 {
		return nil, false
	}
	asked := make(map[string]bool)
	for _, t := range lexical.Query(text) {
		asked[t] = true
	}
	out := make([]bool, len(c.Speakers))
	found := 0
	for i, name := range c.Speakers {
		for _, t := range lexical.Query(name) {
			if asked[t] && !out[i] && !role(name) {
				out[i] = true
				found++
			}
		}
	}
	return out, found > 0
}

// role says whether a sender is a part in a conversation, not a name: the words
// "user" and "assistant" in a query name nobody.
func role(name string) bool {
	return name == "user" || name == "assistant" || name == "tool" || name == "system"
}
