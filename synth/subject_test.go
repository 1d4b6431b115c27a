package synth

import "testing"

// Where a claim is filed, without an embedder: by what it says, and then by what its
// conversation is about.
func TestSubjectOf(t *testing.T) {
	r := &Runner{}
	for _, tc := range []struct{ kind, text, about, want string }{
		{"identity", "Ana Roth, a film producer from Graz.", "career", "self"},
		{"identity", "Ana, a 44-year-old chess coach.", "", "self"},
		{"identity", "My name is Ana.", "career", "self"},
		{"identity", "Vegetarian since 2019.", "", "food"},
		{"preference", "Prefer films over series.", "", "books and games"},
		{"goal", "Planning to meet Jo at the Harbour restaurant to talk about the offer.", "career", "career"},
		{"policy", "Always give prices when I ask about restaurants.", "cooking", "answers"},
		{"decision", "Decided to bake with rye flour.", "career", "cooking"},
		{"event", "Was there twice.", "", "other"},
	} {
		about := func() map[string]float64 { return map[string]float64{tc.about: 1} }
		if got := r.subjectOf(t.Context(), tc.kind, tc.text, about).name; got != tc.want {
			t.Errorf("%s %q is filed under %s, want %s", tc.kind, tc.text, got, tc.want)
		}
	}
}
