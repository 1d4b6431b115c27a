package index

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/vault"
)

// common are everyday words; generated text draws them by Zipf's law, so that
// postings are as uneven as in real notes.
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

// A generator makes notes of everyday words, with names that are rare.
type generator struct {
	r *rand.Rand
	z *rand.Zipf
}

func newGenerator(seed uint64) *generator {
	r := rand.New(rand.NewPCG(seed, 7))
	return &generator{r, rand.NewZipf(r, 1.2, 6, uint64(len(common)-1))}
}

func (g *generator) sentence(words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if g.r.IntN(25) == 0 {
			fmt.Fprintf(&b, "%s%d", [...]string{"Alder", "Birk", "Cato", "Dorn", "Elin"}[g.r.IntN(5)], g.r.IntN(4000))
			continue
		}
		b.WriteString(common[g.z.Uint64()])
	}
	return b.String() + ". "
}

// note writes a page of about size bytes.
func (g *generator) note(i, size int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\nid: n-%06d\ntype: note\ntitle: %scontinued\ncreated: 2024-%02d-%02d\ntags: [t%d]\n---\n\n", i, g.sentence(3), i%12+1, i%28+1, i%20)
	for b.Len() < size {
		fmt.Fprintf(&b, "## %s\n\n", strings.TrimSuffix(g.sentence(3), ". "))
		for range 3 {
			for range 5 {
				b.WriteString(g.sentence(8 + g.r.IntN(12)))
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// conversation writes a transcript of about size bytes.
func (g *generator) conversation(i, size int) string {
	var turns []vault.Turn
	at := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC).Add(time.Duration(i) * time.Hour)
	for n := 0; size > 0; n++ {
		text := ""
		for range 1 + g.r.IntN(12) {
			text += g.sentence(6 + g.r.IntN(14))
		}
		size -= len(text) + 90
		turns = append(turns, vault.Turn{Sender: [...]string{"user", "assistant"}[n%2], MessageID: fmt.Sprintf("m%d-%d", i, n),
			Time: vault.Stamp{Time: at.Add(time.Duration(n) * time.Minute)}, Text: strings.TrimSpace(text)})
	}
	return fmt.Sprintf("---\nid: tr-%06d\ntype: transcript\ntitle: %s\nsource: claude\nconversation: c%d\ncreated: %s\n---\n\n",
		i, strings.TrimSuffix(g.sentence(4), ". "), i, at.Format(time.RFC3339)) + string(vault.FormatTurns(1, turns))
}

// generate makes a vault of n notes with bytes bytes, half of them transcripts.
func generate(n, bytes int) *tree {
	g := newGenerator(uint64(n))
	files := make(map[string]string, n)
	for i := range n {
		if i%2 == 0 {
			files[fmt.Sprintf("notes/%03d/note-%06d.md", i/100, i)] = g.note(i, bytes/n)
		} else {
			files[fmt.Sprintf("transcripts/claude/2024/conversation-%06d.md", i)] = g.conversation(i, bytes/n)
		}
	}
	return newTree(files)
}

// queries are questions whose words are common, rare and in between.
func (g *generator) queries(n int) []string {
	var out []string
	for range n {
		q := "what did we say about " + common[60+g.r.IntN(len(common)-60)] + " and " + common[60+g.r.IntN(len(common)-60)]
		if g.r.IntN(2) == 0 {
			q += fmt.Sprintf(" with %s%d", [...]string{"Alder", "Birk", "Cato"}[g.r.IntN(3)], g.r.IntN(4000))
		}
		out = append(out, q+"?")
	}
	return out
}

func TestGeneratedVaultIsWhatItSays(t *testing.T) {
	src := generate(20, 100_000)
	total := 0
	for _, text := range src.files {
		total += len(text)
	}
	if len(src.files) != 20 || total < 100_000 || total > 140_000 {
		t.Errorf("%d notes, %d bytes", len(src.files), total)
	}
}
