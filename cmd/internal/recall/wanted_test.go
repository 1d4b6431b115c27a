package recall

import "testing"

func TestWhatIsAskedFor(t *testing.T) {
	for _, test := range []struct {
		question, text string
		holds          bool
	}{
		{"Who sold me the boat?", "I bought a wooden boat, an old Drascombe from 1978. She lies in Leith.", false},
		{"Who sold me the boat?", "I bought the boat from Henrik.", true},
		{"Who sold me the boat?", "A neighbour had the boat for ten years.", true},
		{"Who broke the lens?", "Ruben says that it was the wind.", true},
		{"Who repaired the brakes?", "The old Skoda failed its test. On Monday I get it back.", false},
		{"What is the name of Callum's boyfriend?", "My brother Callum moved away with his boyfriend.", false},
		{"What is the name of Callum's boyfriend?", "My brother Callum and Rui moved away.", true},
		{"How much does the kitchen cost?", "The kitchen is of birch. Three men carried it.", false},
		{"How much does the kitchen cost?", "The kitchen came to 11,400.", true},
		{"What did the cabin cost?", "The cabin was 90 euros a night.", true},
		{"How old is my father?", "Dad turned 71.", true},
		{"How long is the boat?", "The boat is from 1978.", false},
		{"How long is the boat?", "The boat is nineteen feet, six metres.", true},
		{"What is the phone number of the bank?", "The bank is in 12 High Street.", false},
		{"What is the phone number of the bank?", "The bank: 0131 496 0000.", true},
		{"When did we move?", "We moved.", true},          // everything said has a date
		{"Wer hat das Boot verkauft?", "Das Boot.", true}, // the kinds of other languages are not known
	} {
		if got := wantedBy(test.question).holds(test.text, test.question); got != test.holds {
			t.Errorf("%q holds what %q asks for: %v, want %v", test.text, test.question, got, test.holds)
		}
	}
}

func TestAWordIsFoundInALongerOne(t *testing.T) {
	for _, test := range []struct {
		question, text string
		want           bool
	}{
		{"Which nuts are dangerous?", "Ines is allergic to walnuts.", true},
		{"Which age is right?", "The message came late.", false}, // no kind of age
		{"Which nuts are dangerous?", "The hull is grey.", false},
	} {
		if got := compounded(t.Context(), test.question, []string{test.text}); got != test.want {
			t.Errorf("%q in %q: %v, want %v", test.question, test.text, got, test.want)
		}
	}
}
