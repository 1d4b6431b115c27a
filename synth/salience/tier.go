package salience

import (
	"cmp"
	"slices"
)

// A Tier is how deep a conversation is distilled.
type Tier string

// The tiers.
const (
	Stored Tier = "A" // stored and indexed, and nothing is written about it
	Brief  Tier = "B" // a short summary
	Deep   Tier = "C" // a richer summary, facts, proposals
)

// Shares bound how many of the conversations that are distilled together get
// which depth. The zero value means the defaults.
type Shares struct {
	// Deep and Brief are parts of all, from 0 to 1; negative means none.
	// Defaults: a quarter and a half.
	Deep, Brief float64
	// Whole is the number of conversations up to which all go deep: so few cost
	// little. Default: 120, as many as stay live in a vault.
	Whole int
}

func (s Shares) withDefaults() Shares {
	if s.Deep == 0 {
		s.Deep = 0.25
	}
	if s.Brief == 0 {
		s.Brief = 0.5
	}
	if s.Whole == 0 {
		s.Whole = 120
	}
	return s
}

// Scores below which a conversation is not worth the tier, whatever room there
// is. A conversation of today in which nothing is said has about 0.3 by its
// recency and its person alone, one of years ago 0.15.
const (
	briefLeast = 0.25
	deepLeast  = 0.35
)

// Assign gives each score its tier: the best go deep as far as their share
// reaches, the next get a summary. Of equal scores the first come first.
func (s Shares) Assign(scores []Score) []Tier {
	s = s.withDefaults()
	tiers := make([]Tier, len(scores))
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b].Value, scores[a].Value) })
	deep, brief := int(s.Deep*float64(len(scores))), int(s.Brief*float64(len(scores)))
	for _, i := range order {
		switch {
		case len(scores) <= s.Whole:
			tiers[i] = Deep
		case deep > 0 && scores[i].Value >= deepLeast:
			tiers[i] = Deep
			deep--
		case brief > 0 && scores[i].Value >= briefLeast:
			tiers[i] = Brief
			brief--
		default:
			tiers[i] = Stored
		}
	}
	return tiers
}
