package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// Overlap is the share of the shorter text's content words that the longer has,
// from 0 to 1.
func Overlap(a, b string) float64 {
	x, y := contentWords(a), contentWords(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	if len(x) == 0 {
		return 0
	}
	shared := 0
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return float64(shared) / float64(len(x))
}

// Shared counts the content words that two texts have in common, numbers and
// denials apart, and those of the text that has fewer.
func Shared(a, b string) (shared, least int) {
	x, y := PlainWords(a), PlainWords(b)
	for w := range x {
		if y[w] {
			shared++
		}
	}
	return shared, min(len(x), len(y))
}

// PlainWords are the content words of a text, numbers and denials apart: those that
// Shared counts.
func PlainWords(s string) map[string]bool {
	words := contentWords(s)
	for w := range words {
		if HasNumbers(w) || w == "longer" || w == "stopped" {
			delete(words, w)
		}
	}
	return words
}

// Missing counts the content words of a that b does not have.
func Missing(a, b string) int {
	y, n := contentWords(b), 0
	for w := range contentWords(a) {
		if !y[w] {
			n++
		}
	}
	return n
}

var denial = lazyregexp.New(`(?i)\b(?:not|never|no longer|anymore|without|stopped|gave up|quit|against)\b|n['’]t\b`)

// Denies reports whether one of two texts says "not" and the other does not: on one
// matter they cannot both hold.
func Denies(a, b string) bool { return denial.MatchString(a) != denial.MatchString(b) }

// HasNumbers reports whether a text names a number in digits.
func HasNumbers(s string) bool { return strings.ContainsAny(s, "0123456789") }

// Words are the content words of a text, folded.
func Words(s string) map[string]bool { return contentWords(s) }

func contentWords(s string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		w = PhraseKey(strings.Trim(w, ".,;:!?()[]\"'`*"))
		if w != "" && !StopWord(w) {
			words[w] = true
		}
	}
	return words
}

// SameNumbers reports whether two texts name the same numbers, months and days of
// the week, so that a claim with a new figure or day is never taken for the old
// one.
func SameNumbers(a, b string) bool { return slices.Equal(numbers(a), numbers(b)) }

func numbers(s string) []string {
	out := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if w = strings.TrimSuffix(strings.Trim(w, ".,;:!?()[]\"'`*"), "s"); calendar[w] {
			out = append(out, w)
		}
	}
	slices.Sort(out)
	return out
}

// calendar are the numbers that are written out, and the names of months and of
// the days of the week, but "may" and
// "march", which are verbs as well.
var calendar = set("two three four five six seven eight nine ten eleven twelve january february april june july august september october november december monday tuesday wednesday thursday friday saturday sunday")

// Capital is s with a capital first letter.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 || r == utf8.RuneError {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
