package sync

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/vault"
)

// A message that comes again with other words is kept in both wordings, and the
// later one stands on the active path. Doing it again changes nothing.
func TestImportKeepsBothWordings(t *testing.T) {
	v, state := openVault(t, t.TempDir(), nil), t.TempDir()
	first := talk(1, turn("a", "user", "We meet at nine", 1), turn("b", "assistant", "Noted", 2), turn("c", "user", "Thanks", 3))
	importAll(t, v, state, list{first})
	p := "transcripts/chatgpt/2025/2025-08-09-csv-export.md"
	before := read(t, v)[p]

	reworded := func(text string, minute int, more ...vault.Turn) importer.Conversation {
		c := talk(1, append([]vault.Turn{turn("a", "user", text, 1), turn("b", "assistant", "Noted", 2), turn("c", "user", "Thanks", 3)}, more...)...)
		c.Updated = at(minute)
		return c
	}
	steps := []struct {
		name         string
		talk         importer.Conversation
		revised, new int
		active       []string
	}{
		{"one word changed", reworded("We meet at ten", 4), 1, 0, []string{"We meet at ten", "Noted", "Thanks"}},
		{"the same again, and one more", reworded("We meet at ten", 5, turn("d", "assistant", "Bye", 5)), 0, 1, []string{"We meet at ten", "Noted", "Thanks", "Bye"}},
		{"changed again, and one more", reworded("We meet at noon", 6, turn("d", "assistant", "Bye", 5), turn("e", "user", "Bye!", 6)), 1, 1, []string{"We meet at noon", "Noted", "Thanks", "Bye", "Bye!"}},
	}
	for _, s := range steps {
		got := importAll(t, v, state, list{s.talk})
		if got.MessagesRevised != s.revised || got.MessagesNew != s.new || got.ConversationsUpdated != 1 {
			t.Errorf("%s: %+v", s.name, got)
		}
		raw := read(t, v)[p]
		if diff := cmp.Diff(s.active, active(t, raw)); diff != "" {
			t.Errorf("%s: the active path (-want +got):\n%s\n%s", s.name, diff, raw)
		}
		if again := importAll(t, v, state, list{s.talk}); again.Changed() || again.MessagesRevised != 0 {
			t.Errorf("%s, again: %+v", s.name, again)
		}
	}
	after := read(t, v)[p]
	_, oldBody, _ := strings.Cut(before, "\n---\n")
	if !strings.Contains(after, oldBody) {
		t.Errorf("what stood there was rewritten:\n%s", after)
	}
	for _, want := range []string{"(msg:: a~2) (revises:: a)", "(msg:: a~3) (revises:: a)", "turns: 7\n"} {
		if !strings.Contains(after, want) {
			t.Errorf("no %s in\n%s", want, after)
		}
	}
}

// A secret that stands as a mark in the vault is not another wording.
func TestMarksAreNoOtherWording(t *testing.T) {
	const mark = "[otp 7f2k9q3mwx]"
	marked := func(text string) string { return strings.ReplaceAll(text, "482913", "[otp szys1s3js8]") }
	im := &Importer{cfg: ImportConfig{Redact: marked}}
	for _, tt := range []struct {
		kept, given string
		same        bool
	}{
		{"the code is 482913, thanks", "the code is 482913, thanks", true},
		{marked("the code is 482913, thanks"), "the code is 482913, thanks", true},
		{marked("482913"), "482913", true},
		{marked("the code is 482913, thanks"), "the code was 482913, thanks", false},
		{marked("the code is 482913, thanks"), "so the code is 482913, thanks", false},
		{marked("the code is 482913, thanks"), "the code is 482913, thank you", false},
		{mark + " is no mark", "482913 is no mark", false},
	} {
		if got := im.sameWords(tt.kept, tt.given); got != tt.same {
			t.Errorf("%q and %q: same is %v", tt.kept, tt.given, got)
		}
	}
}
