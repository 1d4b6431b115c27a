package rank

// mentions says whether a text holds one of some words, given in small ASCII letters
// without k and s, in any case and anywhere: what an expression that asks for them
// cannot match without. Notes are looked through for a few expressions when they are
// indexed, and most hold nothing of the kind.
func mentions(text string, words ...string) bool {
	for i := range len(text) {
		for _, w := range words {
			if text[i]|0x20 == w[0] && len(text)-i >= len(w) && sameLetters(text[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// sameLetters says whether a text as long as a word in small letters is that word in
// any case. Its spaces have to be spaces.
func sameLetters(text, word string) bool {
	for i := range len(word) {
		if b := text[i]; b != word[i] && (b < 'A' || b > 'Z' || b|0x20 != word[i]) {
			return false
		}
	}
	return true
}
