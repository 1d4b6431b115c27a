package recall

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// Without a model nobody reads the evidence before the person does. What can be told
// without reading is whether it holds the kind of thing that is asked for: a question
// for a person wants a person, one for a price an amount of money. Evidence about the
// boat in which nobody is named does not say who sold it. The kinds are those that
// show in the letters; of English questions only, every other wants nothing.

// A wanted is the kind of thing that a question asks for.
type wanted int

const (
	anything wanted = iota
	person
	money
	measure // a number of some unit
	digits  // of a telephone
	name
)

var wants = []struct {
	of   wanted
	asks *lazyregexp.Regexp
}{
	{digits, lazyregexp.New(`(?i)\b(phone|telephone|mobile|cell)\s*(number|no)\b`)},
	{money, lazyregexp.New(`(?i)^\W*(how\s+much\b.*\b(cost|costs|pay|paid|earn|earned|spend|spent|salary|price|rent|charge|charged|owe|owed|worth|make)\b|what\b.*\b(cost|price|salary|rent)\b)`)},
	{measure, lazyregexp.New(`(?i)^\W*how\s+(long|tall|high|wide|deep|heavy|far|big|large|fast|old|thick|warm|hot|cold)\s+(is|was|are|were)\b`)},
	{name, lazyregexp.New(`(?i)^\W*(what\s+(is|was|are|were)\s+.*\b(name|names|surname|nickname)\b|what\b.*\bcalled\W*$)`)},
	{person, lazyregexp.New(`(?i)^\W*(who|whom|whose)\b`)},
}

func wantedBy(question string) wanted {
	for _, w := range wants {
		if w.asks.MatchString(question) {
			return w.of
		}
	}
	return anything
}

const number = `(\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|a hundred|hundred|a thousand|thousand|a million|million|half|a couple|a dozen)`

var (
	moneyIn   = lazyregexp.New(`(?i)[$€£¥₹]|\b` + number + `\W*(k|grand|million|thousand|hundred)?\W*(euros?|dollars?|bucks|pounds?|quid|pence|cents?|francs?|yen|rupees?|crowns?|kronor|kroner|usd|eur|gbp|chf|percent|per cent)\b|\d\s*%|\bfree\b|\b\d{1,3}([.,]\d{3})+\b|\b\d+[.,]\d\d\b`)
	measureIn = lazyregexp.New(`(?i)\b` + number + `(\s+and\s+a\s+half)?[\s-]*([a-z]+\s+)?(m|cm|mm|km|kg|g|kilos?|kilogram(me)?s?|grams?|tons?|tonnes?|lbs?|pounds?|stone|ounces?|oz|met(er|re)s?|kilomet(er|re)s?|centimet(er|re)s?|feet|foot|ft|inch(es)?|yards?|miles?|knots?|acres?|hectares?|sq|square|lit(er|re)s?|gallons?|degrees?|years?|months?|weeks?|days?|hours?|minutes?|seconds?|nights?)\b|\d\s*(°|"|')|\b\d+\s*x\s*\d+\b|\b(turn(s|ed|ing)?|aged?)\s+` + number + `|\bborn\b|\b\d{1,3}(st|nd|rd|th)\s+birthday\b`)
	digitsIn  = lazyregexp.New(`(\d[\s()+./-]*){5,}`)
	roles     = lazyregexp.New(`(?i)\b(mother|mom|mum|mama|father|dad|papa|parents?|brothers?|sisters?|siblings?|sons?|daughters?|kids?|child|children|wife|husband|spouse|partner|boyfriend|girlfriend|fianc[ée]e?|uncle|aunt|cousins?|nephews?|nieces?|grand(ma|pa|mother|father|parents|son|daughter|kids)|friends?|neighbou?rs?|colleagues?|coworkers?|boss|manager|teacher|coach|doctor|nurse|dentist|vet|therapist|lawyer|landlord|landlady|family|team|crew|class|[a-z]{3,}(ist|ician|smith|man|woman))\b`)
)

// holds reports whether a text holds a thing of the kind, other than what the
// question names itself.
func (w wanted) holds(text, question string) bool {
	switch w {
	case money:
		return moneyIn.MatchString(text)
	case measure:
		return measureIn.MatchString(text)
	case digits:
		return digitsIn.MatchString(text)
	case name:
		return named(text, question, false)
	case person:
		return roles.MatchString(text) || named(text, question, true)
	}
	return true
}

// placed are words behind which a name is that of a place or a thing.
var placed = map[string]bool{
	"a": true, "an": true, "the": true, "in": true, "at": true, "near": true, "to": true, "into": true, "towards": true, "around": true, "my": true, "our": true, "your": true,
	"this": true, "on": true, "via": true, "using": true, "use": true, "uses": true, "read": true, "reading": true, "watched": true,
}

var calendar = map[string]bool{
	"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true, "mondays": true, "tuesdays": true, "wednesdays": true,
	"thursdays": true, "fridays": true, "saturdays": true, "sundays": true, "january": true, "february": true, "march": true, "april": true, "may": true, "june": true, "july": true,
	"august": true, "september": true, "october": true, "november": true, "december": true, "christmas": true, "easter": true, "english": true, "ok": true, "i": true,
}

// acts are words that say what somebody does or did.
var acts = lazyregexp.New(`^([a-z]{2,}(s|ed)|had|said|told|sold|gave|made|came|went|took|got|found|bought|built|brought|broke|left|and)\W*$`)

// named reports whether a text holds a word that is written as a name and is not in
// the question. One that begins a sentence counts where it is said what it does, and
// of people one that does not follow an article or a word of place.
func named(text, question string, people bool) bool {
	asked := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(question), notWord) {
		asked[strings.TrimSuffix(w, "'s")] = true
	}
	before, behindName := "", false
	fields := strings.Fields(text)
	for i, field := range fields {
		word := strings.TrimFunc(field, notWord)
		lower := strings.TrimSuffix(strings.ToLower(strings.ReplaceAll(word, "’", "'")), "'s")
		first, _ := utf8.DecodeRuneInString(word)
		begins := before == "" || strings.HasSuffix(before, ".") || strings.HasSuffix(before, "!") || strings.HasSuffix(before, "?") || strings.HasSuffix(before, ":") || before == ">" || before == "-"
		if begins && i+1 < len(fields) && acts.MatchString(fields[i+1]) {
			begins = false
		}
		previous := strings.ToLower(strings.TrimFunc(before, notWord))
		before = field
		if terms := lexical.Analyze(word); len(terms) == 1 && lexical.IsStop(terms[0]) && unicode.IsUpper(first) {
			continue // "She lies": a pronoun is no name
		}
		if !unicode.IsUpper(first) || utf8.RuneCountInString(word) < 2 || strings.HasPrefix(lower, "i'") || calendar[lower] || begins {
			behindName = behindName && placed[previous] && !begins
			if !unicode.IsUpper(first) {
				behindName = placed[lower] // an adjective may come between
				if !placed[lower] && placed[previous] {
					behindName = true
				}
			}
			continue
		}
		thing := placed[previous] || behindName
		if asked[lower] || people && thing {
			behindName = thing
			continue
		}
		return true
	}
	return false
}

func notWord(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' && r != '’'
}
