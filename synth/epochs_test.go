package synth

import (
	"fmt"
	"strings"
	"testing"
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
