package salience

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// urgent and moved are words of haste and of feeling in the languages that chats
// are most written in. They are few on purpose: signs (marks, capitals, emoji,
// drawn-out letters) work in every language.
var (
	urgent = wordSet(`urgent urgently asap immediately emergency hurry deadline important dringend sofort wichtig notfall urgente urgence importante vite subito jaldi zaroori срочно важно`)
	moved  = wordSet(`love hate happy sad sorry afraid scared worried angry proud grateful excited miss heartbroken died funeral pregnant married engaged divorced
		liebe hasse glücklich traurig angst stolz gestorben verheiratet schwanger amo odio feliz triste miedo orgulloso murió casado adoro peur heureux mort aime triste felice paura morto pyaar khush dukhi люблю боюсь счастлив умер`)
)

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		set[w] = true
	}
	return set
}

// Moved reports whether a message shows feeling or haste: such a word, two marks
// in a row, a word in capitals, an emoji that is a face or a heart.
func Moved(text string) bool {
	if strings.Contains(text, "!!") || strings.Contains(text, "??") || strings.Contains(text, "?!") {
		return true
	}
	for _, r := range text {
		if face(r) {
			return true
		}
	}
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if shouted(w) {
			return true
		}
		if low := strings.ToLower(w); urgent[low] || moved[low] {
			return true
		}
	}
	return false
}

// shouted reports a word of at least five letters, all capitals; shorter ones
// are mostly abbreviations.
func shouted(w string) bool {
	if len(w) < 5 {
		return false
	}
	for _, r := range w {
		if !unicode.IsUpper(r) {
			return false
		}
	}
	return true
}

// face reports whether r is one of Unicode's faces or hearts.
func face(r rune) bool {
	return r >= 0x1F600 && r <= 0x1F64F || r >= 0x1F910 && r <= 0x1F92F || r >= 0x1F970 && r <= 0x1F97A ||
		r >= 0x1F493 && r <= 0x1F49F || r == 0x2764
}

// Count counts the words of a text, and those that name an amount, a date or an
// hour: words with a digit in them.
func Count(text string) (words, events int) {
	for w := range strings.FieldsSeq(text) {
		words++
		if !strings.Contains(w, "://") && strings.ContainsFunc(w, unicode.IsDigit) {
			events++
		}
	}
	if words == 1 && utf8.RuneCountInString(text) > 12 { // a script without blanks
		words = utf8.RuneCountInString(text) / 2
	}
	return words, events
}
