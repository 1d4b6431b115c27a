package synth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// twice is a vault in which a preference was said on two days.
func twice(t *testing.T) *lab {
	l := newLab(t)
	l.add(
		said("p1", "Letters", "2025-01-12T07:30:00Z", "I prefer plain text over rich mail in letters.", "Please write the letter to the landlord with me, it is about the broken heating in the hall."),
		said("p2", "Letters", "2025-02-12T07:30:00Z", "I really prefer plain text over rich mail in all letters.", "Please write the letter to the landlord with me, it is about the broken heating in the hall."),
		said("p3", "Budget", "2025-03-12T07:30:00Z", "Our kitchen budget is 4000 euros this year.", "Please write the letter to the landlord with me, it is about the broken heating in the hall."),
		said("p4", "Budget", "2025-04-12T07:30:00Z", "Our kitchen budget is 5000 euros this year.", "Please write the letter to the landlord with me, it is about the broken heating in the hall."),
	)
	l.run()
	return l
}

func proposal(t *testing.T, l *lab, title string) review.Proposal {
	t.Helper()
	open, err := Proposals(t.Context(), NewView(l.v))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range open {
		if strings.HasPrefix(p.Title, title) {
			return p
		}
	}
	t.Fatalf("no proposal %q among %d\n%s", title, len(open), archive(l.pages()))
	return review.Proposal{}
}

func (l *lab) decide(d ...Decision) Report {
	l.t.Helper()
	rep, err := NewRunner(l.v, l.cfg).Decide(l.t.Context(), d...)
	if err != nil {
		l.t.Fatal(err)
	}
	return rep
}

func TestSchemaIsProposedAndAccepted(t *testing.T) {
	l := twice(t)
	if len(l.paths("schema")) > 0 {
		t.Fatal("the schema pass wrote to schema/")
	}
	p := proposal(t, l, "New preference: ")
	rep := l.decide(Decision{p.ID, true})
	if rep.Subject != "review: 1 accepted: "+strings.TrimRight(p.Title, ".") {
		t.Errorf("the commit says %q", rep.Subject)
	}
	c := vault.Parse("x.md", []byte(l.read("schema/preferences.md"))).Claims()
	if len(c) != 1 || c[0].Status != "confirmed" || c[0].Version != 1 || len(c[0].From) != 2 {
		t.Errorf("schema/preferences.md:\n%s", l.read("schema/preferences.md"))
	}
	if l.v.Exists(p.Path) {
		t.Error("the proposal still waits")
	}
	l.run()
	checkLaws(t, l)
	if strings.Contains(string(archive(l.pages())), "New preference") {
		t.Error("it is proposed again")
	}
}

// Ticking a box in the note does what the command does, with the line as edited.
func TestTickedBoxIsCarriedOut(t *testing.T) {
	l := twice(t)
	p := proposal(t, l, "New preference: ")
	l.edit(p.Path, func(s string) string {
		s = strings.Replace(s, "plain text over rich mail", "plain letters", 1)
		i := strings.Index(s, "+- ")
		s = s[:i] + "+- Writes plain letters. (kind:: preference)\n" + s[i+strings.IndexByte(s[i:], '\n')+1:]
		return strings.Replace(s, "- [ ] accept", "- [x] accept", 1)
	})
	l.run()
	if page := l.read("schema/preferences.md"); !strings.Contains(page, "- Writes plain letters. (kind:: preference) (status:: confirmed)") {
		t.Errorf("the edited line was not taken:\n%s", page)
	}
}

func TestDeclinedIsRemembered(t *testing.T) {
	for _, how := range []string{"command", "box", "deleted"} {
		l := twice(t)
		p := proposal(t, l, "New preference: ")
		switch how {
		case "command":
			l.decide(Decision{p.ID, false})
		case "box":
			l.edit(p.Path, func(s string) string { return strings.Replace(s, "- [ ] decline", "- [X] decline", 1) })
		case "deleted":
			if err := os.Remove(filepath.Join(l.dir, filepath.FromSlash(string(p.Path)))); err != nil {
				t.Fatal(err)
			}
		}
		l.run()
		l.add(said("p9", "Note", "2025-05-01T10:00:00Z", "I've decided to buy a garden bench in June 2025."))
		l.run()
		if l.v.Exists(p.Path) || len(l.paths("schema")) > 0 {
			t.Errorf("declined by %s, and proposed again", how)
		}
	}
}

func TestContradictionSupersedes(t *testing.T) {
	l := twice(t)
	p := proposal(t, l, "Contradiction: ")
	if !strings.Contains(p.Reason, "4000") || !strings.Contains(p.Reason, "5000") || len(p.From) != 2 {
		t.Errorf("the proposal does not show both sides: %+v", p)
	}
	ledger := p.Target
	before := len(vault.Parse(ledger, []byte(l.read(ledger))).Claims())
	l.decide(Decision{string(p.Path), true})
	claims := vault.Parse(ledger, []byte(l.read(ledger))).Claims()
	if len(claims) != before {
		t.Errorf("%d claims, had %d", len(claims), before)
	}
	for _, c := range claims {
		if old := strings.Contains(c.Text, "4000"); old != c.Superseded || old && c.Until != "2025-04-12" || strings.Contains(c.Text, "5000") && len(c.Supersedes) != 1 {
			t.Errorf("%+v", c)
		}
	}
	l.run()
	checkLaws(t, l)
}

// A page that contradicts the person's edits waits as a proposal; accepting it
// takes memsync's text, declining keeps theirs.
func TestConflictBecomesProposal(t *testing.T) {
	for _, accept := range []bool{true, false} {
		l := baker(t)
		l.edit("profile.md", func(string) string { return "---\nid: profile\ntype: profile\n---\n\nAll mine.\n" })
		grow(l)
		if got := l.read("profile.md"); !strings.Contains(got, "All mine.") {
			t.Fatalf("the person's page is gone:\n%s", got)
		}
		p := proposal(t, l, "Profile: ")
		l.decide(Decision{p.ID, accept})
		if got := l.read("profile.md"); strings.Contains(got, "All mine.") == accept || strings.Contains(got, "Ana Roth") != accept {
			t.Errorf("accepted %v:\n%s", accept, got)
		}
		for _, r := range l.run() {
			if r.Pass == "profile" && (r.Commit != "" || len(r.Skipped) > 0 && accept) {
				t.Errorf("accepted %v, and the next run wrote %v and skipped %v", accept, r.Written, r.Skipped)
			}
		}
	}
}

// What a gate holds back waits as a proposal with the reason, and nothing of it is
// committed; a secret is not even shown.
func TestHeldBackByGate(t *testing.T) {
	l := newLab(t)
	l.cfg.Secret = func(text string) bool { return strings.HasPrefix(text, "- Decided to bake") } // the line of a ledger, not the turn
	l.add(said("g1", "Sourdough", "2025-01-12T07:30:00Z", "I've decided to bake the sourdough on Thursdays.", "I prefer weights in grams for sourdough."))
	reports := l.run()
	p := proposal(t, l, "Sourdough: held back")
	if p.Action != review.Notice || !strings.Contains(p.Reason, "secrets: ") || strings.Contains(string(p.Format()), "Thursdays") {
		t.Errorf("%s", p.Format())
	}
	if all := written(reports); !strings.Contains(all, "held back for review, secrets") {
		t.Errorf("the report says nothing of it:\n%s", all)
	}
	if len(l.paths("facts")) > 0 {
		t.Errorf("%v was written", l.paths("facts"))
	}
}

// In a vault that is set to propose, a pass writes nothing but its proposal, and
// accepting that writes its pages.
func TestGateMode(t *testing.T) {
	l := newLab(t)
	l.cfg.Gate = true
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	for p := range l.pages() {
		if !p.Under("review") {
			t.Errorf("%s was written", p)
		}
	}
	for range 6 {
		open, err := Proposals(t.Context(), NewView(l.v))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range open {
			l.decide(Decision{p.ID, true})
		}
		l.run()
	}
	if len(l.paths("sessions")) == 0 || len(l.paths("facts")) == 0 || !l.v.Exists("profile.md") || !l.v.Exists("MEMORY.md") {
		t.Errorf("accepting did not write the pages: %v", l.paths(""))
	}
}

func TestUnknownProposal(t *testing.T) {
	l := twice(t)
	if _, err := NewRunner(l.v, l.cfg).Decide(t.Context(), Decision{"pr-none", true}); !errors.Is(err, ErrNoProposal) {
		t.Errorf("got %v", err)
	}
}

// The subject of a commit says what was decided.
func TestVerdicts(t *testing.T) {
	long := "New policy: never answer calls before ten in the morning on days after a night shift"
	tests := []struct {
		accepted, declined []string
		want               string
	}{
		{[]string{"New goal: learn Portuguese."}, nil, "1 accepted: New goal: learn Portuguese"},
		{nil, []string{long}, "1 declined: New policy: never answer calls before ten in the morning…"},
		{[]string{"A", "B"}, []string{"C", "D"}, "2 accepted: A; B, 2 declined: C; and 1 more"},
		{[]string{"A", "B", "C", "D", "E"}, []string{"F"}, "5 accepted: A; B; C; and 2 more, 1 declined"},
	}
	for _, tt := range tests {
		if got := verdicts(tt.accepted, tt.declined); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}
