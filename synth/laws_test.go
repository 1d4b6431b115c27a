package synth

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/vault"
)

// checkLaws holds every page of a vault to what is true of all of them.
func checkLaws(t *testing.T, l *lab) {
	t.Helper()
	notes, _, err := l.v.Walk(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var paths []vault.Path
	for _, e := range notes {
		paths = append(paths, e.Path)
	}
	resolver := vault.NewResolver(paths)
	transcripts := map[vault.Path]*vault.Transcript{}
	turn := func(p vault.Path, id string) (vault.PlacedTurn, bool) {
		if transcripts[p] == nil {
			transcripts[p] = vault.ParseTranscript(vault.Parse(p, []byte(l.read(p))))
		}
		return transcripts[p].Turn(id)
	}
	for p, text := range l.pages() {
		n := vault.Parse(p, []byte(text))
		if err := n.Err(); err != nil {
			t.Errorf("%v", err)
		}
		for _, link := range n.Links() {
			to, ok := resolver.Resolve(link, p)
			if !ok {
				t.Errorf("%s: the link %s leads nowhere", p, link)
			} else if to.Under("transcripts") && link.Block != "" {
				if _, ok := turn(to, link.Block); !ok {
					t.Errorf("%s: %s has no turn ^%s", p, to, link.Block)
				}
			}
		}
		if n.IsLedger() {
			for _, c := range n.Claims() {
				if len(c.From) == 0 {
					t.Errorf("%s:%d: a claim without a source", p, c.Line)
				}
				for _, e := range c.From {
					if said, ok := turn(vault.Path(e.Link.Target+".md"), e.Link.Block); !ok || !strings.Contains(vault.Fold(said.Text), e.Quote) || e.Quote == "" {
						t.Errorf("%s:%d: %q does not stand in %s", p, c.Line, e.Quote, e.Link)
					}
				}
			}
		}
		if n.Type() == vault.TypeSession && Tokens(string(n.Body())) > 200 {
			t.Errorf("%s: a summary of %d tokens", p, Tokens(string(n.Body())))
		}
		if n.Type() == vault.TypeProfile && Tokens(string(n.Body())) > 200 {
			t.Errorf("%s: a profile of %d tokens", p, Tokens(string(n.Body())))
		}
		if p == l.v.Layout().Boot() && (strings.Count(text, "\n") > bootLines || len(text) > bootBytes) {
			t.Errorf("MEMORY.md has %d lines and %d bytes", strings.Count(text, "\n"), len(text))
		}
		if strings.ContainsRune(text, '\uFFFD') {
			t.Errorf("%s: a character was cut", p)
		}
	}
}

func TestLaws(t *testing.T) {
	l := newLab(t)
	l.cfg.Me = []string{"Ana Roth"}
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.add(randomChats(rand.New(rand.NewPCG(1, 2)), 60)...)
	l.run()
	if len(l.paths("facts")) == 0 || len(l.paths("memory")) == 0 {
		t.Fatal("nothing was learned")
	}
	checkLaws(t, l)
}

// randomChats are made of the shapes that people write in, long and short, with
// markup, other scripts and characters that mean something to the vault.
func randomChats(r *rand.Rand, n int) []chat {
	openings := []string{"I've decided to", "I prefer to", "I want to", "I need to", "Actually, we moved on and we", "I never", "My sister Ida is going to", "Yesterday I finished and", "Always remind me to", "Can you help me"}
	things := []string{"paint the *garden shed* [green]", "learn Greek by May 2026", "sell the bike for 300 euros (cash only)", "climb Mount Säntis :: in July", "cook 鍋 with Yuki ^every Sunday", "cut `x | y` out of the report", "drive to Überlingen, 240 km away", "answer “later” & never"}
	endings := []string{".", "!", "?", " 🎉", " because it rains...", "\n\n```\nI decided to be code\n```", "\n> I've decided to be quoted\n", " — as I said on 2025-03-04, which was long before anybody asked me about it in this way."}
	var chats []chat
	for i := range n {
		var texts []string
		for range 1 + r.IntN(14) {
			text := ""
			for range 1 + r.IntN(3) {
				text += openings[r.IntN(len(openings))] + " " + things[r.IntN(len(things))] + endings[r.IntN(len(endings))] + " "
			}
			texts = append(texts, text)
		}
		start := fmt.Sprintf("2025-%02d-%02dT%02d:00:00Z", 1+i*12/n, 1+r.IntN(28), r.IntN(24))
		chats = append(chats, said(fmt.Sprintf("r%03d", i), fmt.Sprintf("Chat %d about [[things]] | more #%d", i, r.IntN(9)), start, texts...))
	}
	return chats
}

// What is learned and where it is filed do not depend on the order in which chats
// come in.
func TestOrderOfImport(t *testing.T) {
	chats := readChats(t, "testdata/ana.txtar")
	learned := func(chats []chat, increments bool) []string {
		l := newLab(t)
		if increments {
			for _, c := range chats {
				l.add(c)
				l.run("summaries", "facts")
			}
		} else {
			l.add(chats...)
			l.run("summaries", "facts")
		}
		var out []string
		for _, p := range l.paths("facts") {
			for _, c := range vault.Parse(p, []byte(l.read(p))).Claims() {
				out = append(out, string(p)+" "+c.Kind+" "+c.Text+" "+c.FirstSeen)
			}
		}
		slices.Sort(out)
		return out
	}
	want := learned(chats, false)
	for _, increments := range []bool{false, true} {
		turned := slices.Clone(chats)
		slices.Reverse(turned)
		if d := cmp.Diff(want, learned(turned, increments)); d != "" {
			t.Errorf("in reverse order, in increments %v (-want +got):\n%s", increments, d)
		}
	}
}

func TestBootIsBounded(t *testing.T) {
	var b bootPage
	for i := range 4000 {
		topic := vault.Parse(b.layout.Topic(fmt.Sprintf("topic %d with a long name of its own", i)), []byte(fmt.Sprintf("---\ntype: topic\ntitle: Topic %d with a long name of its own\ntopic: topic %d\ndescription: a line about it that is not short at all, and goes on\n---\n", i, i)))
		b.topics = append(b.topics, topic)
		b.inForce = append(b.inForce, placedClaim{vault.Claim{Text: fmt.Sprintf("Never do thing number %d on any day.", i), Kind: "policy", ID: fmt.Sprintf("f-%06d", i)}, "facts/work/things.md"})
		s := vault.Parse(b.layout.Session("2025-01-01", fmt.Sprintf("session %d", i)), []byte("---\ntype: session\nstart: 2025-01-01\nend: 2025-01-01\n---\n"))
		b.sessions = append(b.sessions, session{note: s, start: "2025-01-01", title: "A session"})
	}
	page := string(b.bytes())
	if lines := strings.Count(page, "\n"); lines > bootLines || len(page) > bootBytes {
		t.Errorf("%d lines, %d bytes", lines, len(page))
	}
	for _, want := range []string{"## In force", "## Detailed context", "## Lately", "more, found by search"} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in\n%s", want, page)
		}
	}
}

func TestProfileIsBounded(t *testing.T) {
	var claims []vault.Claim
	for i := range 300 {
		claims = append(claims, vault.Claim{Kind: "policy", Text: fmt.Sprintf("Always alpha%d beta%d gamma%d delta%d epsilon%d.", i, i, i, i, i), FirstSeen: "2025-01-01", LastSeen: "2025-01-01"})
	}
	n := vault.Parse("profile.md", profilePage(claims, introduction{}, []string{"[[a|one]]", "[[b|two]]"}))
	if got := Tokens(string(n.Body())); got > profileTokens {
		t.Errorf("%d tokens", got)
	}
	if bullets := strings.Count(string(n.Body()), "\n- "); bullets < 5 || bullets > profileBullets {
		t.Errorf("%d bullets", bullets)
	}
}

// What the card says, MEMORY.md does not say again below it.
func TestBootSaysNothingTwice(t *testing.T) {
	l := newLab(t)
	var rules []string
	for i := range 16 {
		rules = append(rules, fmt.Sprintf("Never send %s to %s.", things[i], places[i]))
	}
	l.add(said("s1", "Weather", "2025-01-12T07:30:00Z", append(rules[:8:8], "I'm Ana Roth, a paramedic from Graz.")...))
	l.add(said("s2", "More", "2025-02-12T07:30:00Z", rules[8:]...))
	l.run()
	card, page := Visible(string(vault.Parse("p.md", []byte(l.read("profile.md"))).Body())), l.read("MEMORY.md")
	if !strings.Contains(page, "## In force") {
		t.Fatalf("the card has it all, so the test shows nothing:\n%s", page)
	}
	seen := map[string]bool{}
	for line := range strings.Lines(card + Visible(page)) {
		if text, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			if seen[text] {
				t.Errorf("%q stands there twice", text)
			}
			seen[text] = true
		}
	}
}
