package synth

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// What becomes of a claim when a later conversation says "not": superseded where the
// person takes it back, in review with both quotes where they do not say so, and in
// force where the "not" is about something else.
func TestDenials(t *testing.T) {
	const superseded, review, stands = "superseded", "review", "stands"
	tests := []struct{ first, then, want string }{
		{"I am allergic to walnuts. Suggest a dessert.", "Correction: I am not allergic to walnuts, I am allergic to pistachios.", superseded},
		{"I am allergic to walnuts. Suggest a dessert.", "I was wrong. I am not allergic to walnuts.", superseded},
		{"I am allergic to walnuts. Suggest a dessert.", "It turned out that I'm not allergic to walnuts.", superseded},
		{"I am allergic to walnuts. Suggest a dessert.", "I am not allergic to walnuts.", review},
		{"I am not allergic to walnuts, by the way.", "I am allergic to walnuts.", review},
		{"I live in Porto near the river.", "I no longer live in Porto.", superseded},
		{"I live in Porto near the river.", "I don't live in Porto.", review},
		{"I don't like rye bread at all.", "Actually, I like rye bread.", superseded},
		{"I prefer trains to planes.", "I don't prefer trains to planes anymore.", superseded},
		{"My teacher is called Mr. Pereira.", "Actually, my teacher is called Mr. Ferreira, not Pereira.", superseded},
		// The "not" is about something else.
		{"I am allergic to walnuts. Suggest a dessert.", "I am not allergic to pistachios.", stands},
		{"I am allergic to walnuts. Suggest a dessert.", "Actually, my sister is not allergic to walnuts.", stands},
		{"I am allergic to walnuts. Suggest a dessert.", "I am not only allergic to walnuts but to pistachios too.", stands},
		{"I am allergic to walnuts. Suggest a dessert.", "Am I really not allergic to walnuts anymore?", stands},
		{"I live in Porto near the river.", "I no longer live in Lisbon.", stands},
		{"I like rye bread with butter.", "I no longer like rye bread crumbs.", stands},
	}
	for _, tt := range tests {
		for _, backwards := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s %s backwards=%v", tt.first, tt.then, backwards), func(t *testing.T) {
				l := newLab(t)
				chats := []chat{
					said("c1", "The bakery", "2025-06-01T08:00:00Z", tt.first, "I've decided to open a bakery in Graz on March 3.", "I bought a second-hand oven for 900 euros from Elin Roth."),
					said("c2", "The exhibition", "2025-07-15T08:00:00Z", tt.then, "I've decided to print 40 posters at Polvo & Filhos.", "We booked the harbour gallery until May 20."),
				}
				if backwards { // the later one is imported first
					slices.Reverse(chats)
				}
				for _, c := range chats {
					l.add(c)
					l.run("summaries", "facts")
				}
				got := stands
				for p, text := range l.pages() {
					if p.Under("review") && strings.Contains(text, "Contradiction") {
						got = review
						if strings.Count(text, "(from:: [[") < 2 && strings.Count(text, "[[transcripts/") < 2 {
							t.Errorf("the proposal does not quote both:\n%s", text)
						}
					}
					for _, c := range vault.Parse(p, []byte(text)).Claims() {
						if c.Status != "superseded" {
							continue
						}
						got = superseded
						if c.FirstSeen != "2025-06-01" || c.Until != "2025-07-15" || !strings.Contains(string(archive(l.pages())), "(supersedes:: [[") {
							t.Errorf("no chain, or other days: %s", c.Format())
						}
					}
				}
				if got != tt.want {
					t.Errorf("%s, want %s\n%s", got, tt.want, archive(l.pages()))
				}
			})
		}
	}
}

// What is said again after it was taken back holds again, and what somebody is not
// allergic to is no allergy on the card.
func TestSaidAgainAfterADenial(t *testing.T) {
	l := newLab(t)
	for i, text := range []string{"I am allergic to walnuts. Suggest a dessert.", "Actually, I am not allergic to walnuts.", "I was wrong: I am allergic to walnuts."} {
		l.add(said(fmt.Sprint("c", i), fmt.Sprint("Talk ", i), fmt.Sprintf("2025-0%d-15T08:00:00Z", i+5), text, "I've decided to open a bakery in Graz on March 3.", "I bought a second-hand oven for 900 euros from Elin Roth."))
		l.run("summaries", "facts", "profile")
		if got, want := strings.Contains(l.read("profile.md"), "allergies:"), i != 1; got != want {
			t.Errorf("after talk %d: allergies on the card is %v", i, got)
		}
	}
	var in []string
	for _, p := range l.paths("facts") {
		for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
			if strings.Contains(c.Text, "walnuts") {
				in = append(in, fmt.Sprintf("%s %s %d", c.Text, c.Until, len(c.Supersedes)))
			}
		}
	}
	slices.Sort(in)
	want := []string{"Allergic to walnuts.  1", "Allergic to walnuts. 2025-06-15 0", "Not allergic to walnuts. 2025-07-15 1"}
	if !slices.Equal(in, want) {
		t.Errorf("%q, want %q", in, want)
	}
}

// What takes a claim back may be filed in another ledger: the chain goes from one to
// the other, and both notes pass the gates.
func TestChainAcrossLedgers(t *testing.T) {
	l := newLab(t)
	l.add(said("c1", "The bakery", "2025-06-01T08:00:00Z", "I live in Porto near the river.", "I've decided to open a bakery in Graz on March 3.", "I bought a second-hand oven for 900 euros from Elin Roth."))
	l.run()
	l.add(said("c2", "The flat", "2025-07-15T08:00:00Z", "I no longer live in Porto, the landlord sold the apartment.", "I've decided to print 40 posters at Polvo & Filhos.", "We booked the harbour gallery until May 20."))
	l.run()
	was, is := holding(t, l, "Live in Porto near the river"), holding(t, l, "No longer live in Porto")
	if was == is {
		t.Fatal("both are in one ledger")
	}
	for _, c := range vault.Parse(is, []byte(l.read(is))).Claims() {
		if !strings.HasPrefix(c.Text, "No longer") {
			continue
		}
		if len(c.Supersedes) != 1 || !strings.Contains(l.read(is), "(supersedes:: [["+was.Stem()+"#^"+c.Supersedes[0]+"]])") {
			t.Errorf("no chain to %s:\n%s", was, l.read(is))
		}
	}
	if !strings.Contains(l.read(was), "(status:: superseded) (until:: 2025-07-15)") {
		t.Errorf("not superseded:\n%s", l.read(was))
	}
	checkLaws(t, l)
	quiet(t, l)
}
