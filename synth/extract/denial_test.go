package extract

import "testing"

// Pairs of clauses, of which one denies the other or only seems to. Both directions
// are asked for each pair.
func TestRefutes(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"I am allergic to walnuts", "I am not allergic to walnuts", true},
		{"I'm allergic to walnuts.", "I’m not allergic to walnuts at all.", true},
		{"I am allergic to walnuts and cashews", "Correction: I am not allergic to cashews", true},
		{"I am allergic to walnuts, cashews and mustard", "I have never been allergic to mustard", false}, // of another time
		{"I live in Porto near the river", "I no longer live in Porto", true},
		{"I live in Porto", "I don't live in Porto anymore, I moved to Graz", true},
		{"I don't eat meat", "I eat meat again", true},
		{"I don't eat meat", "I eat meat on Sundays", true},
		{"I eat meat", "I stopped eating meat in March", true},
		{"I live in Porto", "I have not lived in Porto since 2019 anymore", false}, // of another time
		{"I eat meat", "I stopped eating meat", true},
		{"I'm a vegetarian", "I am not vegetarian anymore", true},
		{"I like hiking with Elin", "I don't like hiking", true},
		{"I can swim", "I can't swim", true},
		{"I have a dog", "I don't have a dog", true},
		{"I visited Graz", "I did not visit Graz", true},
		{"My brother is married", "My brother is not married", true},
		{"I was wrong: I am not left-handed", "I am left-handed", true},
		// The "not" is about something else.
		{"I am allergic to walnuts", "I am not allergic to pistachios", false},
		{"I am allergic to walnuts", "I am not allergic to walnut oil", false},
		{"I am allergic to walnuts", "I am not only allergic to walnuts", false},
		{"I am allergic to walnuts", "I am not sure that I am allergic to walnuts", false},
		{"I am allergic to walnuts", "I didn't say that I am allergic to walnuts", false},
		{"I am allergic to walnuts", "I hope that I am not allergic to walnuts", false},
		{"I am allergic to walnuts", "I was not allergic to walnuts as a child", false},
		{"I am allergic to walnuts", "Am I not allergic to walnuts?", false},
		{"I am allergic to walnuts", "My sister is not allergic to walnuts", false},
		{"My sister is allergic to walnuts", "I am not allergic to walnuts", false},
		{"My brother is married", "My sister is not married", false},
		{"I drink coffee", "I don't drink coffee after noon", false},
		{"I drink coffee every morning", "I don't drink coffee on Sundays", false},
		{"I don't eat meat", "I eat meat substitutes", false},
		{"I don't like coffee", "I like coffee ice cream", false},
		{"I like tea with milk", "I don't like milk", false},
		{"I live in Porto", "I don't live in Lisbon", false},
		{"I work at a bakery", "I don't work on Fridays", false},
		{"I visit Graz", "I did not visit Graz", false},
		{"I know", "I don't know", false},
		{"I am here", "I am not here", false},
		{"I am allergic to walnuts", "I am allergic to walnuts", false},
		{"I am not allergic to walnuts", "I'm not allergic to walnuts", false},
	}
	for _, tt := range tests {
		if got := Refutes(tt.a, tt.b); got != tt.want {
			t.Errorf("%q and %q: refutes is %v", tt.a, tt.b, got)
		}
		if got := Refutes(tt.b, tt.a); got != tt.want {
			t.Errorf("%q and %q: refutes is %v", tt.b, tt.a, got)
		}
	}
}

func TestTakesBack(t *testing.T) {
	tests := []struct {
		clause, rest string
		want         bool
	}{
		{"Actually, I am not allergic to walnuts", "I am not allergic to walnuts", true},
		{"Correction: my exhibition opens on 26 June", "my exhibition opens on 26 June", true},
		{"I was wrong yesterday: I paid 750 euros", "I paid 750 euros", true},
		{"It turned out that I’m not allergic", "I’m not allergic", true},
		{"No, sorry, I misspoke. I live in Graz", "I live in Graz", true},
		{"I no longer live in Porto", "I no longer live in Porto", true},
		{"I don't live in Porto anymore", "I don't live in Porto anymore", true},
		{"I'm not allergic after all", "I'm not allergic after all", true},
		{"I am not allergic to walnuts", "I am not allergic to walnuts", false},
		{"I actually like the rain", "I actually like the rain", false},
		{"I was wrong to buy the boat", "I was wrong to buy the boat", false},
	}
	for _, tt := range tests {
		if got := TakesBack(tt.clause); got != tt.want {
			t.Errorf("%q: takes back is %v", tt.clause, got)
		}
		if got := Restated(tt.clause); got != tt.rest {
			t.Errorf("%q restates %q, want %q", tt.clause, got, tt.rest)
		}
	}
}

func TestInstead(t *testing.T) {
	tests := []struct {
		clause, other string
		want          bool
	}{
		{"Correction: my exhibition opens on 26 June, not on 12 June", "My exhibition opens on 12 June at the harbour gallery.", true},
		{"Actually, my landlord is called Mr. Ferreira, not Pereira", "My landlord is called Mr. Pereira", true},
		{"I'm allergic to pistachios, not to walnuts", "I am allergic to walnuts", false}, // one word in common is too few to tell
		{"I prefer tea to coffee, not milk", "I prefer tea to coffee", false},
		{"My exhibition opens on 26 June, not on 12 June", "My sister's birthday is on 12 June", false},
		{"My exhibition opens on 26 June", "My exhibition opens on 12 June", false},
	}
	for _, tt := range tests {
		if got := Instead(tt.clause, tt.other); got != tt.want {
			t.Errorf("%q and %q: instead is %v", tt.clause, tt.other, got)
		}
	}
}
