package extract

import "testing"

func TestSimilar(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"Allergic to walnuts.", "Allergic to pistachios.", false},
		{"Allergic to walnuts.", "Not allergic to walnuts.", false},
		{"Allergic to walnuts.", "Allergic to walnuts since May.", true},
		{"Prefer trains.", "I prefer trains to planes on short ways.", true},
		{"Vegetarian.", "A vegetarian from Graz.", true},
		{"Bought an oven in Graz.", "Bought the oven from Elin in Graz for 900 euros.", true},
		{"", "", false},
	}
	for _, tt := range tests {
		for _, pair := range [][2]string{{tt.a, tt.b}, {tt.b, tt.a}} {
			if got := Similar(pair[0], pair[1], 0.5); got != tt.want {
				t.Errorf("%q and %q: similar is %v", pair[0], pair[1], got)
			}
		}
	}
}
