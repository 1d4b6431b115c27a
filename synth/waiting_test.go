package synth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/pass"
)

// talks are n chats, one a day: every fourth says something that lasts, the
// others are small talk.
func talks(n int) []chat {
	var chats []chat
	for i := range n {
		at := func(minute int) vault.Stamp {
			return vault.Stamp{Time: time.Date(2025, 1, 1+i, 9, minute, 0, 0, time.UTC)}
		}
		text := fmt.Sprintf("What would go well with a lunch of %d courses and a little salad on the side, do you think?", i)
		if i%4 == 0 {
			text = fmt.Sprintf("I have decided to rent stall number %d at the harbour market. I prefer rye flour from mill %d to any other. My goal is to sell %d loaves a day.", i, i, i)
		}
		chats = append(chats, chat{source: "chatgpt", id: fmt.Sprintf("c%03d", i), title: fmt.Sprintf("Talk %d", i), turns: []vault.Turn{
			{Sender: "user", Time: at(0), MessageID: fmt.Sprintf("m%d-1", i), Text: text},
			{Sender: "assistant", Time: at(1), MessageID: fmt.Sprintf("m%d-2", i), Text: "Noted."},
			{Sender: "user", Time: at(2), MessageID: fmt.Sprintf("m%d-3", i), Text: "And what else could that be, in general?"},
		}})
	}
	return chats
}

// Where much waits, only the best goes deep, and what is small talk stays found
// by search alone. A second run has nothing to do.
func TestTiersWhereMuchWaits(t *testing.T) {
	l := newLab(t)
	l.cfg.Shares = salience.Shares{Whole: 10, Deep: 0.25, Brief: 0.25}
	l.add(talks(40)...)
	l.run()
	deep, brief := 0, 0
	for _, p := range l.paths("sessions") {
		text := l.read(p)
		if strings.Contains(text, "\ntier: B\n") {
			brief++
			continue
		}
		deep++
		if !strings.Contains(text, "stall number") {
			t.Errorf("small talk went deep:\n%s", text)
		}
	}
	if diff := cmp.Diff([]int{10, 10}, []int{deep, brief}); diff != "" {
		t.Errorf("deep and brief sessions (-want +got):\n%s", diff)
	}
	commits := l.commits()
	l.run()
	if l.commits() != commits {
		t.Errorf("a second run made %d commits", l.commits()-commits)
	}
}

// Each window is a commit, the newest first; a run that is stopped between two
// leaves the first, and the next run ends where one that was never stopped would.
func TestAStoppedBackfillGoesOn(t *testing.T) {
	whole := newLab(t)
	whole.cfg.Window = 7
	whole.add(talks(30)...)
	whole.run()

	l := newLab(t)
	l.cfg.Window = 7
	l.add(talks(30)...)
	begin := l.cfg.Begin
	for stopAt := 1; stopAt <= 4; stopAt++ {
		n := 0
		l.cfg.Begin = func(name string, sources []string) (*pass.Pass, error) {
			if n++; name == "summaries" && n > 1 {
				return nil, errStopped
			}
			return begin(name, sources)
		}
		_, err := NewRunner(l.v, l.cfg).Run(context.Background())
		if !errors.Is(err, errStopped) {
			t.Fatalf("run %d: %v", stopAt, err)
		}
		if got, want := len(l.paths("sessions")), 7*stopAt; got != want {
			t.Fatalf("%d sessions after %d windows, want %d", got, stopAt, want)
		}
		if newest := l.paths("sessions")[0]; !strings.Contains(string(newest), fmt.Sprintf("talk-%d", 30-7*stopAt)) {
			t.Errorf("after %d windows the oldest session is %s", stopAt, newest)
		}
		want := Backlog{30 - 7*stopAt, fmt.Sprintf("2025-01-%02d", 30-7*stopAt)}
		if got, err := NewRunner(l.v, l.cfg).Backlog(context.Background()); err != nil || got != want {
			t.Errorf("%v wait, want %v: %v", got, want, err)
		}
		if got := LastBacklog(l.cfg.State); got != want {
			t.Errorf("%v are said to wait, want %v", got, want)
		}
	}
	l.cfg.Begin = begin
	l.run()
	if diff := cmp.Diff(whole.paths("sessions"), l.paths("sessions")); diff != "" {
		t.Errorf("sessions (-never stopped +stopped):\n%s", diff)
	}
}

var errStopped = errors.New("stopped")

// What is older than --since waits, and MEMORY.md says so until it is done.
func TestSince(t *testing.T) {
	l := newLab(t)
	l.add(talks(20)...)
	l.cfg.Since = time.Date(2025, 1, 16, 0, 0, 0, 0, time.UTC)
	l.run()
	if n := len(l.paths("sessions")); n != 5 {
		t.Errorf("%d sessions, want 5", n)
	}
	if boot := l.read("MEMORY.md"); !strings.Contains(boot, "15 conversations up to 2025-01-15 wait to be distilled") {
		t.Errorf("MEMORY.md says nothing of the backlog:\n%s", boot)
	}
	l.cfg.Since = time.Time{}
	l.run()
	if boot := l.read("MEMORY.md"); strings.Contains(boot, "wait to be") || len(l.paths("sessions")) != 20 {
		t.Errorf("%d sessions, and MEMORY.md says\n%s", len(l.paths("sessions")), boot)
	}
}
