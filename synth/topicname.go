package synth

import (
	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// topicNames gives each new session the topic under which its facts are filed:
// one that the vault already has if the session's phrases name it, else the
// phrase that the new sessions share most.
type topicNames struct {
	known  map[string]string // phrase key to the topic's name
	shared map[string]float64
}

func newTopicNames(sessions []*vault.Note, fresh []conversation) *topicNames {
	t := &topicNames{known: map[string]string{}, shared: map[string]float64{}}
	for _, s := range sessions {
		if name := s.Prop("topic"); name != "" {
			t.known[extract.PhraseKey(name)] = name
		}
	}
	for _, c := range fresh {
		top := 0.0
		for _, p := range c.phrases {
			top = max(top, p.Score)
		}
		for _, p := range c.phrases {
			t.shared[p.Key] += p.Score / top
		}
	}
	return t
}

func (t *topicNames) of(c conversation) string {
	for _, p := range c.phrases {
		if name, ok := t.known[p.Key]; ok {
			return name
		}
	}
	best, score := "general", 0.0
	for _, p := range c.phrases {
		if s := t.shared[p.Key]; s > score {
			best, score = p.Text, s
		}
	}
	if score > 0 {
		t.known[extract.PhraseKey(best)] = best
	}
	return best
}
