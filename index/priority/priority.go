package priority

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// An Item is what the vault says of something remembered.
type Item struct {
	// Seen is when it was last said or happened; zero where nothing is known.
	Seen time.Time
	// Importance is the person's own rating or an inferred one, 0 to 1; see
	// Importance.
	Importance float64
	// Pinned items are HOT whatever their energy.
	Pinned bool
}

// An Access is how an item was asked for on this machine.
type Access struct {
	Hits int
	Last time.Time
	// Energy is what the last access left the item with.
	Energy float64
}

// The weights of priority.
const (
	WeightRecency    = 0.5
	WeightImportance = 0.3
	WeightFrequency  = 0.2
)

const (
	// Tau is the age at which recency has fallen to 1/e.
	Tau = 30 * 24 * time.Hour
	// manyHits is the number of accesses at which frequency reaches 1: one a
	// week for a year.
	manyHits = 52
	// HalfLife is the time in which an item of no importance loses half its
	// energy; one of importance 1 takes three times as long.
	HalfLife = 30 * 24 * time.Hour
	// newImportant is the importance from which on a new item begins HOT; others
	// begin WARM.
	newImportant = 0.7
)

// A Heat is a tier.
type Heat string

// The tiers, with the energy from which on an item is in them.
const (
	Hot  Heat = "HOT"  // 0.75
	Warm Heat = "WARM" // 0.25
	Cold Heat = "COLD"
)

const (
	hotFrom  = 0.75
	warmFrom = 0.25
	// HotCap is how many items are HOT at a time, pins apart.
	HotCap = 20
)

// A Standing is an item's priority and heat with their parts.
type Standing struct {
	Recency, Importance, Frequency float64
	Priority                       float64
	Energy                         float64
	HalfLife                       time.Duration
	Heat                           Heat
	Pinned                         bool
	Hits                           int
	LastAccess                     time.Time
}

// Weigh works out how an item stands at now.
func Weigh(now time.Time, it Item, a Access) Standing {
	s := Standing{
		Recency: recency(now, it.Seen), Importance: unit(it.Importance), Pinned: it.Pinned,
		Frequency: min(1, math.Log(1+float64(max(a.Hits, 0)))/math.Log(1+manyHits)),
		HalfLife:  halfLife(it.Importance), Hits: a.Hits, LastAccess: a.Last,
	}
	s.Priority = WeightRecency*s.Recency + WeightImportance*s.Importance + WeightFrequency*s.Frequency
	s.Energy = energyAt(now, it, a)
	s.Heat = tier(s)
	return s
}

func recency(now, seen time.Time) float64 {
	if seen.IsZero() {
		return 0
	}
	age := max(now.Sub(seen), 0)
	return math.Exp(-float64(age) / float64(Tau))
}

func halfLife(importance float64) time.Duration {
	return time.Duration(float64(HalfLife) * (1 + 2*unit(importance)))
}

// energyAt is what is left of the energy that an item was created with, or that
// its last access left it with, whichever is more.
func energyAt(now time.Time, it Item, a Access) float64 {
	left := func(energy float64, since time.Time) float64 {
		if since.IsZero() {
			return 0
		}
		halves := float64(max(now.Sub(since), 0)) / float64(halfLife(it.Importance))
		return unit(energy) * math.Exp2(-halves)
	}
	return max(left(initial(it), it.Seen), left(a.Energy, a.Last))
}

// initial is the energy of a new item: HOT where it is important, else WARM.
func initial(it Item) float64 {
	if it.Importance >= newImportant {
		return 1
	}
	return 0.5
}

// Reheat is the energy after an access: half of what is missing is added.
func Reheat(energy float64) float64 { return unit(energy) + (1-unit(energy))/2 }

func tier(s Standing) Heat {
	switch {
	case s.Pinned || s.Energy >= hotFrom:
		return Hot
	case s.Energy >= warmFrom:
		return Warm
	}
	return Cold
}

// Cap leaves the HotCap warmest of the items HOT and makes the others WARM; pinned
// items stay HOT and are not counted. Of items with the same energy those first in
// the list stay.
func Cap(items []Standing) {
	hot := make([]int, 0, len(items))
	for i, s := range items {
		if s.Heat == Hot && !s.Pinned {
			hot = append(hot, i)
		}
	}
	if len(hot) <= HotCap {
		return
	}
	slices.SortStableFunc(hot, func(a, b int) int { return cmp.Compare(items[b].Energy, items[a].Energy) })
	for _, i := range hot[HotCap:] {
		items[i].Heat = Warm
	}
}

func unit(v float64) float64 {
	if v != v {
		return 0
	}
	return min(max(v, 0), 1)
}
