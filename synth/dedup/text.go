package dedup

import (
	"regexp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
)

// items are what a summary says: its list items, or its sentences.
func items(text string) []string {
	var list, prose []string
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "- "); ok {
			list = append(list, rest)
		} else if line != "" && !strings.HasPrefix(line, "About ") {
			prose = append(prose, extract.Sentences(line)...)
		}
	}
	return append(list, prose...)
}

// sameItem is the share of content words from which two lines say the same, where
// their numbers agree.
const sameItem = 0.6

// novel are the items of a that b does not have.
func novel(a, b string) []string {
	has := items(b)
	var out []string
	for _, x := range items(a) {
		if !slices.ContainsFunc(has, func(y string) bool { return same(x, y) }) {
			out = append(out, x)
		}
	}
	return out
}

func same(a, b string) bool {
	a, b = bare(a), bare(b)
	if denial.MatchString(a) != denial.MatchString(b) {
		return false
	}
	if changes(a) != changes(b) && extract.Missing(a, b)+extract.Missing(b, a) > 1 {
		return false // one of them says what the other was before
	}
	return extract.SameNumbers(a, b) && extract.Overlap(a, b) >= sameItem
}

// related reports whether some item of each is about the same, whatever the
// numbers say.
func related(a, b string) bool {
	for _, x := range items(a) {
		for _, y := range items(b) {
			if shared, least := extract.Shared(bare(x), bare(y)); least > 0 && 2*shared >= least {
				return true
			}
		}
	}
	return false
}

var citation = regexp.MustCompile(`\s*\(?\[\[[^\]]*\]\]\)?`)

func bare(s string) string { return citation.ReplaceAllString(s, "") }

// contradicted reports whether a summary has a line about the same matter as x with
// other numbers, or one that denies what x says.
func contradicted(x, summary string) bool {
	return slices.ContainsFunc(items(summary), func(y string) bool {
		x, y := bare(x), bare(y)
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
	var list, foot []string // prose becomes a list
	for _, x := range items(strings.Join(lines, "\n")) {
		if strings.HasPrefix(x, open) {
			foot = append(foot, "", x)
		} else {
			list = append(list, "- "+x)
		}
	}
	return strings.Join(slices.Concat(list, added, foot), "\n") + "\n"
}
