package synth

import (
	"testing"

	"github.com/memsync/memsync/vault"
)

func TestOver(t *testing.T) {
	tests := []struct {
		kind, text, said, now string
		want                  bool
	}{
		{"goal", "Plan to visit Porto next month.", "2025-01-10", "2025-02-20", false},
		{"goal", "Plan to visit Porto next month.", "2025-01-10", "2025-06-20", true},
		{"goal", "Want to finish the book by June 1, 2025.", "2025-01-10", "2025-05-31", false},
		{"goal", "Want to finish the book by June 1, 2025.", "2025-01-10", "2025-06-02", true},
		{"goal", "Want to run the marathon in March 2026.", "2025-01-10", "2026-03-20", false},
		{"goal", "Want to run the marathon in March 2026.", "2025-01-10", "2026-04-01", true},
		{"constraint", "Have a deadline on May 3 for the poster.", "2025-12-01", "2026-02-01", false},
		{"constraint", "Have a deadline on May 3 for the poster.", "2025-04-01", "2025-05-04", true},
		{"goal", "Want to learn Portuguese.", "2015-04-01", "2025-05-04", false},
		{"policy", "Never call tomorrow.", "2015-04-01", "2025-05-04", false},
		{"goal", "Want to finish by February 31, 2025.", "2025-01-10", "2026-05-31", false},
		{"goal", "Plan to visit Porto next month.", "", "2025-06-20", false},
	}
	for _, tt := range tests {
		if got := over(vault.Claim{Kind: tt.kind, Text: tt.text, LastSeen: tt.said}, tt.now); got != tt.want {
			t.Errorf("%q, said %s, is over on %s: %v", tt.text, tt.said, tt.now, got)
		}
	}
}

// Somebody who never introduced themselves still has a name and a line where the
// chats give them.
func TestIntroduction(t *testing.T) {
	at := func(front string) session {
		n := vault.Parse("sessions/2025/a.md", []byte("---\n"+front+"---\n"))
		return session{note: n, start: n.Prop("start")}
	}
	sessions := []session{
		at("start: 2025-01-02\ndomain: home\nme: Ana\n"), at("start: 2025-02-02\ndomain: home\n"), at("start: 2025-03-02\ndomain: travel\n"), at("start: 2025-03-05\ndomain: general\n"),
	}
	want := introduction{"Ana", "Ana talks mostly about home and travel (4 sessions, 2025-01 to 2025-03)."}
	if got := introduce(nil, sessions); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	from := []vault.Evidence{{Quote: "I'm From Lisbon, but I live in Porto"}}
	if got := introduce([]vault.Claim{{Kind: "identity", Text: "From Lisbon.", From: from}}, nil); got.name != "" {
		t.Errorf("a place became the name %q", got.name)
	}
}

// A rule that came of an allergy does not take the allergy's place on the card.
func TestCardKeepsKindsApart(t *testing.T) {
	var claims []vault.Claim
	for _, c := range []struct{ kind, text string }{{"policy", "Never suggest recipes with hazelnuts."}, {"identity", "Allergic to hazelnuts."}, {"policy", "Never suggest recipes with hazelnuts to me."}} {
		claims = append(claims, vault.Claim{Kind: c.kind, Text: c.text, FirstSeen: "2025-01-01", LastSeen: "2025-01-01", Importance: -1})
	}
	var got []string
	for _, c := range rankForProfile(claims) {
		got = append(got, c.Kind)
	}
	if len(got) != 2 || got[0] != "policy" || got[1] != "identity" {
		t.Errorf("the card has %v", got)
	}
}

// A friend who did something once is no part of who the person is.
func TestWhoIsWho(t *testing.T) {
	for text, want := range map[string]bool{
		"My sister Elin lives in Malmö since June.":     true,
		"My boss is Tomás Reis.":                        true,
		"Met this illustrator, Bryan, at a fair.":       true,
		"My colleague was French and drank ten coffees": false,
		"My mom always makes a huge pot of soup.":       false,
	} {
		if got := stable(vault.Claim{Kind: "relationship", Text: text, From: make([]vault.Evidence, 1)}); got != want {
			t.Errorf("%q: stands on the card is %v", text, got)
		}
	}
}
