package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/synth/dedup"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// alike says that texts which share a word with a hyphen in it are as alike as it
// was told, and all others not at all.
type alike float64

func (a alike) Similar(_ context.Context, text string, others []string) ([]float64, error) {
	out := make([]float64, len(others))
	for i, o := range others {
		for w := range strings.FieldsSeq(text) {
			if strings.Contains(w, "-") && len(w) > 3 && strings.Contains(o, w) {
				out[i] = float64(a)
			}
		}
	}
	return out, nil
}

// nearLab is a vault with one session about sourdough, a day ago.
func nearLab(t *testing.T, near dedup.Embedder) *lab {
	l := newLab(t)
	l.cfg.Near = near
	l.add(said("n1", "Sourdough starter", "2025-08-10T07:30:00Z",
		"I've decided to feed the rye-starter with 50 grams of flour on Mondays.", "I bought a proofing basket for 18 euros in Graz for the rye-starter."))
	l.run()
	return l
}

const oldSession = vault.Path("sessions/2025/2025-08-10-sourdough-starter.md")

// again says the same as nearLab, and something more.
func again(more ...string) chat {
	return said("n2", "Starter again", "2025-08-20T07:30:00Z", append([]string{
		"I've decided to feed the rye-starter with 50 grams of flour on Mondays.", "I bought a proofing basket for 18 euros in Graz for the rye-starter."}, more...)...)
}

func TestDuplicateIsDropped(t *testing.T) {
	l := nearLab(t, alike(0.95))
	l.add(again())
	before := l.commits()
	reports := l.run()
	if got := l.paths("sessions"); len(got) != 1 {
		t.Fatalf("sessions: %v\n%s", got, written(reports))
	}
	page := vault.Parse(oldSession, []byte(l.read(oldSession)))
	if got := page.MergedFrom(); len(got) != 1 || got[0].Target != "transcripts/chatgpt/2025/2025-08-20-starter-again" || page.Prop("merged_at") != "" {
		t.Errorf("merged_from %v, merged_at %q", got, page.Prop("merged_at"))
	}
	all, err := l.repo.Log(t.Context(), history.LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range all[:len(all)-before] {
		found = found || strings.Contains(c.Subject, "1 known already")
	}
	if !found {
		t.Errorf("no commit says so: %v", all[0].Subject)
	}
	checkLaws(t, l)
	quiet(t, l)
}

func TestOverlapIsMerged(t *testing.T) {
	l := nearLab(t, alike(0.95))
	l.add(again("I've decided to sell the rye-starter at the market in October 2025."))
	reports := l.run()
	if got := l.paths("sessions"); len(got) != 1 {
		t.Fatalf("sessions: %v\n%s", got, written(reports))
	}
	page := l.read(oldSession)
	n := vault.Parse(oldSession, []byte(page))
	if !strings.Contains(page, "at the market") || strings.Count(page, "proofing basket") != 1 || n.Prop("merged_at") != "2025-09-01T08:00:00Z" {
		t.Errorf("the summary is\n%s", page)
	}
	if !strings.Contains(page, "2025-08-20-starter-again#^t") {
		t.Errorf("what was merged is not cited:\n%s", page)
	}
	facts := string(archive(l.pages()))
	if !strings.Contains(facts, "sell the rye-starter") {
		t.Errorf("nothing was learned of the merged conversation:\n%s", facts)
	}
	checkLaws(t, l)
	quiet(t, l)

	// A third one comes within a day: no chain of merges wears the summary down.
	l.add(said("n3", "Starter once more", "2025-08-30T07:30:00Z", "I've decided to feed the rye-starter with 50 grams of flour on Mondays.",
		"I've decided to dry half of the rye-starter in September 2025 for my cousin."))
	l.run()
	if got := l.paths("sessions"); len(got) != 2 {
		t.Errorf("a summary that was merged a moment ago was merged again: %v", got)
	}

	// The session's own chat goes on: what was merged stays.
	c := said("n1", "Sourdough starter", "2025-08-10T07:30:00Z",
		"I've decided to feed the rye-starter with 50 grams of flour on Mondays.", "I bought a proofing basket for 18 euros in Graz for the rye-starter.")
	c.turns = append(c.turns, said("n1", "", "2025-08-31T07:30:00Z", "I've decided to bake two loaves for the street festival on 6 September 2025.").turns...)
	l.add(c)
	l.run()
	if page := l.read(oldSession); !strings.Contains(page, "street festival") || !strings.Contains(page, "at the market") || !strings.Contains(page, "merged_from") {
		t.Errorf("the page was made anew without what was merged:\n%s", page)
	}
	checkLaws(t, l)
	quiet(t, l)
}

// A conversation that was merged and goes on is looked at again.
func TestMergedConversationGrows(t *testing.T) {
	l := nearLab(t, alike(0.95))
	l.add(again())
	l.run()
	c := again()
	c.turns = append(c.turns, said("n2", "", "2025-08-21T07:30:00Z", "I've decided to sell the rye-starter at the market in October 2025.").turns...)
	l.add(c)
	l.run()
	page := l.read(oldSession)
	if !strings.Contains(page, "at the market") || strings.Count(page, "starter-again|") != 1 || !strings.Contains(page, "|2025-08-21T") {
		t.Errorf("%s", page)
	}
	quiet(t, l)
}

// A summary that the person edited is theirs: nothing is merged into its text.
func TestEditedSummaryIsNotMergedInto(t *testing.T) {
	l := nearLab(t, alike(0.95))
	l.edit(oldSession, func(s string) string { return strings.Replace(s, "- ", "- Note: ", 1) })
	l.add(again("I've decided to sell the rye-starter at the market in October 2025."))
	l.run()
	if got := l.paths("sessions"); len(got) != 2 || strings.Contains(l.read(oldSession), "market") {
		t.Errorf("sessions: %v\n%s", got, l.read(oldSession))
	}
}

type judge struct {
	v   dedup.Verdict
	err error
	n   *int
}

func (j judge) Judge(context.Context, dedup.Summary, dedup.Summary) (dedup.Verdict, error) {
	*j.n++
	return j.v, j.err
}

// A judge that does not answer leaves memory as it was, and the work for later.
func TestJudgeFails(t *testing.T) {
	l := nearLab(t, alike(0.85))
	asked := 0
	l.cfg.Judge = judge{err: errors.New("no answer"), n: &asked}
	before := l.read(oldSession)
	l.add(again("I've decided to sell the rye-starter at the market in October 2025."))
	reports := l.run()
	if asked != 1 || l.read(oldSession) != before || len(l.paths("sessions")) != 1 || !strings.Contains(written(reports), "no answer") {
		t.Errorf("asked %d times\n%s", asked, written(reports))
	}
	if b, err := NewRunner(l.v, l.cfg).Backlog(t.Context()); b.Conversations != 1 || err != nil {
		t.Errorf("%d wait, %v", b.Conversations, err)
	}
	l.cfg.Judge = judge{v: dedup.Verdict{Action: dedup.KeepBoth}, n: &asked}
	l.run()
	if asked != 2 || len(l.paths("sessions")) != 2 {
		t.Errorf("asked %d times, sessions %v", asked, l.paths("sessions"))
	}
}

type silent struct{}

func (silent) Similar(context.Context, string, []string) ([]float64, error) {
	return nil, errors.New("the model does not answer")
}

// Without an embedder each summary stands by itself, and the report says so.
func TestNotCompared(t *testing.T) {
	l := nearLab(t, silent{})
	l.add(again())
	if reports := l.run(); len(l.paths("sessions")) != 2 || !strings.Contains(written(reports), "were not compared") {
		t.Errorf("%s", written(reports))
	}
}

// The end of a session is one commit, with its transcript, whatever else waits.
func TestRememberIsOneCommit(t *testing.T) {
	l := nearLab(t, alike(0.95))
	l.add(said("w1", "Waiting", "2025-08-12T07:30:00Z", "I've decided to paint the cellar door green before winter comes.", "I prefer matt paint over glossy paint for doors and windows."))
	before := l.commits()
	path, data := again("I've decided to sell the rye-starter at the market in October 2025.").note(l.v.Layout())
	done, err := NewRunner(l.v, l.cfg).Remember(t.Context(), []string{"session.jsonl"}, func(ctx context.Context, change *pass.Pass) (Brought, error) {
		return Brought{}, change.Write(ctx, path, vault.NoFile, data)
	})
	if err != nil || done.Commit == "" {
		t.Fatalf("%+v, %v", done, err)
	}
	if n := l.commits() - before; n != 1 {
		t.Errorf("%d commits", n)
	}
	all, err := l.repo.Log(t.Context(), history.LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Subject != "remember: Starter again" || all[0].Trailers.Pass != "remember" {
		t.Errorf("%q of pass %q", all[0].Subject, all[0].Trailers.Pass)
	}
	if !strings.Contains(l.read(oldSession), "at the market") || len(l.paths("sessions")) != 1 {
		t.Errorf("sessions %v\n%s", l.paths("sessions"), l.read(oldSession))
	}
	checkLaws(t, l)
	l.run() // what waited is distilled now, and nothing of the session again
	if got := l.paths("sessions"); len(got) != 2 {
		t.Errorf("sessions %v", got)
	}
	quiet(t, l)
}

// In the one commit at the end of a session a later pass goes on with what an earlier
// one has just written: the session gets its topic, and one that grew keeps what is new.
func TestRememberGoesOnWithItsOwnPages(t *testing.T) {
	l := newLab(t)
	one := said("r1", "Rye bread", "2025-08-01T07:30:00Z", "I've decided to bake rye bread on Saturdays from now on.", "My rye bread needs 18 hours of rest in the cellar.")
	l.add(one)
	l.run()
	first := l.paths("sessions")[0]
	if strings.Contains(l.read(first), "\ntopic:") {
		t.Fatal("a session that stands alone has a topic")
	}
	other := said("r2", "Rye bread again", "2025-08-03T07:30:00Z", "I've decided to sell the rye bread for 6 euros a loaf.", "My rye bread is sold out by noon on Saturdays.")
	grown := said("r1", "Rye bread", "2025-08-01T07:30:00Z", "I've decided to bake rye bread on Saturdays from now on.", "My rye bread needs 18 hours of rest in the cellar.", "I bought a stone mill for the rye bread in Graz.")
	done, err := NewRunner(l.v, l.cfg).Remember(t.Context(), nil, func(ctx context.Context, change *pass.Pass) (Brought, error) {
		for _, c := range []chat{other, grown} {
			path, data := c.note(l.v.Layout())
			old := vault.NoFile
			if raw, err := l.v.Read(path); err == nil {
				old = vault.HashOf(raw)
			}
			if err := change.Write(ctx, path, old, data); err != nil {
				return Brought{}, err
			}
		}
		return Brought{}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range done.Passes {
		if len(r.Skipped) > 0 {
			t.Errorf("%s skipped %+v", r.Pass, r.Skipped)
		}
	}
	for _, p := range l.paths("sessions") {
		if !strings.Contains(l.read(p), "\ntopic: ") {
			t.Errorf("%s has no topic:\n%s", p, l.read(p))
		}
	}
	if text := l.read(first); !strings.Contains(text, "stone mill") {
		t.Errorf("what is new went:\n%s", text)
	}
	checkLaws(t, l)
	quiet(t, l)
}

// What cannot be distilled is committed as it was said.
func TestRememberKeepsWhatItCannotDistil(t *testing.T) {
	l := nearLab(t, alike(0.85))
	asked := 0
	l.cfg.Judge = judge{err: fmt.Errorf("no answer"), n: &asked}
	path, data := again("I've decided to sell the rye-starter at the market in October 2025.").note(l.v.Layout())
	done, err := NewRunner(l.v, l.cfg).Remember(t.Context(), nil, func(ctx context.Context, change *pass.Pass) (Brought, error) {
		return Brought{}, change.Write(ctx, path, vault.NoFile, data)
	})
	if err != nil || done.Commit == "" || !l.v.Exists(path) || len(l.paths("sessions")) != 1 {
		t.Errorf("%+v, %v", done, err)
	}
	if b, _ := NewRunner(l.v, l.cfg).Backlog(t.Context()); b.Conversations != 1 {
		t.Errorf("%d wait", b.Conversations)
	}
}

// quiet fails where a further run makes a commit.
func quiet(t *testing.T, l *lab) {
	t.Helper()
	before := l.commits()
	reports := l.run()
	if n := l.commits() - before; n != 0 {
		t.Errorf("a second run made %d commits:\n%s", n, written(reports))
	}
}

// Which of two near-duplicates is kept, and what it says, does not depend on which
// was imported first.
func TestImportOrderDoesNotDecide(t *testing.T) {
	first := said("n1", "Sourdough starter", "2025-08-10T07:30:00Z",
		"I've decided to feed the rye-starter with 50 grams of flour on Mondays.", "I bought a proofing basket for 18 euros in Graz for the rye-starter.")
	for name, second := range map[string]chat{
		"says the same": again(),
		"says more":     again("I've decided to sell the rye-starter at the market in October 2025."),
	} {
		var want string
		for i, order := range [][]chat{{first, second}, {second, first}, nil} {
			l := newLab(t)
			l.cfg.Near = alike(0.95)
			if order == nil { // both at once
				l.add(second, first)
				l.run()
			}
			for _, c := range order {
				l.add(c)
				l.run()
			}
			if got := l.paths("sessions"); len(got) != 1 || got[0] != oldSession {
				t.Errorf("%s, order %d: %v", name, i, got)
				continue
			}
			n := vault.Parse(oldSession, []byte(l.read(oldSession)))
			got := fmt.Sprint(n.ID(), n.MergedFrom(), n.Prop("merged_at"), bodyOf(n))
			if want = cmp.Or(want, got); got != want {
				t.Errorf("%s, order %d:\n%s\n--- and before\n%s", name, i, got, want)
			}
			checkLaws(t, l)
			quiet(t, l)
		}
	}
}

// A run that dies after it wrote the page that is kept, and before it took the other
// away, leaves two: the next takes the other away.
func TestDiesBetweenKeptAndReplaced(t *testing.T) {
	l := newLab(t)
	l.cfg.Near = alike(0.95)
	l.add(again())
	l.run()
	later := l.paths("sessions")[0]
	l.add(said("n1", "Sourdough starter", "2025-08-10T07:30:00Z",
		"I've decided to feed the rye-starter with 50 grams of flour on Mondays.", "I bought a proofing basket for 18 euros in Graz for the rye-starter."))
	sound, begin := l.v, l.cfg.Begin
	dies, err := vault.Open(l.dir, vault.Config{Fault: func(s vault.Step, p vault.Path) error {
		if s == vault.StepRemove && p == later {
			return errors.New("killed")
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer dies.Close()
	l.v = dies
	l.cfg.Begin = func(name string, sources []string) (*pass.Pass, error) {
		return pass.Begin(dies, l.repo, l.state, l.now, history.Trailers{Run: "run", Pass: name, Sources: sources})
	}
	if _, err := NewRunner(dies, l.cfg).Run(t.Context()); err == nil {
		t.Fatal("it did not die")
	}
	if got := l.paths("sessions"); len(got) != 2 {
		t.Fatalf("%v", got)
	}
	l.v, l.cfg.Begin = sound, begin
	if _, err := pass.Recover(t.Context(), sound, l.repo, l.state, l.now()); err != nil {
		t.Fatal(err)
	}
	l.run()
	if got := l.paths("sessions"); len(got) != 1 || got[0] != oldSession {
		t.Errorf("%v", got)
	}
	checkLaws(t, l)
	quiet(t, l)
}

// The page of the later session goes into the earlier one only where it is
// memsync's alone: one that the person edited or links to stays.
func TestReplacedPageIsNobodys(t *testing.T) {
	for _, how := range []string{"edited", "linked"} {
		l := newLab(t)
		l.cfg.Near = alike(0.95)
		l.add(again())
		l.run()
		later := l.paths("sessions")[0]
		if how == "edited" {
			l.edit(later, func(s string) string { return strings.Replace(s, "- ", "- Note: ", 1) })
		} else if err := l.v.Write("mine/bread.md", vault.NoFile, []byte("See [["+string(later.Stem())+"]].\n")); err != nil {
			t.Fatal(err)
		}
		l.add(said("n1", "Sourdough starter", "2025-08-10T07:30:00Z",
			"I've decided to feed the rye-starter with 50 grams of flour on Mondays.", "I bought a proofing basket for 18 euros in Graz for the rye-starter."))
		l.run()
		if got := l.paths("sessions"); len(got) != 2 {
			t.Errorf("%s: %v", how, got)
		}
		quiet(t, l)
	}
}

// Chats in which nobody is known to be the person are compared without their
// headings and names, only among the same people, and every line that is merged
// cites its chat.
func TestChatsOfNobodyKnown(t *testing.T) {
	talk := func(id, start string, lines ...string) chat {
		at, err := vault.ParseStamp(start)
		if err != nil {
			t.Fatal(err)
		}
		c := chat{source: "whatsapp", id: id, title: "Chat " + id}
		for i, line := range lines {
			when := at
			when.Time = at.Time.Add(time.Duration(i) * time.Minute)
			who, text, _ := strings.Cut(line, ": ")
			c.turns = append(c.turns, vault.Turn{Sender: who, Time: when, Text: text})
		}
		return c
	}
	rudder := []string{"Mira: I've decided to repair the rudder of the ketch before October 2025.", "Joao: I prefer oak over teak for the rudder of a ketch."}
	l := newLab(t)
	l.cfg.Near = everything(0.95)
	l.add(talk("a", "2025-08-10T07:30:00Z", rudder...))
	l.run()
	l.add(
		talk("b", "2025-08-12T07:30:00Z", "Joao: I prefer tutors over evening classes for algebra.", "Mira: I've decided to sit the algebra exam in November 2025."),
		talk("c", "2025-08-14T07:30:00Z", "Nora: I've decided to repair the rudder of the ketch before October 2025.", "Tom: I prefer oak over teak for the rudder of a ketch."),
		talk("d", "2025-08-16T07:30:00Z", append(rudder, "Mira: I've decided to varnish the mast in spring 2026.")...),
	)
	reports := l.run()
	if got := l.paths("sessions"); len(got) != 3 || len(l.paths("review")) > 0 {
		t.Errorf("sessions %v, review %v\n%s", got, l.paths("review"), written(reports))
	}
	page := l.read(l.paths("sessions")[0])
	if !strings.Contains(page, "varnish the mast") || strings.Count(page, "messages") != 1 {
		t.Errorf("%s", page)
	}
	checkLaws(t, l)
	quiet(t, l)
}

// everything is as alike as it says.
type everything float64

func (e everything) Similar(_ context.Context, _ string, others []string) ([]float64, error) {
	out := make([]float64, len(others))
	for i := range out {
		out[i] = float64(e)
	}
	return out, nil
}
