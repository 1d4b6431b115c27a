package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// This file makes USER.md: what the person works on, how they ask, decide and
// feel, read from a sample of raw conversations, since summaries lose the tone.
// The rules only choose and count: a line is the person's own words or a figure
// over the sample, and links the turns that it comes from.

// Bounds of USER.md: source 3 samples 50 to 100 conversations; the page is read
// with the profile, so it keeps to a few times its size.
const (
	userSample = 80
	userTokens = 700
	// enoughTurns is the number of the person's messages below which nothing can be
	// said about how they write.
	enoughTurns = 10
)

// A spoken turn is one of the person's messages.
type spoken struct {
	path vault.Path
	turn string
	day  string
	text string
	lang string // its language, where the importer told it
	talk int    // which conversation of the sample
}

// A voice is the person in a sample of conversations.
type voice struct {
	talks []conversation
	turns []spoken
	all   int // conversations from which the sample was drawn
	from  string
	to    string
}

// user writes USER.md from a sample of raw conversations. The same sample gives
// the same page; while it has not changed nothing is read.
func (r *Runner) user(ctx context.Context, w *View) (Made, error) {
	heads, err := r.transcripts(ctx, w)
	if err != nil {
		return Made{}, err
	}
	mine := slices.DeleteFunc(slices.Clone(heads), func(h head) bool { return h.between() && r.meAmong(h.people) == "" })
	picked := sample(mine, userSample)
	if len(picked) == 0 {
		return Made{}, nil
	}
	var version []string
	for _, h := range picked {
		version = append(version, h.key+" "+h.ended+" "+r.meAmong(h.people))
	}
	if by := r.modelVersion("user"); by != "" {
		version = append(version, by)
	}
	input := Input{"sample", string(vault.HashOf([]byte(strings.Join(version, "\n"))))}
	if r.done("user", input.ID, input.Version) {
		return Made{}, nil
	}
	made := Made{Done: []Input{input}}
	v := voice{all: len(mine)}
	for _, h := range picked {
		if err := ctx.Err(); err != nil {
			return Made{}, err
		}
		raw, err := r.v.Read(h.path)
		if err != nil {
			made.skip(h.path, err)
			continue
		}
		r.listen(&v, vault.Parse(h.path, raw))
		made.Sources = append(made.Sources, string(h.path))
	}
	if page := r.userPage(v); page != nil {
		if waits, err := r.portrait(ctx, w, picked, page, &made); err != nil || waits {
			return Made{}, err
		}
	}
	made.Subject = "from " + count(len(v.talks), "conversation")
	return made, nil
}

// between reports whether a transcript is a chat between people.
func (h head) between() bool {
	return slices.ContainsFunc(h.people, func(p string) bool { return p != "" && !roles[p] })
}

// sample picks at most n of the transcripts, spread over the months in which they
// began: each month gives its share, and at least one where there is room. Within
// a month a hash of the conversation decides, so that a new one moves few others.
func sample(heads []head, n int) []head {
	months := map[string][]head{}
	for _, h := range heads {
		day := cmp.Or(h.created, h.updated)
		m := day[:min(7, len(day))]
		months[m] = append(months[m], h)
	}
	var names []string
	for m, hs := range months {
		names = append(names, m)
		slices.SortFunc(hs, func(a, b head) int {
			return strings.Compare(vault.ContentID("", 12, a.key), vault.ContentID("", 12, b.key))
		})
	}
	slices.Sort(names)
	var out []head
	// Months take turns, the newest first, each as often as its share lets it.
	for round := 0; len(out) < min(n, len(heads)); round++ {
		for _, m := range slices.Backward(names) {
			share := 1 + len(months[m])*n/len(heads)
			if round < len(months[m]) && (round < share || len(names)*2 > n) && len(out) < n {
				out = append(out, months[m][round])
			}
		}
		if round > len(heads) {
			break
		}
	}
	slices.SortFunc(out, func(a, b head) int {
		return cmp.Or(strings.Compare(cmp.Or(a.created, a.updated), cmp.Or(b.created, b.updated)), strings.Compare(string(a.path), string(b.path)))
	})
	return out
}

// listen adds a conversation to what is heard of the person.
func (r *Runner) listen(v *voice, n *vault.Note) {
	c := r.readConversation(n)
	talk := len(v.talks)
	v.talks = append(v.talks, c)
	for _, turn := range vault.ParseTranscript(n).Active() {
		if turn.Sender != "user" && (roles[turn.Sender] || !r.isMe(turn.Sender)) {
			continue
		}
		text := ownWords(turn.Turn)
		if text == "" || r.cfg.Secret != nil && r.cfg.Secret(text) {
			continue
		}
		day := cmp.Or(turn.Time.Date(), c.start.Date())
		lang := ""
		if len(turn.Languages) > 0 {
			lang, _, _ = strings.Cut(turn.Languages[0], "-")
		}
		v.turns = append(v.turns, spoken{n.Path, turn.ID, day, text, lang, talk})
		if day != "" && (v.from == "" || day < v.from) {
			v.from = day
		}
		v.to = max(v.to, day)
	}
}

// userPage writes the page, nil where the sample says nothing.
func (r *Runner) userPage(v voice) []byte {
	var used []string
	said := func(n int, is trait) []string { return r.linesOf(v, n, is, &used) }
	sections := []struct {
		name  string
		lines []string
	}{
		{"Works on", said(5, worksOn)},
		{"Knows and does", said(5, knows)},
		{"Asks of answers", said(5, ofKind(extract.Policy))},
		{"How they write", v.habits()},
		{"Tools", v.toolLines()},
		{"Comes back to", v.themeLines()},
		{"Decides", said(4, decides)},
		{"Likes and dislikes", said(6, ofKind(extract.Preference))},
		{"Routines", said(4, routine)},
		{"Frustrations", said(4, ofKind(extract.Frustration))},
		{"Delights", said(4, ofKind(extract.Delight))},
	}
	head := fmt.Sprintf("From %d of %s, %s to %s.\n", len(v.talks), count(v.all, "conversation"), v.from, v.to)
	if v.from == v.to {
		head = fmt.Sprintf("From %d of %s, %s.\n", len(v.talks), count(v.all, "conversation"), v.to)
	}
	// Sections take turns, so that a long one does not crowd out the last.
	kept := make([]int, len(sections))
	size, full := Tokens(head), false
	for round := 0; !full; round++ {
		full = true
		for i, s := range sections {
			if round >= len(s.lines) || kept[i] < round {
				continue
			}
			cost := Tokens(s.lines[round]) + 1
			if round == 0 {
				cost += Tokens(s.name) + 4
			}
			if size+cost <= userTokens {
				size, full = size+cost, false
				kept[i]++
			}
		}
	}
	var body strings.Builder
	for i, s := range sections {
		if kept[i] > 0 {
			body.WriteString("\n## " + s.name + "\n\n" + strings.Join(s.lines[:kept[i]], "\n") + "\n")
		}
	}
	if body.Len() == 0 {
		return nil
	}
	text := "# How they think and write\n\n" + head + body.String()
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Text("user")},
		{Key: "type", Value: vault.Text(string(vault.TypeUser))},
		{Key: "title", Value: vault.Text("User")},
	}
	if v.to != "" {
		props = append(props, vault.NewProperty{Key: "updated", Value: vault.Plain(v.to)})
	}
	props = append(props,
		vault.NewProperty{Key: "sample", Value: vault.Number(len(v.talks))},
		vault.NewProperty{Key: "tokens", Value: vault.Number(Tokens(text))},
		vault.NewProperty{Key: "generated", Value: vault.Plain("true")},
		vault.NewProperty{Key: "tags", Value: vault.List("user")},
	)
	return []byte(vault.FormatFrontMatter(props...) + "\n" + text)
}

// A trait tells whether a statement belongs into a section.
type trait func(extract.Statement) bool

func ofKind(k extract.Kind) trait { return func(s extract.Statement) bool { return s.Kind == k } }

var workCue = lazyregexp.New(`(?i)^(?:(?:i|we)(?:'m| am|'re| are|'ve been| have been) (?:currently |also |now |still |actually )?(?:working on|building|developing|writing|designing|making|creating|preparing|learning|studying|renovating|training|organi[sz]ing|running|teaching|researching|planning (?:a|an|my|our|to (?:move|launch|open|travel|start (?:a|an|my))))\b|my (?:project|thesis|dissertation|book|novel|business|startup|company|team|job|shop|garden|research|course|class)\b)`)

// errand is what is done on one day, or nothing that has a name.
var errand = lazyregexp.New(`(?i)\b(?:today|tonight|tomorrow|right now|this (?:morning|afternoon|evening)|errands|(?:into|some|a few|an?) (?:issues?|problems?|errors?|trouble))\b`)

func worksOn(s extract.Statement) bool {
	return workCue.MatchString(s.Quote) && !errand.MatchString(s.Quote)
}

var skillCue = lazyregexp.New(`(?i)^(?:i(?:'ve| have) (?:been \w+ing .{0,60}\b(?:for (?:about |over |nearly |almost |more than )?(?:\d+|two|three|four|five|six|ten|many|several|a few) (?:years|months|decades)|for a (?:year|decade)|since (?:19|20)\d\d)|worked (?:as|at|in|with)|\d+ years of|experience (?:in|with)|a (?:degree|background|phd|certificate))|i(?:'m| am) (?:good (?:at|with)|fluent in|experienced (?:in|with)|new to|a beginner|comfortable with|certified)\b|i (?:speak|teach|know how|studied|graduated)\b|my background\b)`)

func knows(s extract.Statement) bool {
	return s.Kind == extract.Identity || s.Kind != extract.Question && skillCue.MatchString(s.Quote)
}

var often = lazyregexp.New(`(?i)\b(?:every (?:day|morning|evening|night|week|weekend|month|mon|tues|wednes|thurs|fri|satur|sun)|daily|each (?:day|morning|evening|night|week)|usually|twice a (?:day|week)|times a (?:day|week|month)|on weekends|once a (?:day|week|month))`)

// onlyMeant tells what is not done again and again though its words say how often: what
// somebody tries, advises or feels, and the figures of a thing ("a daily quota").
var onlyMeant = lazyregexp.New(`(?i)^(?:i|we)(?:'m| am|'re| are|'ve been| have been)? (?:still |also |just |really )?(?:try|trying|want|hop|need|plan|think|thought|feel|felt|would|wish)|^my (?:suggestion|advice|recommendation|tip|guess)\b|\bdaily (?:quota|limit|budget|rate|cap|volume|traffic|usage|requests?|calls|standups?)\b`)

// routine takes what the person does again and again.
func routine(s extract.Statement) bool {
	return often.MatchString(s.Quote) && ownRule.MatchString(s.Quote) && !onlyMeant.MatchString(s.Quote) && (s.Kind == extract.Event || s.Kind == extract.Activity || s.Kind == extract.Identity)
}

var reason = lazyregexp.New(`(?i)\b(?:because|since|due to|over|instead of|rather than|so that|so i|in order to|to (?:avoid|save|keep|reduce|make sure)|for (?:simplicity|speed|its|the sake)|based on|after (?:comparing|talking|reading|discussing))\b`)

// decides takes decisions that say why, or against what.
func decides(s extract.Statement) bool {
	return s.Kind == extract.Decision && reason.MatchString(s.Quote)
}

// longLine is the length in bytes from which a statement is no line of the page.
const longLine = 170

// linesOf are the lines of a section: what the person said of it, once each, what
// came up on most days first and of those the newest. What used says already is
// left out.
func (r *Runner) linesOf(v voice, n int, is trait, used *[]string) []string {
	type said struct {
		extract.Statement
		cites []string
		days  map[string]bool
		last  string
	}
	var all []said
	for _, t := range v.turns {
		found := extract.Statements(t.text)
		found = append(found, extract.Moods(t.text)...)
		for _, s := range found {
			if v.talks[t.talk].me != "" && s.Kind == extract.Policy && !ownRule.MatchString(s.Quote) {
				continue
			}
			if !is(s) || len(s.Text) > longLine || s.Score < 0.5 && s.Kind.Lasting() || r.isForgotten(s) || extract.Leans(s.Quote) {
				continue
			}
			cited := cite(t.path, t.turn)
			i := slices.IndexFunc(all, func(o said) bool { return extract.Similar(o.Text, s.Text, sameRule) })
			if i < 0 {
				all = append(all, said{s, []string{cited}, map[string]bool{t.day: true}, t.day})
				continue
			}
			o := &all[i]
			if o.last < t.day || o.last == t.day && o.Score < s.Score {
				o.Statement = s
			}
			o.last = max(o.last, t.day)
			if !o.days[t.day] {
				o.days[t.day] = true
				o.cites = append(o.cites, cited)
			}
		}
	}
	everything := slices.Clone(all)
	all = slices.DeleteFunc(all, func(o said) bool { // what the person said "not" to since
		return slices.ContainsFunc(everything, func(s said) bool {
			return s.last > o.last && extract.Denies(s.Text, o.Text) && extract.Refutes(s.Quote, o.Quote)
		})
	})
	slices.SortStableFunc(all, func(a, b said) int {
		return cmp.Or(cmp.Compare(len(b.days), len(a.days)), cmp.Compare(b.Score, a.Score), strings.Compare(b.last, a.last))
	})
	var lines []string
	for _, s := range all {
		if len(lines) == n {
			break
		}
		if s.Kind == extract.Frustration && len(s.days) < 2 && passing.MatchString(s.Quote) || slices.ContainsFunc(*used, func(u string) bool { return extract.Similar(u, s.Text, sameRule) }) {
			continue
		}
		*used = append(*used, s.Text)
		lines = append(lines, "- "+s.Text+" "+strings.Join(s.cites[max(0, len(s.cites)-maxCites):], " "))
	}
	return lines
}

// passing is trouble with the work of the day, which says something of the person
// only where it comes again.
var passing = lazyregexp.New(`(?i)\b(?:trouble|difficulty|hard time|struggl\w+|stuck)\b`)

// maxCites is how many turns a line of USER.md links, the newest ones.
const maxCites = 3

// isForgotten reports whether the person removed what a statement says.
func (r *Runner) isForgotten(s extract.Statement) bool {
	f := r.cfg.Forgotten
	return f != nil && (f.Has(s.Text) || f.Has(s.Quote))
}
