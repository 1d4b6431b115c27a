package synth

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/gate"
	"github.com/memsync/memsync/vault"
)

// A checker knows the vault for the gates: what is on disk, what the run wrote
// before, and the pages of the pass that is being checked.
type checker struct {
	ctx         context.Context
	w           *View
	coming      map[vault.Path]bool
	secret      func(string) bool
	transcripts map[vault.Path]*vault.Transcript
	resolver    *vault.Resolver
	books       *heldLines
	// linked are the sessions to which the topics of the pass link: one that leaves
	// its topic for another is not lost.
	linked map[string]bool
	// forgotten is what the person removed: a line of it is not lost.
	forgotten *vault.Forgotten
}

func newChecker(ctx context.Context, w *View, pages []Page, secret func(string) bool) *checker {
	c := &checker{ctx: ctx, w: w, coming: map[vault.Path]bool{}, secret: secret, transcripts: map[vault.Path]*vault.Transcript{}, linked: map[string]bool{}}
	for _, p := range pages {
		c.coming[p.Path] = true
		if n := vault.Parse(p.Path, p.Data); n.Type() == vault.TypeTopic {
			for _, l := range n.Links() {
				c.linked[l.Target[strings.LastIndexByte(l.Target, '/')+1:]] = true
			}
		}
	}
	return c
}

// check holds a page to the gates.
func (c *checker) check(p Page, before, after []byte) []gate.Failure {
	return gate.Check(gate.Page{Path: p.Path, Before: before, Made: p.Data, After: after}, gate.World{
		Resolves: c.resolves, Turn: c.turn, Held: c.held, Secret: c.secret, Tokens: Tokens,
	})
}

func (c *checker) exists(p vault.Path) bool { return c.coming[p] || c.w.Exists(p) }

func (c *checker) resolves(l vault.Link, from vault.Path) bool {
	if l.Target == "" || c.exists(vault.Path(l.Target+".md")) || c.exists(vault.Path(l.Target)) {
		return true
	}
	if c.resolver == nil {
		c.resolver = vault.NewResolver(slices.AppendSeq(c.w.all(c.ctx), maps.Keys(c.coming)))
	}
	_, ok := c.resolver.Resolve(l, from)
	return ok
}

// keptTranscripts bounds the parsed transcripts that a checker holds: claims of
// one chat come one after the other.
const keptTranscripts = 8

func (c *checker) turn(p vault.Path, id string) (string, bool) {
	t := c.transcripts[p]
	if t == nil {
		n, err := c.w.Note(vault.Path(c.w.full(vault.Link{Target: p.Stem()}) + ".md"))
		if err != nil {
			return "", false
		}
		if len(c.transcripts) == keptTranscripts {
			clear(c.transcripts)
		}
		t = vault.ParseTranscript(n)
		c.transcripts[p] = t
	}
	turn, ok := t.Turn(id)
	return turn.Text, ok
}

// heldLines are what the ledgers hold: their texts, and the turns that they cite.
type heldLines struct {
	texts []string
	turns map[string]bool
}

// held reports whether a ledger holds what a line of a page says: a claim in the
// same words, or one that cites the same turn. The lines that say what sessions
// were about lately are held by the sessions, and a session by the topic to which it
// has gone.
func (c *checker) held(line string) bool {
	if c.forgotten != nil && c.forgotten.Has(Visible(line)) {
		return true
	}
	if c.linked[line] {
		return true
	}
	if c.books == nil {
		c.books = &heldLines{turns: map[string]bool{}}
		for _, folder := range []string{"schema", "facts"} {
			notes, _ := c.w.Notes(c.ctx, folder)
			for _, n := range notes {
				for _, claim := range n.Claims() {
					c.books.texts = append(c.books.texts, claim.Text)
					for _, e := range claim.From {
						c.books.turns[e.Link.Target+"#"+e.Link.Block] = true
					}
				}
			}
		}
	}
	links := vault.Parse("line.md", []byte("- "+line)).Links()
	if len(links) > 0 && !slices.ContainsFunc(links, func(l vault.Link) bool { return !strings.Contains(l.Target, "sessions/") }) {
		return true
	}
	for _, l := range links {
		if c.books.turns[c.w.full(l)+"#"+l.Block] {
			return true
		}
	}
	text := Visible(line)
	return slices.ContainsFunc(c.books.texts, func(t string) bool { return extract.Overlap(t, text) >= sameLine })
}

// sameLine is the share of content words from which a line says what a claim says.
const sameLine = 0.8
