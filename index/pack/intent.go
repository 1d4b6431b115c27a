package pack

import (
	"fmt"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// An Intent is what a message wants of memory.
type Intent string

// The intents.
const (
	Plan    Intent = "plan"    // what to do, and what stands in the way
	Reflect Intent = "reflect" // how things were, how they are, what changed
	Recall  Intent = "recall"  // what was said or happened
	Decide  Intent = "decide"  // what to choose, by what the person lives by
	Nudge   Intent = "nudge"   // a push in the right direction
)

// Intents lists the intents.
func Intents() []Intent { return []Intent{Plan, Reflect, Recall, Decide, Nudge} }

// ParseIntent reads an intent; "coach" is another word for nudge.
func ParseIntent(text string) (Intent, error) {
	if text == "coach" {
		return Nudge, nil
	}
	for _, i := range Intents() {
		if text == string(i) {
			return i, nil
		}
	}
	return "", fmt.Errorf("there is no intent %q; there are plan, reflect, recall, decide and nudge", text)
}

// asks are the words by which a message shows its intent, the first that fits
// being taken: a question for a choice may begin like one about the past, hardly
// the other way round. English, with the commonest turns of German, Spanish and
// French; a message in other words is taken for Recall.
var asks = []struct {
	intent Intent
	words  *lazyregexp.Regexp
}{
	{Recall, said(`when did|when was|what did (?:i|we|you|he|she|they)|did i (?:ever|already|tell|say|mention)|do you remember|remind me (?:what|when|who|where|which)|who (?:is|was|told|said)|where did|where was|what was the|what's the name|wann (?:habe|hat|war)|was habe ich|cu[aá]ndo|qu[eé] dije|quand (?:ai|est)|qu'ai-je`)},
	{Decide, said(`should i|should we|shall i|which (?:one|of|option|should)|do i choose|help me (?:decide|choose|pick)|choose between|decide (?:between|whether|if|on)|pros and cons|worth it|is it better|would it be better|better to|\w+ or \w+\?|soll(?:te)? ich|deber[ií]a|devrais-je|vaut-il mieux`)},
	{Nudge, said(`nudge me|coach me|motivate me|keep me (?:on track|honest|accountable)|push me|encourage me|i'?m (?:stuck|procrastinating|tempted to)|can'?t get (?:started|myself)|hold me (?:accountable|to)|check in on me|give me a (?:nudge|push|kick)`)},
	{Reflect, said(`how (?:have|has|did) (?:i|my|we|our|things).{0,40}(?:chang|improv|evolv|develop|gone|been|go)|look(?:ing)? back|what (?:have i|did i) learn|what changed|patterns?|progress|trend|compared (?:to|with) (?:last|before|then)|over the (?:last|past) (?:few |\d+ )?(?:weeks|months|years|year)|why do i (?:keep|always|never)|reflect on|review (?:of )?my|retrospective|was hat sich|r[uü]ckblick|qu[eé] ha cambiado|qu'est-ce qui a chang[eé]`)},
	{Plan, said(`plan|schedule|prepare|agenda|to-?do|next steps?|roadmap|milestones?|organi[sz]e|set up|what (?:should|do) i (?:do|work on|focus on)|for (?:tomorrow|next week|next month|this week|today)|by (?:tomorrow|monday|tuesday|wednesday|thursday|friday|the end of)|planen|vorbereiten|planificar|preparar|planifier|pr[eé]parer`)},
}

func said(words string) *lazyregexp.Regexp {
	return lazyregexp.New(`(?i)(?:^|[^\pL])(?:` + words + `)(?:$|[^\pL])`)
}

// Detect tells the intent of a message. It reports false where nothing in it does,
// and Recall is assumed.
func Detect(message string) (Intent, bool) {
	message = strings.ReplaceAll(message, "’", "'")
	if len(message) > detectBytes {
		message = message[:detectBytes/2] + " " + message[len(message)-detectBytes/2:]
	}
	for _, a := range asks {
		if a.words.MatchString(message) {
			return a.intent, true
		}
	}
	return Recall, false
}

// detectBytes is how much of a message is looked at: its beginning and its end,
// where people say what they want.
const detectBytes = 2000

// precise are messages that want the very words, a number or a name.
var precise = said(`exact(?:ly)?|verbatim|word for word|quote|quoted|precisely|what did (?:i|we|he|she|they) (?:say|write|decide|promise|agree)|what was said|which (?:date|day|number|version|address|name)|what (?:date|time|day|number|version|address)|how (?:much|many|long|old|far)|when (?:did|was|is|does|do)|who (?:is|was|said|told)|where (?:did|was|is)|wann|wie ?viel|genau|cu[aá]nto|cu[aá]ndo|exactamente|quand|combien|exactement`)

// wantsEvidence reports whether verbatim turns belong into the pack: where
// something is to be recalled or decided, and where the message asks for the very
// words.
func wantsEvidence(i Intent, message string) bool {
	return i == Recall || i == Decide || precise.MatchString(message)
}
