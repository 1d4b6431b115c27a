package synth

import (
	"errors"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault"
)

// What the person accepts, pins or forgets is to be read at once where memory is
// shown, and is one commit with it.
func TestPagesFollow(t *testing.T) {
	follows := func(l *lab, page vault.Path, text string, there bool) {
		t.Helper()
		if got := l.read(page); strings.Contains(got, text) != there {
			t.Errorf("%s has %q: %v, want %v\n%s", page, text, !there, there, got)
		}
	}
	t.Run("accept", func(t *testing.T) {
		l := twice(t)
		l.cfg.Follow = true
		p := proposal(t, l, "New preference: ")
		follows(l, "MEMORY.md", "2 proposals wait", true)
		had := l.commits()
		rep := l.decide(Decision{p.ID, true})
		if rep.Subject != "review: 1 accepted: "+p.Title || l.commits() != had+1 || len(rep.Followed) == 0 {
			t.Errorf("%d commits more: %+v", l.commits()-had, rep)
		}
		follows(l, "MEMORY.md", "1 proposal waits", true)
		if all := written(l.run()); strings.Contains(all, ".md") {
			t.Errorf("the next run still had to write:\n%s", all)
		}
		checkLaws(t, l)
	})
	t.Run("pin and forget", func(t *testing.T) {
		l := newLab(t)
		l.add(readChats(t, "testdata/ana.txtar")...)
		l.run()
		l.cfg.Follow = true
		c := theClaim(t, l, "sesame")
		if _, err := NewRunner(l.v, l.cfg).Pin(t.Context(), c.ID, true); err != nil {
			t.Fatal(err)
		}
		follows(l, "profile.md", "sesame", true) // which MEMORY.md embeds, and does not repeat
		if _, err := NewRunner(l.v, l.cfg).Forget(t.Context(), c.ID); err != nil {
			t.Fatal(err)
		}
		follows(l, "MEMORY.md", "sesame", false)
		follows(l, "profile.md", "sesame", false)
		if all := written(l.run("topics", "profile", "boot")); strings.Contains(all, ".md") {
			t.Errorf("the next run still had to write:\n%s", all)
		}
	})
	t.Run("operations that only add do not wait for pages", func(t *testing.T) {
		l := newLab(t)
		l.add(readChats(t, "testdata/ana.txtar")...)
		l.run()
		l.cfg.Follow = true
		o := ops.Operations{Create: []ops.Create{{
			Statement:  ops.Statement{Text: "Shifts end at 7 in the morning.", Kind: "entity", Domain: "work", Topic: "shifts"},
			Provenance: []ops.Proof{{Transcript: "a1", Turn: "t0001", Quote: "my shifts end at 7 in the morning"}},
		}}}
		if _, rep, err := NewRunner(l.v, l.cfg).Operate(t.Context(), o, false); err != nil || rep.Commit == "" || len(rep.Followed) > 0 {
			t.Errorf("%+v, %v", rep, err)
		}
	})
}

// In a vault that is set to propose, what the person asks for by name is done, and
// the pages that follow from it are proposed.
func TestTheirWordIsNotProposed(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	l.cfg.Gate = true
	c := theClaim(t, l, "sesame")
	if rep, err := NewRunner(l.v, l.cfg).Forget(t.Context(), c.ID); err != nil || rep.Commit == "" {
		t.Errorf("%+v, %v", rep, err)
	}
	for _, p := range l.paths("facts") {
		if strings.Contains(l.read(p), c.ID) {
			t.Errorf("%s still has the claim", p)
		}
	}
}

// What was forgotten is in no summary and on no page any more, nor when the summary
// is made anew.
func TestForgottenIsUnsaid(t *testing.T) {
	l := baker(t)
	l.cfg.Follow = true
	c := theClaim(t, l, "on Thursdays")
	said := func() (where []vault.Path) {
		for p, page := range l.pages() {
			if strings.Contains(page, "on Thursdays") {
				where = append(where, p)
			}
		}
		return where
	}
	if len(said()) < 3 {
		t.Fatalf("it stands in %v alone", said())
	}
	if _, err := NewRunner(l.v, l.cfg).Forget(t.Context(), c.ID); err != nil {
		t.Fatal(err)
	}
	l.run("user")
	if got := said(); len(got) > 0 {
		t.Errorf("it still stands in %v", got)
	}
	grow(l)
	if got := said(); len(got) > 0 {
		t.Errorf("it stands again in %v", got)
	}
	checkLaws(t, l)
}

// A person may forget most of a ledger: the gate that guards against loss is for
// what memsync makes.
func TestForgetMostOfALedger(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	var ids []string
	for _, p := range l.paths("facts") {
		for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
			ids = append(ids, c.ID)
		}
	}
	rep, err := NewRunner(l.v, l.cfg).Forget(t.Context(), ids...)
	if err != nil || len(rep.Skipped) > 0 {
		t.Fatalf("%+v, %v", rep, err)
	}
	// What the person took away is not lost: no gate holds the pages to it.
	for _, one := range l.run() {
		for _, s := range one.Skipped {
			if strings.Contains(s.Reason, "loss: ") {
				t.Errorf("%s: %s", s.Path, s.Reason)
			}
		}
	}
	for _, p := range l.paths("facts") {
		if left := vault.Parse(p, []byte(l.read(p))).Claims(); len(left) > 0 {
			t.Errorf("%s still has %d claims", p, len(left))
		}
	}
}

func TestPinNotes(t *testing.T) {
	l := baker(t)
	l.add(said("s2", "Rye", "2025-01-14T07:30:00Z", bakerSaid...))
	l.run()
	ctx := t.Context()
	session := vault.Path("sessions/2025/2025-01-12-sourdough.md")
	id := vault.Parse(session, []byte(l.read(session))).ID()
	topic := l.paths("memory")[0]
	for name, at := range map[string]vault.Path{id: session, string(topic): topic} {
		if rep, err := NewRunner(l.v, l.cfg).Pin(ctx, name, true); err != nil || rep.Commit == "" {
			t.Fatalf("%s: %+v, %v", name, rep, err)
		}
		if n := vault.Parse(at, []byte(l.read(at))); n.Prop("pin") != "user" {
			t.Errorf("%s is not pinned:\n%s", at, n.Bytes())
		}
	}
	if _, err := NewRunner(l.v, l.cfg).Rate(ctx, session.Name(), 0.8); !errors.Is(err, ErrNoItem) {
		t.Errorf("a name without its folder: %v", err)
	}
	if _, err := NewRunner(l.v, l.cfg).Rate(ctx, string(session.Stem()), 0.8); err != nil {
		t.Error(err)
	}
	before := l.read(session)
	grow(l)
	after := vault.Parse(session, []byte(l.read(session)))
	if string(after.Bytes()) == before || after.Prop("pin") != "user" || after.Prop("importance") != "0.8" {
		t.Errorf("pin or rating were lost when the session was made anew:\n%s", after.Bytes())
	}
	if _, err := NewRunner(l.v, l.cfg).Pin(ctx, id, false); err != nil {
		t.Error(err)
	}
	if _, err := NewRunner(l.v, l.cfg).Rate(ctx, id, -1); err != nil {
		t.Error(err)
	}
	if n := vault.Parse(session, []byte(l.read(session))); n.Has("pin") || n.Has("importance") {
		t.Errorf("pin or rating stay:\n%s", n.Bytes())
	}
	checkLaws(t, l)
}

// A note that cannot be pinned or rated says why, in a sentence that names what can.
func TestWhatCannotBePinned(t *testing.T) {
	l := twice(t)
	if _, err := NewRunner(l.v, l.cfg).Decide(t.Context(), Decision{proposal(t, l, "New preference: ").ID, true}); err != nil {
		t.Fatal(err)
	}
	if err := l.v.Write("mine.md", vault.NoFile, []byte("---\nid: mine\n---\n\nMine.\n")); err != nil {
		t.Fatal(err)
	}
	contradiction := proposal(t, l, "Contradiction: ")
	for id, want := range map[string]string{
		"tr-p1":              "a transcript stays as it was said",
		contradiction.ID:     "waits for your word",
		"profile":            "always at hand",
		"MEMORY.md":          "always at hand",
		"schema/preferences": "line by line",
		"mine.md":            "this note is yours",
		"f-none":             "no claim and no note",
	} {
		for what, mark := range map[string]func() error{
			"pin":  func() error { _, err := NewRunner(l.v, l.cfg).Pin(t.Context(), id, true); return err },
			"rate": func() error { _, err := NewRunner(l.v, l.cfg).Rate(t.Context(), id, 0.5); return err },
		} {
			if err := mark(); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s %s: %v, want %q", what, id, err, want)
			}
		}
	}
	if _, err := NewRunner(l.v, l.cfg).Rate(t.Context(), string(l.paths("memory")[0]), 0.5); err == nil || !strings.Contains(err.Error(), "counts by its sessions") {
		t.Errorf("rate of a topic: %v", err)
	}
}
