package main

import (
	"time"

	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/vault"
)

// priorityOf says how much the vault's claims matter, with how often each was asked
// for on this machine. Counts that cannot be read are none.
func (s *session) priorityOf() synth.Priority {
	counts, _ := priority.OpenCounts(s.places.State).All()
	return func(c vault.Claim, now time.Time) float64 {
		seen, _ := time.Parse(time.DateOnly, c.LastSeen)
		item := priority.Item{Seen: seen, Importance: priority.Importance(c.Kind, c.Importance), Pinned: c.Pin != ""}
		return priority.Weigh(now, item, counts[c.ID]).Priority
	}
}
