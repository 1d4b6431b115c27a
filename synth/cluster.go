package synth

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// This file groups sessions into topics, by what they mean and by the phrases that
// they share. A session that has a topic keeps it: the property stands in its front
// matter, where the person may change it. So a new session joins the topic that is
// nearest or starts one, and no other session moves. Only a topic that has grown too
// large is parted, and its name stays with the larger part.

// What a session must have in common with a topic to join it. Meaning is the mean
// similarity to the three members most like it, in the scale of bge-m3's cosines
// (index/embed). What is much depends on the person: the sessions of somebody who
// writes one program after another are all alike. So it is measured between what the
// session has in common with any other (ground) and 1: at sureMeaning of the way it
// joins, at likelyMeaning where it shares a phrase too. phrases is the share of the
// session's key phrases, weighed by how few sessions have them, that the topic has.
//
// Set with the built-in model on invented sessions (cmd/memsync, TestTopicsByMeaning),
// where pairs about one matter come to 0.80 and more and nearly all others to at most
// 0.74, and looked at on the public exports, where those about one matter come to 0.83
// to 0.91, and those of two people who both write web applications to 0.77 to 0.88.
const (
	sureMeaning, likelyMeaning = 0.6, 0.4
	surePhrases, likelyPhrases = 0.5, 0.1
	// Without an embedder the phrases decide alone.
	alonePhrases = 0.15
	// usualGround is what sessions have in common before there are enough to tell,
	// as much as usualWeight sessions would say; at most groundSample are looked at.
	usualGround, usualWeight, groundSample = 0.5, 8, 64
)

// Bounds of topics: fewer sessions than leastTopic wait on the general page, a topic
// of more than mostTopic is parted where each part gets leastPart at least.
const (
	leastTopic = 2
	mostTopic  = 50
	leastPart  = 10
	// exemplars is how many of a topic's members a session is compared with, the
	// latest ones.
	exemplars = 12
)

// A cluster is a topic in the making.
type cluster struct {
	key, name string
	members   []int // into grouping.all, in the order of time
	words     map[string]int
}

// A grouping is sessions on their way into topics.
type grouping struct {
	r    *Runner
	all  []session
	says []string // what each session says, for comparing
	keys []map[string]bool
	said [][]string         // the key of each of a session's phrases
	rare map[string]float64 // how much a key says: few sessions have it
	// clusters are the topics, those that have a name first.
	clusters []*cluster
	// blind says that there is no embedder, or that it does not answer.
	blind   bool
	grounds map[int]float64 // how much each session is like any other
	// with are the sessions that have a word, in a phrase or a line; nil until asked for.
	with map[string][]int
}

// group puts sessions, in the order of time, into clusters. known are the names of
// topics that have a page, which a session may join though no other has.
func (r *Runner) group(ctx context.Context, all []session, known []topic) (*grouping, error) {
	g := &grouping{r: r, all: all, grounds: map[int]float64{}, rare: map[string]float64{}, blind: r.cfg.Near == nil}
	for _, s := range all {
		keys := keysOf(s.names)
		g.keys = append(g.keys, keys)
		g.says = append(g.says, s.meaning())
		said := make([]string, len(s.names))
		for i, name := range s.names {
			said[i] = extract.PhraseKey(name)
		}
		g.said = append(g.said, said)
		for k := range keys {
			g.rare[k]++
		}
	}
	for k, n := range g.rare {
		g.rare[k] = math.Log(1+float64(len(all))/n) / math.Log(1+float64(len(all)))
	}
	byKey := map[string]*cluster{}
	start := func(key, name string) *cluster {
		c := &cluster{key: key, name: name, words: map[string]int{}}
		g.clusters = append(g.clusters, c)
		if key != "" {
			byKey[key] = c
		}
		return c
	}
	for _, t := range known {
		if byKey[t.key] == nil {
			start(t.key, t.name)
		}
	}
	var waiting []int
	for i, s := range all {
		if s.topic == "" {
			waiting = append(waiting, i)
			continue
		}
		key := extract.PhraseKey(s.topic)
		g.put(i, cmp.Or(byKey[key], byKey[boundTo(s.topic, known)]), func() *cluster { return start(key, s.topic) })
	}
	for _, i := range waiting {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		g.put(i, g.nearest(ctx, i), func() *cluster { return start("", "") })
	}
	g.part(ctx)
	g.baptise()
	return g, ctx.Err()
}

// boundTo is the key of the topic whose page was made under a name and has another by
// now, which the person gave it.
func boundTo(name string, known []topic) string {
	for _, t := range known {
		if t.was == vault.Slug(name) {
			return t.key
		}
	}
	return ""
}

func (g *grouping) put(i int, c *cluster, fresh func() *cluster) {
	if c == nil {
		c = fresh()
	}
	c.members = append(c.members, i)
	for k := range g.keys[i] {
		c.words[k]++
	}
}

// nearest is the cluster that a session joins, nil where it joins none. Of two that
// are as near the one that came first takes it.
func (g *grouping) nearest(ctx context.Context, i int) *cluster {
	near := g.similar(ctx, i)
	var best *cluster
	most := 0.0
	for _, c := range g.clusters {
		if s := g.affinity(ctx, i, c, near); s > most {
			best, most = c, s
		}
	}
	return best
}

// similar is how much a session is like each of those that stand for a cluster, by
// their places in all; nil where nothing can be compared. All are asked for at once:
// most clusters are one session that waits, and there are thousands in a long history.
func (g *grouping) similar(ctx context.Context, i int) map[int]float64 {
	if g.blind {
		return nil
	}
	var members []int
	for _, c := range g.clusters {
		members = append(members, c.latest()...)
	}
	return g.compare(ctx, i, members)
}

// compare is how much a session is like some others.
func (g *grouping) compare(ctx context.Context, i int, others []int) map[int]float64 {
	texts := make([]string, len(others))
	for j, m := range others {
		texts[j] = g.says[m]
	}
	sims, err := g.r.cfg.Near.Similar(ctx, g.says[i], texts)
	if err != nil {
		g.blind = true
		return nil
	}
	near := make(map[int]float64, len(sims))
	for j, s := range sims {
		near[others[j]] = s
	}
	return near
}

// latest are the members that stand for a cluster.
func (c *cluster) latest() []int { return c.members[max(0, len(c.members)-exemplars):] }

// affinity is how near a session is to a cluster, 0 where it does not join it. near
// is what similar says.
func (g *grouping) affinity(ctx context.Context, i int, c *cluster, near map[int]float64) float64 {
	named := c.key != "" && g.all[i].isAbout(c.key)
	if len(c.members) == 0 {
		if named {
			return 1 + g.phrases(i, c) // a page of the person's, which nothing is compared with
		}
		return 0
	}
	meaning, ok := topThree(near, c.latest())
	above := func(share float64) bool { return meaning >= g.ground(ctx, i)+share*(1-g.ground(ctx, i)) }
	if ok && !above(0) {
		return 0
	}
	phrases := g.phrases(i, c)
	switch {
	case !ok && (phrases >= alonePhrases || named):
		return phrases + 0.01
	case !ok:
		return 0
	case above(sureMeaning), above(likelyMeaning) && (phrases >= likelyPhrases || named), phrases >= surePhrases:
		return meaning + phrases/4
	}
	return 0
}

// phrases is the share of a session's key phrases, by what they say, that a cluster
// has, whole or in part: each counts as far as the members share it.
func (g *grouping) phrases(i int, c *cluster) float64 {
	shared, total := 0.0, 0.0
	for _, key := range g.said[i] {
		total += g.rare[key]
		n := 2 * c.words[key]
		if n == 0 {
			for w := range strings.FieldsSeq(key) {
				n = max(n, c.words[w])
			}
		}
		shared += g.rare[key] * min(1, 1.5*float64(n)/float64(len(c.members)))
	}
	if total == 0 {
		return 0
	}
	return shared / total
}

// ground is how much a session is like any other, whatever it is about.
func (g *grouping) ground(ctx context.Context, i int) float64 {
	if v, ok := g.grounds[i]; ok {
		return v
	}
	var texts []string
	for at, step := 0, max(1, len(g.all)/groundSample); at < len(g.all); at += step {
		if at != i {
			texts = append(texts, g.says[at])
		}
	}
	sum, n := usualGround*usualWeight, usualWeight
	if sims, err := g.r.cfg.Near.Similar(ctx, g.says[i], texts); err == nil {
		for _, s := range sims {
			sum += max(0, s)
		}
		n += len(sims)
	}
	g.grounds[i] = sum / float64(n)
	return g.grounds[i]
}

// meaning is the mean similarity of a session to the three of some others that are
// most like it. It reports false where nothing can be compared.
func (g *grouping) meaning(ctx context.Context, i int, members []int) (float64, bool) {
	if g.blind {
		return 0, false
	}
	members = members[max(0, len(members)-exemplars):]
	return topThree(g.compare(ctx, i, members), members)
}

// topThree is the mean of the three highest similarities to members.
func topThree(near map[int]float64, members []int) (float64, bool) {
	var sims []float64
	for _, m := range members {
		if s, ok := near[m]; ok {
			sims = append(sims, s)
		}
	}
	if len(sims) == 0 {
		return 0, false
	}
	slices.SortFunc(sims, func(a, b float64) int { return cmp.Compare(b, a) })
	sims = sims[:min(3, len(sims))]
	sum := 0.0
	for _, s := range sims {
		sum += s
	}
	return sum / float64(len(sims)), true
}

// meaning is what a session says, for comparing: its phrases and its first lines,
// without their sources. The longer texts of one person are, the more alike they look.
func (s session) meaning() string {
	lines := []string{strings.Join(s.names, ", ")}
	for _, it := range s.items[:min(meaningLines, len(s.items))] {
		lines = append(lines, it.text)
	}
	return strings.Join(lines, "\n")
}

// meaningLines is how many lines of a summary are compared.
const meaningLines = 3

// part parts the clusters that have grown too large in two, around the session that
// is least like the rest and the one that is least like that. The smaller part becomes
// a new topic.
func (g *grouping) part(ctx context.Context) {
	for at := 0; at < len(g.clusters); at++ {
		c := g.clusters[at]
		if len(c.members) <= mostTopic {
			continue
		}
		least := func(to []int) int {
			worst, sim := c.members[0], math.Inf(1)
			for _, m := range c.members {
				if s := g.likeness(ctx, m, to); s < sim {
					worst, sim = m, s
				}
			}
			return worst
		}
		a := least(c.members)
		one, two := []int{a}, []int{least([]int{a})}
		for range 3 {
			var left, right []int
			for _, m := range c.members {
				if g.likeness(ctx, m, one) >= g.likeness(ctx, m, two) {
					left = append(left, m)
				} else {
					right = append(right, m)
				}
			}
			if len(left) == 0 || len(right) == 0 {
				break
			}
			one, two = left, right
		}
		if len(one) < len(two) {
			one, two = two, one
		}
		if len(two) < leastPart || len(one)+len(two) != len(c.members) {
			continue // it is about one thing, however much
		}
		fresh := &cluster{}
		g.clusters = append(g.clusters, fresh)
		for _, p := range []struct {
			c       *cluster
			members []int
		}{{c, one}, {fresh, two}} {
			p.c.members, p.c.words = nil, map[string]int{}
			for _, m := range p.members {
				g.put(m, p.c, nil)
			}
		}
		at-- // it may still be too large
	}
}

// likeness is how near a session is to some others, for parting a cluster.
func (g *grouping) likeness(ctx context.Context, i int, to []int) float64 {
	if s, ok := g.meaning(ctx, i, to); ok {
		return s
	}
	words := map[string]int{}
	for _, m := range to {
		for k := range g.keys[m] {
			words[k]++
		}
	}
	return g.phrases(i, &cluster{members: to, words: words})
}

// baptise names the clusters that have no name and are large enough for a page.
func (g *grouping) baptise() {
	taken := map[string]bool{extract.PhraseKey(generalTopic): true}
	for _, c := range g.clusters {
		taken[c.key] = true
	}
	for _, c := range g.clusters {
		if c.key != "" || len(c.members) < leastTopic {
			continue
		}
		c.name = g.nameOf(c, taken)
		c.key = extract.PhraseKey(c.name)
		taken[c.key] = true
	}
}

// nameOf is the phrase that says most of what the cluster is about: many of its
// members have it and few of the others do (class-based TF-IDF, Grootendorst,
// "BERTopic", 2022), of which a phrase of several words says more than one. A word
// that names nothing is no name.
func (g *grouping) nameOf(c *cluster, taken map[string]bool) string {
	own := map[int]bool{}
	for _, m := range c.members {
		own[m] = true
	}
	seen := map[string]bool{}
	best, most := "", 0.0
	for _, m := range c.members {
		for at, name := range g.all[m].names {
			key := extract.PhraseKey(name)
			if seen[key] || taken[key] || extract.Weak(key) {
				continue
			}
			seen[key] = true
			in, out := 0.0, 0.0
			for _, i := range g.having(key) {
				if n := g.all[i].speaksOf(key); own[i] {
					in += n
				} else {
					out += n
				}
			}
			// How far up it stands where it is met first says something too.
			score := in / float64(len(c.members)) * math.Log(1+float64(len(g.all))/(1+out)) *
				(1 + 0.3*float64(strings.Count(key, " "))) * (1 - 0.03*float64(min(at, 5)))
			if score > most {
				best, most = name, score
			}
		}
	}
	if best != "" {
		return best
	}
	for _, m := range c.members {
		if title := g.all[m].title; headline(title) && !taken[extract.PhraseKey(title)] {
			return title
		}
	}
	first := g.all[c.members[0]]
	name := cmp.Or(first.note.Prop("domain"), "general") + " since " + monthOf(first.start)
	for i := 2; taken[extract.PhraseKey(name)]; i++ {
		name = fmt.Sprintf("%s, %d", strings.SplitN(name, ",", 2)[0], i)
	}
	return name
}

// having are the sessions that may speak of a phrase: those that have its rarest word.
func (g *grouping) having(key string) []int {
	if g.with == nil {
		g.with = map[string][]int{}
		for i, s := range g.all {
			add := func(text string) {
				for w := range strings.FieldsSeq(text) {
					if at := g.with[w]; len(at) == 0 || at[len(at)-1] != i {
						g.with[w] = append(at, i)
					}
				}
			}
			for _, p := range s.phrases {
				add(p)
			}
			for _, it := range s.items {
				add(it.key)
			}
		}
	}
	var least []int
	for n, w := range strings.Fields(key) {
		if at := g.with[w]; n == 0 || len(at) < len(least) {
			least = at
		}
	}
	return least
}

// speaksOf is how much a session speaks of a phrase: 1 where it is about it, less
// where a line only has the words.
func (s session) speaksOf(key string) float64 {
	switch {
	case s.isAbout(key):
		return 1
	case slices.ContainsFunc(s.items, func(it item) bool { return strings.Contains(it.key+" ", " "+key+" ") }):
		return 0.6
	}
	return 0
}
