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

// Shares bound how many conversations get which depth. The zero value means the
// defaults.
type Shares struct {
	// Deep and Brief are parts of all, from 0 to 1; negative means none.
	// Defaults: a quarter and a half.
	Deep, Brief float64
	// Whole is the number of waiting conversations up to which all go deep: so few
	// cost little. Default: 120, as many as stay live in a vault.
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

// A Vault is what stands beside the conversations that get their tiers: how many
// wait in all, how many there are, and how many of them went how deep already.
type Vault struct {
	Waiting, All, Deep, Brief int
}

// Assign gives each score its tier: the best go deep as far as the share reaches
// among them and in the whole vault, the next get a summary. Of equal scores the
// first come first.
func (s Shares) Assign(scores []Score, v Vault) []Tier {
	s = s.withDefaults()
	tiers := make([]Tier, len(scores))
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b].Value, scores[a].Value) })
	room := func(share float64, had int) int {
		return max(0, min(int(share*float64(len(scores))), int(share*float64(v.All))-had))
	}
	deep, brief := room(s.Deep, v.Deep), room(s.Brief, v.Brief)
	for _, i := range order {
		switch {
		case v.Waiting <= s.Whole:
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
