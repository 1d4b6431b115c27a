package synth

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/batch"
	"github.com/memsync/memsync/synth/llm/passes"
)

// A post is a provider's batch interface in memory. It answers well, after as many
// looks as it is told, and loses or spoils items as it is told.
type post struct {
	batches map[string][]batch.Item
	tags    map[string]string
	sizes   []int
	looks   int // before a batch has ended
	refuse  error
	spoil   func(n int, item batch.Item) (text string, err error) // of the nth batch
}

func newPost() *post { return &post{batches: map[string][]batch.Item{}, tags: map[string]string{}} }

func (p *post) Name() string { return "good-1" }

func (p *post) Submit(_ context.Context, tag string, items []batch.Item) (string, error) {
	if p.refuse != nil {
		return "", p.refuse
	}
	id := fmt.Sprintf("b%d", len(p.batches)+1)
	p.batches[id], p.tags[tag] = items, id
	p.sizes = append(p.sizes, len(items))
	return id, nil
}

func (p *post) Find(_ context.Context, tag string, _ time.Time, _ int, _ []string) (string, error) {
	return p.tags[tag], nil
}

func (p *post) State(context.Context, string) (batch.State, error) {
	if p.looks > 0 {
		p.looks--
		return batch.Running, nil
	}
	return batch.Ended, nil
}

func (p *post) Results(_ context.Context, id string, yield func(batch.Result)) error {
	n := slices.Index([]string{"b1", "b2", "b3", "b4", "b5", "b6"}, id) + 1
	for _, it := range p.batches[id] {
		text, err := goodAnswer(it.Request)
		if p.spoil != nil {
			if other, otherErr := p.spoil(n, it); other != "" || otherErr != nil {
				text, err = other, otherErr
			}
		}
		if errors.Is(err, errLost) {
			continue
		}
		yield(batch.Result{ID: it.ID, Reply: llm.Reply{Text: text, Usage: llm.Usage{In: 1000, Out: 100}}, Err: err})
	}
	return nil
}

var errLost = errors.New("lost")

// bulkLab is a vault with thirty chats that a batch is to sum up, and a model that
// is asked for all else.
func bulkLab(t *testing.T, p *post) (*lab, *scripted) {
	l := newLab(t)
	var chats []chat
	for i := range 30 {
		chats = append(chats, said(fmt.Sprintf("g%d", i), fmt.Sprintf("Garden %d", i), fmt.Sprintf("2025-%02d-%02dT10:00:00Z", 1+i/10, 1+i%10),
			fmt.Sprintf("I've decided to plant %d apple trees behind the shed of lot %d.", i+2, i*7), "I prefer old sorts of apples over the ones in the supermarket."))
	}
	l.add(chats...)
	m := good()
	l.cfg.Writer = writer(m)
	l.cfg.Bulk = &Bulk{Service: p, Config: batch.Config{
		StateFile: filepath.Join(l.state, "batch.json"), Now: l.now, Wait: func(ctx context.Context, _ time.Duration) error { return ctx.Err() },
	}}
	return l, m
}

// One request goes first, then the rest, and the sessions are as if they had been
// asked for one by one.
func TestBulkSummaries(t *testing.T) {
	p := newPost()
	l, m := bulkLab(t, p)
	for _, r := range l.run("summaries") {
		if r.Model == nil || r.Model.Waits > 0 || len(r.Skipped) > 0 {
			t.Errorf("%+v", r)
		}
	}
	if diff := cmp.Diff([]int{1, 29}, p.sizes); diff != "" || m.count("session") != 0 {
		t.Errorf("batches of %v, and %d asked for singly", p.sizes, m.count("session"))
	}
	if got := l.paths("sessions"); len(got) != 30 || !strings.Contains(l.read(got[0]), "model: good-1 session/1") {
		t.Errorf("%d sessions:\n%s", len(got), l.read(got[0]))
	}
	if batch.Pending(l.cfg.Bulk.Config.StateFile) {
		t.Error("the state of the batch is still there")
	}
	n := l.commits()
	l.run("summaries")
	if len(p.sizes) != 2 || l.commits() != n {
		t.Errorf("a second run sent %v and made %d commits", p.sizes, l.commits()-n)
	}
}

// What comes back late, spoiled or not at all is sent again; in the end the rules
// write what could not be used, and what was lost waits.
func TestBulkFailures(t *testing.T) {
	p := newPost()
	p.spoil = func(n int, it batch.Item) (string, error) {
		text := it.Request.Messages[0].Text
		switch {
		case strings.Contains(text, "Garden 3\n"):
			return "I'm sorry, I can't help with that.", nil // each time
		case strings.Contains(text, "Garden 4\n"):
			return "", errLost // each time
		case strings.Contains(text, "Garden 5\n") && n == 2:
			return `{"items":[`, nil
		case strings.Contains(text, "Garden 6\n") && n == 2:
			return "", batch.ErrExpired
		}
		return "", nil
	}
	l, _ := bulkLab(t, p)
	reports := l.run("summaries")
	if diff := cmp.Diff([]int{1, 29, 4, 2}, p.sizes); diff != "" {
		t.Errorf("batches:\n%s", diff)
	}
	u := reports[0].Model
	if len(l.paths("sessions")) != 29 || u == nil || u.Wrote != 28 || u.Rules != 1 || u.Waits != 1 {
		t.Errorf("%d sessions, %+v", len(l.paths("sessions")), u)
	}
	if page := l.read("sessions/2025/2025-01-04-garden-3.md"); strings.Contains(page, "model:") || strings.Contains(page, "sorry") {
		t.Errorf("what could not be used:\n%s", page)
	}
	p.spoil = nil
	l.run("summaries")
	if len(l.paths("sessions")) != 30 {
		t.Errorf("%d sessions after the next run", len(l.paths("sessions")))
	}
}

// A run that does not wait, or is stopped, leaves everything queued, and a later one
// finds the batch by its state and sends nothing twice.
func TestBulkGoesOn(t *testing.T) {
	p := newPost()
	l, m := bulkLab(t, p)
	minute := 0
	l.cfg.Bulk.Config.Now = func() time.Time { minute++; return l.now().Add(time.Duration(minute) * time.Minute) }
	l.cfg.Bulk.Config.Stay = 2 * time.Minute
	p.looks = 6
	before := l.commits()
	runs := 0
	for ; len(l.paths("sessions")) == 0 && runs < 10; runs++ {
		if waits := waitsIn(l.run("summaries")); waits != 30 && len(l.paths("sessions")) == 0 {
			t.Errorf("run %d: %d wait", runs, waits)
		}
		if runs == 0 && l.commits() != before {
			t.Error("a run that waits made a commit")
		}
	}
	if diff := cmp.Diff([]int{1, 29}, p.sizes); diff != "" || runs < 3 || m.count("session") > 0 {
		t.Errorf("after %d runs batches of %v and %d single calls", runs, p.sizes, m.count("session"))
	}

	p = newPost()
	l, _ = bulkLab(t, p)
	ctx, stop := context.WithCancel(t.Context())
	p.looks = 3
	l.cfg.Bulk.Config.Wait = func(ctx context.Context, _ time.Duration) error {
		if len(p.sizes) == 2 {
			stop()
		}
		p.looks = 1 - min(1, p.looks) // each batch is looked at twice
		return ctx.Err()
	}
	if _, err := NewRunner(l.v, l.cfg).Run(ctx, "summaries"); err != nil && !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	p.looks = 0
	l.run("summaries")
	if diff := cmp.Diff([]int{1, 29}, p.sizes); diff != "" || len(l.paths("sessions")) != 30 {
		t.Errorf("after a stop batches of %v and %d sessions", p.sizes, len(l.paths("sessions")))
	}
}

// A first reply that does not pass stops the batch before the rest is paid for; a
// server without batches is asked one by one.
func TestBulkThatDoesNotGo(t *testing.T) {
	p := newPost()
	p.spoil = func(int, batch.Item) (string, error) { return "I'm sorry, I can't help with that.", nil }
	l, _ := bulkLab(t, p)
	before := l.commits()
	reports := l.run("summaries")
	if diff := cmp.Diff([]int{1, 1, 1}, p.sizes); diff != "" || waitsIn(reports) != 30 || l.commits() != before {
		t.Errorf("batches of %v, %d wait", p.sizes, waitsIn(reports))
	}

	p = newPost()
	p.refuse = &llm.StatusError{Code: 404, Text: "no such path"}
	l, m := bulkLab(t, p)
	l.run("summaries")
	if m.count("session") != 30 || len(l.paths("sessions")) != 30 {
		t.Errorf("asked %d times for %d sessions", m.count("session"), len(l.paths("sessions")))
	}
}

// A dry run counts every call and sends none, in batches and one by one.
func TestDryRunCounts(t *testing.T) {
	for _, bulk := range []bool{false, true} {
		p := newPost()
		l, _ := bulkLab(t, p)
		if !bulk {
			l.cfg.Bulk = nil
		}
		counter := llm.NewCounter("gpt-4o-mini")
		l.cfg.Writer, l.cfg.DryRun = &passes.Writer{Model: counter}, true
		before := l.pages()
		l.run()
		if d := cmp.Diff(before, l.pages()); d != "" || len(p.sizes) > 0 {
			t.Errorf("a dry run sent %v and wrote\n%s", p.sizes, d)
		}
		got := map[string]llm.Estimate{}
		for _, e := range counter.Estimates() {
			got[e.Pass] = e
		}
		if got["session"].Requests != 30 || got["operations"].Requests != 30 || got["topic"].Requests == 0 || got["user"].Requests == 0 {
			t.Errorf("counted %+v", got)
		}
		whole := llm.Price{In: 0.15, Out: 0.6}.Cost(got["session"].Tokens)
		if half := got["session"].Cost < whole*0.6; half != bulk || got["session"].Cost == 0 {
			t.Errorf("in bulk %v, the sessions cost %v of %v", bulk, got["session"].Cost, whole)
		}
	}
}
