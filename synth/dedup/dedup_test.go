package dedup

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// fixed is an embedder that says what it was told.
type fixed []float64

func (f fixed) Similar(context.Context, string, []string) ([]float64, error) { return f, nil }

var now = time.Date(2025, 9, 1, 8, 0, 0, 0, time.UTC)

// testdata/pairs.jsonl holds two summaries, how near an embedder finds them, and
// what is to become of them.
func TestLabelledPairs(t *testing.T) {
	file, err := os.Open("testdata/pairs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n, wrong := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		n++
		var l struct {
			Why, Old, New string
			Similarity    float64
			Want          Action
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		d, err := Decide(t.Context(), fixed{l.Similarity}, Rules{}, Summary{Text: l.New}, []Summary{{ID: "old", Text: l.Old}}, now)
		if err != nil {
			t.Fatal(err)
		}
		if d.Action != l.Want {
			wrong++
			t.Errorf("line %d (%s): %s %s, want %s\nold %snew %s", n, l.Why, d.Action, d.Why, l.Want, l.Old, l.New)
		}
		if d.Action == Merge || d.Action == UpdateOld {
			for word := range strings.FieldsSeq(d.Summary) {
				if !strings.Contains(l.Old+" "+l.New, word) {
					t.Errorf("line %d: the merged summary says %q, which neither says", n, word)
				}
			}
		}
	}
	if n < 120 {
		t.Errorf("only %d pairs", n)
	}
	t.Logf("%d of %d pairs as labelled", n-wrong, n)
}

func TestNoChainOfMerges(t *testing.T) {
	for ago, want := range map[time.Duration]Action{time.Hour: KeepBoth, 25 * time.Hour: Merge} {
		old := Summary{ID: "a", Text: "- Chose the oak worktop.\n", MergedAt: now.Add(-ago)}
		d, err := Decide(t.Context(), fixed{0.95}, Rules{}, Summary{Text: "- Chose the oak worktop.\n- Ordered a deep steel sink from the shop in Graz.\n"}, []Summary{old}, now)
		if err != nil || d.Action != want {
			t.Errorf("merged %v ago: %s, %v, want %s", ago, d.Action, err, want)
		}
	}
}

type failing struct{}

func (failing) Judge(context.Context, Summary, Summary) (Verdict, error) {
	return Verdict{}, errors.New("no answer")
}

// A judge that fails decides nothing: the caller leaves memory as it was.
func TestJudgeFails(t *testing.T) {
	if _, err := Decide(t.Context(), fixed{0.85}, failing{}, Summary{Text: "- New.\n"}, []Summary{{Text: "- Old.\n"}}, now); err == nil {
		t.Error("no error")
	}
}

// The nearest summary is looked at first, and one that is kept beside does not
// hide the next.
func TestNearestFirst(t *testing.T) {
	old := []Summary{{ID: "far", Text: "- Chose the oak worktop.\n"}, {ID: "near", Text: "- Bought a bicycle lamp in town.\n"}}
	d, err := Decide(t.Context(), fixed{0.85, 0.89}, Rules{}, Summary{Text: "- Chose the oak worktop.\n"}, old, now)
	if err != nil || d.Old.ID != "far" || d.Action != DiscardNew {
		t.Errorf("%+v, %v", d, err)
	}
	if !slices.Equal(items("About x.\n\n- a ([[t|1]])\n- b\n\nOpen: c."), []string{"a ([[t|1]])", "b", "Open: c."}) {
		t.Error(items("About x.\n\n- a ([[t|1]])\n- b\n\nOpen: c."))
	}
}
