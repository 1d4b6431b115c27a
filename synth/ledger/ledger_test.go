package ledger

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// empty is a vault without ledgers.
type empty struct{ notes []*vault.Note }

func (empty) Layout() vault.Layout { return vault.Layout{} }

func (e empty) Notes(_ context.Context, folder string) ([]*vault.Note, error) {
	var out []*vault.Note
	for _, n := range e.notes {
		if n.Path.Under(vault.Path(folder)) {
			out = append(out, n)
		}
	}
	return out, nil
}

var (
	subjects = strings.Fields("kiln shelf boat garden invoice violin bakery server bicycle passport orchard printer")
	deeds    = strings.Fields("repair paint sell rebuild insure borrow clean move photograph lend measure varnish")
	places   = strings.Fields("Graz Lisbon Porto Vienna Oslo Turin Ghent Malmo Basel Leipzig Krakow Dublin")
)

// invented makes the i-th claim of a large vault; no two say the same.
func invented(i int) vault.Claim {
	pick := func(list []string, by int) string { return list[i/by%len(list)] }
	text := fmt.Sprintf("Will %s the %s in %s.", pick(deeds, 1), pick(subjects, 12), pick(places, 144))
	if n := i / 1728; n > 0 {
		text = fmt.Sprintf("Will %s the %s in %s for N%[4]s, M%[4]s and O%[4]s.", pick(deeds, 1), pick(subjects, 12), pick(places, 144), letters(n))
	}
	return vault.Claim{ID: vault.ContentID("f", 6, text), Text: text, Kind: "decision", Confidence: -1, Importance: -1, FirstSeen: "2025-01-01", LastSeen: "2025-01-01"}
}

func letters(i int) string {
	s := ""
	for ; i >= 0; i = i/26 - 1 {
		s = string(rune('a'+i%26)) + s
	}
	return s
}

func books(tb testing.TB, n int) *Books {
	tb.Helper()
	b, err := Open(tb.Context(), empty{})
	if err != nil {
		tb.Fatal(err)
	}
	for i := range n {
		b.Learn("home", letters(i%50), invented(i))
	}
	return b
}

func BenchmarkSame(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		all := books(b, n)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for i := 0; b.Loop(); i++ {
				all.Same(fmt.Sprintf("Bought a lathe for the workshop number %d, second hand.", i))
			}
		})
	}
}

func BenchmarkLearn(b *testing.B) {
	for _, n := range []int{1000, 4000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				books(b, n)
			}
		})
	}
}

// The index finds what reading every claim finds, in the same order.
func TestNearIsLinear(t *testing.T) {
	w := newWords()
	var all []place
	for i := range 600 {
		c := invented(i * 7)
		at := place{"facts/a.md", c.ID, c.Text}
		if i%5 == 0 {
			at.text = strings.Join(strings.Fields(c.Text)[:4], " ")
		}
		w.add(at)
		all = append(all, at)
	}
	w.drop(all[3].id)
	all = slices.Delete(all, 3, 4)
	for i := range 200 {
		text := invented(i * 11).Text
		var want []place
		for _, at := range all {
			if extract.Overlap(at.text, text) >= sameClaim {
				want = append(want, at)
			}
		}
		if got := w.near(text, sameClaim); !slices.Equal(got, want) {
			t.Fatalf("%q: %d places, want %d", text, len(got), len(want))
		}
	}
	if got := w.near("the of and", sameClaim); len(got) > 0 {
		t.Errorf("words that say nothing are like %v", got)
	}
}

func TestLearnEditAndForget(t *testing.T) {
	b := books(t, 40)
	before := len(b.InForce())
	c := invented(3)
	if id, added := b.Learn("home", "x", vault.Claim{ID: "f-other", Text: strings.Replace(c.Text, "Will", "I will surely", 1), Kind: "decision"}); added || id != c.ID {
		t.Errorf("the same in other words became %s, new %v", id, added)
	}
	if err := b.Edit(c.ID, func(n *vault.Note) error { return n.RemoveClaim(c.ID) }); err != nil {
		t.Fatal(err)
	}
	if _, found := b.Same(c.Text); found || b.Holds(c) {
		t.Error("a claim that was taken out is still found")
	}
	if _, added := b.Learn("home", "x", c); !added {
		t.Error("it cannot be learned again")
	}
	old := invented(5)
	if err := b.Edit(old.ID, func(n *vault.Note) error { return n.Supersede(old.ID, "2025-02-01") }); err != nil {
		t.Fatal(err)
	}
	if got, found := b.Same(old.Text); found {
		t.Errorf("%+v is superseded", got)
	}
	if len(b.Changed()) == 0 || len(b.InForce()) != before-1 {
		t.Errorf("%d ledgers changed, %d claims in force, %d before", len(b.Changed()), len(b.InForce()), before)
	}
}
