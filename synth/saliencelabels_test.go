package synth

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// A labelled chat, and what its score came to.
type labelled struct {
	name  string
	high  bool
	chat  chat
	score salience.Score
}

// labelledChats reads testdata/salience.txt.
func labelledChats(t *testing.T) []labelled {
	t.Helper()
	raw, err := os.ReadFile("testdata/salience.txt")
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for i, block := range strings.Split(string(raw), "\n== ")[1:] {
		head, lines, _ := strings.Cut(block, "\n")
		label, name, _ := strings.Cut(head, " ")
		all = append(all, labelled{name: name, high: label == "high", chat: between(
			fmt.Sprintf("chat-%d#2025-08-01-0900", i), fmt.Sprintf("Talk %d", i), "2025-08-01 09:00", strings.Split(strings.TrimSpace(lines), "\n")...)})
	}
	return all
}

// Of two chats of which a reader calls one worth keeping and the other not, the
// first has the higher score, in nearly all pairs; and where a share of them goes
// deep it is those. docs/salience.md has the figures.
func TestSalienceAgreesWithAReader(t *testing.T) {
	l := newLab(t)
	l.cfg.Me = []string{"Ana"}
	all := labelledChats(t)
	for _, c := range all {
		l.add(c.chat)
	}
	for i := range all {
		p, _ := all[i].chat.note(l.v.Layout())
		raw, err := l.v.Read(p)
		if err != nil {
			t.Fatal(err)
		}
		if all[i].score, err = NewRunner(l.v, l.cfg).Explain(t.Context(), vault.Parse(p, raw)); err != nil {
			t.Fatal(err)
		}
	}
	pairs, agree := 0, 0
	for _, high := range all {
		for _, low := range all {
			if high.high && !low.high {
				pairs++
				if high.score.Value > low.score.Value {
					agree++
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b labelled) int { return cmp.Compare(b.score.Value, a.score.Value) })
	worth, deep := 0, 0
	for _, c := range all {
		if c.high {
			worth++
		}
		t.Logf("%.3f high %-5v %s", c.score.Value, c.high, c.name)
	}
	for _, c := range all[:worth] {
		if c.high {
			deep++
		}
	}
	t.Logf("%d of %d pairs (%.3f); of the %d with the highest scores %d are worth it", agree, pairs, float64(agree)/float64(pairs), worth, deep)
	if agree*100 < pairs*94 || deep*100 < worth*90 {
		t.Errorf("%d of %d pairs, %d of %d: the score agrees less with a reader than it did", agree, pairs, deep, worth)
	}
}
