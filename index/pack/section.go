package pack

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
)

// A section is filled from its candidates, in their order, up to its cap.
type section struct {
	name, heading string
	cap           int
	most          int // items; 0 is without bound
	each          int // tokens of one item; 0 is the cap
	items         items
	line          func(Item) string
	// chronological sections are filled best first and shown oldest first.
	chronological bool
}

// items are the candidates of a section, the best first. They are made when they
// are asked for: most never are, and those that are made of a note spare reading it.
// At reports false for one that is no longer there.
type items struct {
	n  int
	at func(i int) (Item, bool)
}

func listed(list []Item) items {
	return items{len(list), func(i int) (Item, bool) { return list[i], true }}
}

// all makes every item.
func (l items) all() []Item {
	var out []Item
	for i := range l.n {
		if it, ok := l.at(i); ok {
			out = append(out, it)
		}
	}
	return out
}

// Kinds of claim by what they are for.
var (
	livesBy  = []string{"value", "preference", "policy", "goal"}
	steers   = []string{"policy", "goal", "value", "constraint"}
	goalsOf  = []string{"goal", "policy", "value"}
	blocks   = []string{"constraint", "task", "correction", "decision"}
	outcomes = []string{"event", "decision", "correction"}
	todos    = []string{"task", "goal"}
)

// Numbers of items where an intent says how many.
const (
	recalled    = 5 // episodes of recall: the three to five that fit best
	compared    = 6 // episodes of reflect, half of them from before
	nudgeRules  = 2
	nudgeOthers = 1
)

// plan says which sections an intent has, and what may go into each. Memory's cap
// is shared: a ninth for what is pinned, the rest in halves.
func (f *found) plan(m *Maker, intent Intent, caps Caps) []section {
	large := caps.Episodes > Small().Episodes
	few := func(n int) int {
		if large {
			return 0
		}
		return n
	}
	taken := map[string]bool{}
	pins := f.pick(f.claims.pinned, taken, func(c *live) (float64, bool) { return c.now.Priority, true })
	ninth := caps.Memory / 9
	half := (caps.Memory - ninth) / 2
	pinned := section{name: "pinned", heading: "Pinned", cap: ninth, items: f.itemsOf(m, pins, false), line: claimLine}
	for _, c := range pins {
		taken[c.key] = true
	}
	schema := func(heading string, kinds []string) section {
		s := section{name: "schema", heading: heading, cap: half, line: claimLine}
		s.items = f.itemsOf(m, f.pick(f.ofKinds(kinds), taken, func(c *live) (float64, bool) {
			return f.worth(c), c.Status != "proposed"
		}), false)
		return s
	}
	facts := func(heading string, cap int, trend bool, of []*live, fits func(*live) bool) section {
		s := section{name: "facts", heading: heading, cap: cap, line: claimLine}
		s.items = f.itemsOf(m, f.pick(of, taken, func(c *live) (float64, bool) { return f.worth(c), fits(c) }), trend)
		return s
	}
	episodes := section{name: "episodes", heading: "Episodes", cap: caps.Episodes, each: caps.Episodes / 3, line: episodeLine, items: f.sessions}
	if large {
		episodes.each = 400
	}

	out := []section{{name: "profile", heading: "Profile", cap: caps.Profile, items: listed(f.profile), line: profileLine}, pinned}
	switch intent {
	case Plan:
		episodes.heading, episodes.items = "Recent episodes", listed(byWorth(f.sessions.all()))
		out = append(out, schema("Goals and policies", goalsOf), episodes, facts("In the way", half, false, f.ofKinds(blocks), func(c *live) bool {
			return f.relevant[c.key] > 0 || c.now.Heat == priority.Hot
		}))
	case Reflect:
		episodes.heading, episodes.items, episodes.chronological = "Before and after", listed(contrasting(f.sessions.all())), true
		episodes.most = few(compared)
		of := f.about
		if large {
			of = f.every()
		}
		out = append(out, schema("What they live by", livesBy), episodes, facts("What changed", half, true, of, func(c *live) bool {
			return f.moved(c.Claim) != ""
		}))
	case Decide:
		episodes.heading, episodes.items = "Past decisions", listed(f.deciding())
		out = append(out, schema("Policies and goals", steers), episodes, facts("Outcomes", half, false, f.about, func(c *live) bool {
			return slices.Contains(outcomes, c.Kind) || isMetric(c.Claim)
		}))
	case Nudge:
		rules := schema("Policies", []string{"policy", "value"})
		rules.most = nudgeRules
		trend := facts("Trend", half/2, true, f.every(), func(c *live) bool { return isMetric(c.Claim) })
		trend.most = nudgeOthers
		todo := facts("One thing to do", half/2, false, f.ofKinds(todos), func(*live) bool { return true })
		todo.most = nudgeOthers
		out = append(out, rules, trend, todo)
	default:
		episodes.most = few(recalled)
		out = append(out, episodes, facts("Facts", 2*half, false, f.about, func(*live) bool { return true }))
	}
	if f.evidence.n > 0 {
		out = append(out, section{
			name: "evidence", heading: "Verbatim", cap: caps.Evidence, most: caps.EvidenceItems, each: caps.EvidenceEach,
			items: f.evidence, line: quoteLine,
		})
	}
	if len(f.turns) > 0 {
		out = append(out, section{name: "turns", heading: "Recent turns", cap: caps.Turns, items: listed(f.turns), line: turnLine})
	}
	return out
}

// worth is how much a claim deserves a place: whether it is about the message,
// and its priority.
func (f *found) worth(c *live) float64 { return 0.6*f.relevant[c.key] + 0.4*c.now.Priority }

// ofKinds are the claims in force of some kinds, every those of all.
func (f *found) ofKinds(kinds []string) []*live {
	var out []*live
	for _, k := range kinds {
		out = append(out, f.claims.kinds[k]...)
	}
	return out
}

func (f *found) every() []*live { return f.ofKinds(slices.Sorted(maps.Keys(f.claims.kinds))) }

// pick returns those of some claims that fit, the best first, pinned ones before
// all. Those in taken are passed over.
func (f *found) pick(of []*live, taken map[string]bool, fits func(*live) (float64, bool)) []*live {
	type candidate struct {
		*live
		worth float64
	}
	var list []candidate
	for _, c := range of {
		if w, ok := fits(c); ok && !taken[c.key] {
			list = append(list, candidate{c, w})
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		if pinned := a.Pin != ""; pinned != (b.Pin != "") {
			if pinned {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.worth, a.worth), b.seen.Compare(a.seen), cmp.Compare(a.key, b.key), cmp.Compare(a.Path, b.Path))
	})
	out := make([]*live, len(list))
	for i, c := range list {
		out[i] = c.live
	}
	return out
}

// itemsOf makes items of claims; with trend each metric says what it was before.
func (f *found) itemsOf(m *Maker, list []*live, trend bool) items {
	return items{len(list), func(i int) (Item, bool) {
		it := f.item(m, list[i])
		if trend {
			if was := f.moved(list[i].Claim); was != "" {
				it.Text += " (" + was + ")"
			}
		}
		return it, true
	}}
}

// uncertainBelow is the confidence below which an item is marked uncertain.
const uncertainBelow = 0.6

func (f *found) item(m *Maker, c *live) Item {
	return Item{
		ID: c.key, Path: c.Path, Line: c.Line, Kind: cmp.Or(c.Kind, "fact"), Date: dateOf(c.Seen()),
		Text:      m.clean(vault.Visible(vault.Fold(c.Text))),
		Uncertain: c.Confidence >= 0 && c.Confidence < uncertainBelow || c.Status == "proposed",
		Relevance: f.relevant[c.key], Priority: c.now.Priority, Heat: c.now.Heat,
	}
}

// byWorth orders episodes by what they are about and how recent they are.
func byWorth(out []Item) []Item {
	slices.SortStableFunc(out, func(a, b Item) int {
		return cmp.Or(cmp.Compare(0.6*b.Relevance+0.4*b.Priority, 0.6*a.Relevance+0.4*a.Priority), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// contrasting takes episodes from both ends of time in turn, so that what is shown
// tells how things were and how they are.
func contrasting(byDate []Item) []Item {
	slices.SortStableFunc(byDate, func(a, b Item) int { return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.ID, b.ID)) })
	var out []Item
	for i, j := 0, len(byDate)-1; i <= j; i, j = i+1, j-1 {
		out = append(out, byDate[j])
		if i < j {
			out = append(out, byDate[i])
		}
	}
	return out
}

// deciding puts the episodes first in which something was decided.
func (f *found) deciding() []Item {
	out := f.sessions.all()
	slices.SortStableFunc(out, func(a, b Item) int {
		if f.decided[a.ID] == f.decided[b.ID] {
			return 0
		}
		if f.decided[a.ID] {
			return -1
		}
		return 1
	})
	return out
}

func isMetric(c *Claim) bool {
	_, ok := metric(c)
	return ok
}

// metric is the number that a claim states of something.
func metric(c *Claim) (float64, bool) {
	if c.Predicate == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(c.Object), 64)
	return v, err == nil
}

// moved says what a metric was before, and until when; "" where nothing is known.
func (f *found) moved(c *Claim) string {
	if !isMetric(c) {
		return ""
	}
	var before *Claim
	for _, old := range f.claims.past {
		if _, ok := metric(old); ok && old.Predicate == c.Predicate && old.Object != c.Object && (before == nil || old.Seen().After(before.Seen())) {
			before = old
		}
	}
	if before == nil {
		return ""
	}
	when := cmp.Or(before.Until, before.LastSeen)
	if when != "" {
		when = " until " + when
	}
	return "before: " + before.Object + when
}
