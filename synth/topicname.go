package synth

import (
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// topicNames counts in how many sessions phrases are: a conversation about what
// others are about too matters more.
type topicNames struct {
	shared map[string]int // phrase key to the sessions that have it
}

func newTopicNames(sessions []*vault.Note, fresh []conversation) *topicNames {
	t := &topicNames{shared: map[string]int{}}
	for _, s := range sessions {
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

// headline reports whether a title names a thing: a few words, no sentence and no
// name of a file. Many titles are only the beginning of what was asked.
func headline(title string) bool {
	words := strings.Fields(strings.ToLower(title))
	if len(words) == 0 || len(words) > 5 || strings.ContainsAny(title, "?!,;:\"_./\\") {
		return false
	}
	return !extract.StopWord(words[0]) || words[0] == "the" || words[0] == "a"
}
