package rank

import (
	"cmp"
	"slices"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// Directs says whether a turn lays down how things are to be done from then on:
// "Always use metric units", "from now on call me Ana".
func Directs(text string) bool {
	return len(text) < 1000 && (directive.MatchString(text) || mentions(text, "from now on", "going forward") && onwards.MatchString(text))
}

var (
	directive = lazyregexp.New(`(?i)^\W*(?:(?:ok(?:ay)?|hey|hi|so|also|and|but|oh|btw|please)\W+)*(?:always|never|from now on|going forward|in (?:the )?future|whenever i|remember (?:that|to)|(?:do not|don't) ever|make sure (?:to|you) always|keep in mind)\b`)
	onwards   = lazyregexp.New(`(?i)\b(?:from now on|going forward)\b`)
)

// Prefers says whether a turn states what the person would rather have: "I prefer
// trains", "my preference is tea".
func Prefers(text string) bool {
	return len(text) < maxText && mentions(text, "prefer", "rather") && preference.MatchString(text)
}

var preference = lazyregexp.New(`(?i)\bi(?:['’]d| would| do)?(?: \w+ly| always| also| still)? prefer\b|\bmy (?:\w+ )?preferences?\b|\bi(?:['’]d| would)(?: much)? rather\b`)

// asksHelp says whether a query wants something done or advised, now, rather than
// to hear what once was: "how should I format it?", not "how did I format it?".
func asksHelp(text string) bool {
	return len(text) <= maxText && help.MatchString(text) && !recall.MatchString(text) && !asksCourse(text)
}

var (
	help = lazyregexp.New(`(?i)\b(?:(?:can|could|would|will) you (?:please )?(?:help|show|explain|teach|suggest|recommend|advise|write|draft|make|create|design|plan|prepare|walk me through)` +
		`|how (?:do|can|could|should|would|might|shall) (?:\w+ )?(?:i|we|you|one)|how to|(?:should|shall) (?:i|we)` +
		`|(?:would|do) you (?:suggest|recommend|advise)|any (?:\w+ )?(?:tips|suggestions?|advice|ideas?|recommendations?|thoughts)` +
		`|help (?:me|us)|need (?:some )?(?:help|advice|ideas))\b`)
	recall = lazyregexp.New(`(?i)\b(?:did|(?:have|had) (?:i|we|you)|(?:you|i|we) (?:said|told|mentioned|suggested|recommended|discussed|decided)|remind|remember)\b`)
)

// standing is how many of the instructions, and how many of the preferences,
// nearest to a request are held up by it: a vault may have hundreds, an answer has
// room for a few.
const standing = 5

// enough is the place in a list whose evidence is the least that an instruction or a
// preference gets from a request. Where everything is on the subject, even a large
// share of the best may be less than that.
const enough = 20

// stand raises the instructions and preferences that a request should heed. Of
// "always answer with examples when I ask about physics" no word need be in the
// request, so being one is evidence by itself, a share of the best.
func stand(c *Corpus, evidence []float32, share float64) {
	if c.Flags == nil || share <= 0 {
		return
	}
	var laid []int32
	for i, f := range c.Flags {
		if f&(Directive|Preference) != 0 && f&Assistant == 0 {
			laid = append(laid, int32(i))
		}
	}
	if len(laid) == 0 {
		return
	}
	list := best(evidence, enough, nil)
	if len(list) == 0 {
		return
	}
	base := float32(share) * evidence[list[0]]
	if len(list) == enough {
		base = max(base, evidence[list[enough-1]])
	}
	slices.SortFunc(laid, func(a, b int32) int {
		return cmp.Or(cmp.Compare(evidence[b], evidence[a]), cmp.Compare(a, b))
	})
	var raised [2]int // preferences, instructions
	for _, i := range laid {
		kind := int(c.Flags[i] & Directive / Directive)
		if raised[kind]++; raised[kind] <= standing {
			evidence[i] += base
		}
	}
}
