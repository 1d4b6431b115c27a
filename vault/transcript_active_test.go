package vault

import (
	"strings"
	"testing"
)

// A later wording stands where the first one did, on the active path and nowhere
// else.
func TestActiveTakesTheLastWording(t *testing.T) {
	say := func(id, text, parent, revises string, branch bool) Turn {
		return Turn{Sender: "user", MessageID: id, Text: text, Parent: parent, Revises: revises, Branch: branch}
	}
	for _, tt := range []struct {
		name, current string
		turns         []Turn
		want          string
	}{
		{"none", "", []Turn{say("a", "A", "", "", false), say("b", "B", "", "", false)}, "A B"},
		{"one", "", []Turn{say("a", "A", "", "", false), say("b", "B", "", "", false), say("a~2", "A2", "", "a", false)}, "A2 B"},
		{"twice", "", []Turn{say("a", "A", "", "", false), say("a~2", "A2", "", "a", false), say("b", "B", "a", "", false), say("a~3", "A3", "", "a", false)}, "A3 B"},
		{"a wording of a wording", "", []Turn{say("a", "A", "", "", false), say("x", "A2", "", "a", false), say("y", "A3", "", "x", false)}, "A3"},
		{"the last turn, named", "y", []Turn{say("a", "A", "", "", false), say("b", "B", "", "", false), say("y", "B2", "", "b", false)}, "A B2"},
		{"the last turn, by its first id", "b", []Turn{say("a", "A", "", "", false), say("b", "B", "", "", false), say("y", "B2", "", "b", false)}, "A B2"},
		{"on a branch", "", []Turn{say("a", "A", "", "", false), say("b", "B", "", "", false), say("c", "C", "a", "", true), say("c~2", "C2", "", "c", false)}, "A B"},
		{"of a turn that is not here", "", []Turn{say("a", "A", "", "", false), say("b", "B", "", "z", false)}, "A B"},
		{"of itself", "", []Turn{say("a", "A", "", "a", false)}, "A"},
		{"in a circle", "b", []Turn{say("a", "A", "", "b", false), say("b", "B", "", "a", false)}, "B"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			props := []NewProperty{{"type", Text("transcript")}}
			if tt.current != "" {
				props = append(props, NewProperty{"current", Text(tt.current)})
			}
			raw := append([]byte(FormatFrontMatter(props...)+"\n"), FormatTurns(1, tt.turns)...)
			tr := ParseTranscript(Parse("t.md", raw))
			var got []string
			for _, p := range tr.Active() {
				got = append(got, p.Text)
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("the path is %v, want %s", got, tt.want)
			}
			for i, p := range tr.Turns {
				revised := false
				for j, q := range tt.turns {
					revised = revised || j != i && q.Revises == p.MessageID
				}
				if p.Revised != revised {
					t.Errorf("%s: revised is %v", p.Text, p.Revised)
				}
			}
		})
	}
}
