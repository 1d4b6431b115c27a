package synth

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// A page that the person gave another name, in Obsidian and without a commit, goes on
// under it when it is made anew, with their edits, and none is made under the old one.
func TestRenamedPagesGoOn(t *testing.T) {
	for _, g := range pageKinds {
		to := map[vault.Type]vault.Path{
			vault.TypeSession: "sessions/bread/Our sourdough.md", vault.TypeTopic: "memory/bread/All about bread.md", vault.TypeFacts: "facts/bread/selling.md",
		}[g.kind]
		if to == "" || g.path.Dir() == "archive/2025" {
			continue // the other kinds have one place: what is moved away is the person's
		}
		t.Run(string(g.kind), func(t *testing.T) {
			t.Parallel()
			control := g.make(t)
			from := g.path
			if from == "" {
				from = holding(t, control, "on Thursdays")
			}
			l := g.make(t)
			before := replaceLine(l.read(from), "title: ", "title: Bread\n")
			file := func(p vault.Path) string { return filepath.Join(l.dir, filepath.FromSlash(string(p))) }
			if err := os.MkdirAll(filepath.Dir(file(to)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file(to), []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
			if err := os.Remove(file(from)); err != nil {
				t.Fatal(err)
			}
			g.grow(l)
			after := l.read(to)
			if l.v.Exists(from) || after == before || !strings.Contains(after, "title: Bread\n") {
				t.Errorf("%s there: %v; the page:\n%s", from, l.v.Exists(from), after)
			}
			g.grow(control)
			if want := replaceLine(control.read(from), "title: ", "title: Bread\n"); withoutLinks(after) != withoutLinks(want) {
				t.Errorf("the page is\n%s\nand under its first name it would be\n%s", after, want)
			}
		})
	}
}

// withoutLinks is a page without what depends on the names of others.
func withoutLinks(page string) string {
	return strings.ReplaceAll(vault.Visible(page), "# Sourdough", "# Bread")
}
