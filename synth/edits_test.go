package synth

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// An edit is what a person does to a page: the page after it, and how to tell
// that it was kept.
type edit struct {
	name string
	do   func(page string) (after string, kept func(page string) bool)
}

func holds(text string) func(string) bool {
	return func(page string) bool { return strings.Count(page, text) == 1 }
}

// bullets are the lines of a page, and which of them are list items.
func bullets(page string) (lines []string, at []int) {
	lines = strings.SplitAfter(page, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "- ") {
			at = append(at, i)
		}
	}
	return lines, at
}

var edits = []edit{
	{"word", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		i := at[len(at)-1]
		lines[i] = strings.Replace(lines[i], "- ", "- Truly: ", 1)
		return strings.Join(lines, ""), holds("- Truly: ")
	}},
	{"line", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		return strings.Join(slices.Insert(lines, at[len(at)-1], "- A line of mine.\n"), ""), holds("- A line of mine.\n")
	}},
	{"section", func(page string) (string, func(string) bool) {
		const mine = "\n## My notes\n\nMore of mine.\n"
		return page + mine, holds(mine)
	}},
	{"reorder", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		a, b := at[len(at)-2], at[len(at)-1]
		lines[a], lines[b] = lines[b], lines[a]
		one, two := lines[a], lines[b]
		return strings.Join(lines, ""), func(page string) bool {
			i, j := strings.Index(page, one), strings.Index(page, two)
			return i >= 0 && j > i
		}
	}},
	{"delete", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		gone := lines[at[len(at)-1]]
		return strings.Join(slices.Delete(lines, at[len(at)-1], at[len(at)-1]+1), ""), func(page string) bool {
			return !strings.Contains(page, gone)
		}
	}},
	{"retitle", func(page string) (string, func(string) bool) {
		return replaceLine(page, "title: ", "title: A better title\n"), holds("title: A better title\n")
	}},
	{"front matter", func(page string) (string, func(string) bool) {
		return strings.Replace(page, "---\n", "---\nrating: 5 # mine\n", 1), holds("rating: 5 # mine\n")
	}},
	{"whole rewrite", func(string) (string, func(string) bool) {
		const mine = "---\nid: mine\n---\n\nI wrote this page anew.\n"
		return mine, func(page string) bool { return page == mine }
	}},
}

// generated are the kinds of generated pages, and where the test's vault has one.
var generated = []struct {
	kind string
	path vault.Path
}{
	{"session", "sessions/2025/2025-01-12-sourdough.md"},
	{"topic", "memory/sourdough.md"},
	{"profile", "profile.md"},
	{"user", "USER.md"},
	{"boot", "MEMORY.md"},
}

// What a person does to a generated page stays when the page is made anew from
// more than it was made of before.
func TestEditsSurvive(t *testing.T) {
	for _, g := range generated {
		t.Run(g.kind, func(t *testing.T) {
			t.Parallel()
			control := baker(t)
			before := control.read(g.path)
			grow(control)
			if control.read(g.path) == before {
				t.Fatal("the page is not made anew, so the test shows nothing")
			}
			for _, e := range edits {
				l := baker(t)
				var kept func(string) bool
				l.edit(g.path, func(page string) (after string) {
					after, kept = e.do(page)
					return after
				})
				edited := l.read(g.path)
				grow(l)
				after := l.read(g.path)
				if !kept(after) || strings.Contains(after, "<<<<<<<") {
					t.Errorf("%s of the %s is lost:\n%s\n--- the edited page was\n%s", e.name, g.kind, after, edited)
				}
			}
		})
	}
}

// baker is a vault with a page of each kind.
func baker(t *testing.T) *lab {
	l := newLab(t)
	l.add(said("s1", "Sourdough", "2025-01-12T07:30:00Z", bakerSaid...))
	l.run()
	return l
}

var bakerSaid = []string{
	"Hi, I'm Ana Roth, a paramedic from Graz.", "I've decided to bake the sourdough on Thursdays.", "I prefer weights in grams for sourdough.",
	"I never answer calls on Sundays.", "I want to open a sourdough bakery in 2027.", "Always give me the temperature in Celsius.",
}

// grow goes on with the chat that the pages were made of.
func grow(l *lab) {
	c := said("s1", "Sourdough", "2025-01-12T07:30:00Z", bakerSaid...)
	c.turns = append(c.turns, said("s1", "", "2025-03-01T09:00:00Z", "I've decided to sell sourdough at the market in May 2026.", "Never quote prices in dollars.").turns...)
	l.add(c)
	l.run()
}

func replaceLine(page, prefix, with string) string {
	ls := strings.SplitAfter(page, "\n")
	for i, line := range ls {
		if strings.HasPrefix(line, prefix) {
			ls[i] = with
			break
		}
	}
	return strings.Join(ls, "")
}

// A page that the person deleted is not made again.
func TestDeletedPageStaysDeleted(t *testing.T) {
	for _, folder := range []string{"sessions", "memory", "profile.md", "MEMORY.md"} {
		l := newLab(t)
		l.add(readChats(t, "testdata/ana.txtar")...)
		l.run()
		paths := l.paths(folder)
		if len(paths) == 0 {
			paths = []vault.Path{vault.Path(folder)}
		}
		if err := os.Remove(filepath.Join(l.dir, filepath.FromSlash(string(paths[0])))); err != nil {
			t.Fatal(err)
		}
		l.add(said("new", "Sourdough", "2025-08-01T10:00:00Z", "I prefer rye sourdough with caraway seeds. I've decided to bake it on Mondays."))
		l.run()
		if l.v.Exists(paths[0]) {
			t.Errorf("%s was made again", paths[0])
		}
	}
}
