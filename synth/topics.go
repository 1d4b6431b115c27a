package synth

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// A session as the passes that follow read it.
type session struct {
	note    *vault.Note
	start   string
	title   string
	filed   bool     // it has a topic under which its facts are filed
	phrases []string // keys of its topics, and of its main topic first
	items   []item
}

// An item is a line of a session's summary.
type item struct {
	text string // what a reader sees
	line string // with its citation
	key  string
}

func readSessions(ctx context.Context, w *View) ([]session, error) {
	var notes []*vault.Note
	for _, folder := range []string{"sessions", "archive"} {
		more, err := w.Notes(ctx, folder)
		if err != nil {
			return nil, err
		}
		notes = append(notes, more...)
	}
	sortByStart(notes)
	var out []session
	for _, n := range notes {
		if n.Type() != vault.TypeSession {
			continue
		}
		s := session{note: n, start: n.Prop("start"), title: n.Title(), filed: n.Prop("topic") != ""}
		for _, p := range append([]string{n.Prop("topic")}, n.List("topics")...) {
			if key := extract.PhraseKey(p); key != "" && !slices.Contains(s.phrases, key) {
				s.phrases = append(s.phrases, key)
			}
		}
		for line := range strings.Lines(string(n.Body())) {
			if rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "- "); ok {
				text := Visible(rest)
				s.items = append(s.items, item{text: text, line: rest, key: " " + extract.PhraseKey(text)})
			}
		}
		if len(s.items) == 0 { // a provider's own summary is prose
			for _, sentence := range extract.Sentences(string(n.Body())) {
				if strings.HasPrefix(sentence, "About ") {
					continue
				}
				s.items = append(s.items, item{text: sentence, line: sentence, key: " " + extract.PhraseKey(sentence)})
			}
		}
		out = append(out, s)
	}
	return out, nil
}

// maxTopics bounds the topic pages of a vault; MEMORY.md has a line for each.
const maxTopics = 60

// topics writes a page for each topic that the sessions share, in time order.
func (r *Runner) topics(ctx context.Context, w *View) (Made, error) {
	sessions, err := readSessions(ctx, w)
	if err != nil {
		return Made{}, err
	}
	pages, err := w.Notes(ctx, "memory")
	if err != nil {
		return Made{}, err
	}
	opinions, err := opinionsOf(ctx, w, sessions)
	if err != nil {
		return Made{}, err
	}
	var made Made
	var drafts []draft
	for _, t := range clusterTopics(sessions, pages) {
		t.shifts = shiftsOf(t, opinions)
		drafts = append(drafts, r.topicDraft(t.path(w.Layout()), t.name, t.heading(), t.sessions, t.page))
		for _, s := range t.sessions {
			if link := string(s.note.Path); !slices.Contains(made.Sources, link) {
				made.Sources = append(made.Sources, link)
			}
		}
	}
	_, err = r.writeDrafts(ctx, w, "topics", drafts, &made)
	return made, err
}

// A topic is a name and the sessions that are about it.
type topic struct {
	key, name string
	at        vault.Path // the page that it has already
	title     string     // what that page is called
	sessions  []session
	shifts    []shift // how opinions on it moved
}

func (t topic) path(l vault.Layout) vault.Path {
	if t.at != "" {
		return t.at
	}
	return l.Topic(t.name)
}

// clusterTopics groups sessions by the phrases that they share. Topics that
// have a page keep it, whatever it is called by now; a new topic needs two
// sessions, or a phrase that is the main one of a session which no topic took.
func clusterTopics(sessions []session, pages []*vault.Note) []topic {
	var topics []topic
	index := map[string]int{}
	for _, n := range pages {
		key := extract.PhraseKey(cmp.Or(n.Prop("topic"), n.Title()))
		if _, dup := index[key]; key == "" || dup || n.Type() != vault.TypeTopic {
			continue
		}
		index[key] = len(topics)
		topics = append(topics, topic{key: key, name: cmp.Or(n.Prop("topic"), n.Title()), at: n.Path, title: n.Title()})
	}
	for _, name := range newTopics(sessions, index) {
		index[name.key] = len(topics)
		topics = append(topics, name)
	}
	for _, s := range sessions {
		for i := range topics {
			if s.isAbout(topics[i].key) {
				topics[i].sessions = append(topics[i].sessions, s)
			}
		}
	}
	topics = slices.DeleteFunc(topics, func(t topic) bool { return len(t.sessions) == 0 })
	return topics[:min(len(topics), maxTopics)]
}

// isAbout reports whether one of the session's phrases is the topic, or names it:
// "triangle congruence" is about triangles.
func (s session) isAbout(key string) bool {
	return slices.ContainsFunc(s.phrases, func(p string) bool {
		return p == key || strings.Contains(" "+p+" ", " "+key+" ")
	})
}

// newTopics names the topics that the vault has no page for: greedily the phrase
// that most of the sessions without a topic share. A phrase of one session alone
// is a topic where the session's facts are filed under it.
func newTopics(sessions []session, have map[string]int) []topic {
	var open []session
	for _, s := range sessions {
		taken := false
		for key := range have {
			taken = taken || s.isAbout(key)
		}
		if !taken && len(s.phrases) > 0 {
			open = append(open, s)
		}
	}
	var out []topic
	for len(open) > 0 && len(out) < maxTopics {
		weights, holders, filed := map[string]float64{}, map[string]int{}, map[string]bool{}
		for _, s := range open {
			for i, p := range s.phrases {
				weights[p] += 1 / float64(1+i)
				holders[p]++
			}
			if s.filed {
				filed[s.phrases[0]] = true
			}
		}
		best, n := "", 0.0
		for p, w := range weights {
			if (holders[p] > 1 || filed[p]) && (w > n || w == n && p < best) {
				best, n = p, w
			}
		}
		if best == "" {
			break
		}
		out = append(out, topic{key: best, name: nameOf(best, open)})
		open = slices.DeleteFunc(open, func(s session) bool { return s.isAbout(best) })
	}
	return out
}

// nameOf is a topic's name as the first session writes it.
func nameOf(key string, sessions []session) string {
	for _, s := range sessions {
		for _, p := range append([]string{s.note.Prop("topic")}, s.note.List("topics")...) {
			if extract.PhraseKey(p) == key {
				return p
			}
		}
	}
	return key
}

// heading is what the topic's page is called.
func (t topic) heading() string { return cmp.Or(t.title, extract.Capital(t.name)) }

// itemsPerSession bounds what a topic page takes over from one session; the
// rest is a link away.
const itemsPerSession = 6

// page writes the narrative of a topic: a heading a month, what was said in
// each session, and the session behind it.
func (t topic) page() []byte {
	var body strings.Builder
	month := ""
	updated := ""
	for _, s := range t.sessions {
		if m := monthOf(s.start); m != month {
			month = m
			body.WriteString("\n## " + m + "\n")
		}
		updated = max(updated, s.start)
		body.WriteString("\n" + vault.LinkTo(s.note.Path, s.title).String() + dayOf(s.start) + "\n\n")
		for _, it := range t.itemsOf(s) {
			body.WriteString("- " + it.line + "\n")
		}
	}
	body.WriteString(opinionsMoved(t.shifts))
	title := t.heading()
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Text("to-" + vault.Slug(t.name))},
		{Key: "type", Value: vault.Text(string(vault.TypeTopic))},
		{Key: "title", Value: vault.Text(title)},
		{Key: "topic", Value: vault.Text(t.name)},
	}
	if len(updated) >= 10 {
		props = append(props, vault.NewProperty{Key: "updated", Value: vault.Plain(updated[:10])})
	}
	props = append(props,
		vault.NewProperty{Key: "sessions", Value: vault.Number(len(t.sessions))},
		vault.NewProperty{Key: "generated", Value: vault.Plain("true")},
		vault.NewProperty{Key: "tags", Value: vault.List("topic")},
	)
	return []byte(vault.FormatFrontMatter(props...) + "\n# " + title + "\n" + body.String())
}

// itemsOf picks a session's items for the topic: those that name it, else the
// first few where the topic is the session's main one.
func (t topic) itemsOf(s session) []item {
	var out []item
	main := len(s.phrases) > 0 && s.phrases[0] == t.key
	for _, it := range s.items {
		if len(out) < itemsPerSession && (main || mentions(it.key, t.key)) {
			out = append(out, it)
		}
	}
	if len(out) == 0 {
		out = s.items[:min(2, len(s.items))]
	}
	return out
}

func mentions(text, phrase string) bool { return strings.Contains(text, " "+phrase) }

func monthOf(start string) string {
	if t, err := vault.ParseStamp(start); err == nil && !t.IsZero() {
		return t.Time.Format("January 2006")
	}
	return "Undated"
}

func dayOf(start string) string {
	if t, err := vault.ParseStamp(start); err == nil && !t.IsZero() {
		return ", " + t.Time.Format("2 January")
	}
	return ""
}
