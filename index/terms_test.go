package index

import (
	"slices"
	"testing"
	"unicode"

	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/index/store"
	"github.com/memsync/memsync/index/store/storetest"
)

// Every term that package lexical makes, of any letter or digit there is, comes
// back from the store's tokenizer as the same term.
func TestTermsSurviveTheStore(t *testing.T) {
	x := openIndex(t, t.TempDir(), nil)
	var all []string
	for r := rune(1); r <= unicode.MaxRune; r++ {
		if r >= 0x3000 && r%13 != 0 {
			continue // thousands of the same kind
		}
		if unicode.In(r, unicode.L, unicode.N, unicode.M) {
			all = append(all, lexical.Analyze("q"+string(r)+"z "+string(r)+string(r))...)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	put := storetest.Note("a.md", "x")
	put.Chunks[0].Vector = nil
	for _, term := range all {
		put.Chunks[0].Terms += " " + term
	}
	err := x.use(t.Context(), func(st store.Store) error {
		if err := st.Apply(t.Context(), store.Batch{Put: []store.Put{put}}); err != nil {
			return err
		}
		return st.View(t.Context(), func(r store.Reader) error {
			lost := 0
			for _, term := range all {
				p, err := r.Postings(t.Context(), term)
				if err != nil {
					return err
				}
				if len(p) == 0 {
					if lost++; lost < 20 {
						t.Errorf("%q (%+q) is not found", term, term)
					}
				}
			}
			if lost > 0 {
				t.Errorf("%d of %d terms are lost", lost, len(all))
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}
