package synth

import (
	"strings"
	"testing"
)

// A line that the person took out of a ledger goes from every page in the next run:
// from the summary of its session too, though nothing was said in it since, and so from
// the topics, the card and MEMORY.md, which are made of summaries.
func TestTakenOutIsSaidNowhere(t *testing.T) {
	l := newLab(t)
	l.add(readChats(t, "testdata/ana.txtar")...)
	l.run()
	const claim = "Decided to bake the sourdough on Thursdays"
	if n := strings.Count(string(archive(l.pages())), claim); n < 2 {
		t.Fatalf("said %d times, in the ledger and a summary at least", n)
	}
	l.edit(holding(t, l, claim), cut(claim))
	l.run()
	for p, text := range l.pages() {
		if strings.Contains(text, claim) {
			t.Errorf("%s still says it:\n%s", p, text)
		}
	}
	checkLaws(t, l)
	quiet(t, l)
}
