package rank

import (
	"slices"
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

	// Of a vault with hundreds the nearest five of each kind, by a share of the best
	// or, where that is more, by what many others have.
	for _, c := range []struct {
		last float32
		want float32
	}{{1, 0.5 * 60}, {50, 50}} {
		many, evidence := &Corpus{}, make([]float32, 6*standing)
		for i := range evidence {
			many.Note, many.Flags = append(many.Note, 0), append(many.Flags, []Flag{Preference, Directive, 0}[i%3])
			evidence[i] = c.last
			if i >= len(evidence)-3*standing {
				evidence[i] = c.last + 1
			}
		}
		evidence[len(evidence)-1] = 60
		before := slices.Clone(evidence)
		stand(many, evidence, 0.5)
		for i, x := range evidence {
			var want float32
			if i%3 < 2 && i >= len(evidence)-3*standing {
				want = c.want
			}
			if x-before[i] != want {
				t.Errorf("number %d is raised by %v, want %v", i, x-before[i], want)
			}
		}
	}
}
