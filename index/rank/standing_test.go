package rank

import (
	"strings"
	"testing"
)

func TestDirects(t *testing.T) {
	for text, want := range map[string]bool{
		"Always use metric units.": true, "ok, from now on call me Ana": true, "Please never use emojis": true,
		"Recipes without meat from now on": true, "I always liked it": false, "never mind": true, "He will always come": false, "": false,
		strings.Repeat("Always. ", 200): false,
	} {
		if got := Directs(text); got != want {
			t.Errorf("Directs(%q) = %v", text, got)
		}
	}
}

func TestPrefers(t *testing.T) {
	for text, want := range map[string]bool{
		"I'd prefer a window seat": true, "I usually prefer tea": true, "As to my preference: short answers": true, "I’d much rather walk": true,
		"Which do you prefer?": false, "He prefers trains": false, "I would like a rather long one": false, "": false,
		strings.Repeat("I prefer tea. ", 200): false,
	} {
		if got := Prefers(text); got != want {
			t.Errorf("Prefers(%q) = %v", text, got)
		}
	}
}

func TestAsksHelp(t *testing.T) {
	for text, want := range map[string]bool{
		"How should I format it?": true, "Could you show me how to bake bread?": true, "Any good tips for Lisbon?": true,
		"How did I format it?": false, "What did you suggest I should do?": false, "Remind me how to bake bread": false,
		"How does Ana like her tea?": false, "Can you help me with a summary of my year?": false, "when is the concert": false,
		strings.Repeat("help me ", 500): false,
	} {
		if got := asksHelp(text); got != want {
			t.Errorf("asksHelp(%.40q) = %v", text, got)
		}
	}
}

// A request holds up what the person laid down, though it shares no word with it,
// but no more of that than an answer has room for; other questions leave it be.
func TestRequestsHeed(t *testing.T) {
	c, terms := talk(`
user: Always answer with a drawing when the talk is of physics, however small
user: I prefer short and friendly letters to long ones, in whatever language
user: The washing machine stands in the cellar behind the green wooden door
assistant: Always keep the cellar door of a house like that one shut in winter

user: How a washing machine works was explained in the museum of the town
`)
	w := DefaultWeights()
	places := func(text string) map[int32]int {
		out := map[int32]int{}
		q := ask(text, terms)
		q.Weights = &w
		for i, h := range Search(c, q) {
			out[h.Pos] = i + 1
		}
		return out
	}
	got := places("Can you explain how a washing machine works?")
	if got[0] == 0 || got[1] == 0 {
		t.Errorf("the instruction is at %d and the preference at %d of a request", got[0], got[1])
	}
	if got := places("What works in the museum like a washing machine?"); got[1] != 0 && got[1] < got[2] {
		t.Errorf("a preference leads in an answer that asks for no help")
	}
	w.Standing = 0
	if without := places("Can you explain how a washing machine works?"); without[1] != 0 && without[1] <= got[1] {
		t.Errorf("the preference is at %d, at %d with no weight", got[1], without[1])
	}

	many := &Corpus{}
	evidence := make([]float32, 3*standing)
	for i := range evidence {
		many.Note, many.Flags = append(many.Note, 0), append(many.Flags, Preference)
		evidence[i] = float32(i)
	}
	stand(many, evidence, 1)
	raised := 0
	for i, x := range evidence {
		if x > float32(i) {
			raised++
		}
	}
	if raised != standing || evidence[0] != 0 || evidence[len(evidence)-1] <= float32(len(evidence)-1) {
		t.Errorf("%d raised, want the nearest %d", raised, standing)
	}
}
