package lexical

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// MaxQueryTerms bounds the distinct terms of one query. A question has about
// ten; what is longer is a pasted text, whose most repeated terms say what it is
// about.
const MaxQueryTerms = 64

// maxQueryBytes bounds the part of a query that is read at all.
const maxQueryBytes = 1 << 20

// Query returns the distinct terms to search for, in the order of their first
// use. Operators and quotes are plain text. Words that put the question ("can you
// give me a clear summary of") are dropped if two others are left, and stop words
// unless nothing else is.
func Query(text string) []string {
	if len(text) > maxQueryBytes {
		text = strings.ToValidUTF8(text[:maxQueryBytes], "")
	}
	all := Analyze(text)
	count := make(map[string]int, len(all))
	paired := make(map[string]bool)
	for _, t := range all {
		if r, n := utf8.DecodeRuneInString(t); n < len(t) && unsegmented(r) {
			// The pair says more than its characters.
			paired[t[:n]], paired[t[n:]] = true, true
		}
	}
	var terms, asks, stops []string
	for i, t := range all {
		count[t]++
		if count[t] > 1 || paired[t] {
			continue
		}
		switch {
		case IsStop(t):
			stops = append(stops, t)
		case requestTerms[t], counts(all[i:]):
			asks = append(asks, t)
		default:
			terms = append(terms, t)
		}
	}
	if len(terms) < 2 {
		terms = append(terms, asks...)
	}
	if len(terms) == 0 {
		terms = stops
	}
	if len(terms) > MaxQueryTerms {
		order := make(map[string]int, len(terms))
		for i, t := range terms {
			order[t] = i
		}
		slices.SortStableFunc(terms, func(x, y string) int { return count[y] - count[x] })
		terms = terms[:MaxQueryTerms]
		slices.SortFunc(terms, func(x, y string) int { return order[x] - order[y] })
	}
	return terms
}

// counts says whether the first of some terms asks for a count: "the number of
// guests" is how many there were, unlike a phone number.
func counts(terms []string) bool {
	return len(terms) > 1 && terms[1] == "of" && (terms[0] == "number" || terms[0] == "amount")
}

// Subject says whether text has a term that is neither a stop word nor puts the
// question: "what happened?" has none.
func Subject(text string) bool {
	for _, t := range Analyze(text) {
		if !stopTerms[t] && !requestTerms[t] {
			return true
		}
	}
	return false
}

// Topic returns a query without the words that put the question, for those who
// take a text as the sum of its words: of "can you list the order in which I
// brought up aspects of my garden" what is left speaks of the garden. A query
// that hardly has such words, or little else, is returned as it is.
func Topic(text string) string {
	if len(text) > maxQueryBytes {
		return text
	}
	var kept []string
	asks, subjects := 0, 0
	words := strings.Fields(text)
	for i, word := range words {
		request, subject := 0, false
		terms := Analyze(word)
		count := len(terms) == 1 && i+1 < len(words) && counts([]string{terms[0], strings.ToLower(words[i+1])})
		for _, t := range terms {
			if requestTerms[t] || count {
				request++
			} else if !stopTerms[t] {
				subject = true
			}
		}
		if subject {
			subjects++
		}
		if request > 0 && request == len(terms) {
			asks += request
			continue
		}
		kept = append(kept, word)
	}
	if asks < framed || subjects < 2 {
		return text
	}
	return strings.Join(kept, " ")
}

// framed is how many words must put the question for Topic to drop them: a
// single one, "what kind of music", may well be part of the subject.
const framed = 2

// IsStop says whether a term, as Analyze returns it, is a stop word.
func IsStop(term string) bool { return stopTerms[term] }

var (
	stopTerms    = termSet(stopWords)
	requestTerms = termSet(requestWords)
)

func termSet(words string) map[string]bool {
	m := make(map[string]bool)
	for _, t := range Analyze(words) {
		m[t] = true
	}
	return m
}

// stopWords are the function words of English and the words with which people
// put a question to their memory.
const stopWords = `a an the this that these those and or but if then than so as of in on at by for with
from to into onto about over under between during through after before again further once
i me my mine myself we us our ours ourselves you your yours yourself he him his himself she her hers herself
it its itself they them their theirs themselves
am is are was were be been being do does did doing done have has had having
will would can could shall should may might must
not no nor only own same too very just also
what when where who whom which whose why how
there here all any both each few more most other some such
im ive id ill youre youve youd youll hes shes weve theyre theyve thats whats wheres whos hows
dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt shouldnt hasnt havent hadnt
s t d ll re ve m please`

// requestWords speak of the answer that is wanted and of the conversation that
// it is sought in, not of its subject.
const requestWords = `tell show give list summarize summarise summary overview recap comprehensive clear brief detailed
order sequence mention walk remind recall remember describe explain conversation discussion chat talk discuss
throughout across regarding different various aspect item kind type sort many much total altogether ever name happen`
