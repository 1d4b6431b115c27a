package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// Bounds of a session's summary in tokens, as DESIGN's table and source 1 give
// them: at most 180 for the text, so that 200 is never passed.
const (
	summaryTokens = 180
	summaryItems  = 9
	openItems     = 3
	// briefTokens bounds the summaries of middling conversations.
	briefTokens = 80
)

// summaries makes a session of the transcripts of a window that have none, or
// have grown since their session was written. Made.More says that further windows
// wait.
func (r *Runner) summaries(ctx context.Context, w *View) (Made, error) {
	var made Made
	q, err := r.pending(ctx, w, &made)
	if err != nil {
		return Made{}, err
	}
	if r.only != nil {
		q.waits = slices.DeleteFunc(q.waits, func(p pending) bool { return !r.only[p.path] })
	}
	if err := r.takeAway(ctx, q.twice, &made); err != nil {
		return Made{}, err
	}
	window, rest := r.window(q.waits)
	made.More = len(rest) > 0
	for _, p := range window {
		r.tried[p.id] = true
	}
	sessions, err := w.Notes(ctx, "sessions")
	if err != nil {
		return Made{}, err
	}
	fresh, skipped, err := r.readAll(ctx, window)
	if err != nil {
		return Made{}, err
	}
	made.Skipped = append(made.Skipped, skipped...)
	old := map[string]*vault.Note{}
	for i, p := range window {
		if fresh[i].path == "" {
			continue // it could not be read
		}
		if p.session != nil {
			old[fresh[i].id] = p.session
		}
	}
	versions := map[vault.Path]Input{}
	for _, p := range window {
		versions[p.path] = Input{p.id, p.version}
	}
	fresh = slices.DeleteFunc(fresh, func(c conversation) bool {
		if c.path != "" && !c.worthSummary() {
			made.Done = append(made.Done, versions[c.path])
		}
		return !c.worthSummary()
	})
	slices.SortStableFunc(fresh, func(a, b conversation) int {
		return cmp.Or(a.start.Time.Compare(b.start.Time), strings.Compare(string(a.path), string(b.path)))
	})
	topics := newTopicNames(sessions, fresh)
	if r.only == nil {
		r.deepen(window, fresh, topics, q)
	} else {
		r.rate(fresh, topics, q.newest, q.vault)
		for i := range fresh {
			fresh[i].tier = salience.Deep // a session that has just ended gets its summary
		}
	}
	texts, err := r.summarise(ctx, fresh, old, sessions, &made)
	if err != nil {
		return Made{}, err
	}
	r.keepRead(fresh)
	foldedInto, err := foldedClaims(ctx, w)
	if err != nil {
		return Made{}, err
	}
	taken, waitsOn := map[vault.Path]bool{}, map[vault.Path]bool{}
	near := r.newFolder(w, &made, sessions)
	for _, c := range fresh {
		if c.tier == salience.Stored && old[c.id] == nil {
			made.Done = append(made.Done, versions[c.path])
			continue
		}
		if c.tier == salience.Stored {
			c.tier = salience.Brief // it has a summary already, which must not grow stale
		}
		text := texts[c.path]
		switch text.end {
		case later:
			waitsOn[c.path] = true
			continue
		case byRules:
			text.body = extractive(c, r.summaryTokens())
		}
		topic := "" // the pass of topics finds it
		if was := old[c.id]; was != nil {
			topic = was.Prop("topic")
		}
		page := sessionPage(c, topic, text)
		if old[c.id] == nil {
			next, folded, err := near.fold(ctx, c, page)
			switch page = next; {
			case ctx.Err() != nil:
				return Made{}, ctx.Err()
			case err != nil:
				made.skip(c.path, err)
				waitsOn[c.path] = true
				r.held = append(r.held, c.source+"\x00"+c.id)
				continue
			case folded:
				continue
			}
		}
		p := w.Layout().Session(c.start.Date(), c.title)
		if was := old[c.id]; was != nil {
			p = was.Path
			if page, err = r.withMerged(ctx, was, c, page); err != nil {
				return Made{}, err
			}
			page = withFolded(vault.Parse(p, page), foldedInto[p.Stem()]).Bytes()
		} else if taken[p] || w.Exists(p) {
			id := c.sessionID()
			p = w.Layout().Session(c.start.Date(), c.title+" "+id[len(id)-4:])
		}
		taken[p] = true
		made.page(p, page)
		if text.end == byModel && text.model != "" {
			made.whereHeld(p, versions[c.path])
		}
		near.add(vault.Parse(p, page), len(made.Pages)-1)
		made.Sources = append(made.Sources, string(c.path))
	}
	if r.only == nil {
		more, after := made.More, made.after
		made.after = func() error {
			r.depths.done(window, waitsOn, q.waits, more)
			r.depths.keep()
			if after == nil {
				return nil
			}
			return after()
		}
	}
	made.Subject = count(len(made.Pages), "session") + " from " + count(len(window), "transcript") + near.subject()
	return made, nil
}

func transcriptEnd(n *vault.Note) string { return cmp.Or(n.Prop("updated"), n.Prop("created")) }

// worthSummary leaves out conversations in which the person said next to
// nothing; they stay searchable in their transcript.
func (c conversation) worthSummary() bool {
	size := 0
	for _, t := range c.texts {
		size += len(t)
	}
	return c.summary != "" || size >= 80 && (len(c.said) > 0 || len(c.people) > 0 && c.messages > 1 || len(c.texts) > 1)
}

// A summary is the body of a session's note, and by whom it is: the rules, or the
// model of that name.
type summary struct {
	body  string
	model string
	end   answer
}

// summaryTokens is the cap of a deep summary.
func (r *Runner) summaryTokens() int { return cmp.Or(r.cfg.SummaryTokens, summaryTokens) }

// sessionPage writes the note of a session. A provider's own summary is used as it
// is.
func sessionPage(c conversation, topic string, text summary) []byte {
	body, provider := text.body, ""
	if c.summary != "" {
		body, provider, text.model = c.summary+"\n", c.source, ""
	}
	tags := []string{"session"}
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Plain(c.sessionID())},
		{Key: "type", Value: vault.Text(string(vault.TypeSession))},
		{Key: "title", Value: vault.Text(c.title)},
	}
	if !c.start.IsZero() {
		props = append(props, vault.NewProperty{Key: "start", Value: vault.Plain(c.start.Property())})
	}
	props = append(props, []vault.NewProperty{
		{Key: "end", Value: vault.Plain(c.end.Property())},
		{Key: "source", Value: vault.Text(c.source)},
		{Key: "participants", Value: vault.List(c.people...)},
		{Key: "conversation", Value: vault.Text(c.id)},
		{Key: "transcript", Value: vault.Text(vault.LinkTo(c.path, "").String())},
		{Key: "domain", Value: vault.Text(domainOf(c.texts...))},
		{Key: "topic", Value: vault.Text(topic)},
		{Key: "topics", Value: vault.List(topicsOf(c)...)},
		{Key: "tags", Value: vault.List(tags...)},
		{Key: "salience", Value: vault.Plain(strconv.FormatFloat(c.score.Value, 'f', 2, 64))},
		{Key: "tokens", Value: vault.Number(Tokens(body))},
	}...)
	if c.tier == salience.Brief {
		props = append(props, vault.NewProperty{Key: "tier", Value: vault.Text(string(c.tier))})
	}
	if c.me != "" {
		props = append(props, vault.NewProperty{Key: "me", Value: vault.Text(c.me)})
	}
	if text.model != "" {
		props = append(props, vault.NewProperty{Key: "model", Value: vault.Text(text.model)})
	}
	if provider != "" {
		props = append(props, vault.NewProperty{Key: "provider", Value: vault.Text(provider)})
	}
	props = slices.DeleteFunc(props, func(p vault.NewProperty) bool {
		return p.Key == "participants" && len(c.people) == 0 || p.Key == "topic" && topic == "" || p.Key == "topics" && len(c.phrases) == 0
	})
	props = append(props, vault.NewProperty{Key: "generated", Value: vault.Plain("true")})
	return []byte(vault.FormatFrontMatter(props...) + "\n" + body)
}

// extractive writes the body of a summary from what the person said: the best
// statements in the order of the conversation, then what is open.
func extractive(c conversation, limit int) string {
	head := about(c)
	open := openOf(c.said)
	if c.tier == salience.Brief {
		limit = min(limit, briefTokens)
	}
	used := Tokens(head)
	var foot strings.Builder
	for i, s := range open {
		sep := "; "
		if i == 0 {
			sep = "Open: "
		}
		foot.WriteString(sep + strings.TrimRight(lowerFirst(s.Text), ".!") + " " + cite(c.path, s.Turn))
	}
	if foot.Len() > 0 {
		foot.WriteString(".\n")
	}
	used += Tokens(foot.String())
	var lines []string
	for _, s := range chooseStatements(c.said, open, len(c.people) > 0) {
		line := "- " + s.Text + " " + cite(c.path, s.Turn)
		cost := Tokens(line) + 1
		if used+cost > limit {
			continue
		}
		used += cost
		lines = append(lines, line)
	}
	if c.tier != salience.Brief && c.me == "" {
		for _, line := range highlights(c) {
			if cost := Tokens(line) + 1; used+cost <= limit {
				used += cost
				lines = append(lines, line)
			}
		}
	}
	parts := []string{}
	for _, part := range []string{head, strings.Join(lines, "\n"), strings.TrimLeft(foot.String(), "\n")} {
		if part = strings.TrimRight(part, "\n"); part != "" {
			parts = append(parts, part)
		}
	}
	if len(parts) == 0 {
		parts = append(parts, c.title+".")
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// about names what the conversation was about by its key phrases, and in a chat
// between people who was in it.
func about(c conversation) string {
	topics := listing(c.phrases[:min(4, len(c.phrases))])
	if len(c.people) > 0 {
		who := c.people[:min(5, len(c.people))]
		line := joinNames(who)
		if more := len(c.people) - len(who); more > 0 {
			line += " and " + count(more, "other")
		}
		line += ", " + count(c.messages, "message")
		if topics != "" {
			line += ", about " + topics
		}
		return line + "."
	}
	if topics == "" || len(c.texts) <= shortTalk && len(c.said) > 0 {
		return "" // the title says it
	}
	return "About " + topics + "."
}

func listing(phrases []extract.Phrase) string {
	var names []string
	for _, p := range phrases {
		names = append(names, p.Text)
	}
	return joinNames(names)
}

// joinNames says "a", "a and b", "a, b and c".
func joinNames(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}

// cite links a turn, showing its number.
func cite(p vault.Path, turn string) string {
	n := strings.TrimLeft(strings.TrimPrefix(turn, "t"), "0")
	return "(" + vault.LinkToBlock(p, turn, n).String() + ")"
}

func lowerFirst(s string) string {
	word, _, _ := strings.Cut(s, " ")
	if len(word) > 1 && strings.ToUpper(word) == word || word == "I" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// shortestOpen is the length in bytes below which a task does not say what is to be
// done: "definitely ask".
const shortestOpen = 24

// openOf picks the last tasks that were said: what is still to be done.
func openOf(said []extract.Statement) []extract.Statement {
	var open []extract.Statement
	for _, s := range slices.Backward(said) {
		if len(open) == openItems {
			break
		}
		if s.Kind == extract.Task && s.Score >= 0.6 && len(s.Text) >= shortestOpen && len(s.Text) <= 140 && !similarToAny(s, open) {
			open = append(open, s)
		}
	}
	slices.Reverse(open)
	return open
}

// chooseStatements picks what is most worth recalling, each thing once, and
// returns it in the order in which it was said. toOthers says that the conversation
// is one between people: what is asked there is small talk, mostly.
func chooseStatements(said, open []extract.Statement, toOthers bool) []extract.Statement {
	ranked := slices.Clone(said)
	if n := countLasting(said); n >= 3 || toOthers { // questions only where nothing else was said
		ranked = slices.DeleteFunc(ranked, func(s extract.Statement) bool { return s.Kind == extract.Question })
	}
	slices.SortStableFunc(ranked, func(a, b extract.Statement) int { return cmp.Compare(b.Score, a.Score) })
	var chosen []extract.Statement
	for _, s := range ranked {
		if len(chosen) == summaryItems {
			break
		}
		if !similarToAny(s, chosen) && !similarToAny(s, open) {
			chosen = append(chosen, s)
		}
	}
	slices.SortStableFunc(chosen, func(a, b extract.Statement) int { return cmp.Compare(a.Index, b.Index) })
	return chosen
}

func countLasting(said []extract.Statement) int {
	n := 0
	for _, s := range said {
		if s.Kind.Lasting() {
			n++
		}
	}
	return n
}

// similarText is the share of words two statements have in common from which
// they say the same: half of the shorter one's content words.
const similarText = 0.5

func similarToAny(s extract.Statement, others []extract.Statement) bool {
	return slices.ContainsFunc(others, func(o extract.Statement) bool { return extract.Similar(s.Text, o.Text, similarText) })
}

// count says "3 sessions", "1 session".
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
