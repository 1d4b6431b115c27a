package synth

import (
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

func TestMoved(t *testing.T) {
	tests := []struct {
		before, after string
		want          bool
	}{
		{"Prefer the early start at the Grimming.", "No longer prefer the early start at the Grimming.", true},
		{"Decided to bake the sourdough on Thursdays in Graz.", "Decided not to bake the sourdough in Graz.", true},
		{"Want to keep the budget of the bakery at 2,000 euros.", "Want to keep the budget of the bakery at 3,500 euros.", true},
		{"Decided to use Postgres for the roster.", "Switched the roster from Postgres to SQLite.", true},
		{"Want to use bcrypt for hashing passwords of the bakery.", "Made the login safer by switching to scrypt for hashing passwords.", true},
		{"Prefer weights in grams for sourdough.", "Now prefer cups for pancakes.", false},
		{"Prefer weights in grams for sourdough.", "Prefer weights in grams for cakes.", false},
		{"Decided to sell sourdough at the market.", "Now want to buy a new sourdough basket.", false}, // only the topic is shared
		{"Decided on version 2 of the roster.", "Decided to print version 2 for now.", false},
		{"Like hiking.", "Don't like rain.", false},
	}
	for _, tt := range tests {
		if got := moved(tt.before, tt.after, "sourdough"); got != tt.want {
			t.Errorf("%q, then %q: moved is %v", tt.before, tt.after, got)
		}
	}
}

// A topic says how an opinion moved, with both days and both sources: from what was
// said in two sessions, and from a claim that took another's place.
func TestTopicNamesShifts(t *testing.T) {
	l := newLab(t)
	l.add(
		said("o1", "Sourdough", "2025-03-12T07:30:00Z", "I prefer the sourdough with a strong crust. I've decided to bake the sourdough in the old oven.", "How long does sourdough rest?"),
		said("o2", "Sourdough again", "2025-09-02T07:30:00Z", "I no longer prefer the sourdough with a strong crust.", "I've switched to the new oven for the sourdough."),
	)
	l.run()
	page := l.read("memory/sourdough.md")
	for _, want := range []string{
		"## How opinions moved", "- 2025-03: prefer the sourdough with a strong crust ([[facts/home/cooking#^f-tqg4mq|f-tqg4mq]]); 2025-09: no longer prefer the sourdough with a strong crust ([[facts/home/cooking#^f-",
		"; 2025-09: switched to the new oven for the sourdough (",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	checkLaws(t, l)
}

func TestChainsAreShifts(t *testing.T) {
	const ledger = "---\ntype: facts\ntopic: sourdough\n---\n\n" +
		"- Bakes on Mondays. (kind:: decision) (seen:: 2025-06-01) (supersedes:: [[#^f-aaaaaa]]) (from:: [[transcripts/x/2025/b#^t0001|\"on Mondays\"]]) ^f-bbbbbb\n\n" +
		"## Superseded\n\n- Bakes on Thursdays. (kind:: decision) (status:: superseded) (seen:: 2025-01-12) (until:: 2025-06-01) (from:: [[transcripts/x/2025/a#^t0001|\"on Thursdays\"]]) ^f-aaaaaa\n"
	n := vault.Parse("facts/home/sourdough.md", []byte(ledger))
	var all []opinion
	for _, o := range filedIn(n) {
		all = append([]opinion{o}, all...) // the order of time
	}
	got := opinionsMoved(shiftsOf(topic{key: "sourdough"}, all))
	want := "\n## How opinions moved\n\n- 2025-01: bakes on Thursdays ([[facts/home/sourdough#^f-aaaaaa|f-aaaaaa]]); 2025-06: bakes on Mondays ([[facts/home/sourdough#^f-bbbbbb|f-bbbbbb]])\n"
	if got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}
