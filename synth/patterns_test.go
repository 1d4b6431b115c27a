package synth

import (
	"testing"

	"github.com/memsync/memsync/vault"
)

// A rule and a preference that say the same are one pattern, in the latest wording,
// and none where the schema has either. What denies it or names another figure is
// another.
func TestARuleAndAPreferenceAreOnePattern(t *testing.T) {
	claim := func(kind, text, day string) vault.Claim {
		return vault.Claim{ID: vault.ContentID("f", 6, text), Kind: kind, Text: text, FirstSeen: day, LastSeen: day, From: []vault.Evidence{{Quote: text}}}
	}
	said := []vault.Claim{
		claim("preference", "Prefer flour weights in grams.", "2025-01-02"),
		claim("policy", "Always give flour weights in grams.", "2025-02-03"),
		claim("policy", "Never give flour weights in grams.", "2025-03-04"),
		claim("goal", "My goal is to give flour weights in grams.", "2025-04-05"),
		claim("policy", "Always give 2 flour weights in grams.", "2025-05-06"),
	}
	got := patterns(said, nil)
	if len(got) != 1 || got[0].claim.Kind != "policy" || got[0].claim.Text != said[1].Text || len(got[0].claim.From) != 2 {
		t.Errorf("%+v", got)
	}
	for _, have := range said[:2] {
		if got := patterns(said, []vault.Claim{have}); len(got) != 0 {
			t.Errorf("proposed beside %q: %+v", have.Text, got)
		}
	}
}
