package rank

import (
	"strings"
	"testing"
)

// Looking for words first must not change what the expressions match.
func FuzzMentions(f *testing.F) {
	for _, s := range []string{"I prefer trains", "i'd RATHER walk", "From Now On call me Ana", "so, going forward: metric", "pre fer", "I PREFEr", "prefe", "", "ſ prefer", "from\tnow on", "I would much rather not"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) >= 1000 {
			return
		}
		if got, want := Prefers(text), preference.MatchString(text); got != want {
			t.Errorf("Prefers(%q) is %v, want %v", text, got, want)
		}
		if got, want := Directs(text), directive.MatchString(text) || onwards.MatchString(text); got != want {
			t.Errorf("Directs(%q) is %v, want %v", text, got, want)
		}
		for _, words := range [][]string{{"prefer", "rather"}, {"from now on"}} {
			want := false
			for _, w := range words {
				want = want || strings.Contains(asciiLower(text), w)
			}
			if got := mentions(text, words...); got != want {
				t.Errorf("mentions(%q, %q) is %v, want %v", text, words, got, want)
			}
		}
	})
}

func asciiLower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}
