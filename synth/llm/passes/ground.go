package passes

import (
	"strings"
	"unicode"

	"github.com/memsync/memsync/synth/extract"
	"golang.org/x/text/unicode/norm"
)

// ungrounded returns a name or a number in text that stands nowhere in what it
// rests on, and empty where there is none; or says that hardly a word is from
// there. This is what a model makes up, or takes from an instruction in another
// place, most often. Names are words that begin with a capital behind the first
// word of a sentence; months and days may be said otherwise, as dates are written
// in many ways.
func ungrounded(text string, sources ...string) string {
	have := map[string]bool{}
	for _, s := range sources {
		for _, w := range wordsOf(s) {
			have[fold(w)] = true
		}
	}
	begins := true
	for field := range strings.FieldsSeq(text) {
		first := begins
		begins = strings.ContainsAny(field[len(field)-1:], ".!?:;")
		for _, w := range wordsOf(field) {
			key := fold(w)
			switch {
			case have[key] || calendar[key]:
			case strings.ContainsFunc(w, unicode.IsDigit):
				return w
			case !first && isName(w) && !have[strings.TrimSuffix(key, "s")] && !extract.StopWord(key):
				return w
			}
			first = false
		}
	}
	return ""
}

// minOverlap is the share of an item's content words that its source must have.
// Summaries put things in words of their own, and pronouns become "the person", so
// it is low; what shares nothing is about something else.
const minOverlap = 0.2

// unrelated reports whether a text shares hardly a word with what it rests on.
// Texts in other scripts than the source's are translations, and pass.
func unrelated(text string, sources ...string) bool {
	source := strings.Join(sources, "\n")
	if latin(text) != latin(source) || latin(source) && !extract.English(source) {
		return false
	}
	return extract.Overlap(text, source) < minOverlap
}

func wordsOf(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) })
}

// fold is a word as it is compared: without case, marks and leading zeros.
func fold(w string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(w) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	if key := strings.TrimLeft(b.String(), "0"); key != "" {
		return key
	}
	return b.String()
}

// isName reports a capital and a lower-case letter: "Lisbon", "McKay". Words in
// capitals only are abbreviations, which models expand and make at will.
func isName(w string) bool {
	r := []rune(w)
	return len(r) > 2 && unicode.IsUpper(r[0]) && unicode.IsLower(r[1])
}

func latin(s string) bool {
	l, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Latin, r):
			l++
		case unicode.IsLetter(r):
			other++
		}
	}
	return l >= other
}

// calendar are words that may be capitals without being names of anybody.
var calendar = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq("january february march april may june july august september october november december " +
		"monday tuesday wednesday thursday friday saturday sunday assistant user english person participant session open") {
		words[w] = true
	}
	return words
}()
