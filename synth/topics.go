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
	from    string // its transcript, as links name it
	start   string
	title   string
	topic   string   // the topic that it belongs to, empty while it waits for one
	names   []string // its key phrases
	phrases []string // keys of its topic and of its key phrases
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
		s := session{note: n, from: w.transcriptOf(n).Target, start: n.Prop("start"), title: n.Title(), topic: n.Prop("topic"), names: n.List("topics")}
		if len(s.names) == 0 && headline(s.title) {
			s.names = []string{s.title}
		}
		for _, p := range append([]string{s.topic}, s.names...) {
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

// generalTopic is the page of the sessions that no topic has: those that stand alone.
const generalTopic = "Other conversations"

// topics puts the sessions that have no topic into one, writes a page for each
// topic, in time order, and one for the sessions that wait for company.
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
	topics, waiting, err := r.clusterTopics(ctx, sessions, pages)
	if err != nil {
		return Made{}, err
	}
	var made Made
	if err := r.assign(ctx, topics, &made); err != nil {
		return Made{}, err
	}
	assigned := len(made.Pages)
	var drafts []draft
	for _, t := range topics {
		t.shifts = shiftsOf(t, opinions)
		drafts = append(drafts, r.topicDraft(t.path(w.Layout()), t.name, t.heading(), t.sessions, t.page))
		for _, s := range t.sessions {
			made.Sources = append(made.Sources, string(s.note.Path))
		}
	}
	if _, err = r.writeDrafts(ctx, w, "topics", drafts, &made); err != nil {
		return Made{}, err
	}
	if err := r.general(ctx, w, waiting, &made); err != nil {
		return Made{}, err
	}
	made.Subject = count(len(topics), "topic")
	if assigned > 0 {
		made.Subject = count(assigned, "session") + " into " + made.Subject
	}
	return made, nil
}

// A topic is a name and the sessions that are about it.
type topic struct {
	key, name string
	was       string     // the slug of the name under which its page was made
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

// pagesOf are the topics that have a page. The page's id tells which it was made
// for, whatever the person calls it and wherever they keep it.
func pagesOf(pages []*vault.Note) []topic {
	var out []topic
	seen := map[string]bool{extract.PhraseKey(generalTopic): true}
	for _, n := range pages {
		key := extract.PhraseKey(cmp.Or(n.Prop("topic"), n.Title()))
		if key == "" || seen[key] || n.Type() != vault.TypeTopic || n.ID() == topicID+vault.Slug(generalTopic) {
			continue
		}
		seen[key] = true
		out = append(out, topic{
			key: key, name: cmp.Or(n.Prop("topic"), n.Title()), was: cmp.Or(strings.TrimPrefix(n.ID(), topicID), vault.Slug(cmp.Or(n.Prop("topic"), n.Title()))), at: n.Path, title: n.Title(),
		})
	}
	return out
}

// topicID begins the id of a topic's page; the slug of its first name follows.
const topicID = "to-"

// clusterTopics groups sessions into topics: those that have a page, in the order of
// their pages, then the largest others. The sessions that are left wait.
//
// A topic that came about may be near to a session that stood alone before it. So the
// ones that wait are looked at again until none joins, as the next run would: a run
// over the same sessions finds nothing to move.
func (r *Runner) clusterTopics(ctx context.Context, sessions []session, pages []*vault.Note) (topics []topic, waiting []session, err error) {
	known := pagesOf(pages)
	work := slices.Clone(sessions)
	for range settling {
		g, err := r.group(ctx, work, known)
		if err != nil {
			return nil, nil, err
		}
		var members [][]int
		topics, members = g.topics(known)
		moved, placed := false, make([]bool, len(sessions))
		for k := range topics {
			for _, m := range members[k] {
				placed[m] = true
				topics[k].sessions = append(topics[k].sessions, sessions[m])
				if work[m].topic == "" {
					work[m], moved = work[m].in(topics[k].name), true
				}
			}
		}
		waiting = nil
		for i, s := range sessions {
			if !placed[i] {
				waiting = append(waiting, s)
			}
		}
		if !moved || len(waiting) == 0 {
			break
		}
		known = knownBy(known, topics)
	}
	return topics, waiting, nil
}

// settling bounds how often the sessions that wait are looked at. Each time at least
// one joins; more than three times were not seen.
const settling = 8

// in is the session as it is read once it has a topic.
func (s session) in(topic string) session {
	s.topic = topic
	if key := extract.PhraseKey(topic); key != "" && !slices.Contains(s.phrases, key) {
		s.phrases = append([]string{key}, s.phrases...)
	}
	return s
}

// knownBy are the topics that have a page, and those that will have one.
func knownBy(known, topics []topic) []topic {
	out := slices.Clone(known)
	for _, t := range topics {
		if !slices.ContainsFunc(out, func(k topic) bool { return k.key == t.key }) {
			t.sessions = nil
			out = append(out, t)
		}
	}
	return out
}

// topics are the clusters that get a page, with their members: those that have one
// already in the order of their pages, then the largest others.
func (g *grouping) topics(known []topic) (topics []topic, members [][]int) {
	byKey := map[string]topic{}
	for _, t := range known {
		byKey[t.key] = t
	}
	clusters := slices.DeleteFunc(slices.Clone(g.clusters), func(c *cluster) bool { return len(c.members) == 0 })
	slices.SortStableFunc(clusters, func(a, b *cluster) int {
		rank := func(c *cluster) int { // pages first
			if _, ok := byKey[c.key]; ok {
				return -1 << 20
			}
			return -len(c.members)
		}
		return cmp.Compare(rank(a), rank(b))
	})
	for _, c := range clusters {
		t, paged := byKey[c.key]
		if c.key == "" || !paged && len(c.members) < leastTopic || len(topics) == maxTopics {
			continue
		}
		if !paged {
			t = topic{key: c.key, name: c.name, was: vault.Slug(c.name)}
		}
		slices.Sort(c.members)
		topics, members = append(topics, t), append(members, c.members)
	}
	return topics, members
}

// assign writes into the front matter of sessions which topic they belong to now. It
// is part of what memsync makes of the page, so that what the person made of the rest
// stays theirs.
func (r *Runner) assign(ctx context.Context, topics []topic, made *Made) error {
	for _, t := range topics {
		for _, s := range t.sessions {
			if key := extract.PhraseKey(s.topic); key == t.key || s.topic != "" && vault.Slug(s.topic) == t.was || !s.note.Generated() {
				continue
			}
			was, err := r.lastMade(ctx, s.note)
			if err != nil {
				return err
			}
			if next, ok := withTopic(was, t.name); ok {
				made.page(s.note.Path, next.Bytes())
			}
		}
	}
	return nil
}

// withTopic is a session's page with a topic, where the pass of summaries puts it: at
// the end stand properties that others set. It reports false where the front matter
// cannot be edited.
func withTopic(n *vault.Note, name string) (*vault.Note, bool) {
	head := string(n.Bytes()[:n.BodyStart()])
	at := strings.Index(head, "\ntopics:")
	if at < 0 {
		at = strings.Index(head, "\ntags:")
	}
	next := vault.Parse(n.Path, slices.Clone(n.Bytes()))
	if n.Prop("topic") == "" && at >= 0 {
		next = vault.Parse(n.Path, slices.Insert(slices.Clone(n.Bytes()), at+1, []byte("topic:\n")...))
	}
	return next, next.Set("topic", vault.Text(name)) == nil
}

// isAbout reports whether one of the session's phrases is the topic, or names it:
// "triangle congruence" is about triangles.
func (s session) isAbout(key string) bool {
	return slices.ContainsFunc(s.phrases, func(p string) bool {
		return p == key || strings.Contains(" "+p+" ", " "+key+" ")
	})
}

// generalShown bounds the general page: the latest sessions that wait.
const generalShown = 50

// general writes the page of the sessions that wait for company, and takes it away
// where none do.
func (r *Runner) general(ctx context.Context, w *View, waiting []session, made *Made) error {
	at := w.Layout().Topic(generalTopic)
	was, err := w.Note(at)
	if len(waiting) == 0 {
		if err != nil || !was.Generated() {
			return nil // there is none, or it is the person's
		}
		last, err := r.lastMade(ctx, was)
		if err == nil && string(last.Bytes()) == string(was.Bytes()) {
			made.Pages = append(made.Pages, Page{Path: at, Over: vault.HashOf(was.Bytes()), Edit: true, Remove: true})
		}
		return err
	}
	shown := waiting[max(0, len(waiting)-generalShown):]
	var body strings.Builder
	body.WriteString("\nConversations that have no topic of their own yet.\n")
	if more := len(waiting) - len(shown); more > 0 {
		body.WriteString("\n" + count(more, "earlier one") + " not shown, found by search.\n")
	}
	month := ""
	for _, s := range shown {
		if m := monthOf(s.start); m != month {
			month = m
			body.WriteString("\n## " + m + "\n\n")
		}
		line := "- " + vault.LinkTo(s.note.Path, s.title).String() + dayOf(s.start)
		if len(s.names) > 0 {
			line += " - " + strings.Join(s.names[:min(hookTopics, len(s.names))], ", ")
		}
		body.WriteString(line + "\n")
		made.Sources = append(made.Sources, string(s.note.Path))
	}
	made.page(at, topicPage(vault.Slug(generalTopic), generalTopic, generalTopic, waiting, body.String()))
	return nil
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
	for _, s := range t.sessions {
		if m := monthOf(s.start); m != month {
			month = m
			body.WriteString("\n## " + m + "\n")
		}
		body.WriteString("\n" + vault.LinkTo(s.note.Path, s.title).String() + dayOf(s.start) + "\n\n")
		for _, it := range t.itemsOf(s) {
			body.WriteString("- " + it.line + "\n")
		}
	}
	body.WriteString(opinionsMoved(t.shifts))
	return topicPage(t.was, t.name, t.heading(), t.sessions, body.String())
}

// topicPage is the page of a topic: its front matter, its title and a body. The slug
// of the name under which it was made stays in its id.
func topicPage(was, name, title string, sessions []session, body string) []byte {
	updated := ""
	for _, s := range sessions {
		updated = max(updated, s.start)
	}
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Text(topicID + was)},
		{Key: "type", Value: vault.Text(string(vault.TypeTopic))},
		{Key: "title", Value: vault.Text(title)},
		{Key: "topic", Value: vault.Text(name)},
	}
	if len(updated) >= 10 {
		props = append(props, vault.NewProperty{Key: "updated", Value: vault.Plain(updated[:10])})
	}
	props = append(props,
		vault.NewProperty{Key: "sessions", Value: vault.Number(len(sessions))},
		vault.NewProperty{Key: "generated", Value: vault.Plain("true")},
		vault.NewProperty{Key: "tags", Value: vault.List("topic")},
	)
	return []byte(vault.FormatFrontMatter(props...) + "\n# " + title + "\n" + body)
}

// itemsOf are the first of a session's items.
func (t topic) itemsOf(s session) []item { return s.items[:min(itemsPerSession, len(s.items))] }

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
