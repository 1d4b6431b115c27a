package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// A statement that is to be read alone, months later, must name what it is about.
// This file finds the clauses that lean on something said elsewhere: "completed
// half of it", "tried that", "need this for the project". They stay in a summary,
// where the conversation is a link away, and are never claims.

// leansOn are references to the conversation itself.
var leansOn = lazyregexp.New(`(?i)\b(?:the (?:above|following|former|latter)|as (?:you )?(?:said|suggested|mentioned|described|discussed|shown|noted|requested|outlined)|you(?:'ve| have)? (?:just )?(?:suggested|mentioned|said|provided|gave|described|recommended|outlined|shared|wrote|made|listed|showed)|your (?:suggestions?|advice|example|explanation|help|answer|response|recommendations?|code|list|draft|previous))\b`)

// bound begins a part of a clause whose pronouns may name something in the part
// before it: "a car cover that is dear, but it's waterproof".
var bound = lazyregexp.New(`(?i)(?:,|;|:| -| –| —)?\s+(?:and|but|so|because|since|which|who|that|when|while|if|after|before|until|although|though|as)\b`)

// there points to a place that was named before.
var there = lazyregexp.New(`(?i)\b(?:been|go|goes|going|gone|went|lives?|lived|living|moved?|moving|stay|stayed|staying|works?|worked|flew|fly|drove|drive|visit|eat|ate|from|over|back|out|up) there\b`)

// wherever is a place or time that is told by what is so there: "a place where that's
// possible".
var wherever = lazyregexp.New(`(?i)\b(?:where|when|if|because|since|so|unless|whether|while|once) (?:that|this)(?:'s| is| was| works?| happens?)\b`)

// bare begins with a verb that wants an object and has none: what was improved, was
// said before.
var bare = lazyregexp.New(`(?i)^(?:i|we)(?:'ve| have)? (?:also |just |recently |already |finally |only )?(?:improved|increased|reduced|decreased|lowered|raised|completed|finished|fixed|added|implemented|achieved|reached|solved|updated|bought|sold|booked|signed|created|built) (?:by|from|to|in|on|at|with|for|of|after|before|during|since|within|over|under)\b`)

// person is somebody, or an animal, whom "he" and "her" can name.
var person = lazyregexp.New(`(?i)\b(?:my|our|his|her|their|an?|the|this|that|some|another|one) (?:[\w-]+ ){0,2}?(?:\w+(?:er|or|ist|ian|man|woman|ant|ent)|puppy|kitten|horse|pony|foal|rabbit|hamster|parrot|bird|fish|girl|boy|guy|lady|kid|child|baby|boss|chef|nurse|neighbou?r|friend|` + kin + `)\b`)

var personal = lazyregexp.New(`(?i)\b(?:he|him|his|he's|she|her|hers|she's)\b`)

var pronoun = lazyregexp.New(`(?i)\b(?:it|its|it'?s|they|them|their|theirs|they'?re)\b`)

// pointing finds "that" and its like: alone, or before a noun that has been named.
var pointing = lazyregexp.New(`(?i)\b(this|that|these|those|such)(?:'s)?\b((?:[ -][\w'’-]+)*)`)

// standIn finds "one" where it stands for a noun.
var standIn = lazyregexp.New(`(?i)\b(?:one|ones|another one|the same|others|some of)(?:$|[.,;:!?]| (?:at|in|on|for|with|from|to|by|of (?:them|these|those))\b)`)

// soon are times that a pointing word counts from the day on which it was said.
var soon = lazyregexp.New(`(?i)^ (?:past |coming |last )?(?:year|month|week|weekend|morning|afternoon|evening|summer|winter|spring|autumn|fall|time|season|quarter|semester|term|days|way)\b`)

// told introduces what a pointing word brings up for the first time: "this little
// café called Fado".
var told = lazyregexp.New(`(?i)\b(?:called|named|that|which|who|whose|where|with|on|about|of)\b`)

// Leans reports whether a clause means nothing without the turn before
// it.
func Leans(s string) bool {
	if leansOn.MatchString(s) || standIn.MatchString(s) || bare.MatchString(s) || wherever.MatchString(s) {
		return true
	}
	if loc := there.FindStringIndex(s); loc != nil && !answered(s[:loc[0]], "it") {
		return true
	}
	if loc := personal.FindStringIndex(s); loc != nil && !person.MatchString(s[:loc[0]]) && !namesSomebody(s[:loc[0]]) {
		return true
	}
	for _, loc := range pronoun.FindAllStringIndex(s, -1) {
		word := strings.ToLower(s[loc[0]:loc[1]])
		if (word == "its" || word == "their") && holdsNoun(s[:loc[0]], word) {
			continue
		}
		if !answered(s[:loc[0]], word) && !(strings.HasPrefix(word, "it") && weather(s[loc[1]:])) {
			return true
		}
	}
	for _, m := range pointing.FindAllStringSubmatchIndex(s, -1) {
		word, rest := strings.ToLower(s[m[2]:m[3]]), s[m[4]:m[5]]
		if m[0] > 0 && word == "that" && joins(s[:m[0]], rest) || soon.MatchString(rest) || word == "such" && strings.HasPrefix(rest, " as") {
			continue
		}
		if introduced(rest, s[m[1]:]) || m[0] > 0 && answered(s[:m[0]], word) && strings.TrimSpace(rest) == "" {
			continue
		}
		return true
	}
	return false
}

// namesSomebody reports whether a text has a name behind its first word.
func namesSomebody(before string) bool {
	for i, w := range strings.Fields(before) {
		r, _ := utf8.DecodeRuneInString(w)
		if i > 0 && unicode.IsUpper(r) && w != "I" && !strings.HasPrefix(w, "I'") {
			return true
		}
	}
	return false
}

// answered reports whether a pronoun can name something in the text before it: a
// noun phrase in an earlier part of the clause, and for several things a word that
// is plural or a name.
func answered(before, pronoun string) bool {
	cut := -1
	for _, loc := range bound.FindAllStringIndex(before, -1) {
		cut = loc[0]
	}
	if cut < 0 {
		if cut = strings.LastIndexByte(before, ','); cut < 0 {
			return false
		}
	}
	return holdsNoun(before[:cut], pronoun)
}

// holdsNoun reports whether a text names something for a pronoun: a word of content,
// and for "them" and "these" a plural, a name or people.
func holdsNoun(before, pronoun string) bool {
	nouns, many := 0, false
	for i, w := range strings.Fields(before) {
		w = strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(strings.TrimSuffix(w, "'s"))
		if w == "" || stopWords[lower] && !kinWord.MatchString(lower) {
			continue
		}
		nouns++
		r, _ := utf8.DecodeRuneInString(w)
		many = many || i > 0 && unicode.IsUpper(r) || strings.HasSuffix(lower, "s") && !strings.HasSuffix(lower, "ss") || kinWord.MatchString(lower)
	}
	switch pronoun {
	case "them", "their", "theirs", "these", "those":
		return many
	}
	return nouns > 1 // the verb is one
}

var kinWord = lazyregexp.New(`^` + kin + `$`)

// weather reports whether "it" before these words names nothing: "it takes two
// hours to", "it is easier to".
func weather(after string) bool {
	return impersonal.MatchString(after)
}

var impersonal = lazyregexp.New(`(?i)^(?:'s| is| was| takes| took| seems| rains| snows)\b.{0,30}\b(?:to|that|when|how|for me)\b`)

// joins reports whether "that" binds two clauses or parts of one: "a rack that
// fits", "decided that we move", "so that".
func joins(before, rest string) bool {
	words := strings.Fields(before)
	if len(words) == 0 || strings.TrimSpace(rest) == "" {
		return false
	}
	last := strings.ToLower(strings.Trim(words[len(words)-1], ",;:"))
	return !takesObject[last]
}

// takesObject are words behind which "that" is a thing.
var takesObject = set("do did doing done try tried trying use used using like liked love loved hate want wanted need needed fix fixed for with about from by on in at into over after before to of than and or but do make made making add added see saw test tested finish finished get got have had implement implemented")

// introduced reports whether what follows a pointing word says what it is: a name,
// or words that tell it.
func introduced(rest, after string) bool {
	if told.MatchString(rest) && len(strings.Fields(rest)) > 2 {
		return true
	}
	after = strings.TrimLeft(after, ", \"“(")
	r := []rune(after)
	return strings.TrimSpace(rest) != "" && len(r) > 0 && unicode.IsUpper(r[0])
}
