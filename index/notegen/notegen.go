// Package notegen makes vaults of any size for measuring: half notes of
// everyday words under headings, half transcripts.
//
// The words are drawn by Zipf's law and rare names stand between them, so that
// postings are as uneven as in real notes. The same numbers give the same vault.
package notegen

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/memsync/memsync/vault"
)

var common = strings.Fields(`the and to of a in it is that was for you on with have be this at not are but they from or had we
were what there can an your which their will would if so about up out them then she he all my has more when who no one time
like just know people into year good some could see other than now look only come over think also back after use two how our
work first well way even new want because any these give day most house water family morning evening market train ticket
garden kitchen window letter money doctor school teacher music river mountain street village summer winter birthday dinner
coffee bread cheese phone message meeting project report budget deadline customer release server database backup network
password screen keyboard battery camera holiday flight hotel passport beach island bridge station engine bicycle repair
paint wall roof floor carpet lamp candle mirror drawer pencil paper envelope stamp parcel neighbour cousin uncle sister
brother daughter grandmother friend colleague manager lawyer dentist nurse medicine headache sleep breakfast running
swimming chess guitar painting photograph theatre ticket concert library novel chapter author story history museum language
grammar translation accent weather storm snow rain sunshine cloud wind forest bird horse rabbit puppy kitten tomato potato
onion garlic pepper basil recipe oven plate spoon knife bottle glass sugar flour butter salad soup sandwich restaurant
waiter invoice receipt salary insurance contract signature apartment rent landlord moving furniture sofa curtain balcony`)

// names are joined with a number, and so are rare.
var names = [...]string{"Alder", "Birk", "Cato", "Dorn", "Elin"}

// numbers is how many people have each name.
const numbers = 4000

// A Generator makes text, the same for the same seed.
type Generator struct {
	r *rand.Rand
	z *rand.Zipf
}

// New returns a generator.
func New(seed uint64) *Generator {
	r := rand.New(rand.NewPCG(seed, 7))
	return &Generator{r, rand.NewZipf(r, 1.2, 6, uint64(len(common)-1))}
}

// Sentence returns a sentence of so many words and the space after it.
func (g *Generator) Sentence(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if g.r.IntN(25) == 0 {
			fmt.Fprintf(&b, "%s%d", names[g.r.IntN(len(names))], g.r.IntN(numbers))
			continue
		}
		b.WriteString(common[g.z.Uint64()])
	}
	return b.String() + ". "
}

// Note returns the page with number i, of about size bytes.
func (g *Generator) Note(i, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: n-%06d\ntype: note\ntitle: %scontinued\ncreated: 2024-%02d-%02d\ntags: [t%d]\n---\n\n", i, g.Sentence(3), i%12+1, i%28+1, i%20)
	for b.Len() < size {
		fmt.Fprintf(&b, "## %s\n\n", strings.TrimSuffix(g.Sentence(3), ". "))
		for range 3 {
			for range 5 {
				b.WriteString(g.Sentence(8 + g.r.IntN(12)))
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// Conversation returns the transcript with number i, of about size bytes.
func (g *Generator) Conversation(i, size int) string {
	var turns []vault.Turn
	at := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
	for n := 0; size > 0; n++ {
		text := ""
		for range 1 + g.r.IntN(12) {
			text += g.Sentence(6 + g.r.IntN(14))
		}
		size -= len(text) + 90
		turns = append(turns, vault.Turn{Sender: [...]string{"user", "assistant"}[n%2], MessageID: fmt.Sprintf("m%d-%d", i, n),
			Time: vault.Stamp{Time: at.Add(time.Duration(n) * time.Minute)}, Text: strings.TrimSpace(text)})
	}
	return fmt.Sprintf("---\nid: tr-%06d\ntype: transcript\ntitle: %s\nsource: claude\nconversation: c%d\ncreated: %s\n---\n\n",
		i, strings.TrimSuffix(g.Sentence(4), ". "), i, at.Format(time.RFC3339)) + string(vault.FormatTurns(1, turns))
}

// Vault returns the paths and texts of a vault of n notes with about so many
// bytes in all, every second one a transcript.
func Vault(n, bytes int) iter.Seq2[string, string] {
	return func(yield func(path, text string) bool) {
		g := New(uint64(n))
		for i := range n {
			path, text := fmt.Sprintf("notes/%03d/note-%06d.md", i/100, i), ""
			if i%2 == 0 {
				text = g.Note(i, bytes/n)
			} else {
				path, text = fmt.Sprintf("transcripts/claude/2024/conversation-%06d.md", i), g.Conversation(i, bytes/n)
			}
			if !yield(path, text) {
				return
			}
		}
	}
}

// Queries returns n questions whose words are common, rare and in between.
func (g *Generator) Queries(n int) []string {
	var out []string
	word := func() string { return common[60+g.r.IntN(len(common)-60)] }
	for range n {
		q := "what did we say about " + word() + " and " + word()
		if g.r.IntN(2) == 0 {
			q += fmt.Sprintf(" with %s%d", names[g.r.IntN(3)], g.r.IntN(numbers))
		}
		out = append(out, q+"?")
	}
	return out
}
