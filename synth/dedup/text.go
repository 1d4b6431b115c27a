package dedup

import (
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// items are what a summary says: its list items, or its sentences. What heads it is
// none.
func items(text string) []string {
	var list, prose []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			list = append(list, rest)
		} else if line != "" && !Heading(line) {
			prose = append(prose, extract.Sentences(line)...)
		}
	}
	return append(list, prose...)
}

// counted ends the line that says who spoke in a chat, and of what.
var counted = lazyregexp.New(`, \d+ messages?(?:, about [^\n]*)?\.$`)

// Heading reports whether a line of a summary says what it is about and not what
// came of it.
func Heading(line string) bool { return strings.HasPrefix(line, "About ") || counted.MatchString(line) }

// sameItem is the share of content words from which two lines say the same, where
// their numbers agree.
const sameItem = 0.6

// news are the places of the items of a that b does not have.
func news(a, b *reading) []int {
	var out []int
	for i, x := range a.lines() {
		if !slices.ContainsFunc(b.lines(), func(y line) bool { return same(x, y) }) {
			out = append(out, i)
		}
	}
	return out
}

// same reports whether b says what a says: most of a's words, of which two at
// least, with the same numbers, said by the same person.
func same(a, b line) bool {
	if a.who != b.who || a.denies != b.denies {
		return false
	}
	words, missing := len(a.words), lacks(b, a)
	if float64(words-missing) < sameItem*float64(words) {
		return false
	}
	if a.changes != b.changes && missing+lacks(a, b) > 1 {
		return false // one of them says what the other was before
	}
	if words-missing < 2 && !strings.EqualFold(strings.TrimSpace(a.said), strings.TrimSpace(b.said)) {
		return false // a word in common says nothing
	}
	return extract.SameNumbers(a.said, b.said)
}

// lacks counts the words of b that a does not have.
func lacks(a, b line) int {
	n := 0
	for w := range b.words {
		if !a.words[w] {
			n++
		}
	}
	return n
}

// related reports whether a line is about the same as some item of a summary,
// whatever the numbers say: they share two words at least, half of those of the
// shorter and a third of those of the longer.
func related(x line, summary *reading) bool {
	return slices.ContainsFunc(summary.lines(), func(y line) bool {
		common, least := shared(x.plain, y.plain)
		return common > 1 && 2*common >= least && 3*common >= max(len(x.words), len(y.words))
	})
}

// grounded reports whether there is evidence for an embedder's word that two
// summaries are alike: a line of one is said by the other, or they have words
// enough in common. Of the n words of the shorter it asks for the root of 2n: 3 of
// 4, half of 8, a fifth of 50. What a few words have in common by chance varies as
// the root of their number, so a long text needs a smaller share of evidence than a
// short one.
func grounded(a, b *reading) bool {
	if len(news(a, b)) < len(a.lines()) || len(news(b, a)) < len(b.lines()) {
		return true
	}
	common, least := shared(a.plainWords(), b.plainWords())
	return common > 1 && common*common >= 2*least
}

// knownIn reports whether every word of a short text stands in another, so that it
// can be dropped without asking: source 1's bound is on similarity alone, and of two
// short texts of one form that says little.
func knownIn(short, text *reading) bool { return extract.Missing(short.bare, text.bare) == 0 }

// contradicted reports whether a summary has a line about the same matter as x with
// other numbers, or one that denies what x says.
func contradicted(x line, summary *reading) bool {
	return slices.ContainsFunc(summary.lines(), func(y line) bool {
		common, least := shared(x.plain, y.plain)
		return least > 1 && 4*common >= 3*least &&
			(x.denies != y.denies || extract.HasNumbers(x.said) && extract.HasNumbers(y.said) && !extract.SameNumbers(x.said, y.said))
	})
}

// disagree reports whether one summary contradicts the other.
func disagree(a, b *reading) bool {
	return slices.ContainsFunc(news(a, b), func(i int) bool { return contradicted(a.lines()[i], b) })
}

// open begins the line of a summary that says what is left to do.
const open = "Open: "

// Union is a summary of all that first says, and of what second adds and does not
// contradict: a line about the same with other numbers is left out, since first
// stands. It writes no word that neither has.
func Union(first, second string) string {
	lines := strings.Split(strings.TrimRight(first, "\n"), "\n")
	todo := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, open) })
	var added []string
	stands, adds := readText(first), readText(second)
	for _, i := range news(adds, stands) {
		x := adds.items()[i]
		rest, isOpen := strings.CutPrefix(x, open)
		switch {
		case contradicted(adds.lines()[i], stands):
		case isOpen && todo >= 0:
			lines[todo] = strings.TrimRight(lines[todo], ".") + "; " + rest
		case isOpen:
			lines = append(lines, "", x)
			todo = len(lines) - 1
		default:
			added = append(added, "- "+x)
		}
	}
	if len(added) == 0 {
		return strings.Join(lines, "\n") + "\n"
	}
	at := 0
	for i, line := range lines {
		if strings.HasPrefix(line, "- ") {
			at = i + 1
		}
	}
	if at > 0 {
		return strings.Join(slices.Insert(lines, at, added...), "\n") + "\n"
	}
	var head, list, foot []string // prose becomes a list
	for _, line := range lines {
		if Heading(line) {
			head = append(head, line, "")
		}
	}
	for _, x := range items(strings.Join(lines, "\n")) {
		if strings.HasPrefix(x, open) {
			foot = append(foot, "", x)
		} else {
			list = append(list, "- "+x)
		}
	}
	return strings.Join(slices.Concat(head, list, added, foot), "\n") + "\n"
}
