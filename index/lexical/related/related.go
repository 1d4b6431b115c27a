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
	"iter"
	"strings"
)

// table holds, in little-endian order: n and width as uint32, n uint32 that say
// where each term ends in the text, n rows of width cells of three bytes (the
// relative's number as uint16 and 200 times its cosine; a cosine of 0 ends the
// row), and the terms, sorted.
//
//go:embed related.bin
var table string

// A Term is a relative: what one occurrence of it counts, beside 1 for the term
// itself.
type Term struct {
	Text   string
	Weight float64
}

// Most is how many relatives of a term a search should use: the nearest that
// occur in its corpus.
const Most = 6

// share scales squared cosines to weights: a perfect synonym would count as
// little more than half an occurrence, so that the word itself always wins.
const share = 0.5

// Of yields the relatives of a term, nearest first. There are more than Most
// of them, since a corpus may lack some.
func Of(term string) iter.Seq[Term] {
	return func(yield func(Term) bool) {
		i, ok := find(term)
		if !ok {
			return
		}
		n, width := int(u32(0)), int(u32(1))
		row := table[8+4*n+3*width*i:]
		for k := range width {
			cell := row[3*k : 3*k+3]
			if cell[2] == 0 {
				return
			}
			cos := float64(cell[2]) / 200
			if !yield(Term{text(int(cell[0]) | int(cell[1])<<8), share * cos * cos}) {
				return
			}
		}
	}
}

// find returns the number of a term.
func find(term string) (int, bool) {
	lo, hi := 0, int(u32(0))
	for lo < hi {
		mid := (lo + hi) / 2
		switch strings.Compare(text(mid), term) {
		case 0:
			return mid, true
		case -1:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false
}

// text returns the term with number i.
func text(i int) string {
	n, width := int(u32(0)), int(u32(1))
	start := uint32(0)
	if i > 0 {
		start = u32(1 + i)
	}
	return table[8+4*n+3*width*n:][start:u32(2+i)]
}

// u32 is the i-th integer of the table.
func u32(i int) uint32 {
	b := table[4*i : 4*i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
