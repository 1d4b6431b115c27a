// Package vaultgen writes a large vault of an invented person, for measuring.
//
// It writes notes as a vault has them after years: a transcript and the summary of
// a session for each conversation, ledgers of what came out of them, topics and a
// profile. The words are made by chance of a small grammar with a long tail of
// names, so that some words are everywhere and most are rare. The same numbers
// give the same bytes.
package vaultgen

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
)

// first is the day of the first conversation.
var first = time.Date(2022, 1, 3, 8, 0, 0, 0, time.UTC)

// Shares of the notes. The rest are summaries of sessions, one a transcript.
const (
	notesPerLedger = 25 // of all notes, one is a ledger
	notesPerTopic  = 50
	claimsEach     = 12 // claims of a ledger; every sixth is superseded
	turnsEach      = 8
)

// Write fills dir with so many notes and returns the day of the last one.
func Write(dir string, notes int, seed uint64) (last time.Time, err error) {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, 1)), dir: dir}
	ledgers, topics := notes/notesPerLedger, notes/notesPerTopic
	talks := max(1, (notes-ledgers-topics-4)/2)
	for i := range talks {
		// Four years, however many conversations there are.
		last = first.Add(time.Duration(i) * 4 * 365 * 24 * time.Hour / time.Duration(talks))
		g.conversation(i, last)
	}
	for i := range ledgers {
		g.ledger(i)
	}
	for i := range topics {
		g.note(fmt.Sprintf("memory/topic-%04d.md", i), fmt.Sprintf("id: tp-%04d\ntype: topic\ntitle: %s\ngenerated: true", i, g.thing()), g.sentences(12))
	}
	g.claims("schema/goals.md", "id: sc-goals\ntype: schema\ntitle: Goals", []string{"goal", "policy", "value"}, "s-goal", 20)
	g.note("profile.md", "id: profile\ntype: profile\ntitle: Profile\nupdated: "+last.Format(time.DateOnly)+"\ngenerated: true", g.sentences(5))
	g.note("MEMORY.md", "id: memory\ntype: boot\ntitle: Memory\nupdated: "+last.Format(time.RFC3339)+"\ngenerated: true", "# Memory\n\n"+g.sentences(20))
	return last, g.err
}

// Question is something to ask of such a vault: every number asks another one.
func Question(n int) string {
	g := &generator{rnd: rand.New(rand.NewPCG(uint64(n), 2))}
	return g.one(
		"when did %[1]s %[2]s the %[3]s", "what did we decide about the %[3]s", "should I %[2]s the %[3]s or the %[4]s",
		"plan next week around the %[3]s with %[1]s", "who is %[1]s", "how has the %[3]s changed", "the %[3]s in %[5]s", "remind me what %[1]s said of the %[3]s",
	)
}

type generator struct {
	rnd *rand.Rand
	dir string
	err error
}

func (g *generator) note(path, head, body string) {
	if g.err != nil {
		return
	}
	name := filepath.Join(g.dir, filepath.FromSlash(path))
	if g.err = os.MkdirAll(filepath.Dir(name), 0o700); g.err == nil {
		g.err = os.WriteFile(name, []byte("---\n"+head+"\n---\n\n"+body+"\n"), 0o600)
	}
}

func (g *generator) conversation(i int, at time.Time) {
	year := at.Format("2006")
	slug := fmt.Sprintf("%s-talk-%05d", at.Format(time.DateOnly), i)
	title := g.thing() + " with " + g.name()
	turns := make([]vault.Turn, turnsEach)
	for n := range turns {
		turns[n] = vault.Turn{
			Sender: [2]string{"user", "assistant"}[n%2], Time: vault.Stamp{Time: at.Add(time.Duration(n) * time.Minute)},
			MessageID: fmt.Sprintf("m-%05d-%d", i, n), Text: g.sentences(2 + g.rnd.IntN(3) + 4*(n%2)),
		}
	}
	transcript := "transcripts/chatgpt/" + year + "/" + slug
	g.note(transcript+".md", fmt.Sprintf("id: tr-%05d\ntype: transcript\ntitle: %s\ncreated: %s\nsource: chatgpt\nconversation: c-%05d", i, title, at.Format(time.RFC3339), i), string(vault.FormatTurns(1, turns)))
	g.note("sessions/"+year+"/"+slug+".md", fmt.Sprintf("id: ss-%05d\ntype: session\ntitle: %s\nstart: %s\nend: %s\nsource: chatgpt\ntranscript: \"[[%s]]\"\nsalience: 0.%d\ngenerated: true",
		i, title, at.Format(time.RFC3339), at.Add(time.Hour).Format(time.RFC3339), transcript, 2+g.rnd.IntN(7)), "- "+strings.ReplaceAll(g.sentences(6), ". ", ".\n- "))
}

func (g *generator) ledger(i int) {
	domain := [...]string{"work", "health", "home", "people", "money"}[i%5]
	g.claims(fmt.Sprintf("facts/%s/ledger-%04d.md", domain, i),
		fmt.Sprintf("id: fa-%04d\ntype: facts\ntitle: %s\ndomain: %s\ntopic: ledger-%04d", i, g.thing(), domain, i),
		[]string{"decision", "event", "task", "entity", "preference", "constraint", "relationship"}, fmt.Sprintf("f-%04d", i), claimsEach)
}

func (g *generator) claims(path, head string, kinds []string, id string, n int) {
	var held, past strings.Builder
	for k := range n {
		seen := first.AddDate(0, 0, g.rnd.IntN(4*365)).Format(time.DateOnly)
		line := fmt.Sprintf("- %s (kind:: %s) (confidence:: 0.%d) (seen:: %s)", g.sentence(), kinds[g.rnd.IntN(len(kinds))], 4+g.rnd.IntN(6), seen)
		if k%6 == 5 {
			fmt.Fprintf(&past, "%s (until:: %s) ^%s-%02d\n", line, seen, id, k)
		} else {
			fmt.Fprintf(&held, "%s ^%s-%02d\n", line, id, k)
		}
	}
	g.note(path, head, held.String()+"\n## Superseded\n\n"+past.String())
}

func (g *generator) sentences(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = g.sentence()
	}
	return strings.Join(out, " ")
}

func (g *generator) sentence() string {
	return g.one(
		"%[1]s wants to %[2]s the %[3]s before the %[4]s is done in %[5]s.", "Decided to %[2]s the %[3]s and leave the %[4]s for later.",
		"The %[3]s in %[5]s cost %[6]d euros, more than the %[4]s.", "%[1]s moved to %[5]s and asked about the %[3]s.",
		"It took %[6]d minutes to %[2]s the %[3]s.", "We should %[2]s the %[4]s with %[1]s on Tuesday.", "%[1]s prefers the %[3]s to the %[4]s.",
	)
}

// one fills one of the forms: a name, a verb, two things, a place and a number.
func (g *generator) one(forms ...string) string {
	return strings.Split(fmt.Sprintf(forms[g.rnd.IntN(len(forms))]+"\x00%[1]s%[2]s%[3]s%[4]s%[5]s%[6]d",
		g.name(), g.from(verbs), g.thing(), g.thing(), g.place(), 1+g.rnd.IntN(900)), "\x00")[0]
}

// name, place and thing have a long tail: some are named all the time.
func (g *generator) name() string  { return g.tail(names, 400) }
func (g *generator) place() string { return g.tail(places, 300) }
func (g *generator) thing() string {
	return g.from(adjectives) + " " + g.tail(things, 2000)
}

func (g *generator) tail(common []string, rare int) string {
	if g.rnd.IntN(3) > 0 {
		return g.from(common)
	}
	n := g.rnd.IntN(rare)
	return common[n%len(common)] + syllables[n/7%len(syllables)] + syllables[n%len(syllables)]
}

func (g *generator) from(list []string) string { return list[g.rnd.IntN(len(list))] }
