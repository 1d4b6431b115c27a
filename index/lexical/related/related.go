// Package related knows which English terms are near in meaning: "hike" and
// "trek", "job" and "career".
//
// Keyword search misses a turn that says the same in other words, and a vector
// of the whole turn often drowns the one word that matters. So hybrid search
// lets each term of a query also match its nearest terms, each for a part of
// what the term itself would count.
//
// The table is made from the built-in embedding model by the program in
// generate, which is run again when the model changes. It stays in the binary's
// read-only data and is searched in place: nothing is parsed at start. Terms are
// those of package lexical; a term that the table lacks simply has no relatives.
package related

import (
	_ "embed"
	"strings"
)

//go:embed related.txt
var table string

// A Term is a relative: what one occurrence of it counts, beside 1 for the term
// itself.
type Term struct {
	Text   string
	Weight float64
}

// share scales squared cosines to weights: a perfect synonym would count as
// little more than half an occurrence, so that the word itself always wins.
const share = 0.6

// Of returns the relatives of a term, nearest first.
func Of(term string) []Term {
	line, ok := find(table, term)
	if !ok {
		return nil
	}
	var out []Term
	for f := range strings.FieldsSeq(line) {
		text, percent, ok := strings.Cut(f, ":")
		if !ok || len(percent) != 2 {
			continue
		}
		cos := float64(percent[0]-'0')/10 + float64(percent[1]-'0')/100
		out = append(out, Term{text, share * cos * cos})
	}
	return out
}

// find returns what stands behind the key in a text of sorted lines.
func find(text, key string) (string, bool) {
	lo, hi := 0, len(text)
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := strings.LastIndexByte(text[lo:mid], '\n') + 1 + lo
		end := strings.IndexByte(text[mid:], '\n')
		if end < 0 {
			end = len(text)
		} else {
			end += mid
		}
		have, rest, _ := strings.Cut(text[start:end], " ")
		switch strings.Compare(have, key) {
		case 0:
			return rest, true
		case -1:
			lo = min(end+1, hi)
		default:
			hi = start
		}
	}
	return "", false
}
