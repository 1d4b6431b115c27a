package review

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

func sample() Proposal {
	return New(vault.Layout{}, Proposal{
		Title: "New goal: run", Action: Create, Target: "schema/goals.md", Created: "2025-09-02", Reason: "Said twice.\n\nOn two days.",
		Diff: "+- Run. (kind:: goal) (status:: proposed) (seen:: 2025-08-20/2025-09-01)\n",
		From: []vault.Evidence{
			{Link: vault.LinkToBlock("transcripts/a.md", "t0001", ""), Quote: "I want to [run], \"soon\" (a half)"},
			{Link: vault.LinkToBlock("transcripts/b.md", "t0002", ""), Quote: "eight weeks to the half"},
		},
	})
}

func TestParseReadsWhatFormatWrites(t *testing.T) {
	replace := New(vault.Layout{}, Proposal{Title: "Page", Action: Replace, Target: "profile.md", Created: "2025-09-02", Reason: "Why.", Diff: "--- a/profile.md\n+++ b/profile.md\n@@ -1 +1 @@\n-```\n+```diff\n"})
	for _, p := range []Proposal{sample(), replace, New(vault.Layout{}, Proposal{Title: "Note", Action: Notice, Target: "x.md", Created: "2025-09-02", Reason: "Held back."})} {
		got, err := Parse(vault.Parse(p.Path, p.Format()))
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(p, got); d != "" {
			t.Errorf("(-want +got):\n%s\n%s", d, p.Format())
		}
	}
}

// Declining one proposal must not decline another; wording around it and fields
// do not matter.
func TestKey(t *testing.T) {
	p := sample()
	other := p
	other.Diff = strings.Replace(p.Diff, "Run.", "Swim.", 1)
	same := p
	same.Title, same.Reason, same.Diff = "Else", "Else.", strings.Replace(p.Diff, "proposed", "active", 1)
	elsewhere := p
	elsewhere.Target = "schema/values.md"
	if p.Key() == other.Key() || p.Key() == elsewhere.Key() || p.Key() != same.Key() {
		t.Errorf("%q, %q, %q, %q", p.Key(), other.Key(), elsewhere.Key(), same.Key())
	}
}

func TestTicked(t *testing.T) {
	note := string(sample().Format())
	for edit, want := range map[string][2]bool{
		"- [x] accept":     {true, false},
		"- [X] Accept":     {true, false},
		"- [ ] accept":     {false, false},
		"- [/] accept":     {true, false},
		"- accept":         {false, false},
		"- [x] acceptable": {false, false},
	} {
		p, err := Parse(vault.Parse("review/a.md", []byte(strings.Replace(note, "- [ ] accept", edit, 1))))
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]bool{p.Accepted, p.Declined}; got != want {
			t.Errorf("%s: %v, want %v", edit, got, want)
		}
	}
	both := strings.NewReplacer("- [ ] accept", "- [x] accept", "- [ ] decline", "- [x] decline").Replace(note)
	if p, _ := Parse(vault.Parse("review/a.md", []byte(both))); !p.Undecided() {
		t.Error("both boxes ticked decide nothing")
	}
	if _, err := Parse(vault.Parse("review/mine.md", []byte("A note of mine.\n"))); !errors.Is(err, ErrProposal) {
		t.Errorf("a person's note: %v", err)
	}
}

// A diff of pages brings the page after it, also where the person edited other
// lines meanwhile, and says so where it does not fit.
func TestToPages(t *testing.T) {
	before := "---\nid: a\n---\n\none\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n"
	after := strings.NewReplacer("two\n", "TWO\n", "nine\n", "nine\nten\n", "---\nid: a\n---", "---\nid: b\n---").Replace(before)
	p := Proposal{Target: "a.md", Diff: JoinDiffs([]string{
		string(merge.Unified([]byte(before), []byte(after), "a/a.md", "b/a.md")),
		string(merge.Unified(nil, []byte("new\n"), "a/b.md", "b/b.md")),
	})}
	apply := func(page string) (string, error) {
		got, err := p.ToPages(func(path vault.Path) []byte {
			if path == "a.md" {
				return []byte(page)
			}
			return nil
		})
		if err != nil {
			return "", err
		}
		if len(got) != 2 || got[1].Path != "b.md" || string(got[1].Data) != "new\n" || got[1].Over != vault.NoFile {
			t.Errorf("%+v", got)
		}
		return string(got[0].Data), nil
	}
	if got, err := apply(before); err != nil || got != after {
		t.Errorf("%v:\n%s", err, cmp.Diff(after, got))
	}
	if got, err := apply(strings.Replace(before, "six\n", "six and a half\n", 1)); err == nil && !strings.Contains(got, "six and a half") {
		t.Errorf("%v:\n%s", err, got)
	}
	if _, err := apply(strings.Replace(before, "two\n", "2\n", 1)); !errors.Is(err, ErrStale) {
		t.Errorf("got %v", err)
	}
}

func TestReword(t *testing.T) {
	p := sample()
	got, err := p.Reword(string(p.Format()), "Run a half\nmarathon.")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Replace(string(p.Format()), "+- Run. ", "+- Run a half marathon. ", 1)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
