package pack

import (
	"cmp"
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
	items         []Item
	line          func(Item) string
	// chronological sections are filled best first and shown oldest first.
	chronological bool
}

// Kinds of claim by what they are for.
var (
	livesBy  = []string{"value", "preference", "policy", "goal"}
	steers   = []string{"policy", "goal", "value", "constraint"}
	goalsOf  = []string{"goal", "policy", "value"}
	blocks   = []string{"constraint", "task", "correction", "decision"}
	outcomes = []string{"event", "decision", "correction"}
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
	pins := f.pick(m, taken, func(c Claim) (float64, bool) { return c.Priority, c.Pin != "" })
	ninth := caps.Memory / 9
	half := (caps.Memory - ninth) / 2
	pinned := section{name: "pinned", heading: "Pinned", cap: ninth, items: pins, line: claimLine}
	for _, it := range pins {
		taken[it.ID] = true
	}
	schema := func(heading string, kinds []string) section {
		s := section{name: "schema", heading: heading, cap: half, line: claimLine}
		s.items = f.pick(m, taken, func(c Claim) (float64, bool) {
			return f.worth(c), slices.Contains(kinds, c.Kind) && c.Status != "proposed"
		})
		return s
	}
	facts := func(heading string, cap int, fits func(Claim) bool) section {
		s := section{name: "facts", heading: heading, cap: cap, line: claimLine}
		s.items = f.pick(m, taken, func(c Claim) (float64, bool) { return f.worth(c), fits(c) })
		return s
	}
	about := func(c Claim) bool { return f.relevant[c.Key()] > 0 }
	episodes := section{name: "episodes", heading: "Episodes", cap: caps.Episodes, each: caps.Episodes / 3, line: episodeLine, items: f.sessions}
	if large {
		episodes.each = 400
	}

	out := []section{{name: "profile", heading: "Profile", cap: caps.Profile, items: f.profile, line: profileLine}, pinned}
	switch intent {
	case Plan:
		episodes.heading, episodes.items = "Recent episodes", byWorth(f.sessions)
		out = append(out, schema("Goals and policies", goalsOf), episodes, facts("In the way", half, func(c Claim) bool {
			return slices.Contains(blocks, c.Kind) && (about(c) || c.Heat == priority.Hot)
		}))
	case Reflect:
		episodes.heading, episodes.items, episodes.chronological = "Before and after", contrasting(f.sessions), true
		episodes.most = few(compared)
		changed := facts("What changed", half, func(c Claim) bool { return (about(c) || large) && f.moved(c) != "" })
		f.tellTrend(&changed)
		out = append(out, schema("What they live by", livesBy), episodes, changed)
	case Decide:
		episodes.heading, episodes.items = "Past decisions", f.deciding()
		out = append(out, schema("Policies and goals", steers), episodes, facts("Outcomes", half, func(c Claim) bool {
			return about(c) && (slices.Contains(outcomes, c.Kind) || isMetric(c.Claim))
		}))
	case Nudge:
		rules := schema("Policies", []string{"policy", "value"})
		rules.most = nudgeRules
		trend := facts("Trend", half/2, func(c Claim) bool { return isMetric(c.Claim) })
		trend.most = nudgeOthers
		f.tellTrend(&trend)
		todo := facts("One thing to do", half/2, func(c Claim) bool { return c.Kind == "task" || c.Kind == "goal" })
		todo.most = nudgeOthers
		out = append(out, rules, trend, todo)
	default:
		episodes.most = few(recalled)
		out = append(out, episodes, facts("Facts", 2*half, about))
	}
	if len(f.evidence) > 0 {
		out = append(out, section{
			name: "evidence", heading: "Verbatim", cap: caps.Evidence, most: caps.EvidenceItems, each: caps.EvidenceEach,
			items: f.evidence, line: quoteLine,
		})
	}
	if len(f.turns) > 0 {
		out = append(out, section{name: "turns", heading: "Recent turns", cap: caps.Turns, items: f.turns, line: turnLine})
	}
	return out
}

// worth is how much a claim deserves a place: whether it is about the message,
// and its priority.
func (f *found) worth(c Claim) float64 { return 0.6*f.relevant[c.Key()] + 0.4*c.Priority }

// pick makes items of the claims in force that fit, the best first, pinned ones
// before all. Those in taken are passed over.
func (f *found) pick(m *Maker, taken map[string]bool, fits func(Claim) (float64, bool)) []Item {
	type candidate struct {
		Item
		worth  float64
		pinned bool
	}
	var list []candidate
	for _, c := range f.claims {
		w, ok := fits(c)
		if !ok || taken[c.Key()] {
			continue
		}
		list = append(list, candidate{f.item(m, c), w, c.Pin != ""})
	}
	slices.SortStableFunc(list, func(a, b candidate) int {
		if a.pinned != b.pinned {
			if a.pinned {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.worth, a.worth), cmp.Compare(b.Date, a.Date), cmp.Compare(a.ID, b.ID))
	})
	out := make([]Item, len(list))
	for i, c := range list {
		out[i] = c.Item
	}
	return out
}

// uncertainBelow is the confidence below which an item is marked uncertain.
const uncertainBelow = 0.6

func (f *found) item(m *Maker, c Claim) Item {
	return Item{
		ID: c.Key(), Path: c.Path, Line: c.Line, Kind: cmp.Or(c.Kind, "fact"), Date: dateOf(c.Seen()),
		Text:      m.clean(vault.Visible(vault.Fold(c.Text))),
		Uncertain: c.Confidence >= 0 && c.Confidence < uncertainBelow || c.Status == "proposed",
		Relevance: f.relevant[c.Key()], Priority: c.Priority, Heat: c.Heat,
	}
}

// byWorth orders episodes by what they are about and how recent they are.
func byWorth(list []Item) []Item {
	out := slices.Clone(list)
	slices.SortStableFunc(out, func(a, b Item) int {
		return cmp.Or(cmp.Compare(0.6*b.Relevance+0.4*b.Priority, 0.6*a.Relevance+0.4*a.Priority), cmp.Compare(a.ID, b.ID))
	})
	return out
}

// contrasting takes episodes from both ends of time in turn, so that what is shown
// tells how things were and how they are.
func contrasting(list []Item) []Item {
	byDate := slices.Clone(list)
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
	out := slices.Clone(f.sessions)
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

func isMetric(c vault.Claim) bool {
	_, ok := metric(c)
	return ok
}

// metric is the number that a claim states of something.
func metric(c vault.Claim) (float64, bool) {
	if c.Predicate == "" {
		return 0, false
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(c.Object), 64)
	return v, err == nil
}

// moved says what a metric was before, and until when; "" where nothing is known.
func (f *found) moved(c Claim) string {
	if !isMetric(c.Claim) {
		return ""
	}
	var before *Claim
	for i, old := range f.past {
		if _, ok := metric(old.Claim); ok && old.Predicate == c.Predicate && old.Object != c.Object && (before == nil || old.Seen().After(before.Seen())) {
			before = &f.past[i]
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

// tellTrend adds to each metric of a section what it was before.
func (f *found) tellTrend(s *section) {
	for i := range s.items {
		it := &s.items[i]
		for _, c := range f.claims {
			if c.Key() == it.ID {
				if was := f.moved(c); was != "" {
					it.Text += " (" + was + ")"
				}
			}
		}
	}
}
