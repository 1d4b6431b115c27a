package extract

import "github.com/memsync/memsync/vault/lazyregexp"

// Frustration and Delight are kinds of what Moods finds. They never become claims.
const (
	Frustration Kind = "frustration"
	Delight     Kind = "delight"
)

var moods = []cue{
	in(Frustration, `\b(?:frustrat(?:ed|ing)|annoy(?:ed|s|ing)|struggl(?:e|ed|ing)|stuck (?:on|with)|i hate|drives me|keeps? (?:failing|crashing|breaking|forgetting)|overwhelm(?:ed|ing)|stressed|worried (?:about|that)|tired of|fed up|disappoint(?:ed|ing)|having (?:a hard time|trouble|difficulty))\b`),
	at(Delight, `(?:i|we)(?:'m| am|'re| are|'ve been| was| were)? (?:really |so |very |super |quite |pretty )?(?:excited (?:about|for|that)|thrilled|proud|happy (?:with|about|that)|delighted|relieved|love|loved|enjoy|enjoyed|enjoying|fascinated|obsessed)\b`),
}

// courtesy is pleasure at an answer, not at what the person is doing.
var courtesy = lazyregexp.New(`(?i)\b(?:to (?:hear|help|see|try|learn)|love to|you(?:r|'re)?|the (?:idea|suggestions?|sound)|suggestions?|thanks?|thank you)\b`)

// unfinished ends a clause whose object was left to the next one.
var unfinished = lazyregexp.New(`(?i)\b(?:figuring (?:it )?out|understanding|deciding|finding|getting)$`)

// Moods returns what a person's turn says of what frustrates or delights them, in
// their words. Index and Turn are left for the caller.
func Moods(text string) []Statement {
	if len(text) > pastedText || !English(text) {
		return nil
	}
	var out []Statement
	for _, s := range Sentences(text) {
		for _, clause := range clauses(s) {
			quote := coreOf(clause)
			core := straight(quote)
			if !sound(core) || unfinished.MatchString(core) || !firstPerson.MatchString(core) || Leans(core) || isQuestion(core) {
				continue
			}
			for _, m := range moods {
				if m.re.MatchString(core) && !(m.kind == Delight && courtesy.MatchString(core)) {
					out = append(out, Statement{Kind: m.kind, Quote: quote, Text: show(core, m.kind), Score: 0.5 + specificity(core)})
					break
				}
			}
		}
	}
	return out
}
