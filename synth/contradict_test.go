package synth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault"
)

// aLedger holds a vault's ledgers in memory.
type aLedger []*vault.Note

func (aLedger) Layout() vault.Layout { return vault.Layout{} }

func (l aLedger) Notes(_ context.Context, folder string) ([]*vault.Note, error) {
	if folder != "facts" {
		return nil, nil
	}
	return l, nil
}

// manyClaims are ledgers of n claims about things that have a price.
func manyClaims(t testing.TB, n int) *ledger.Books {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 9))
	word := func() string {
		b := make([]byte, 6)
		for i := range b {
			b[i] = byte('a' + r.IntN(26))
		}
		return string(b)
	}
	var nouns []string
	for range 400 {
		nouns = append(nouns, word())
	}
	var notes aLedger
	for i := 0; i < n; {
		text := fmt.Sprintf("---\nid: fa-%d\ntype: facts\n---\n\n", i)
		for j := 0; j < 100 && i < n; i, j = i+1, j+1 {
			pick := func() string { return nouns[r.IntN(len(nouns))] }
			text += fmt.Sprintf("- The %s %s of the %s costs %d euros. (kind:: entity) (seen:: 2025-01-02) (from:: [[transcripts/a#^t0001|\"quote\"]]) ^f-%06d\n", pick(), pick(), pick(), i, i)
		}
		notes = append(notes, vault.Parse(vault.Path(fmt.Sprintf("facts/home/l%04d.md", i/100)), []byte(text)))
	}
	books, err := ledger.Open(t.Context(), notes)
	if err != nil {
		t.Fatal(err)
	}
	return books
}

// The index finds what comparing with every claim finds.
func TestContradictionsAreLookedUp(t *testing.T) {
	books := manyClaims(t, 600)
	found := 0
	for _, c := range books.InForce() {
		c.ID, c.FirstSeen, c.Text = "f-new", "2025-03-04", c.Text[:len(c.Text)-len(" euros.")]+"7 euros."
		var want string
		for _, old := range books.InForce() {
			if shared, least := extract.Shared(old.Text, c.Text); least >= leastShared && float64(shared) >= sameMatter*float64(least) && !extract.SameNumbers(old.Text, c.Text) {
				want = old.ID
				break
			}
		}
		conflict, ok := contradiction(books, c)
		if conflict.before.ID != want || ok != (want != "") {
			t.Errorf("%q contradicts %s, want %s", c.Text, conflict.before.ID, want)
		}
		if want != "" {
			found++
		}
	}
	if found < 500 {
		t.Errorf("%d contradictions", found)
	}
}

// What one new claim costs in a vault of ten thousand.
func BenchmarkContradiction(b *testing.B) {
	books := manyClaims(b, 10_000)
	claims := books.InForce()
	i := 0
	for b.Loop() {
		c := claims[i%len(claims)]
		c.ID, c.FirstSeen, c.Text = "f-new", "2025-03-04", c.Text+" 7"
		contradiction(books, c)
		i += 37
	}
}
