package synth

import (
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// topicNames gives each new session the topic under which its facts are filed:
// one that the vault already has if the session's phrases name it, else the
// phrase that it shares with most other sessions (a word of it, where that is a
// phrase elsewhere; phrases of two words say more than one word), else its
// own best phrase where it speaks of it often. A session about nothing in
// particular has none.
type topicNames struct {
	known  map[string]string // phrase key to the topic's name
	shared map[string]int    // phrase key to the sessions that have it
	whole  map[string]bool   // keys that are whole phrases somewhere
}

func newTopicNames(sessions []*vault.Note, fresh []conversation) *topicNames {
	t := &topicNames{known: map[string]string{}, shared: map[string]int{}, whole: map[string]bool{}}
	for _, s := range sessions {
		if name := s.Prop("topic"); name != "" {
			t.known[extract.PhraseKey(name)] = name
		}
		t.count(s.List("topics"))
	}
	for _, c := range fresh {
		t.count(topicsOf(c))
	}
	return t
}

func (t *topicNames) count(names []string) {
	for key := range keysOf(names) {
		t.shared[key]++
	}
	for _, name := range names {
		t.whole[extract.PhraseKey(name)] = true
	}
}

// topicsOf are the names of what a conversation is about, as its session lists
// them.
func topicsOf(c conversation) []string {
	var names []string
	for _, p := range c.phrases[:min(sessionTopics, len(c.phrases))] {
		names = append(names, p.Text)
	}
	return names
}

// sessionTopics is how many key phrases a session lists.
const sessionTopics = 5

// keysOf are the keys of phrases and of the single words in them: "triangle
// congruence" is about triangles too.
func keysOf(names []string) map[string]bool {
	keys := map[string]bool{}
	for _, name := range names {
		key := extract.PhraseKey(name)
		keys[key] = true
		for w := range strings.FieldsSeq(key) {
			if !extract.Weak(w) {
				keys[w] = true
			}
		}
	}
	return keys
}

// ownTopic is how many of a conversation's turns must hold a phrase that no
// other session shares, to be its topic.
const ownTopic = 3

func (t *topicNames) of(c conversation) string {
	names := topicsOf(c)
	for _, name := range names {
		if known, ok := t.known[extract.PhraseKey(name)]; ok {
			return known
		}
	}
	best, score := "", 0.0
	for _, name := range names {
		for _, part := range append([]string{name}, strings.Fields(name)...) {
			key := extract.PhraseKey(part)
			if known, ok := t.known[key]; ok {
				return known
			}
			n := float64(t.shared[key]) + 0.6*float64(strings.Count(key, " "))
			if part != name {
				n -= 0.3
			}
			if t.shared[key] > 1 && t.whole[key] && n > score {
				best, score = part, n
			}
		}
	}
	if best == "" && len(c.texts) > shortTalk && len(c.phrases) > 0 && c.phrases[0].Score >= ownTopic {
		best = c.phrases[0].Text
	}
	if best == "" && len(c.texts) <= shortTalk && len(c.said) > 0 && headline(c.title) {
		best = c.title
	}
	if best != "" {
		t.known[extract.PhraseKey(best)] = best
	}
	return best
}

// headline reports whether a title names a thing: a few words, no sentence. Many
// titles are only the beginning of what was asked.
func headline(title string) bool {
	words := strings.Fields(strings.ToLower(title))
	if len(words) == 0 || len(words) > 5 || strings.ContainsAny(title, "?!,;:\"") {
		return false
	}
	return !extract.StopWord(words[0]) || words[0] == "the" || words[0] == "a"
}
