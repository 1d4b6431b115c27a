package synth

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/pass"
)

// tiers are the depths of a lab's sessions, by the first words of their titles.
func (l *lab) tiers() map[string]string {
	l.t.Helper()
	out := map[string]string{}
	for _, p := range l.paths("sessions") {
		n := vault.Parse(p, []byte(l.read(p)))
		tier := n.Prop("tier")
		if tier == "" {
			tier = string(salience.Deep)
		}
		out[n.Prop("conversation")] = tier
	}
	return out
}

// much is a lab in which 40 chats wait, more than go deep without being weighed.
func much(t *testing.T) *lab {
	l := newLab(t)
	l.cfg.Window, l.cfg.Shares = 7, salience.Shares{Whole: 10, Deep: 0.25, Brief: 0.25}
	l.add(talks(40)...)
	return l
}

// A run that is killed within a window, when the plan and some of the sessions are
// written, is followed by one that ends where one ends that nobody disturbed; also
// when a conversation has come in between.
func TestAKilledWindowGoesOn(t *testing.T) {
	for _, between := range []bool{false, true} {
		t.Run(fmt.Sprintf("one more in between %v", between), func(t *testing.T) {
			whole := much(t)
			whole.run()
			l := much(t)
			begin := l.cfg.Begin
			for i := range 3 {
				n := 0
				l.cfg.Begin = func(name string, sources []string) (*pass.Pass, error) {
					if n++; name == "summaries" && n > 1 {
						return nil, errStopped
					}
					return begin(name, sources)
				}
				if _, err := NewRunner(l.v, l.cfg).Run(context.Background()); !errors.Is(err, errStopped) {
					t.Fatalf("run %d: %v", i, err)
				}
				if p := readPlan(l.cfg.State, l.cfg.Shares); p.Waiting == 0 || len(p.Depths) != 7 {
					t.Errorf("after run %d %d conversations of %d have a depth, want those of one window", i, len(p.Depths), p.Waiting)
				}
			}
			l.cfg.Begin = begin
			if between {
				l.add(said("new", "Kiln", "2025-03-20T10:00:00Z", "I have decided to buy a kiln. My goal is to fire forty bowls a week from now on."))
			}
			l.run()
			got := l.tiers()
			if between && got["new"] == "" {
				t.Error("the conversation that came in between has no session")
			}
			delete(got, "new")
			if diff := cmp.Diff(whole.tiers(), got); diff != "" && !between {
				t.Errorf("tiers (-never stopped +stopped):\n%s", diff)
			}
			if _, err := os.Stat(filepath.Join(l.cfg.State, planFile)); !os.IsNotExist(err) {
				t.Errorf("the plan outlives its backlog: %v", err)
			}
		})
	}
}

// While the model is down the backlog keeps its depths, and one conversation that comes
// in afterwards is not measured as if it came with all of them. What then is done
// is done in windows again.
func TestDepthsWhileTheModelIsDown(t *testing.T) {
	l := much(t)
	l.cfg.Writer = writer(always("", fmt.Errorf("%w: connection refused", llm.ErrDown)))
	l.run()
	held := len(readPlan(l.cfg.State, l.cfg.Shares).Depths)
	if n := len(l.paths("sessions")); n != 0 || held <= 10 {
		t.Fatalf("%d sessions, %d conversations with a depth", n, held)
	}
	l.add(said("new", "Kiln", "2025-03-20T10:00:00Z", "I have decided to buy a kiln. My goal is to fire forty bowls a week from now on."))
	l.cfg.Writer = nil
	windows := 0
	for _, rep := range l.run() {
		if rep.Pass != "summaries" {
			continue
		}
		windows++
		if len(rep.Written) > l.cfg.Window {
			t.Errorf("%d sessions in a window of %d", len(rep.Written), l.cfg.Window)
		}
	}
	if got := l.tiers()["new"]; got != string(salience.Deep) || windows < 3 {
		t.Errorf("the conversation that came alone is of tier %q, after %d windows", got, windows)
	}
}

// A plan holds for the conversations as they were and for the shares it was made by.
func TestAPlanThatNoLongerHolds(t *testing.T) {
	dir := t.TempDir()
	shares := salience.Shares{Whole: 10}
	p := readPlan(dir, shares)
	p.Waiting, p.Depths["transcripts/a.md"], p.Depths["transcripts/b.md"] = 40, depth{"1", salience.Stored, 0.2}, depth{"1", salience.Deep, 0.7}
	p.keep()
	waits := []pending{{path: "transcripts/a.md", version: "2"}, {path: "transcripts/b.md", version: "1"}, {path: "transcripts/c.md", version: "1"}}
	begun := func(p *plan) (out []string) {
		for _, w := range p.begun(waits) {
			out = append(out, string(w.path))
		}
		return out
	}
	if got := begun(readPlan(dir, shares)); !slices.Equal(got, []string{"transcripts/b.md"}) {
		t.Errorf("%v have a depth; a has grown, c is new", got)
	}
	if got := begun(readPlan(dir, salience.Shares{Whole: 20})); got != nil {
		t.Errorf("%v have a depth by other shares", got)
	}
	if err := os.WriteFile(filepath.Join(dir, planFile), []byte(strings.Repeat("{", 9)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := begun(readPlan(dir, shares)); got != nil {
		t.Errorf("%v have a depth by a plan that cannot be read", got)
	}
}

// What a dry run thinks of depths it keeps to itself.
func TestADryRunLeavesNoPlan(t *testing.T) {
	l := much(t)
	l.cfg.DryRun = true
	l.run()
	if _, err := os.Stat(filepath.Join(l.cfg.State, planFile)); !os.IsNotExist(err) {
		t.Errorf("a dry run left a plan: %v", err)
	}
}
