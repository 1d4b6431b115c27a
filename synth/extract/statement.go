package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// A Statement is something that a person said, in their words.
type Statement struct {
	Kind Kind
	// Text is the statement as notes show it: the quote without its beginning
	// ("I've"), with a capital letter and a full stop.
	Text string
	// Quote is the clause verbatim, white space folded.
	Quote string
	// Turn is the block id of the turn, Index its place among the turns read.
	Turn  string
	Index int
	// Score says how much the statement is worth keeping, from 0 to about 2.
	Score float64
}

// Bounds of a statement's length in bytes: shorter says too little to stand
// alone, longer is a paragraph.
const (
	minStatement = 18
	maxStatement = 260
)

// Statements reads what one turn of the person says. Index and Turn are left
// for the caller.
//
// A long turn is taken for pasted text (an article, a letter to be mended): of
// it only what speaks in the first person counts. Of a turn in another language
// than English only its questions are read.
//
// A text that the person hands over to be worked on is passed over as well (own).
func Statements(text string) []Statement {
	var out []Statement
	for _, part := range own(text) {
		out = append(out, statementsOf(part)...)
	}
	return out
}

func statementsOf(text string) []Statement {
	var out []Statement
	pasted, english := len(text) > pastedText, English(text)
	said, folded := "", ""
	for _, s := range Sentences(text) {
		before := said // a sentence that takes back, which the next one may rest on
		if said = ""; takesBackAlone(s) {
			said = strings.Join(strings.Fields(s), " ")
		}
		for i, clause := range clauses(s) {
			if pasted && !firstPerson.MatchString(clause) || !english && !strings.HasSuffix(clause, "?") {
				continue
			}
			st, ok := statement(clause)
			if !ok {
				continue
			}
			if i == 0 && before != "" && len(before)+len(st.Quote) < maxStatement {
				if folded == "" {
					folded = strings.Join(strings.Fields(text), " ")
				}
				if whole := before + " " + st.Quote; strings.Contains(folded, whole) {
					st.Quote = whole
				}
			}
			out = append(out, st)
		}
	}
	return out
}

// pastedText is the length of a turn in bytes from which most of it is taken
// for pasted text: about 250 words, which few people type into a chat.
const pastedText = 1500

var firstPerson = lazyregexp.New(`^(?:\W*(?:So|And|But|Also|Now|Hi|Hello),? )?(?:I|I['’](?:m|ve|d|ll)|My|my|We|we|We['’](?:ve|re)|Our|our)\b`)

// dangling ends a clause that was cut in the middle of what it says.
var dangling = lazyregexp.New(`(?i)(?:\b(?:an?|the|of|on|in|at|to|for|with|about|from|by|that|which|who|can|could|will|would|might|if|and|or|but|so|my|your|our|their|how|what|is|are|was|were|be|as|like|than|into|some|any|was wondering|wondering)|[(\[/&])$`)

// request is where a sentence turns from saying to asking: what follows is for
// the assistant and not worth remembering.
var request = lazyregexp.New(`(?i)(?:,|;| -| –| —)? *(?:\b(?:and|so|but|plus|also)\b,? )?(?:(?:i )?was (?:just )?wondering (?:if|how|what)|i'?m wondering (?:if|how|what)|(?:can|could|would|will) you\b|do you (?:have|know|think)|any (?:suggestions|ideas|tips|advice)|what (?:do|would|should|are|is)\b|how (?:do|can|should|would|could|to)\b|(?:it'?s |it is )?(?:so |very )?(?:nice|great|good|lovely|pleased?|a pleasure|glad) to (?:e-?)?meet you|please (?:help|review|suggest|explain|give|provide|show|tell)|help me\b|\bhere(?:'s| is| are)\b|so please keep|i(?:'ve| have) got the following|(?:like|as) (?:this|follows|you mentioned|we discussed)[:,.])`)

// joint is where a sentence begins anew about its speaker: "I'm building a site,
// and I've decided on Go" says two things.
var joint = lazyregexp.New(`(?i)(?:,|;| -| –| —)\s+(?:(?:and|but|so|because|however|since|though|although|then|plus)\s+)?(?:now |also |then |currently |maybe )?(?:I|we|my|I['’](?:m|ve|d|ll)|we['’](?:re|ve))\s|\s(?:and|but|so|because)\s+(?:I|we|I['’](?:m|ve|d|ll)|we['’](?:re|ve))\s`)

// clauses cuts a sentence where it turns into a request, and where its speaker
// begins anew. The parts are substrings of s.
func clauses(s string) []string {
	if loc := request.FindStringIndex(s); loc != nil && loc[0] > 0 {
		if said := strings.TrimRight(s[:loc[0]], " ,;-–—"); (len(said) >= minStatement || ownName.MatchString(said)) && !dangling.MatchString(said) {
			s = said
		}
	}
	var out []string
	for {
		loc := joint.FindStringIndex(s)
		if loc == nil || loc[0] < minStatement {
			break
		}
		out = append(out, s[:loc[0]])
		s = strings.TrimLeft(s[loc[0]:], " ,;-–—")
		s = conjunction.ReplaceAllString(s, "")
	}
	return append(out, s)
}

// ownName is how somebody says their name, which is short.
var ownName = lazyregexp.New(`^(?:(?:Hi|Hello|Hey),? )?(?:[Mm]y name(?:'s| is)|[Cc]all me) \p{Lu}\p{L}+`)

var conjunction = lazyregexp.New(`(?i)^(?:and|but|so|because|however|since|though|although|then|plus|maybe)\s+`)

// idle are clauses that say how a person feels about asking, not what is so.
var idle = lazyregexp.New(`(?i)\b(?:not sure|make sure|having trouble|have trouble|stuck on|stuck with|confused about|got me thinking|need (?:some |your )?(?:help|advice|guidance)|love (?:some|to (?:see|hear|know))|like to (?:see|know|hear|add|create|understand|learn)|looking for (?:some |a few )?(?:tips|advice|suggestions|help|ways|recommendations)|thanks|thank you|appreciate|sounds (?:good|great|like)|that makes sense|i see\b|understand how|figure out|heard (?:of|that|about)|let me know|no worries|go with that|do it|what (?:steps|to)|been thinking about|hesitate|have to say|i'?m good|(?:totally|completely|fully) (?:understand|agree|get)|i agree\b|accordingly|take care of|stay tuned|good (?:idea|point|question)|keep (?:practicing|an eye|you posted)|can only imagine|try (?:that|it|this|them)|look into (?:that|it|this|them)|give (?:that|it|this) a (?:try|go|shot)|we can focus on|further improve|(?:talk|speak|write) to you (?:tomorrow|later|soon)|how are you|(?:tried|trying) (?:a few|some|many|several|various|lots of|all sorts of)? ?(?:different |other )?(?:things|stuff|ways|approaches|options)|nothing (?:seems|seemed) to|i(?:'m| am) (?:so |pretty |quite )?sure (?:that )?(?:you|it|they|he|she|your))\b`)

// wellness is what people say of themselves when they are asked how they are.
var wellness = lazyregexp.New(`(?i)^(?:i'?m|i am|we'?re|we are) (?:doing )?(?:pretty |very |really |quite )?(?:good|well|great|fine|okay|ok)(?: as well| too| here)?(?:,? \p{L}+)?\W*$`)

// opening are words at the beginning that greet, thank or hedge.
var opening = lazyregexp.New(`(?i)^(?:(?:hi|hello|hey|sure|thanks?(?: you)?(?: so much| a lot| for [^,.!]*)?|great|perfect|awesome|ok(?:ay)?|yes|yeah|yep|hmm+|well|oh|wow|so|and|but|also|by the way|btw|anyway|now|right|got it|alright|cool|nice|absolutely|definitely|maybe|perhaps|i think|i guess|i believe|to be honest|honestly|basically|kinda|sort of|i was wondering,?|since|however|speaking of (?:which|that))\b[,!.:;]* +)+`)

// beginning is what a note leaves out of the person's words: who speaks.
var beginning = lazyregexp.New(`^(?:I'm|I am|I've|I have|I'd|I will|I'll|We're|We are|We've|We have|I|We) +(?:also |just |really |currently |actually )?`)

// keptVerb marks beginnings whose verb must stay: "I have a dog", "I am 30".
var haveNoun = lazyregexp.New(`^(?:I|We) have (?:an?|the|no|two|three|four|five|\d|my|some|many|to|it|this|that|lots|several|kids|children|asthma|diabetes|allerg)`)

// coreOf is a clause without its greeting, white space folded.
func coreOf(clause string) string {
	return opening.ReplaceAllString(strings.Join(strings.Fields(clause), " "), "")
}

// sound reports whether a clause is whole and of words: neither too short nor too
// long, not cut off, no markup.
func sound(core string) bool {
	return (len(core) >= minStatement || ownName.MatchString(core)) && len(core) <= maxStatement && utf8.ValidString(core) &&
		!dangling.MatchString(core) && !strings.ContainsAny(core, `{}<>|\`) && !strings.HasSuffix(core, ":")
}

// straight is a text with the apostrophe that the rules are written with. Phones write
// the other one.
func straight(s string) string { return strings.ReplaceAll(s, "’", "'") }

func statement(clause string) (Statement, bool) {
	quote := coreOf(clause)
	core := straight(quote)
	if !sound(core) {
		return Statement{}, false
	}
	kind := kindOf(core)
	if kind == Activity || kind == Correction || kind == "" {
		// What a correction says is of the kind of what it corrects.
		rest := Restated(core)
		if k := deniedKind(rest, TakesBack(core)); k.Lasting() && len(rest) >= minStatement/2 {
			kind, core = k, rest
		}
	}
	if kind.Lasting() && (strings.Contains(core, "[") || !balanced(core)) {
		kind = Activity // a placeholder, half a quotation
	}
	if kind == "" || kind != Question && kind != Policy && (idle.MatchString(core) || wellness.MatchString(core)) {
		return Statement{}, false
	}
	elsewhere := kind != Question && Leans(core)
	if kind.Lasting() && (elsewhere || (kind == Goal || kind == Preference || kind == Constraint || kind == Task) && momentary(core)) {
		kind = Activity
	}
	st := Statement{Kind: kind, Quote: quote, Text: show(core, kind)}
	st.Score = weight[kind] + specificity(core)
	if elsewhere {
		st.Score -= 0.4
	}
	return st, true
}

// deniedKind is the kind of a clause, and of one that says "not" the kind of what it
// denies: that they live in no place is of the kind of where they live. takenBack
// says that what is denied was so.
func deniedKind(clause string, takenBack bool) Kind {
	kind := kindOf(clause)
	if what, ok := affirm(clause); ok && !kind.Lasting() {
		if k := kindOf(what); k == Identity || k == Preference || k == Relationship || takenBack && k.Lasting() {
			return k
		}
	}
	return kind
}

// balanced reports whether the quotation marks of s come in pairs.
func balanced(s string) bool {
	return strings.Count(s, `"`)%2 == 0 && strings.Count(s, "“") == strings.Count(s, "”")
}

// show leaves the speaker out and makes a sentence of what remains.
func show(core string, kind Kind) string {
	text := core
	if kind != Question {
		if !haveNoun.MatchString(text) {
			if cut := beginning.ReplaceAllString(text, ""); len(cut) >= minStatement/2 {
				text = cut
			}
		} else {
			text = strings.TrimPrefix(strings.TrimPrefix(text, "I "), "We ")
		}
	}
	r, size := utf8.DecodeRuneInString(text)
	text = string(unicode.ToUpper(r)) + text[size:]
	text = strings.TrimRight(text, " ,;:-–—")
	if last := text[len(text)-1]; last != '.' && last != '!' && last != '?' && last < utf8.RuneSelf {
		text += "."
	}
	return text
}

var number = lazyregexp.New(`\d`)

// specificity rewards what can be looked up again: numbers, dates, names.
// It lies between 0 and 0.6.
func specificity(s string) float64 {
	score := 0.0
	if number.MatchString(s) {
		score += 0.2
	}
	names := 0
	for i, w := range strings.Fields(s) {
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(w, "\"'(`"))
		if i > 0 && unicode.IsUpper(r) && w != "I" && !strings.HasPrefix(w, "I'") {
			names++
		}
	}
	score += min(0.3, 0.1*float64(names))
	if n := len(s); n > 40 && n < 180 {
		score += 0.1
	}
	return score
}
