package synth

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// A conversation is a transcript read for its person's words.
type conversation struct {
	path       vault.Path
	id         string // the provider's
	source     string
	title      string
	start, end vault.Stamp
	summary    string // the provider's own
	texts      []string
	turns      int
	said       []extract.Statement
	phrases    []extract.Phrase
}

// maxPhrases is how many key phrases of a conversation are looked at.
const maxPhrases = 8

// readConversation reads what the person said on the active path. secret, where
// given, reports turns that must not be quoted.
func readConversation(n *vault.Note, secret func(string) bool) conversation {
	t := vault.ParseTranscript(n)
	c := conversation{
		path: n.Path, id: n.Prop("conversation"), source: n.Prop("source"), title: n.Title(), summary: t.Summary(),
	}
	for _, turn := range t.Active() {
		if turn.Time.IsZero() == false {
			if c.start.IsZero() {
				c.start = turn.Time
			}
			c.end = turn.Time
		}
		if !speaks(turn.Turn) {
			continue
		}
		c.turns++
		if secret != nil && secret(turn.Text) {
			continue
		}
		c.texts = append(c.texts, turn.Text)
		for _, s := range extract.Statements(turn.Text) {
			s.Turn, s.Index = turn.ID, len(c.texts)
			c.said = append(c.said, s)
		}
	}
	if c.start.IsZero() {
		c.start, _ = vault.ParseStamp(n.Prop("created"))
		c.end, _ = vault.ParseStamp(cmp.Or(n.Prop("updated"), n.Prop("created")))
	}
	c.phrases = keyPhrases(c.title, c.texts)
	return c
}

// shortTalk is the number of turns up to which nothing is said often enough to
// tell a key phrase: only names and the words of the title are taken then.
const shortTalk = 5

// keyPhrases are what a conversation is about, the best first: its phrases, and
// the names in it.
func keyPhrases(title string, texts []string) []extract.Phrase {
	phrases := extract.Phrases(texts, maxPhrases)
	names := extract.Names(texts, maxPhrases)
	if len(texts) <= shortTalk {
		heading := " " + extract.PhraseKey(title) + " "
		phrases = slices.DeleteFunc(phrases, func(p extract.Phrase) bool {
			return !strings.Contains(heading, " "+p.Key+" ")
		})
	} else {
		names = slices.DeleteFunc(names, func(p extract.Phrase) bool { return p.Score < 2 })
	}
	for _, n := range names {
		if !slices.ContainsFunc(phrases, func(p extract.Phrase) bool { return p.Key == n.Key }) {
			phrases = append(phrases, n)
		}
	}
	slices.SortStableFunc(phrases, func(a, b extract.Phrase) int { return cmp.Compare(b.Score, a.Score) })
	return phrases[:min(len(phrases), maxPhrases)]
}

// speaks reports whether a turn is the person's own words.
func speaks(t vault.Turn) bool {
	return t.Sender == "user" && !slices.ContainsFunc(t.Flags, func(f string) bool {
		return f == "injected" || f == "system" || f == "deleted"
	})
}

// sessionID is the same for a conversation on every machine.
func (c conversation) sessionID() string {
	return strings.Replace(vault.ContentID("ss", 6, c.source, c.id), "ss-", "ss-"+cmp.Or(c.start.Date(), "undated")+"-", 1)
}

// salience says how much a conversation is worth distilling, from 0 to 1: how
// many lasting and specific things were said in it. It saturates; one strong
// statement gives about 0.2, ten give about 0.9.
func (c conversation) salience() float64 {
	sum := 0.0
	for _, s := range c.said {
		if s.Kind.Lasting() {
			sum += s.Score
		}
	}
	return sum / (sum + 4)
}
