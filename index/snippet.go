package index

import (
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/vault"
)

// snippetRunes is the length of a snippet: two or three lines of a terminal.
const snippetRunes = 240

// snippet returns the part of text that holds most of the wanted terms, on one
// line, its beginning where it holds none.
func snippet(text string, wanted map[string]bool) string {
	words := strings.Fields(text)
	if utf8.RuneCountInString(text) <= snippetRunes {
		return strings.Join(words, " ")
	}
	weight := make([]int, len(words))
	size := make([]int, len(words))
	for i, w := range words {
		size[i] = utf8.RuneCountInString(w) + 1
		for _, t := range lexical.Analyze(w) {
			if wanted[t] {
				weight[i] = 1
			}
		}
	}
	// A window slides over the words; the first of the best is taken.
	best, from, score, length, to := -1, 0, 0, 0, 0
	bestFrom, bestTo := 0, 0
	for to < len(words) {
		score += weight[to]
		length += size[to]
		to++
		for length > snippetRunes && from < to-1 {
			score -= weight[from]
			length -= size[from]
			from++
		}
		if score > best {
			best, bestFrom, bestTo = score, from, to
		}
	}
	// Words behind the last match are better than none, to the window's size.
	for length = sum(size[bestFrom:bestTo]); bestTo < len(words) && length+size[bestTo] <= snippetRunes; bestTo++ {
		length += size[bestTo]
	}
	s := strings.Join(words[bestFrom:bestTo], " ")
	if utf8.RuneCountInString(s) > snippetRunes {
		s = string([]rune(s)[:snippetRunes])
		bestTo = len(words) - 1
	}
	if bestFrom > 0 {
		s = "… " + s
	}
	if bestTo < len(words) {
		s += " …"
	}
	return vault.Fold(s)
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}
