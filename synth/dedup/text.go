package dedup

import (
	"regexp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
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
var counted = regexp.MustCompile(`, \d+ messages?(?:, about [^\n]*)?\.$`)

// Heading reports whether a line of a summary says what it is about and not what
// came of it.
func Heading(line string) bool { return strings.HasPrefix(line, "About ") || counted.MatchString(line) }

// sameItem is the share of content words from which two lines say the same, where
// their numbers agree.
const sameItem = 0.6

// A line is an item, read once to be compared with many.
type line struct {
	who, said       string // who says it, empty for the person, and what
	words           map[string]bool
	denies, changes bool
}

func read(item string) line {
	who, said := speaker(bare(item))
	return line{who, said, extract.Words(said), denial.MatchString(said), changes(said)}
}

// novel are the items of a that b does not have.
func novel(a, b string) []string {
	var has []line
	for _, y := range items(b) {
		has = append(has, read(y))
	}
	var out []string
	for _, item := range items(a) {
		x := read(item)
		if !slices.ContainsFunc(has, func(y line) bool { return same(x, y) }) {
			out = append(out, item)
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

// quoted is a line of a chat where nobody is known to be the person: who spoke, and
// what they said.
var quoted = regexp.MustCompile(`^([^:"]{1,60}): "(.*)"$`)

// speaker is who says a line, empty for the person, and what.
func speaker(line string) (who, said string) {
	if m := quoted.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
		return m[1], m[2]
	}
	return "", line
}

// related reports whether a line is about the same as some item of a summary,
// whatever the numbers say: they share two words at least, half of those of the
// shorter and a third of those of the longer.
func related(x, summary string) bool {
	_, x = speaker(bare(x))
	return slices.ContainsFunc(items(summary), func(item string) bool {
		_, y := speaker(bare(item))
		shared, least := extract.Shared(x, y)
		most := max(len(extract.Words(x)), len(extract.Words(y)))
		return shared > 1 && 2*shared >= least && 3*shared >= most
	})
}

// content is what a summary says, without headings, citations and the names of
// those who speak: chats of the same people have all of these in common.
func content(text string) string {
	var out []string
	for _, x := range items(text) {
		_, said := speaker(bare(x))
		out = append(out, said)
	}
	return strings.Join(out, " ")
}

// grounded reports whether there is evidence for an embedder's word that two
// summaries are alike: a line of one is said by the other, or they have words
// enough in common. Of the n words of the shorter it asks for the root of 2n: 3 of
// 4, half of 8, a fifth of 50. What a few words have in common by chance varies as
// the root of their number, so a long text needs a smaller share of evidence than a
// short one.
func grounded(a, b string) bool {
	if len(novel(a, b)) < len(items(a)) || len(novel(b, a)) < len(items(b)) {
		return true
	}
	shared, least := extract.Shared(content(a), content(b))
	return shared > 1 && shared*shared >= 2*least
}

// knownIn reports whether every word of a short text stands in another, so that it
// can be dropped without asking: source 1's bound is on similarity alone, and of two
// short texts of one form that says little.
func knownIn(short, text string) bool { return extract.Missing(bare(short), bare(text)) == 0 }

var citation = regexp.MustCompile(`\s*\(?\[\[[^\]]*\]\]\)?`)

func bare(s string) string { return citation.ReplaceAllString(s, "") }

// contradicted reports whether a summary has a line about the same matter as x with
// other numbers, or one that denies what x says.
func contradicted(x, summary string) bool {
	_, x = speaker(bare(x))
	return slices.ContainsFunc(items(summary), func(item string) bool {
		_, y := speaker(bare(item))
		shared, least := extract.Shared(x, y)
		return least > 1 && 4*shared >= 3*least &&
			(denial.MatchString(x) != denial.MatchString(y) || extract.HasNumbers(x) && extract.HasNumbers(y) && !extract.SameNumbers(x, y))
	})
}

// disagree reports whether one summary contradicts the other.
func disagree(a, b string) bool {
	return slices.ContainsFunc(novel(a, b), func(x string) bool { return contradicted(x, b) })
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
	for _, x := range novel(second, first) {
		rest, isOpen := strings.CutPrefix(x, open)
		switch {
		case contradicted(x, first):
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
