package synth

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// What a card says, read by its owner: who they are and how they want things, not the
// steps of the work in hand, nor a name twice.
func TestCardOfAnOwner(t *testing.T) {
	tests := map[string]struct {
		turns      []string
		has, hasNo []string
	}{
		"steps of the work": {
			[]string{
				"I'm Nora Falk, a potter from Graz.",
				"I implemented error handling for HTTP 503 replies of the shop.",
				"I completed 14 exercises on limits, and I improved by about 4.5% per sheet.",
				"I've been using a profiler v3.2 on the CSS of the shop.",
				"I moved my workshop to the old mill in Leoben on 3 May 2025.",
			},
			[]string{"Nora Falk, a potter from Graz.", "Moved my workshop to the old mill"},
			[]string{"HTTP 503", "exercises", "4.5%", "profiler"},
		},
		"a name and no more": {
			[]string{
				"My name is Nora, nice to meet you Tomás.",
				"I live in Graz near the river Mur.",
				"I prefer stoneware to porcelain for the kitchen and for dinner in the garden.",
				"I bought a kiln from Elin Roth in March 2025 for 900 euros.",
			},
			[]string{"name: Nora", "Nora talks mostly about", "- Live in Graz"},
			[]string{"My name is"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.add(said("c1", "The workshop", "2025-06-01T08:00:00Z", tt.turns...))
			l.run("summaries", "facts", "profile")
			card := l.read("profile.md")
			for _, want := range tt.has {
				if !strings.Contains(card, want) {
					t.Errorf("%q is missing", want)
				}
			}
			for _, no := range tt.hasNo {
				if strings.Contains(card, no) {
					t.Errorf("%q is there", no)
				}
			}
			if t.Failed() {
				t.Log(card)
			}
		})
	}
}

// MEMORY.md names a rule once: what an older wording of it says stays in its ledger.
func TestRulesStandOnceInForce(t *testing.T) {
	b := bootPage{}
	for i, text := range []string{
		"Always use short numbered steps when I ask about glaze recipes.",
		"Always use numbered steps with temperatures when I ask about glaze recipes.",
		"Never use short numbered steps when I ask about glaze recipes.",
		"Always fire at 1240 degrees when I ask about stoneware plates.",
		"Always fire at 1280 degrees when I ask about stoneware plates.",
		"Always answer in German when I ask about the taxes of my shop.",
	} {
		b.inForce = append(b.inForce, placedClaim{vault.Claim{ID: "f", Kind: "policy", Text: text, LastSeen: fmt.Sprintf("2025-0%d-01", 9-i)}, "facts/work/a.md"})
	}
	lines := b.inForceLines()
	if len(lines) != 5 || strings.Contains(strings.Join(lines, "\n"), "with temperatures") {
		t.Errorf("%d lines:\n%s", len(lines), strings.Join(lines, "\n"))
	}
}
