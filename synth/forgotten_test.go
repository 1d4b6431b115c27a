package synth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// cut takes the line that holds text out of a note.
func cut(text string) func(string) string {
	return func(page string) string {
		var kept []string
		for line := range strings.Lines(page) {
			if !strings.Contains(line, text) {
				kept = append(kept, line)
			}
		}
		return strings.Join(kept, "")
	}
}

// A claim that the person took out of a ledger stays out, though its chat is
// read again, on this machine and on one that has only the vault.
func TestTakenOutStaysOut(t *testing.T) {
	chats := readChats(t, "testdata/ana.txtar")
	l := newLab(t)
	l.add(chats...)
	l.run()
	const claim = "Decided to bake the sourdough on Thursdays"
	ledger := holding(t, l, claim)
	l.edit(ledger, cut(claim))

	again := chats[0]
	more := said("a1", again.title, "2025-08-01T10:00:00Z", "I've decided to bake the sourdough on Thursdays.", "I prefer rye bread with caraway seeds.")
	again.turns = append(again.turns, more.turns...)
	l.add(again)
	l.state = t.TempDir()
	l.cfg.State = l.state
	l.run()
	after := l.read(ledger)
	if strings.Contains(after, claim) {
		t.Errorf("learned again:\n%s", after)
	}
	if !strings.Contains(after, "Prefer rye bread") {
		t.Errorf("the new claim is missing:\n%s", after)
	}
	if raw := l.read(l.v.Layout().Forgotten()); strings.Contains(raw, "Thursdays") || vault.ParseForgotten([]byte(raw)).Len() == 0 {
		t.Errorf("what is forgotten is not kept as hashes:\n%s", raw)
	}
}

// A ledger that the person deleted is no reason to learn its claims again.
func TestDeletedLedgerStaysForgotten(t *testing.T) {
	l := newLab(t)
	l.add(said("c1", "Sourdough", "2025-01-12T07:30:00Z", "I've decided to bake the sourdough on Thursdays.", "I prefer weights in grams over cups."))
	l.run()
	ledger := holding(t, l, "on Thursdays")
	if err := os.Remove(filepath.Join(l.dir, filepath.FromSlash(string(ledger)))); err != nil {
		t.Fatal(err)
	}
	l.add(said("c2", "Sourdough", "2025-02-12T07:30:00Z", "I've decided to bake the sourdough on Thursdays.", "I've decided to buy a bread knife in March."))
	l.run()
	all := string(archive(l.pages()))
	if got := l.paths("facts"); len(got) != 1 || strings.Contains(l.read(got[0]), "on Thursdays") || !strings.Contains(all, "bread knife") {
		t.Errorf("facts are now %v\n%s", got, all)
	}
}

// A claim that the person moved to another ledger, or put into other words, is
// neither forgotten nor learned twice.
func TestMovedClaimIsKept(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	const claim = "Decided to bake the sourdough on Thursdays"
	ledger := holding(t, l, claim)
	l.edit(ledger, func(s string) string { return strings.Replace(s, claim, "Bakes on Thursdays", 1) })
	l.add(said("new", "Bread", "2025-08-01T10:00:00Z", "I've decided to bake the sourdough on Thursdays. I prefer rye bread with caraway seeds."))
	l.run()
	all := string(archive(l.pages()))
	if strings.Contains(l.read(ledger), claim) || !strings.Contains(all, "Bakes on Thursdays. (kind") {
		t.Errorf("the person's wording was not kept:\n%s", l.read(ledger))
	}
	if l.v.Exists(l.v.Layout().Forgotten()) {
		t.Error("a claim that stands in other words was taken for removed")
	}
}

// holding is the ledger that holds a text.
func holding(t *testing.T, l *lab, text string) vault.Path {
	t.Helper()
	for _, p := range l.paths("facts") {
		if strings.Contains(l.read(p), text) {
			return p
		}
	}
	t.Fatalf("no ledger says %q:\n%s", text, archive(l.pages()))
	return ""
}
