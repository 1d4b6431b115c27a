package ops

import (
	"bufio"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type labelled struct {
	Want, Why, Op string
	Body          json.RawMessage
}

func readLabelled(t *testing.T) (all []labelled) {
	t.Helper()
	f, err := os.Open("testdata/labelled.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		all = append(all, l)
	}
	return all
}

// Every reason that the package has is one for which some labelled operation is
// refused.
func TestEveryReasonIsTried(t *testing.T) {
	tried := map[string]int{}
	for _, l := range readLabelled(t) {
		tried[l.Want]++
	}
	file, err := parser.ParseFile(token.NewFileSet(), "reason.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			found++
			if reason := strings.Trim(lit.Value, `"`); tried[reason] == 0 {
				t.Errorf("no labelled operation is refused as %s", reason)
			}
		}
		return true
	})
	if found < 13 {
		t.Errorf("%d reasons were found", found)
	}
}

// What is refused is refused wherever it stands among the others, and the rest is
// applied as if it were not there.
func TestRefusedInAnyOrder(t *testing.T) {
	type part struct {
		labelled
		o Operations
	}
	var refused, rest []part
	for _, l := range readLabelled(t) {
		o, err := one(l.Op, l.Body)
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case l.Want != "applied":
			refused = append(refused, part{l, o})
		case l.Op == "create" && len(rest) < 8:
			rest = append(rest, part{l, o})
		}
	}
	join := func(parts []part) (all Operations) {
		for _, p := range parts {
			all.Create, all.Update = append(all.Create, p.o.Create...), append(all.Update, p.o.Update...)
			all.Supersede = append(all.Supersede, p.o.Supersede...)
			all.Delete, all.Pin = append(all.Delete, p.o.Delete...), append(all.Pin, p.o.Pin...)
		}
		return all
	}
	apply := func(parts []part) Result {
		res, err := Apply(t.Context(), readShelf(t), join(parts), testConfig(t))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	alone := apply(rest)
	if len(alone.Applied) != len(rest) || len(refused) < 100 {
		t.Fatalf("%d of %d are applied, %d refused", len(alone.Applied), len(rest), len(refused))
	}
	want := map[Reason]int{}
	for _, p := range refused {
		want[Reason(p.Want)]++
	}
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 8 {
		// The rest keeps its order, as the first of two that say the same gets the
		// line; where the refused stand among them is chance.
		mixed := slices.Clone(rest)
		for _, i := range r.Perm(len(refused)) {
			mixed = slices.Insert(mixed, r.IntN(len(mixed)+1), refused[i])
		}
		res := apply(mixed)
		got := map[Reason]int{}
		for _, x := range res.Rejected {
			got[x.Reason]++
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("round %d: reasons (-want +got):\n%s", round, d)
		}
		if d := cmp.Diff(alone.Edits, res.Edits); d != "" {
			t.Errorf("round %d: the rest is not applied as it is alone (-want +got):\n%s", round, d)
		}
	}
}
