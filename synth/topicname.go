package synth

import (
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// topicNames gives each new session the topic under which its facts are filed:
// one that the vault already has if the session's phrases name it, else the
// phrase that it shares with most other sessions, else, for a short talk, its
// title, and for a long one its own best phrase.
type topicNames struct {
	known  map[string]string // phrase key to the topic's name
	shared map[string]int    // phrase key to the sessions that have it
}

func newTopicNames(sessions []*vault.Note, fresh []conversation) *topicNames {
	t := &topicNames{known: map[string]string{}, shared: map[string]int{}}
	for _, s := range sessions {
		if name := s.Prop("topic"); name != "" {
			t.known[extract.PhraseKey(name)] = name
		}
		for _, p := range s.List("topics") {
			t.shared[extract.PhraseKey(p)]++
		}
	}
	for _, c := range fresh {
		for key := range wordsOf(c.phrases) {
			t.shared[key]++
		}
	}
	return t
}

// wordsOf are the keys of phrases and of the single words in them: "triangle
// congruence" is about triangles too.
func wordsOf(phrases []extract.Phrase) map[string]bool {
	keys := map[string]bool{}
	for _, p := range phrases {
		keys[p.Key] = true
		for w := range strings.FieldsSeq(p.Key) {
			keys[w] = true
		}
	}
	return keys
}

func (t *topicNames) of(c conversation) string {
	for _, p := range c.phrases {
		if name, ok := t.known[p.Key]; ok {
			return name
		}
	}
	best, sessions := "", 1
	for _, p := range c.phrases {
		if n := t.shared[p.Key]; n > sessions {
			best, sessions = p.Text, n
		}
	}
	switch {
	case best != "":
	case len(c.texts) > shortTalk && len(c.phrases) > 0:
		best = c.phrases[0].Text
	default:
		best = c.title
	}
	t.known[extract.PhraseKey(best)] = best
	return best
}
