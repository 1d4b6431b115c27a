// Package priority says how much an item of memory matters at a moment.
//
// Two measures, both from 0 to 1. Priority is recency, importance and frequency,
// weighed 0.5, 0.3 and 0.2: what is worth a place in a context beside its
// relevance. Energy is how warm an item is: it halves over time and an access
// heats it up again. Energy gives the tiers HOT, WARM and COLD; a pin overrides
// it.
//
// Neither is ever stored. They are computed when somebody asks, from what the
// vault says of the item and from the accesses that Counts keeps on this machine,
// outside the vault and outside the index, so that rebuilding the index loses
// none. An access is somebody naming the item: getting it by its id, or citing it
// in an answer. Being put into a context is none, or what is shown once would be
// shown for ever.
package priority
