package salience

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// More of any signal never lowers the score, and it stays between 0 and 1.
func TestRateGrowsWithEachSignal(t *testing.T) {
	base := Signals{Age: 400 * 24 * time.Hour, Own: 100, Known: true, Phrases: 5, Shared: 1, Lasting: 1, Words: 400, Names: 3, Events: 2, Feeling: 1}
	grow := map[string]func(*Signals){
		"recency":    func(s *Signals) { s.Age /= 2 },
		"yours":      func(s *Signals) { s.Own *= 2 },
		"repetition": func(s *Signals) { s.Shared *= 3 },
		"density":    func(s *Signals) { s.Lasting *= 4 },
		"names":      func(s *Signals) { s.Names *= 4 },
		"feeling":    func(s *Signals) { s.Feeling *= 4 },
	}
	was := Rate(base).Value
	for name, change := range grow {
		s := base
		for range 6 {
			before := Rate(s).Value
			change(&s)
			s.Own, s.Shared = min(s.Own, s.Words), min(s.Shared, s.Phrases)
			if got := Rate(s).Value; got < before || got > 1 {
				t.Errorf("%s: from %.3f to %.3f", name, before, got)
			}
		}
		if got := Rate(s).Value; got <= was {
			t.Errorf("%s: %.3f, no more than %.3f", name, got, was)
		}
	}
}

func TestAssign(t *testing.T) {
	scores := func(values ...float64) (out []Score) {
		for _, v := range values {
			out = append(out, Score{Value: v})
		}
		return out
	}
	tests := map[string]struct {
		shares Shares
		scores []Score
		vault  Vault
		want   []Tier
	}{
		"few go deep":             {Shares{}, scores(0.1, 0.9), Vault{Waiting: 2, All: 2}, []Tier{Deep, Deep}},
		"shares bound":            {Shares{Whole: 1, Deep: 0.25, Brief: 0.5}, scores(0.8, 0.9, 0.7, 0.6), Vault{Waiting: 4, All: 4}, []Tier{Brief, Deep, Brief, Stored}},
		"too little for the tier": {Shares{Whole: 1, Deep: 1, Brief: 1}, scores(0.1, 0.3, 0.5), Vault{Waiting: 3, All: 3}, []Tier{Stored, Brief, Deep}},
		"equal ones in order":     {Shares{Whole: 1, Deep: 0.5, Brief: -1}, scores(0.5, 0.5), Vault{Waiting: 2, All: 2}, []Tier{Deep, Stored}},
		"the share is used up":    {Shares{Whole: 1, Deep: 0.5, Brief: 0.5}, scores(0.9, 0.8), Vault{Waiting: 2, All: 10, Deep: 5, Brief: 4}, []Tier{Brief, Stored}},
		"none at all":             {Shares{Whole: -1, Deep: -1, Brief: -1}, scores(0.9), Vault{Waiting: 1, All: 1}, []Tier{Stored}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.shares.Assign(tt.scores, tt.vault)); diff != "" {
				t.Errorf("tiers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMoved(t *testing.T) {
	for text, want := range map[string]bool{
		"the train leaves at nine":  false,
		"ok":                        false,
		"IBAN and PDF are fine":     false,
		"come quickly!!":            true,
		"I LOVED that film":         true,
		"bin so traurig":            true,
		"see you ❤️":                true,
		"please call, it is urgent": true,
		"срочно позвони":            true,
		"what?!":                    true,
		"the 😀 is a face":           true,
		"a thumb 👍 is an answer":    false,
	} {
		if got := Moved(text); got != want {
			t.Errorf("Moved(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for text, want := range map[string][2]int{
		"":                                {0, 0},
		"we meet at 9:30 on 12/03":        {6, 2},
		"see https://example.org/2024/10": {2, 0},
		"明日の会議は何時ですか十時からです": {8, 0},
	} {
		words, events := Count(text)
		if diff := cmp.Diff(want, [2]int{words, events}); diff != "" {
			t.Errorf("Count(%q) (-want +got):\n%s", text, diff)
		}
	}
}
