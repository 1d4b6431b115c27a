package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// Bounds of MEMORY.md: hosts cut longer files in silence (ANCHORS.md, complaint
// 7), so what does not fit is left out and counted.
const (
	bootLines    = 200
	bootBytes    = 25 << 10
	recentShown  = 5
	inForceShown = 25
)

// boot writes MEMORY.md: how fresh memory is, the profile, what is in force, and
// one line a topic.
func (r *Runner) boot(ctx context.Context, w *View) (Made, error) {
	sessions, err := readSessions(ctx, w)
	if err != nil {
		return Made{}, err
	}
	topics, err := w.Notes(ctx, "memory")
	if err != nil {
		return Made{}, err
	}
	claims, err := placedClaims(ctx, w)
	if err != nil {
		return Made{}, err
	}
	proposals, err := w.Paths(ctx, "review")
	if err != nil {
		return Made{}, err
	}
	b := bootPage{layout: w.Layout()}
	if b.waiting, err = r.backlog(ctx, w); err != nil {
		return Made{}, err
	}
	if len(sessions)+len(topics)+len(claims)+b.waiting.Conversations == 0 {
		return Made{}, nil
	}
	var card []string
	if profile, err := w.Note(w.Layout().Profile()); err == nil {
		b.name = profile.Prop("name")
		b.profile = true
		for line := range strings.Lines(Visible(string(profile.Body()))) {
			if line = strings.TrimPrefix(strings.TrimSpace(line), "- "); line != "" {
				card = append(card, line)
			}
		}
	}
	newest := ""
	for _, s := range sessions {
		newest = max(newest, isoDay(s.start))
	}
	for _, c := range claims {
		if over(c.Claim, newest) {
			continue
		}
		onCard := slices.ContainsFunc(card, func(line string) bool {
			return extract.Overlap(c.Text, line) >= sameLine || c.Kind == "policy" && sameRuleSaid(c.Text, line)
		})
		if onCard {
			continue // the card stands on the page, and no line stands there twice
		}
		if c.Kind == "policy" || c.Kind == "goal" && extract.LifeGoal(c.Text) || c.Pin != "" {
			b.inForce = append(b.inForce, c)
		}
	}
	b.sessions, b.topics, b.proposals = sessions, topics, len(proposals)
	var made Made
	made.page(w.Layout().Boot(), b.bytes())
	made.Subject = count(len(topics), "topic") + ", " + count(len(sessions), "session")
	if n := b.waiting.Conversations; n > 0 {
		made.Subject += ", " + count(n, "conversation") + " to be distilled"
	}
	return made, nil
}

// A bootPage is what MEMORY.md is made of.
type bootPage struct {
	layout    vault.Layout
	name      string
	profile   bool
	inForce   []placedClaim
	sessions  []session
	topics    []*vault.Note
	proposals int
	// waiting are the conversations that are not distilled.
	waiting Backlog
}

func (b bootPage) bytes() []byte {
	fresh := ""
	for _, s := range b.sessions {
		fresh = max(fresh, s.note.Prop("end"))
	}
	var body strings.Builder
	title := "Memory"
	if b.name != "" {
		title += " of " + b.name
	}
	body.WriteString("# " + title + "\n\n" + b.freshness(fresh) + "\n")
	if b.profile {
		body.WriteString("\n!" + vault.LinkTo(b.layout.Profile(), "").String() + "\n")
	}
	b.section(&body, "In force", b.inForceLines())
	b.section(&body, "Detailed context", b.topicLines())
	b.section(&body, "Lately", b.recentLines())
	text := body.String()
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Text("memory")},
		{Key: "type", Value: vault.Text(string(vault.TypeBoot))},
		{Key: "title", Value: vault.Text("Memory")},
	}
	if fresh != "" {
		props = append(props, vault.NewProperty{Key: "updated", Value: vault.Plain(fresh)})
	}
	props = append(props,
		vault.NewProperty{Key: "tokens", Value: vault.Number(Tokens(text))},
		vault.NewProperty{Key: "generated", Value: vault.Plain("true")},
		vault.NewProperty{Key: "tags", Value: vault.List("boot")},
	)
	return []byte(vault.FormatFrontMatter(props...) + "\n" + text)
}

func (b bootPage) freshness(fresh string) string {
	line := "Fresh to " + isoDay(fresh) + "; " + count(len(b.sessions), "session")
	if fresh == "" {
		line = "Nothing is distilled yet"
	}
	switch b.proposals {
	case 0:
	case 1:
		line += ", 1 proposal waits for review"
	default:
		line += fmt.Sprintf(", %d proposals wait for review", b.proposals)
	}
	if n := b.waiting.Conversations; n > 0 {
		line += fmt.Sprintf("; %s up to %s wait to be distilled and are found by search", count(n, "conversation"), b.waiting.UpTo)
	}
	return line + "."
}

// section writes a heading and as many lines as the page has room for, and says
// how many it left out.
func (b bootPage) section(body *strings.Builder, heading string, lines []string) {
	if len(lines) == 0 {
		return
	}
	const head = 12 // lines of front matter and title
	body.WriteString("\n## " + heading + "\n\n")
	for i, line := range lines {
		full := strings.Count(body.String(), "\n")+head >= bootLines-12 || body.Len()+len(line) > bootBytes-2048
		if full {
			fmt.Fprintf(body, "- and %d more, found by search\n", len(lines)-i)
			return
		}
		body.WriteString(line + "\n")
	}
}

func (b bootPage) inForceLines() []string {
	claims := slices.Clone(b.inForce)
	slices.SortStableFunc(claims, func(x, y placedClaim) int {
		return cmp.Or(cmp.Compare(len(y.Pin), len(x.Pin)), strings.Compare(y.LastSeen, x.LastSeen))
	})
	var lines []string
	var shown []placedClaim
	for i, c := range claims { // of rules that say mostly the same the latest stands
		if len(shown) == inForceShown {
			lines = append(lines, fmt.Sprintf("- and %d more, found by search", len(claims)-i))
			break
		}
		if c.Pin != "" || c.Kind != "policy" || !slices.ContainsFunc(shown, func(o placedClaim) bool { return o.Kind == "policy" && sameRuleSaid(o.Text, c.Text) }) {
			shown, lines = append(shown, c), append(lines, "- "+c.Text+c.cited())
		}
	}
	return lines
}

// sameRuleSaid reports whether two rules would be one pattern in the schema.
func sameRuleSaid(a, b string) bool {
	return extract.SameNumbers(a, b) && extract.Similar(a, b, sameRule)
}

func (b bootPage) topicLines() []string {
	topics := slices.Clone(b.topics)
	slices.SortStableFunc(topics, func(x, y *vault.Note) int {
		return cmp.Or(strings.Compare(y.Prop("updated"), x.Prop("updated")), strings.Compare(x.Title(), y.Title()))
	})
	var lines []string
	for _, n := range topics {
		lines = append(lines, "- "+vault.LinkTo(n.Path, n.Title()).String()+" - "+b.hook(n))
	}
	return lines
}

// hook says in a few words what a topic page holds: the person's own words for
// it, else what its sessions are about beside the topic, how many there are and
// until when.
func (b bootPage) hook(n *vault.Note) string {
	if d := n.Prop("description"); d != "" {
		return d
	}
	key := extract.PhraseKey(cmp.Or(n.Prop("topic"), n.Title()))
	linked := map[string]bool{}
	for _, l := range n.Links() {
		linked[l.Target] = true
	}
	counts := map[string]int{}
	var names []string
	last, sessions := "", 0
	for _, s := range b.sessions {
		if !linked[s.note.Path.Stem()] {
			continue
		}
		sessions++
		last = max(last, s.start)
		for _, name := range s.names {
			k := extract.PhraseKey(name)
			if strings.Contains(" "+k+" ", " "+key+" ") || strings.Contains(" "+key+" ", " "+k+" ") {
				continue
			}
			if counts[k]++; counts[k] == 1 {
				names = append(names, name)
			}
		}
	}
	slices.SortStableFunc(names, func(x, y string) int {
		return cmp.Compare(counts[extract.PhraseKey(y)], counts[extract.PhraseKey(x)])
	})
	if sessions == 0 {
		return "a page of yours"
	}
	what := count(sessions, "session") + " to " + isoDay(last)
	if len(names) > 0 {
		what = strings.Join(names[:min(hookTopics, len(names))], ", ") + "; " + what
	}
	return what
}

// hookTopics is how many phrases a line of MEMORY.md names.
const hookTopics = 4

func (b bootPage) recentLines() []string {
	var lines []string
	for _, s := range slices.Backward(b.sessions) {
		if len(lines) == recentShown {
			break
		}
		about := ""
		if names := s.note.List("topics"); len(names) > 0 {
			about = " - " + strings.Join(names[:min(3, len(names))], ", ")
		}
		lines = append(lines, "- "+isoDay(s.start)+" "+vault.LinkTo(s.note.Path, s.title).String()+about)
	}
	return lines
}
