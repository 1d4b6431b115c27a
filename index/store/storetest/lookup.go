package storetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/index/store"
)

// This file asks a store for what it is asked in searches: the postings of terms, the
// notes that pass a filter, chunks by the thousand, what a walk saw.

func testPostings(t *testing.T, s store.Store) {
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "the cat and the dog", "the end"), Note("b.md", "größe 漢字 under_score x2")}})
	count := func(term string) (out [][2]int32) {
		view(t, s, func(r store.Reader) error {
			p, err := r.Postings(t.Context(), term)
			for _, p := range p {
				out = append(out, [2]int32{int32(p.Chunk), p.TF})
			}
			return err
		})
		return out
	}
	the := count("the")
	if len(the) != 2 || the[0][1] != 2 || the[1][1] != 1 || the[0][0] >= the[1][0] {
		t.Errorf("the: %v", the)
	}
	for term, want := range map[string]int{"cat": 1, "größe": 1, "漢字": 1, "under_score": 1, "x2": 1, "under": 0, "ca": 0, "": 0, "nothing": 0, `"`: 0, "the cat": 0} {
		if got := count(term); len(got) != want {
			t.Errorf("%q: %v", term, got)
		}
	}
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "a cat")}})
	if got := count("the"); len(got) != 0 {
		t.Errorf("the old text is still found: %v", got)
	}
	if got := count("cat"); len(got) != 1 || got[0][0] <= the[1][0] {
		t.Errorf("cat: %v; rows are used again", got)
	}
}

func testFilters(t *testing.T, s store.Store) {
	put := func(path, typ, source, domain string, tags ...string) store.Put {
		p := Note(path, "text")
		p.Note.Type, p.Note.Source, p.Note.Domain, p.Note.Tags = typ, source, domain, tags
		p.Note.Aliases = []string{`a "quoted" one`}
		return p
	}
	broken := put("d.md", "note", "", "", "50%", "a_b")
	broken.Note.Problem = "front matter: line 2"
	apply(t, s, store.Batch{Put: []store.Put{
		put("a.md", "facts", "", "health", "facts", "health/sleep"), put("b.md", "Transcript", "claude", "", "x"),
		put("c.md", "transcript", "whatsapp", "work"), broken}})
	for _, c := range []struct {
		f    store.Filter
		want string
	}{
		{store.Filter{}, "a b c d"},
		{store.Filter{Types: []string{"transcript"}}, "b c"},
		{store.Filter{Types: []string{"transcript", "FACTS"}}, "a b c"},
		{store.Filter{Types: []string{"transcript"}, Sources: []string{"whatsapp"}}, "c"},
		{store.Filter{Domains: []string{"health", "work"}}, "a c"},
		{store.Filter{Tags: []string{"health"}}, "a"},
		{store.Filter{Tags: []string{"heal"}}, ""},
		{store.Filter{Tags: []string{"#x", "facts"}}, "a b"},
		{store.Filter{Tags: []string{"a_b"}}, "d"},
		{store.Filter{Tags: []string{"50%"}}, "d"},
		{store.Filter{Tags: []string{"5_%"}}, ""},
		{store.Filter{Types: []string{"' OR 1=1 --"}}, ""},
	} {
		var got []string
		view(t, s, func(r store.Reader) error {
			rows, err := r.Select(t.Context(), c.f)
			if err != nil {
				return err
			}
			notes, err := r.Notes(t.Context(), rows)
			for _, n := range notes {
				got = append(got, strings.TrimSuffix(n.Path, ".md"))
			}
			return err
		})
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%+v: %v, want %s", c.f, got, c.want)
		}
	}
	view(t, s, func(r store.Reader) error {
		problems, err := r.Problems(t.Context())
		if len(problems) != 1 || problems[0].Path != "d.md" || problems[0].Problem != "front matter: line 2" {
			t.Errorf("problems %+v", problems)
		}
		for _, id := range []string{"id-a.md", "a.md", "a"} {
			found, err := r.Find(t.Context(), id)
			if err != nil || len(found) != 1 || found[0].Path != "a.md" || !slices.Equal(found[0].Aliases, []string{`a "quoted" one`}) {
				t.Errorf("%s: %+v, %v", id, found, err)
			}
		}
		return err
	})
}

// testMany fills several segments and empties them again.
func testMany(t *testing.T, s store.Store) {
	want := make(map[string][]string)
	var b store.Batch
	for i := range 600 {
		var texts []string
		for j := range 5 {
			texts = append(texts, fmt.Sprintf("word%d text %d", i, j))
		}
		path := fmt.Sprintf("m/%03d.md", i)
		want[path] = texts
		b.Put = append(b.Put, Note(path, texts...))
	}
	long := make([]string, 3000) // a note larger than any segment
	for i := range long {
		long[i] = fmt.Sprintf("long %d", i)
	}
	want["long.md"] = long
	b.Put = append(b.Put, Note("long.md", long...))
	apply(t, s, b)
	expect(t, s, want)
	b = store.Batch{}
	for i := range 600 {
		if i%7 != 0 {
			path := fmt.Sprintf("m/%03d.md", i)
			b.Remove = append(b.Remove, path)
			delete(want, path)
		}
	}
	apply(t, s, b)
	expect(t, s, want)
	for i := range 30 {
		path := fmt.Sprintf("m/%03d.md", i*7)
		want[path] = []string{"edited"}
		apply(t, s, store.Batch{Put: []store.Put{Note(path, "edited")}})
	}
	expect(t, s, want)
}

func testNames(t *testing.T, s store.Store) {
	want := make(map[string][]string)
	for _, path := range []string{"日記/昨日.md", "Größe.md", "a'b\"c.md", "emoji 🎉.md", "עברית.md", "%_\\.md", strings.Repeat("long/", 200) + "x.md"} {
		want[path] = []string{"text of " + path}
		apply(t, s, store.Batch{Put: []store.Put{Note(path, want[path]...)}})
	}
	expect(t, s, want)
}

// What was kept of a walk holds for the generation that it was kept with.
func testWalked(t *testing.T, s store.Store) {
	stamp := func() (st store.Stamp) {
		t.Helper()
		view(t, s, func(r store.Reader) error { st = r.Stamp(); return nil })
		return st
	}
	keep := func(generation int64, sum uint64) {
		t.Helper()
		if err := s.Walked(t.Context(), generation, sum); err != nil {
			t.Fatal(err)
		}
	}
	if got := stamp(); got.Walked != 0 {
		t.Errorf("a new store has walked %d", got.Walked)
	}
	apply(t, s, store.Batch{Put: []store.Put{Note("a.md", "one")}})
	first := stamp()
	for _, sum := range []uint64{7, 1<<64 - 1} {
		keep(first.Generation, sum)
		if got := stamp(); got.Walked != sum || got.Generation != first.Generation {
			t.Errorf("kept %d with %d, found %d with %d", sum, first.Generation, got.Walked, got.Generation)
		}
	}
	apply(t, s, store.Batch{Put: []store.Put{Note("b.md", "two")}})
	if got := stamp(); got.Walked != 0 {
		t.Errorf("after a change %d is still walked", got.Walked)
	}
	keep(first.Generation, 9) // too late
	if got := stamp(); got.Walked != 0 {
		t.Errorf("%d was kept with a generation that is gone", got.Walked)
	}
}
