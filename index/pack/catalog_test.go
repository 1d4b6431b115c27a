package pack

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
)

// writeNow writes a file as of now: a moment ago, so that its time says nothing.
func writeNow(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(name, now, now); err != nil {
		t.Fatal(err)
	}
}

// While a ledger is edited every pack looks at the folders; what they say is put
// together anew only where it changed.
func TestLedgersThatSayTheSameAreReadOnce(t *testing.T) {
	m, v, _ := open(t)
	name := filepath.Join(v.Dir(), "facts", "work", "reflecta.md")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) { writeNow(t, name, text) }
	read := func() *claims {
		t.Helper()
		c, err := m.cat.read(t.Context(), m, 0)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	write(string(raw))
	first := read()
	write(string(raw))
	if again := read(); again.book != first.book {
		t.Error("the same claims were put together again")
	}
	write(string(raw) + "- Ships the XML export as well.\n")
	if more := read(); len(more.all) != len(first.all)+1 {
		t.Errorf("%d claims after one more was written, want %d", len(more.all), len(first.all)+1)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if gone := read(); len(gone.all) >= len(first.all) {
		t.Errorf("%d claims after a ledger was deleted, there were %d", len(gone.all), len(first.all))
	}
}

// A file that was written a moment ago may be written again with the same size and
// time. Until it is older its bytes say whether it is the same.
func TestALedgerJustWrittenIsLookedAtAgain(t *testing.T) {
	m, v, _ := open(t)
	const generation = 7
	clock := now
	m.cfg.Now = func() time.Time { return clock }
	p := vault.Path("facts/work/reflecta.md")
	name := filepath.Join(v.Dir(), filepath.FromSlash(string(p)))
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	write := func(text string) { writeNow(t, name, text) }
	read := func() *claims {
		t.Helper()
		c, err := m.cat.read(t.Context(), m, generation)
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
	write(string(raw))
	for other := range read().ledgers {
		if other != p {
			old := now.Add(-time.Hour)
			if err := os.Chtimes(filepath.Join(v.Dir(), filepath.FromSlash(string(other))), old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
	first := read()
	if again := read(); again != first {
		t.Error("what did not change was put together again")
	}
	edited := strings.Replace(string(raw), "CSV export", "XML export", 1)
	write(edited)
	if first.hold(m, map[vault.Path]bool{p: true}) {
		t.Error("an edit within the second is not seen when the pack is done")
	}
	second := read()
	if second.book == first.book {
		t.Error("an edit within the second is not seen")
	}
	clock = now.Add(racy + time.Second)
	aged := read()
	if aged.book != second.book || len(aged.young) != 0 {
		t.Errorf("a ledger that lay still is read again and again: %d young", len(aged.young))
	}
	if again := read(); again != aged || !again.hold(m, map[vault.Path]bool{p: true}) {
		t.Error("a ledger that lies still does not hold")
	}
}

// Packs are made while ledgers are edited and the index follows: each holds what was
// true at some moment, and never two states of one ledger.
func TestPacksBesideEdits(t *testing.T) {
	m, v, x := open(t)
	name := filepath.Join(v.Dir(), "facts", "work", "reflecta.md")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	const twin = "- Reflecta ships the %s export. (kind:: decision) (seen:: 2025-08-30) ^f-tw%s\n"
	const rounds = 25
	var all sync.WaitGroup
	all.Go(func() {
		for n := range rounds {
			which := []string{"ODT", "PDF"}[n%2]
			next := strings.Replace(string(raw), "\n- ", "\n"+strings.ReplaceAll(twin, "%s", which)+"- ", 1)
			if err := os.WriteFile(name+".new", []byte(next), 0o600); err != nil {
				t.Error(err)
				return
			}
			if err := os.Rename(name+".new", name); err != nil {
				t.Error(err)
				return
			}
			if _, err := x.Sync(t.Context(), v); err != nil {
				t.Error(err)
				return
			}
		}
	})
	for range 3 {
		all.Go(func() {
			for range rounds {
				p, err := m.Make(t.Context(), Request{Message: "which export does Reflecta ship, ODT or PDF?", Intent: Recall})
				if err != nil {
					t.Error(err)
					return
				}
				if facts := ids(p, "facts"); slices.Contains(facts, "f-twODT") && slices.Contains(facts, "f-twPDF") {
					t.Errorf("two states of one ledger: %v", facts)
				}
			}
		})
	}
	all.Wait()
	p := packOf(t, m, Request{Message: "which export does Reflecta ship, ODT or PDF?", Intent: Recall})
	if facts := ids(p, "facts"); !slices.Contains(facts, "f-twODT") {
		t.Errorf("the last edit is not in the pack: %v", facts)
	}
}
