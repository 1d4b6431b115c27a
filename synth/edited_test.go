package synth

import (
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// What memsync changes in a page that the person edited does not make their edits
// memsync's: they outlive the next time that the page is made.
func TestEditsOutliveMemsyncsOwnChanges(t *testing.T) {
	const page = vault.Path("sessions/2025/2025-01-12-sourdough.md")
	for name, change := range map[string]func(t *testing.T, l *lab){
		"a claim is forgotten": func(t *testing.T, l *lab) {
			for _, p := range l.paths("facts") {
				for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
					if strings.Contains(c.Text, "2027") {
						if _, err := NewRunner(l.v, l.cfg).Forget(t.Context(), c.ID); err != nil {
							t.Fatal(err)
						}
					}
				}
			}
		},
		"the page is rated": func(t *testing.T, l *lab) {
			if _, err := NewRunner(l.v, l.cfg).Rate(t.Context(), string(page), 0.9); err != nil {
				t.Fatal(err)
			}
		},
	} {
		l := baker(t)
		l.edit(page, func(text string) string {
			return strings.NewReplacer("\ntype:", "\nmood: calm\ntype:", "- Never answer", "- Truly never answer").Replace(text)
		})
		change(t, l)
		grow(l)
		after := l.read(page)
		for _, want := range []string{"\nmood: calm\n", "- Truly never answer", "at the market"} {
			if !strings.Contains(after, want) {
				t.Errorf("%s: %q is not on the page any more:\n%s", name, want, after)
			}
		}
		if rated := strings.Contains(after, "importance: 0.9"); rated != (name == "the page is rated") {
			t.Errorf("%s: rated %v:\n%s", name, rated, after)
		}
		if strings.Contains(after, "2027") != (name == "the page is rated") {
			t.Errorf("%s: what was forgotten:\n%s", name, after)
		}
	}
}
