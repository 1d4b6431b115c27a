package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/notegen"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/vault"
)

// After a sync the index holds the source, note for note and byte for byte of
// what is searched; a second sync finds nothing to do.
func TestSyncMakesTheSidesEqual(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	g := notegen.New(11)
	src := newTree(nil)
	x := openIndex(t, t.TempDir(), newWords("words/1", 16))
	for step := range 25 {
		for range r.IntN(8) {
			path := fmt.Sprintf("d%d/n%d.md", r.IntN(3), r.IntN(12))
			switch r.IntN(4) {
			case 0:
				src.remove(path)
			case 1:
				src.write(path, g.Conversation(r.IntN(99), 100+r.IntN(3000)))
			default:
				src.write(path, g.Note(r.IntN(99), r.IntN(6000)))
			}
		}
		sync1(t, x, src)
		if again := sync1(t, x, src); again.Changed() || again.Unchanged != len(src.files) {
			t.Fatalf("step %d: a second sync did %+v", step, again)
		}
		sameAs(t, x, src)
	}
	if err := x.Check(t.Context()); err != nil {
		t.Error(err)
	}
}

func sameAs(t *testing.T, x *Index, src *tree) {
	t.Helper()
	err := x.view(t.Context(), func(r store.Reader) error {
		left := len(src.files)
		err := r.Manifest(t.Context(), func(n store.Note) error {
			left--
			if text, ok := src.files[n.Path]; !ok || n.Hash != string(vault.HashOf([]byte(text))) {
				return fmt.Errorf("%s is not what the source holds", n.Path)
			}
			return nil
		})
		if err == nil && left != 0 {
			err = fmt.Errorf("%d notes are not in the index", left)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range src.files {
		items, err := x.Get(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range items[0].Chunks {
			if got := c.Span.Cut([]byte(text)); string(got) != c.Text {
				t.Fatalf("%s: the span of %s cuts %q", path, c.ID, got)
			}
		}
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("nothing to see here ", 40)
	wanted := map[string]bool{"narwhal": true, "okapi": true}
	for name, c := range map[string]struct{ text, want string }{
		"short":  {"  a\n narwhal ", "a narwhal"},
		"middle": {long + "the narwhal met an okapi " + long, "narwhal met an okapi"},
		"end":    {long + "one okapi", "one okapi"},
		"none":   {long, "nothing to see here"},
		"a word": {strings.Repeat("x", 5000) + " narwhal", "narwhal"},
	} {
		got := snippet(c.text, wanted)
		if !strings.Contains(got, c.want) || utf8.RuneCountInString(got) > snippetRunes+4 || strings.Contains(got, "\n") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("the narwhal\n\nmet \xff an okapi")
	f.Add(strings.Repeat("漢字 narwhal ", 99))
	f.Fuzz(func(t *testing.T, text string) {
		got := snippet(text, map[string]bool{"narwhal": true})
		if utf8.RuneCountInString(got) > snippetRunes+4 {
			t.Errorf("%d runes", utf8.RuneCountInString(got))
		}
	})
}

// The same notes make the same index: chunk for chunk, in the same order.
func TestTheSameNotesMakeTheSameIndex(t *testing.T) {
	src := generate(120, 900_000)
	rows := func() (out []string) {
		x := openIndex(t, t.TempDir(), newWords("words/1", 16))
		sync1(t, x, src)
		err := x.view(t.Context(), func(r store.Reader) error {
			return r.Manifest(t.Context(), func(n store.Note) error {
				out = append(out, fmt.Sprint(n.Row, n.Path, n.Hash))
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := rows()
	for range 4 {
		if d := cmp.Diff(first, rows()); d != "" {
			t.Fatal(d)
		}
	}
}
