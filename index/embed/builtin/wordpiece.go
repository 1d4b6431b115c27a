package builtin

import "unicode/utf8"

// longestWord is how many characters a word may have before it counts as
// unknown: the limit of BERT's tokenizer, which keeps the search for the
// longest piece linear in the text.
const longestWord = 100

// pieces calls emit with the row of each word piece of text, in order. Each word
// is covered greedily by the longest pieces; a word that they do not cover is
// left out, as BERT's tokenizer would call it unknown.
func (t *table) pieces(text string, emit func(row int)) {
	var rows [longestWord]int
	s := splitter{visit: func(word []byte, runes int) {
		for _, row := range t.cover(word, runes, rows[:0]) {
			emit(row)
		}
	}}
	s.split(text)
}

// cover appends to rows those of the word's pieces, or nothing if some part of it
// is in no piece.
func (t *table) cover(word []byte, runes int, rows []int) []int {
	if runes > longestWord {
		return nil
	}
	for at := 0; at < len(word); {
		row, ok := 0, false
		end := min(len(word), at+t.longest)
		for ; end > at; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			if row, ok = t.find(word[at:end], at > 0); ok {
				break
			}
		}
		if !ok {
			return nil
		}
		rows = append(rows, row)
		at = end
	}
	return rows
}
