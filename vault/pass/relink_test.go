package pass

import (
	"strings"
	"testing"
)

// A note is renamed, and Obsidian names it anew in every page that links to it: no edit
// of what the pages say, whether the new text knows of it or not, by whole paths or by
// names alone. What the person edited beside it is kept.
func TestRenamedNotesInLinks(t *testing.T) {
	const was, now = "transcripts/chatgpt/2025-04-05-sprint", "transcripts/Chats/Sprint two"
	line := func(text, note, turn string) string {
		return "- " + text + ". ([[" + note + "#^t000" + turn + "|" + turn + "]])"
	}
	page := func(note string, texts ...string) string {
		var b strings.Builder
		b.WriteString("---\nid: ss-1\ntranscript: \"[[" + note + "]]\"\ngenerated: true\n---\n")
		for i, text := range texts {
			b.WriteString("\n" + line(text, note, string(rune('1'+i))))
		}
		return b.String() + "\n"
	}
	old := page(was, "One", "Two", "Three")
	for name, tc := range map[string]struct{ disk, data, want string }{
		"by its path":                  {page(now, "One", "Two", "Three"), page(now, "One", "Two", "Three", "Four"), page(now, "One", "Two", "Three", "Four")},
		"by its name":                  {page("Sprint two", "One", "Two", "Three"), page(now, "One", "Two", "Three", "Four"), page(now, "One", "Two", "Three", "Four")},
		"the new text knows it not":    {page("Sprint two", "One", "Two", "Three"), page(was, "One", "Two", "Three", "Four"), page("Sprint two", "One", "Two", "Three", "Four")},
		"with an edit":                 {page("Sprint two", "Uno", "Two", "Three"), page(now, "One", "Two", "Three", "Four"), strings.Replace(page(now, "One", "Two", "Three", "Four"), line("One", now, "1"), line("Uno", "Sprint two", "1"), 1)},
		"with a line of theirs":        {strings.Replace(page("Sprint two", "One", "Two", "Three"), "\n\n", "\n\nSee [[Sprint two]].\n", 1), page(now, "One", "Two", "Three", "Four"), strings.Replace(page(now, "One", "Two", "Three", "Four"), "\n\n", "\n\nSee [[Sprint two]].\n", 1)},
		"another note has their words": {page("Sprint two", "One", "Two", "Three") + "\n" + line("One", "elsewhere", "1") + "\n", page(now, "One", "Two", "Three", "Four"), ""},
	} {
		f := newFixture(t)
		f.generate("sessions/a.md", old)
		f.save("sessions/a.md", tc.disk)
		o := f.generate("sessions/a.md", tc.data)
		if got := f.read("sessions/a.md"); tc.want != "" && got != tc.want {
			t.Errorf("%s: outcome %v:\n%s\nwant:\n%s", name, o, got, tc.want)
		} else if tc.want == "" && !strings.Contains(got, "[[elsewhere#") {
			t.Errorf("%s: outcome %v:\n%s", name, o, got)
		}
	}
}
