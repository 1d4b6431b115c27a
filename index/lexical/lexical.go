// Package lexical turns text into the terms that keyword search compares.
//
// A note and a query meet only where their terms are equal, so both go through
// the same Analyze: words in lower case, without diacritics, reduced to a stem
// ("hikes", "hiked" and "hike" are one term), irregular forms undone ("went" is
// "go"), numbers written one way ("1,000" is "1000", "7th" is "7"). Scripts that
// do not put spaces between words are cut into overlapping pairs of characters.
// Identifiers, paths and versions yield their parts and, joined by an
// underscore, the whole: "index/rank.go" is findable by "rank" and by itself.
//
// A term consists of letters, digits, combining marks and underscores, so terms
// joined by spaces survive any tokenizer that keeps those together; SQLite's
// is `unicode61 remove_diacritics 0 tokenchars '_' categories 'L* M* N* Co'`.
//
// The package knows nothing of scores or of storage. English is stemmed best,
// Cyrillic script as Russian; every other language is matched by whole words.
package lexical

import (
	"sync"
)

// MaxTermRunes bounds a term: longer runs (keys, base64, hashes) are cut, so
// that one line of noise cannot fill an index with huge terms.
const MaxTermRunes = 64

// Analyze returns the terms of text in order, repetitions included. Stop words
// are kept, since a note may be searched for nothing else. It is safe for
// concurrent use.
func Analyze(text string) []string {
	return AppendTerms(make([]string, 0, len(text)/6+1), text)
}

// AppendTerms is Analyze that appends to dst, for callers that reuse a slice.
func AppendTerms(dst []string, text string) []string {
	a := analyzers.Get().(*analyzer)
	a.out = dst
	a.scan(text)
	dst, a.out = a.out, nil
	analyzers.Put(a)
	return dst
}

var analyzers = sync.Pool{New: func() any { return &analyzer{stems: make(map[string]string)} }}

// An analyzer holds what one goroutine reuses: the buffer of the word being
// read and the stems met so far.
type analyzer struct {
	out   []string
	word  []byte
	ascii bool // the word was plain ASCII in the text
	parts []string
	stems map[string]string
}

// maxStems bounds an analyzer's memory of stems to a few megabytes. English
// chat uses some 20,000 forms, so it is rarely reached.
const maxStems = 1 << 15

// term returns the term of a folded word and remembers it.
func (a *analyzer) term(word []byte) string {
	if t, ok := a.stems[string(word)]; ok {
		return t
	}
	if len(a.stems) >= maxStems {
		clear(a.stems)
	}
	w := string(word)
	t := stem(w)
	a.stems[w] = t
	return t
}
