package llm

import (
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// Declines reports whether a text is an apology, an error or a page of a server
// rather than an answer. It looks at how the text begins: a summary may well be
// about rate limits or apologies. docs/llm.md lists what it knows.
func Declines(text string) bool {
	text = strings.TrimSpace(strings.ReplaceAll(text, "’", "'"))
	text = strings.TrimLeft(text, "*_#>\"' \n\t")
	head := text
	if utf8.RuneCountInString(head) > declineHead {
		head = string([]rune(head)[:declineHead])
	}
	return markup.MatchString(head) || apology.MatchString(head) || failure.MatchString(head)
}

// declineHead is how much of a text is looked at, in characters: the first
// sentence or two.
const declineHead = 240

var (
	markup  = lazyregexp.New(`(?i)^(?:<!doctype|<html|<head|<body|<\?xml|<center>)`)
	apology = lazyregexp.New(`(?i)^(?:(?:i'?m|i am|we'?re|we are)\s+(?:very |so |really |truly )?(?:sorry|afraid|unable)\b.{0,80}?\b(?:can'?t|cannot|can not|unable|won'?t|not able|don'?t|no (?:conversation|text|transcript))\b` +
		`|(?:sorry|apologies|unfortunately|regrettably)\b[,.:]?\s*(?:but )?(?:i|we|this|the (?:model|server|request|conversation))\b.{0,60}?\b(?:can'?t|cannot|can not|unable|won'?t|not able|don'?t|couldn'?t|could not)\b` +
		`|i(?:'m| am)? (?:can'?t|cannot|can not|won'?t|am unable|unable|not able) (?:to )?(?:help|assist|do|provide|summari[sz]e|comply|fulfil|process|answer|access|continue|create|generate|complete)` +
		`|as an? (?:ai|artificial intelligence|(?:ai |large )?language model)(?: (?:language )?model| assistant)?,? i\b` +
		`|i(?:'m| am) (?:just |only )?an? (?:ai|language model|large language)\b` +
		`|es tut mir leid,? (?:aber )?(?:ich|das)\b|lo siento,? (?:pero )?no\b|je suis désolée?,? (?:mais )?je\b)`)
	failure = lazyregexp.New(`(?i)^(?:(?:http )?(?:error|status|http)[ :]*(?:code[ :]*)?[45]\d\d\b|[45]\d\d (?:bad|unauthori[sz]ed|forbidden|not found|too many|internal|service|gateway|request)\b` +
		`|error:|api error|(?:an )?(?:internal|unexpected|unknown) (?:server )?error\b.{0,20}(?:$|occurred|has|\.)|(?:the )?(?:server|service|model|engine) is (?:currently |temporarily )?(?:overloaded|unavailable|busy|loading|down)` +
		`|rate[ _-]?limit(?:ed|[ _-]?error)?[ :]*(?:$|reached|exceeded|hit|:|\.)|too many requests|(?:you(?:'ve| have)? )?(?:exceeded|reached|hit) (?:your|the) (?:current )?(?:rate|usage|quota|request|token)s?\b|quota exceeded|insufficient[ _]quota|overloaded_error|service unavailable|bad gateway|gateway time-?out|upstream (?:connect|request)|request timed? ?out|connection (?:reset|refused|closed|timed out)|traceback \(most recent call last\)|(?:context|maximum context) (?:length|window) exceeded)`)
)
