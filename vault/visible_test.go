package vault

import "testing"

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"Ships it ([[transcripts/claude/2025/plan#^t0003|3]]).": "Ships it.",
		"See [[memory/reflecta|Reflecta]] and [[plan]].":        "See Reflecta and plan.",
		"![[profile]]":     "profile",
		"a [link](b) [c]":  "a [link](b) [c]",
		"[[open, and over": "[[open, and over",
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}
