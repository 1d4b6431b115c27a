package synth

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// An edit is what a person does to a page: the page after it, and how to tell
// that it was kept.
type edit struct {
	name string
	do   func(page string) (after string, kept func(page string) bool)
}

func holds(text string) func(string) bool {
	return func(page string) bool { return strings.Count(page, text) == 1 }
}

// bullets are the lines of a page, and which of them are list items.
func bullets(page string) (lines []string, at []int) {
	lines = strings.SplitAfter(page, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, "- ") {
			at = append(at, i)
		}
	}
	return lines, at
}

var edits = []edit{
	{"word", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		i := at[len(at)-1]
		lines[i] = strings.Replace(lines[i], "- ", "- Truly: ", 1)
		return strings.Join(lines, ""), holds("- Truly: ")
	}},
	{"line", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		return strings.Join(slices.Insert(lines, at[len(at)-1], "- A line of mine.\n"), ""), holds("- A line of mine.\n")
	}},
	{"section", func(page string) (string, func(string) bool) {
		const mine = "\n## My notes\n\nMore of mine.\n"
		return page + mine, holds(mine)
	}},
	{"reorder", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		a, b := at[len(at)-2], at[len(at)-1]
		lines[a], lines[b] = lines[b], lines[a]
		one, two := lines[a], lines[b]
		return strings.Join(lines, ""), func(page string) bool {
			i, j := strings.Index(page, one), strings.Index(page, two)
			return i >= 0 && j > i
		}
	}},
	{"delete", func(page string) (string, func(string) bool) {
		lines, at := bullets(page)
		gone := lines[at[len(at)-1]]
		return strings.Join(slices.Delete(lines, at[len(at)-1], at[len(at)-1]+1), ""), func(page string) bool {
			return !strings.Contains(page, gone)
		}
	}},
	{"retitle", func(page string) (string, func(string) bool) {
		return replaceLine(page, "title: ", "title: A better title\n"), holds("title: A better title\n")
	}},
	{"front matter", func(page string) (string, func(string) bool) {
		return strings.Replace(page, "---\n", "---\nrating: 5 # mine\n", 1), holds("rating: 5 # mine\n")
	}},
	{"whole rewrite", func(string) (string, func(string) bool) {
		const mine = "---\nid: mine\n---\n\nI wrote this page anew.\n"
		return mine, func(page string) bool { return page == mine }
	}},
}

// A pageKind is a kind of page that memsync makes anew: where a vault has one, and
// what makes it anew.
type pageKind struct {
	kind vault.Type
	path vault.Path
	make func(t *testing.T) *lab
	grow func(l *lab)
}

var pageKinds = []pageKind{
	{vault.TypeSession, "sessions/2025/2025-01-12-sourdough.md", baker, grow},
	{vault.TypeTopic, "memory/sourdough.md", baker, grow},
	{vault.TypeProfile, "profile.md", baker, grow},
	{vault.TypeUser, "USER.md", baker, grow},
	{vault.TypeBoot, "MEMORY.md", baker, grow},
	{vault.TypeEpoch, "epochs/2025-01.md", orchard, growOrchard},
	{vault.TypeSession, "archive/2025/2025-01-02-garden-0.md", orchard, growArchived}, // one in the archive
	{vault.TypeRendering, renderedPage, interpreted, growInterpreted},
	{vault.TypeFacts, "", baker, grow}, // the ledger that grows
}

// notMadeAnew are the other kinds of notes, and why none of their pages is made
// anew.
var notMadeAnew = map[vault.Type]string{
	vault.TypeSchema:     "a ledger of what the person accepted, changed line by line as facts are",
	vault.TypeTranscript: "what was said is appended to and never rewritten",
	vault.TypeProposal:   "a proposal that waits is left as it stands",
	vault.TypeNote:       "the person's own",
}

// Every kind of note that the vault's format has is in one of the two lists, so that
// a new one cannot be forgotten here.
func TestEveryKindIsEdited(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "../vault/note.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if id, ok := v.Type.(*ast.Ident); !ok || id.Name != "Type" {
				continue
			}
			found++
			kind := vault.Type(strings.Trim(v.Values[0].(*ast.BasicLit).Value, `"`))
			edited := slices.ContainsFunc(pageKinds, func(p pageKind) bool { return p.kind == kind })
			if _, not := notMadeAnew[kind]; edited == not {
				t.Errorf("notes of type %s: edited in the suite %v, said not to be made anew %v", kind, edited, not)
			}
		}
	}
	if found != 12 {
		t.Errorf("%d types were found in vault/note.go", found)
	}
}

// What a person does to a generated page stays when the page is made anew from
// more than it was made of before.
func TestEditsSurvive(t *testing.T) {
	for _, g := range pageKinds {
		t.Run(string(g.kind)+" "+string(g.path.Dir()), func(t *testing.T) {
			t.Parallel()
			control := g.make(t)
			path := g.path
			if path == "" {
				path = holding(t, control, "on Thursdays")
			}
			before := control.read(path)
			g.grow(control)
			if control.read(path) == before {
				t.Fatal("the page is not made anew, so the test shows nothing")
			}
			for _, e := range edits {
				l := g.make(t)
				var kept func(string) bool
				l.edit(path, func(page string) (after string) {
					after, kept = e.do(page)
					return after
				})
				edited := l.read(path)
				g.grow(l)
				after := l.read(path)
				if g.kind == vault.TypeFacts && e.name == "whole rewrite" {
					kept = holds("I wrote this page anew.\n") // new claims go below it
				}
				if !kept(after) || strings.Contains(after, "<<<<<<<") {
					t.Errorf("%s of the %s is lost:\n%s\n--- the edited page was\n%s", e.name, g.kind, after, edited)
				}
			}
		})
	}
}

// orchard is a vault with a month in the archive.
func orchard(t *testing.T) *lab {
	l := newLab(t)
	l.cfg.MaxSessions = 2
	l.add(fiveDays()...)
	l.run()
	return l
}

// fiveDays are the chats of five days.
func fiveDays() []chat {
	var chats []chat
	for i := range 5 {
		chats = append(chats, gardening(i))
	}
	return chats
}

// gardening is the chat of one day: three in January, the others in March.
func gardening(i int) chat {
	return said(fmt.Sprintf("e%d", i), fmt.Sprintf("Garden %d", i), fmt.Sprintf("2025-%02d-%02dT10:00:00Z", 1+i/3*2, 2+i%3),
		fmt.Sprintf("I've decided to plant %d apple trees behind the shed of lot %d.", i+2, i*7), fmt.Sprintf("I prefer apples of sort %d over the ones in the supermarket.", i))
}

// growOrchard brings another session of the month that is archived.
func growOrchard(l *lab) {
	l.add(said("late", "Garden early", "2025-01-01T10:00:00Z", "I've decided to dig a pond of 12 metres beside the fence.", "I prefer willows over birches for the pond."))
	l.run()
}

// growArchived goes on with a chat whose session is in the archive.
func growArchived(l *lab) {
	c := gardening(0)
	c.turns = append(c.turns, said("e0", "", "2025-01-02T12:00:00Z", "I've decided to buy a ladder of 4 metres for the harvest in September 2025.").turns...)
	l.add(c)
	l.run()
}

const renderedPage = vault.Path("english/whatsapp/2025/2025-03-14-mira.md")

// hindi are messages, and what the interpreter says that they say in English.
var hindi = [][2]string{
	{"Mira: Kal nahi aa paungi, office mein bahut kaam hai, boss bhi gussa hai", "Cannot come tomorrow, a lot of work at the office, the boss is angry"},
	{"Ana: Theek hai, phir chaabi padosi ko de dena, main shaam ko le lunga", "Give the keys to the neighbour, I will take them in the evening"},
	{"Mira: Achha, dukaan se doodh aur chawal bhi le aana aaj shaam ko", "Bring milk and rice from the shop this evening too"},
	{"Ana: Aaj train phir se late hai, main nau baje pahunchungi station pe", "The train is late again today, arriving at the station at nine"},
}

// interpreted is a vault with a chat in Hindi and its rendering in English.
func interpreted(t *testing.T) *lab {
	l := newLab(t)
	m := &interpreter{known: map[string]string{}}
	for _, h := range hindi {
		_, text, _ := strings.Cut(h[0], ": ")
		m.known[text] = h[1]
	}
	l.cfg.Writer = &passes.Writer{Model: m}
	l.add(hindiChat())
	l.run()
	return l
}

func hindiChat() chat {
	c := between("chat-1#2025-03-14-1000", "Mira", "2025-03-14 10:00",
		"Ana: I bought the tickets for the concert in the old town on Saturday.", hindi[0][0], hindi[1][0], hindi[2][0])
	c.languages, c.turns[0].Languages = []string{"hi-Latn", "en"}, []string{"en"}
	return c
}

// growInterpreted goes on with the chat.
func growInterpreted(l *lab) {
	c := hindiChat()
	c.turns = append(c.turns, between(c.id, "Mira", "2025-03-14 11:30", hindi[3][0]).turns...)
	l.add(c)
	l.run()
}

// baker is a vault with a page of each kind.
func baker(t *testing.T) *lab {
	l := newLab(t)
	l.add(said("s1", "Sourdough", "2025-01-12T07:30:00Z", bakerSaid...),
		said("s0", "Rye sourdough", "2025-01-02T07:30:00Z", "I bought 5 kilos of rye for the sourdough.", "I've decided to feed the sourdough with rye.", "How long does the sourdough rest?", "Does the sourdough keep?"))
	l.run()
	return l
}

var bakerSaid = []string{
	"Hi, I'm Ana Roth, a paramedic from Graz.", "I've decided to bake the sourdough on Thursdays.", "I prefer weights in grams for sourdough.",
	"I never answer calls on Sundays.", "I want to open a sourdough bakery in 2027.", "Always give me the temperature in Celsius.",
}

// grow goes on with the chat that the pages were made of.
func grow(l *lab) {
	c := said("s1", "Sourdough", "2025-01-12T07:30:00Z", bakerSaid...)
	c.turns = append(c.turns, said("s1", "", "2025-03-01T09:00:00Z", "I've decided to sell sourdough at the market in May 2026.", "Never quote prices in dollars.").turns...)
	l.add(c)
	l.run()
}

func replaceLine(page, prefix, with string) string {
	ls := strings.SplitAfter(page, "\n")
	for i, line := range ls {
		if strings.HasPrefix(line, prefix) {
			ls[i] = with
			break
		}
	}
	return strings.Join(ls, "")
}

// A page that the person deleted is not made again.
func TestDeletedPageStaysDeleted(t *testing.T) {
	for _, folder := range []string{"sessions", "memory", "profile.md", "MEMORY.md"} {
		l := newLab(t)
		l.add(readChats(t, "testdata/ana.txtar")...)
		l.run()
		paths := l.paths(folder)
		if len(paths) == 0 {
			paths = []vault.Path{vault.Path(folder)}
		}
		if err := os.Remove(filepath.Join(l.dir, filepath.FromSlash(string(paths[0])))); err != nil {
			t.Fatal(err)
		}
		l.add(said("new", "Sourdough", "2025-08-01T10:00:00Z", "I prefer rye sourdough with caraway seeds. I've decided to bake it on Mondays."))
		l.run()
		if l.v.Exists(paths[0]) {
			t.Errorf("%s was made again", paths[0])
		}
	}
}
