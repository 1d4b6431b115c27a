package synth

import (
	"cmp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// A conversation is a transcript read for its person's words.
type conversation struct {
	path       vault.Path
	version    vault.Hash // of the transcript
	id         string     // the provider's
	source     string
	title      string
	start, end vault.Stamp
	summary    string   // the provider's own
	people     []string // who spoke, in a chat between people
	messages   int      // how many of them
	texts      []string // the person's turns; in a chat of nobody known, everybody's
	said       []extract.Statement
	heard      []heard // what others said in a chat between people
	me         string  // the person's name in it, where it is known
	score      salience.Score
	tier       salience.Tier
	phrases    []extract.Phrase
}

// maxPhrases is how many key phrases of a conversation are looked at.
const maxPhrases = 8

// readConversation reads what the person said on the active path. In chats
// between people the person is the one whom Config.Me names, or whom the chats
// leave no doubt about; where that is none of them, nobody's words are taken for
// the person's.
func (r *Runner) readConversation(n *vault.Note) conversation {
	t := vault.ParseTranscript(n)
	c := conversation{
		path: n.Path, version: vault.HashOf(n.Bytes()), id: n.Prop("conversation"), source: n.Prop("source"), title: n.Title(), summary: t.Summary(),
	}
	var others []string
	for _, turn := range t.Active() {
		if !turn.Time.IsZero() {
			if c.start.IsZero() {
				c.start = turn.Time
			}
			c.end = turn.Time
		}
		if roles[turn.Sender] && turn.Sender != "user" {
			continue
		}
		text := ownWords(turn.Turn)
		if text == "" || r.cfg.Secret != nil && r.cfg.Secret(text) {
			continue
		}
		if !roles[turn.Sender] {
			c.messages++
			if !slices.Contains(c.people, turn.Sender) {
				c.people = append(c.people, turn.Sender)
			}
			if !r.isMe(turn.Sender) {
				c.heard = append(c.heard, heard{turn.Sender, turn.ID, text})
				others = append(others, text)
				continue
			}
			c.me = turn.Sender
		}
		c.texts = append(c.texts, text)
		for _, s := range extract.Statements(text) {
			if f := r.cfg.Forgotten; f != nil && (f.Has(s.Text) || f.Has(s.Quote)) {
				continue // the person had it forgotten: no page is to say it again
			}
			s.Turn, s.Index = turn.ID, len(c.texts)
			if len(c.people) > 0 && s.Kind == extract.Policy && !ownRule.MatchString(s.Quote) {
				s.Kind = extract.Activity // advice to a friend, not a rule for an assistant
			}
			if len(c.people) > 0 && s.Kind.Lasting() && !speaksOfSelf.MatchString(s.Quote) {
				s.Kind = extract.Activity // it is about the world, or about the other
			}
			c.said = append(c.said, s)
		}
	}
	if c.start.IsZero() {
		c.start, _ = vault.ParseStamp(n.Prop("created"))
		c.end, _ = vault.ParseStamp(cmp.Or(n.Prop("updated"), n.Prop("created")))
	}
	if len(c.texts) == 0 {
		c.texts = others
	}
	c.phrases = slices.DeleteFunc(keyPhrases(c.title, c.texts), func(p extract.Phrase) bool { return c.introduces(p.Text) || c.isPerson(p) })
	return c
}

// keepRead keeps the conversations that go deep for the pass of facts, which reads
// them next. Of the others nothing is filed.
func (r *Runner) keepRead(all []conversation) {
	for _, c := range all {
		if c.tier == salience.Deep && r.read != nil {
			c.heard = nil
			r.read[c.path] = c
		}
	}
}

// recall is a conversation as this run has read it, or read now.
func (r *Runner) recall(n *vault.Note) conversation {
	c, ok := r.read[n.Path]
	delete(r.read, n.Path)
	if ok && c.version == vault.HashOf(n.Bytes()) {
		return c
	}
	return r.readConversation(n)
}

// introduces reports whether a name is the person's own: a conversation is not
// about it.
func (c conversation) introduces(name string) bool {
	return slices.ContainsFunc(c.said, func(s extract.Statement) bool {
		return s.Kind == extract.Identity && introduced(s.Quote) == name
	})
}

// isPerson reports whether a phrase is the name of somebody who speaks in the
// conversation or is spoken to in it.
func (c conversation) isPerson(p extract.Phrase) bool {
	if strings.Contains(p.Key, " ") {
		return false
	}
	for _, who := range c.people {
		for name := range strings.FieldsSeq(strings.ToLower(who)) {
			if len(name) > 2 && (strings.HasPrefix(p.Key, name) || len(p.Key) > 2 && strings.HasPrefix(name, p.Key)) {
				return true // also in full or for short: Emi and Emily
			}
		}
	}
	return extract.Person(c.texts, p.Text)
}

// speaksOfSelf finds that a speaker speaks of themselves.
var speaksOfSelf = lazyregexp.New(`(?i)\b(?:i|i'(?:m|ve|d|ll)|my|mine|me|we|we'(?:re|ve|d|ll)|our|us|let'?s)\b`)

// ownRule begins what somebody says that they always or never do.
var ownRule = lazyregexp.New(`^(?:I|We|My|Our)\b`)

// roles are the senders of assistants' histories; every other sender is a person
// in a chat between people.
var roles = map[string]bool{"user": true, "assistant": true, "tool": true, "system": true}

func (r *Runner) isMe(sender string) bool {
	return r.who.has(sender)
}

// shortTalk is the number of turns up to which nothing is said often enough to
// tell a key phrase: only names and the words of the title are taken then.
const shortTalk = 5

// keyPhrases are what a conversation is about, the best first: its phrases, and
// the names in it.
func keyPhrases(title string, texts []string) []extract.Phrase {
	var english []string
	for _, t := range texts {
		if extract.English(t) {
			english = append(english, t)
		}
	}
	var keep func(string) bool
	names := extract.Names(texts, maxPhrases)
	if len(texts) <= shortTalk {
		heading := " " + extract.PhraseKey(title) + " "
		keep = func(key string) bool { return strings.Contains(heading, " "+key+" ") }
	} else {
		names = slices.DeleteFunc(names, func(p extract.Phrase) bool { return p.Score < 2 })
	}
	phrases := extract.Phrases(english, maxPhrases, keep)
	for _, n := range names {
		if !slices.ContainsFunc(phrases, func(p extract.Phrase) bool { return p.Key == n.Key }) {
			phrases = append(phrases, n)
		}
	}
	slices.SortStableFunc(phrases, func(a, b extract.Phrase) int { return cmp.Compare(b.Score, a.Score) })
	return phrases[:min(len(phrases), maxPhrases)]
}

// notOwn are marks of turns that are not what their sender wrote.
var notOwn = []string{vault.FlagMeta, vault.FlagToolCall, vault.FlagReasoning, vault.FlagAttachment, "system", "deleted", "media"}

// ownWords is what a person wrote in a turn: nothing in turns that a program
// made, and without what programs put into the others.
func ownWords(t vault.Turn) string {
	if slices.ContainsFunc(t.Flags, func(f string) bool { return slices.Contains(notOwn, f) }) {
		return ""
	}
	return strings.TrimSpace(vault.StripInjected(t.Text))
}

// sessionID is the same for a conversation on every machine.
func (c conversation) sessionID() string {
	return strings.Replace(vault.ContentID("ss", 6, c.source, c.id), "ss-", "ss-"+cmp.Or(c.start.Date(), "undated")+"-", 1)
}
