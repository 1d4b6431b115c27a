package extract

import (
	"strings"
	"unicode"
)

// The rules read English. A text of at least enoughWords words of which fewer
// than englishShare are English function words is taken for another language:
// English prose has 40 to 60 % of them, German and French below 10 %.
const (
	enoughWords  = 8
	englishShare = 0.18
)

// English reports whether a text reads as English, or is too short to tell.
func English(text string) bool {
	words, function := 0, 0
	for _, line := range prose(text) {
		for w := range strings.FieldsSeq(line) {
			w = strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }))
			if w == "" {
				continue
			}
			words++
			if stopWords[strings.ReplaceAll(w, "’", "'")] || len(w) == 1 {
				function++
			}
		}
	}
	return words < enoughWords || float64(function) >= englishShare*float64(words)
}
