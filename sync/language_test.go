package sync

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

func TestTagLanguages(t *testing.T) {
	turns := func(texts ...string) (out []vault.Turn) {
		for _, text := range texts {
			out = append(out, vault.Turn{Text: text})
		}
		return out
	}
	const (
		en = "I would like to know what the weather will be in the mountains, and how we get there."
		de = "Wir haben gestern Abend noch lange über das neue Haus gesprochen und sind nicht einig geworden."
		es = "Mañana tengo que llevar a los niños al colegio y después compro el pan para la cena."
	)
	for _, c := range []struct {
		name  string
		texts []string
		all   []string
		tags  []string
	}{
		{"English alone", []string{en, "ok", en}, nil, []string{"", "", ""}},
		{"German", []string{de, de}, []string{"de"}, []string{"", ""}},
		{"mixed", []string{de, en, de, es}, []string{"de", "en", "es"}, []string{"", "en", "", "es"}},
		{"too short", []string{"ja", "👍", "```\nwhile true {}\n```"}, nil, []string{"", "", ""}},
		{"bytes that are no text", []string{"\xff\xfe\x00" + en}, nil, []string{""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			in := turns(c.texts...)
			if diff := cmp.Diff(c.all, tagLanguages(in, "")); diff != "" {
				t.Errorf("languages (-want +got):\n%s", diff)
			}
			for i, turn := range in {
				got := ""
				if len(turn.Languages) > 0 {
					got = turn.Languages[0]
				}
				if got != c.tags[i] {
					t.Errorf("turn %d has %q, want %q", i, got, c.tags[i])
				}
			}
		})
	}
}
