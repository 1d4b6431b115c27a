package dedup

import (
	"maps"
	"strings"
	"sync"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// A reading is a summary's text taken apart, once: it is compared with hundreds of
// others. Most of them are not alike at all, so that its lines are read when they are
// asked for.
type reading struct {
	text  string
	bare  string // the text without its citations
	once  sync.Once
	list  []string
	read  []line
	plain map[string]bool // the plain words of all lines
}

// A line is an item as it is compared.
type line struct {
	who, said       string          // who says it, empty for the person, and what
	words           map[string]bool // the content words
	plain           map[string]bool // those that are neither numbers nor denials
	denies, changes bool
}

// Read is the summary with its text taken apart, for one that is compared with many.
func (s Summary) Read() Summary {
	if s.reading == nil {
		s.reading = readText(s.Text)
	}
	return s
}

func readText(text string) *reading {
	return &reading{text: text, bare: bare(text)}
}

// lines are the items as they are compared.
func (r *reading) lines() []line {
	r.once.Do(func() {
		r.list, r.plain = items(r.text), map[string]bool{}
		r.read = make([]line, len(r.list))
		for i, item := range r.list {
			r.read[i] = read(item)
			maps.Copy(r.plain, r.read[i].plain)
		}
	})
	return r.read
}

// items are what the summary says, word for word.
func (r *reading) items() []string {
	r.lines()
	return r.list
}

// plainWords are the words of all lines that are neither numbers nor denials.
func (r *reading) plainWords() map[string]bool {
	r.lines()
	return r.plain
}

func read(item string) line {
	who, said := speaker(bare(item))
	return line{who, said, extract.Words(said), extract.PlainWords(said), denial.MatchString(said), changes(said)}
}

// words are the content words of all that a summary says, without headings, citations
// and the names of those who speak: chats of the same people have all of these in
// common.
func (r *reading) words() map[string]bool {
	words := map[string]bool{}
	for _, l := range r.lines() {
		maps.Copy(words, l.words)
	}
	return words
}

// shared counts the words that two sets have in common, and those of the smaller.
func shared(a, b map[string]bool) (common, least int) {
	if len(a) > len(b) {
		a, b = b, a
	}
	for w := range a {
		if b[w] {
			common++
		}
	}
	return common, len(a)
}

// quoted is a line of a chat where nobody is known to be the person: who spoke, and
// what they said.
var quoted = lazyregexp.New(`^([^:"]{1,60}): "(.*)"$`)

// speaker is who says a line, empty for the person, and what.
func speaker(line string) (who, said string) {
	line = strings.TrimSpace(line)
	if !strings.HasSuffix(line, `"`) {
		return "", line
	}
	if m := quoted.FindStringSubmatch(line); m != nil {
		return m[1], m[2]
	}
	return "", line
}

var citation = lazyregexp.New(`\s*\(?\[\[[^\]]*\]\]\)?`)

// bare is a text without its citations.
func bare(s string) string {
	if !strings.Contains(s, "[[") {
		return s
	}
	return citation.ReplaceAllString(s, "")
}
