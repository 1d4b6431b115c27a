package synth

import "testing"

// Caps count what a reader sees: citations are addresses, an alias is text.
func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"- Ships early. ([[transcripts/chatgpt/2025/a#^t0012|12]])":              "- Ships early.",
		"- Ships early. ([[facts/work/reflecta#^f-8gsjd8|f-8gsjd8]])":            "- Ships early.",
		"- See [[memory/running|Running]] ([[2025-08-01-plan|the plan]]) today.": "- See Running (the plan) today.",
	} {
		if got := Visible(text); got != want {
			t.Errorf("%q reads %q, want %q", text, got, want)
		}
	}
}
