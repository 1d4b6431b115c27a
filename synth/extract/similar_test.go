package extract

import "testing"

func TestSimilar(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"Decided to bake rye bread on Saturdays.", "Bought a stone mill for the rye bread in Graz.", false},
		{"Decided to bake rye bread on Saturdays.", "Will bake the rye bread on Saturdays from May.", true},
		{"Chose the oak worktop.", "Took the oak worktop for the kitchen.", true},
		{"Allergic to walnuts.", "Allergic to pistachios.", false},
		{"Allergic to walnuts.", "Not allergic to walnuts.", false},
		{"Runs.", "Runs every morning by the river.", true},
		{"", "Runs.", false},
	} {
		if got := Similar(c.a, c.b, 0.5); got != c.want {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
		if Similar(c.a, c.b, 0.5) != Similar(c.b, c.a, 0.5) {
			t.Errorf("%q and %q: the order decides", c.a, c.b)
		}
	}
}
