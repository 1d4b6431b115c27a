package synth

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// Sessions beyond the cap go to the archive by whole months, every link goes on
// leading somewhere, and nothing more happens on the next run.
func TestEpochs(t *testing.T) {
	l := newLab(t)
	l.cfg.MaxSessions = 6
	var chats []chat
	for i := range 12 {
		chats = append(chats, said(fmt.Sprintf("e%d", i), fmt.Sprintf("Garden %d", i), fmt.Sprintf("2025-%02d-%02dT10:00:00Z", 1+i/3, 1+i%3),
			fmt.Sprintf("I've decided to plant %d apple trees behind the shed of lot %d.", i+2, i*7), "I prefer old sorts of apples over the ones in the supermarket."))
	}
	l.add(chats...)
	l.run()
	if live, cold := len(l.paths("sessions")), len(l.paths("archive")); live != 6 || cold != 6 {
		t.Errorf("%d sessions are live and %d in the archive", live, cold)
	}
	page := l.read("epochs/2025-01.md")
	for _, want := range []string{"title: January 2025", "sessions: 3", "- Decided to plant 2 apple trees", "[[archive/2025/2025-01-01-garden-0|Garden 0]]"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
	checkLaws(t, l)
	for _, r := range l.run() {
		if len(r.Written)+len(r.Skipped) > 0 {
			t.Errorf("the next run: %s wrote %v, skipped %v", r.Pass, r.Written, r.Skipped)
		}
	}
}

// What the person wrote into a session before it went to the archive is theirs there
// too: archiving gives the page another name and makes nothing of it.
func TestEditsOutliveTheArchive(t *testing.T) {
	const live, archived = vault.Path("sessions/2025/2025-01-02-garden-0.md"), vault.Path("archive/2025/2025-01-02-garden-0.md")
	for _, merged := range []bool{false, true} {
		l := newLab(t)
		l.cfg.MaxSessions = 60
		l.add(fiveDays()...)
		l.run()
		l.edit(live, func(page string) string {
			return strings.NewReplacer("\ntags:", "\nmood: calm\ntags:", "- Decided to plant", "- Truly decided to plant").Replace(page)
		})
		if merged {
			c := gardening(0)
			c.turns = append(c.turns, said("e0", "", "2025-01-02T11:00:00Z", "I prefer quinces over pears for jelly.").turns...)
			l.add(c)
			l.run()
		}
		l.cfg.MaxSessions = 2
		l.run()
		before := l.read(archived)
		growArchived(l)
		after := l.read(archived)
		if after == before || !strings.Contains(after, "\nmood: calm\n") || !strings.Contains(after, "- Truly decided") || !strings.Contains(after, "ladder") {
			t.Errorf("merged before: %v; the page was\n%s\nand is\n%s", merged, before, after)
		}
		if l.v.Exists(l.v.Layout().Base(live)) {
			t.Error("the base of the page is left below its first name")
		}
	}
}
