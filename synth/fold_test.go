package synth

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// byKind is a priority like that of a vault in which nobody asked for anything.
func byKind(c vault.Claim, _ time.Time) float64 {
	if c.Kind == "event" {
		return 0.12
	}
	return 0.27
}

// things and places make events that have no word in common but the verb.
var (
	things = strings.Fields("anvils baskets candles drums easels flutes goblets hammers irons jackets kettles lanterns mirrors needles ovens puzzles quilts ropes saddles teapots umbrellas violins wagons xylophones yokes zithers bells")
	places = strings.Fields("Amsterdam Bergen Cadiz Dresden Evora Florence Ghent Helsinki Izmir Jena Krakow Lisbon Malaga Naples Oslo Porto Quito Riga Seville Turin Utrecht Vienna Warsaw Xanten York Zagreb Basel")
)

// oldBakery is a vault with a ledger that is full of events of long ago.
func oldBakery(t *testing.T) *lab {
	l := newLab(t)
	l.cfg.Priority = byKind
	for i, day := range []string{"2024-01-12", "2024-01-20", "2024-02-02"} {
		l.add(said(fmt.Sprintf("f%d", i), "Sourdough "+day, day+"T08:00:00Z", bakerySaid(i)...))
	}
	l.add(said("new", "Sourdough now", "2025-06-01T08:00:00Z", "I've decided to bake the sourdough on Mondays in 2025.", "How long does sourdough rest?"))
	return l
}

// bakerySaid is what was said in the i-th conversation of oldBakery.
func bakerySaid(i int) []string {
	var turns []string
	for j := range 9 {
		turns = append(turns, fmt.Sprintf("I sold %d %s to %s.", 11+9*i+j, things[9*i+j], places[9*i+j]))
	}
	return append(turns, "How long does the sourdough rest?", "Does the sourdough travel?", "Who likes the sourdough?")
}

func factsOf(t *testing.T, l *lab) map[string]vault.Claim {
	out := map[string]vault.Claim{}
	for _, p := range l.paths("facts") {
		for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
			out[c.ID] = c
		}
	}
	return out
}

func TestFold(t *testing.T) {
	l := oldBakery(t)
	l.cfg.Priority = nil
	l.run()
	before := factsOf(t, l)
	sessions := map[vault.Path]string{}
	for _, p := range l.paths("sessions") {
		sessions[p] = l.read(p)
	}
	l.cfg.Priority = byKind
	var rep Report
	for _, r := range l.run() {
		if r.Pass == "fold" {
			rep = r
		}
	}
	if !strings.HasPrefix(rep.Subject, "fold: ") || rep.Commit == "" {
		t.Fatalf("folding is no commit: %+v", rep)
	}
	after, folded, inForce := factsOf(t, l), 0, 0
	for id, c := range before {
		now, ok := after[id]
		if !ok {
			t.Fatalf("%s is gone", id)
		}
		if now.InForce() {
			inForce++
			continue
		}
		folded++
		if now.Status != "outdated" || now.Kind != "event" || len(now.Rel) != 1 {
			t.Errorf("%s is %+v", id, now)
		}
		if d := cmp.Diff(c.From, now.From); d != "" {
			t.Errorf("%s has other evidence: %s", id, d)
		}
		into := vault.Parse("x.md", []byte(now.Rel[0])).Links()
		if len(into) != 1 || !strings.Contains(l.read(vault.Path(into[0].Target+".md")), c.Text) {
			t.Errorf("%s: the summary %v does not hold %q", id, into, c.Text)
		}
	}
	if folded == 0 || inForce < keptClaims {
		t.Errorf("%d folded and %d in force of %d", folded, inForce, len(before))
	}
	for p, was := range sessions {
		for line := range strings.Lines(was) {
			if strings.HasPrefix(line, "- ") && !strings.Contains(l.read(p), line) {
				t.Errorf("%s lost the line %s", p, line)
			}
		}
	}
	checkLaws(t, l)
	commits := l.commits()
	l.run()
	if l.commits() != commits {
		t.Error("a second run folds again")
	}
}

// A summary that is made anew keeps the lines that were folded into it, and so do the
// person's edits of it.
func TestFoldedLinesStay(t *testing.T) {
	l := oldBakery(t)
	l.run()
	var c vault.Claim
	for _, f := range factsOf(t, l) {
		if !f.InForce() && (c.ID == "" || f.ID < c.ID) {
			c = f
		}
	}
	if c.ID == "" {
		t.Fatal("nothing was folded")
	}
	into := vault.Path(vault.Parse("x.md", []byte(c.Rel[0])).Links()[0].Target + ".md")
	l.edit(into, func(page string) string { return strings.Replace(page, "\ntags:", "\nmood: calm\ntags:", 1) })
	day := vault.Parse(into, []byte(l.read(into))).Prop("start")[:10]
	var whole chat
	for i, d := range []string{"2024-01-12", "2024-01-20", "2024-02-02"} {
		if d == day {
			whole = said(fmt.Sprintf("f%d", i), "Sourdough "+d, d+"T08:00:00Z", bakerySaid(i)...)
		}
	}
	whole.turns = append(whole.turns, said("", "", day+"T18:00:00Z", "I've decided to sell the oven in Graz for 900 euros in 2025.", "I moved the bakery to Linz in May 2025.").turns...)
	before := l.read(into)
	l.add(whole)
	l.run()
	after := l.read(into)
	if after == before || !strings.Contains(after, "2024") {
		t.Fatalf("the summary was not made anew:\n%s", after)
	}
	if !strings.Contains(after, "mood: calm") {
		t.Errorf("the person's edit is gone:\n%s", after)
	}
	for _, c := range factsOf(t, l) {
		if !c.InForce() && strings.Contains(c.Rel[0], into.Stem()) && !strings.Contains(after, c.Text) {
			t.Errorf("the folded line %q is gone:\n%s", c.Text, after)
		}
	}
	checkLaws(t, l)
	quiet(t, l)
}

// What was folded and is said again is in force again; what the person took back
// stays taken back.
func TestFoldTakenBack(t *testing.T) {
	l := oldBakery(t)
	l.run()
	var out []vault.Claim
	for _, c := range factsOf(t, l) {
		if !c.InForce() {
			out = append(out, c)
		}
	}
	if len(out) < 2 {
		t.Fatalf("%d folded", len(out))
	}
	slices.SortFunc(out, func(a, b vault.Claim) int { return strings.Compare(a.ID, b.ID) })
	again, back := out[0], out[1]
	l.add(said("again", "Sourdough again", "2025-06-05T08:00:00Z", "Hello! "+again.From[0].Quote, "How long does sourdough rest in a warm kitchen? I prefer it long."))
	for _, p := range l.paths("facts") {
		if !strings.Contains(l.read(p), "^"+back.ID) {
			continue
		}
		l.edit(p, func(page string) string {
			lines := strings.SplitAfter(page, "\n")
			for i, line := range lines {
				if strings.Contains(line, "^"+back.ID) {
					was := back
					was.Status, was.Until, was.Rel = "", "", nil
					lines[i] = was.Format() + "\n"
				}
			}
			return strings.Join(lines, "")
		})
	}
	l.run()
	for _, id := range []string{again.ID, back.ID} {
		if c := factsOf(t, l)[id]; !c.InForce() {
			t.Errorf("%s is not in force: %+v", id, c)
		}
	}
}

func TestStaleSchemaIsProposed(t *testing.T) {
	l := newLab(t)
	l.cfg.Priority = func(vault.Claim, time.Time) float64 { return 0.27 }
	l.add(said("s1", "Sourdough", "2023-01-12T08:00:00Z", "I never answer calls on Sundays.", "I want to open a sourdough bakery in 2024. How long does it rest?"))
	l.run()
	const ledger = "---\nid: sc-policies\ntype: schema\ntitle: Policies\n---\n\n" +
		"- Never answers calls on Sundays. (kind:: policy) (status:: confirmed) (seen:: 2023-01-12) (from:: [[transcripts/chatgpt/2023/2023-01-12-sourdough#^t0001|\"I never answer calls on Sundays\"]]) ^s-aaaaaa\n" +
		"- Works alone. (kind:: policy) (status:: confirmed) (pin:: user) (seen:: 2023-01-12) (from:: [[transcripts/chatgpt/2023/2023-01-12-sourdough#^t0001|\"I never answer calls on Sundays\"]]) ^s-bbbbbb\n"
	p := vault.Path("schema/policies.md")
	if err := l.v.Write(p, vault.NoFile, []byte(ledger)); err != nil {
		t.Fatal(err)
	}
	l.add(said("s2", "Oven", "2025-01-12T08:00:00Z", "I've decided to buy the new oven from Graz in January 2025.", "How long does an oven from Graz last, and what does it need?"))
	l.run()
	if got := l.read(p); got != ledger {
		t.Errorf("the schema changed without being asked:\n%s", got)
	}
	open, err := Proposals(t.Context(), NewView(l.v))
	if err != nil || len(open) != 1 || !strings.HasPrefix(open[0].Title, "Outdated: Never answers calls") {
		t.Fatalf("proposals: %+v, %v", open, err)
	}
	r := NewRunner(l.v, l.cfg)
	if _, err := r.Decide(t.Context(), Decision{ID: open[0].ID, Accept: true}); err != nil {
		t.Fatal(err)
	}
	if c, _ := vault.Parse(p, []byte(l.read(p))).Claim("s-aaaaaa"); c.InForce() {
		t.Errorf("accepted, and still in force: %+v", c)
	}
}
