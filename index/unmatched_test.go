package index

import (
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/rank"
)

// An answer that is empty, or by meaning alone, says why.
func TestUnmatchedIsSaid(t *testing.T) {
	x := openIndex(t, t.TempDir(), newWords("words/1", 8)) // so few that all texts are near each other
	sync1(t, x, talk())
	for name, c := range map[string]struct {
		q     Query
		empty bool
		want  string
	}{
		"a word":             {Query{Text: "tomatoes"}, false, ""},
		"by meaning":         {Query{Text: "zzyzx zyzzyva qwxz"}, false, "no note has any of the query's words: these hits are near it in meaning only"},
		"asked by meaning":   {Query{Text: "zzyzx zyzzyva qwxz", Mode: rank.Vector}, false, ""},
		"an unknown word":    {Query{Text: "zzyzx", Mode: rank.Keyword}, true, "no note has any of the query's words"},
		"an unknown script":  {Query{Text: "漢字", Mode: rank.Keyword}, true, "no note has any of the query's words"},
		"no word":            {Query{Text: "🎉"}, true, "the query holds no word to search for"},
		"no word by meaning": {Query{Text: "🎉", Mode: rank.Vector}, true, "nothing is near the query in meaning"},
		"no note":            {Query{Text: "tomatoes", Types: []string{"epoch"}}, true, "no note passes the filters"},
		"no time":            {Query{Text: "tomatoes", Since: clock.Add(24 * time.Hour)}, true, "no note passes the filters"},
		"not there":          {Query{Text: "tomatoes", Types: []string{"facts"}, Mode: rank.Keyword}, true, "no note that passes the filters has any of the query's words"},
	} {
		c.q.Now = clock
		r, err := x.Search(t.Context(), c.q)
		if err != nil || (len(r.Hits) == 0) != c.empty || strings.Join(r.Notes, "; ") != c.want {
			t.Errorf("%s: %d hits, %q, %v; want %q", name, len(r.Hits), r.Notes, err, c.want)
		}
	}
}

// A vault of a few chunks has no mean to be above: the only note of a vault is
// found by its meaning, and so are two that say the same.
func TestTheOnlyNoteIsFoundByMeaning(t *testing.T) {
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	for name, notes := range map[string]map[string]string{
		"one note":       {"a.md": "The cat sleeps on the sofa.\n"},
		"two alike":      {"a.md": "The cat sleeps on the sofa.\n", "b.md": "The cat sleeps on a sofa.\n"},
		"another beside": {"a.md": "The cat sleeps on the sofa.\n", "b.md": "Invoices are due in March.\n"},
	} {
		x := openIndex(t, t.TempDir(), e)
		sync1(t, x, newTree(notes))
		for _, mode := range []rank.Mode{rank.Vector, rank.Hybrid} {
			r, err := x.Search(t.Context(), Query{Text: "where does the kitten nap?", Mode: mode, Now: clock})
			if err != nil || len(r.Hits) == 0 || !strings.Contains(r.Hits[0].Text, "cat sleeps") {
				t.Errorf("%s: %d hits, %q, %v", name, len(r.Hits), r.Notes, err)
			}
		}
	}
}
