package passes

import "github.com/memsync/memsync/synth/extract"

// sameText is the share of content words from which two sentences of one reply
// say the same; they must name the same numbers as well.
const sameText = 0.9

func same(a, b string) bool { return extract.SameNumbers(a, b) && extract.Overlap(a, b) >= sameText }
