package rank

import (
	"testing"
)

func TestTells(t *testing.T) {
	for text, want := range map[string]bool{
		"I just came back from Lisbon": true, "By the way, my sister moved": true, "so i\u2019ve sold it": true, "WE WON": true,
		"our house": true, "(I)": true, "Sure! There are many ways to do it.": false, "": false, "Ich bin in Rom": false,
		"in the middle of mystery, owing ours": false, "wifi, e-mail and Wi-Fi": false, "Щ I Щ": true, "éI": false,
	} {
		if got := Tells(text); got != want {
			t.Errorf("Tells(%q) = %v", text, got)
		}
	}
}

// A question about a person is for what somebody tells of themselves.
func TestWhoTellsGoesFirst(t *testing.T) {
	const chat = `
user: The marathon in Berlin has a fast and flat course through the whole city
user: I ran the marathon in Berlin with a fast friend through the whole city
assistant: The marathon in Berlin has a fast and flat course through the whole city
`
	c, terms := talk(chat)
	if got := first(t, c, ask("Which marathon did I run in Berlin?", terms)); got != 1 {
		t.Errorf("position %d, want what the person did (1)", got)
	}
	w := DefaultWeights()
	w.Tells = 0
	q := ask("Which marathon did I run in Berlin?", terms)
	q.Weights = &w
	with := Search(c, ask("Which marathon did I run in Berlin?", terms))
	for _, h := range Search(c, q) {
		for _, x := range with {
			if h.Pos == 1 && x.Pos == 1 && x.Parts.Speaker <= h.Parts.Speaker {
				t.Errorf("the part for people is %v with telling, %v without", x.Parts.Speaker, h.Parts.Speaker)
			}
		}
	}
}

// What "you" said is sought in the assistant's turns, also where "my" stands beside it.
func TestWhatTheAssistantSaid(t *testing.T) {
	const chat = `
user: Tea for my sore throat: ginger with honey, or sage with lemon in hot water?
assistant: Tea for a sore throat: ginger with honey, or sage with lemon in hot water?
`
	c, terms := talk(chat)
	for query, want := range map[string]int32{
		"Which tea did you recommend for my sore throat?":      1,
		"What tea was it that you suggested for a sore throat": 1,
		"Which tea did I take for my sore throat?":             0,
		"Which tea would you suggest for my sore throat?":      0,
	} {
		if got := first(t, c, ask(query, terms)); got != want {
			t.Errorf("%s: position %d, want %d", query, got, want)
		}
	}
}
