package related

import (
	"testing"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/lexical"
)

func TestOf(t *testing.T) {
	for term, want := range map[string]string{"movi": "film", "kid": "child", "car": "vehicl"} {
		var got []string
		for r := range Of(term) {
			got = append(got, r.Text)
			if r.Weight <= 0 || r.Weight >= 1 {
				t.Errorf("%s: %s weighs %v", term, r.Text, r.Weight)
			}
			if r.Text == want {
				break
			}
		}
		if len(got) == 0 || got[len(got)-1] != want || len(got) > Most {
			t.Errorf("relatives of %q: %v, want %q among the first %d", term, got, want, Most)
		}
	}
	for r := range Of("qzxv") {
		t.Errorf("a word that is none has the relative %q", r.Text)
	}
}

// Laws of the table: terms are sorted and are terms of package lexical, relatives
// come nearest first and are terms of the table, none is its own.
func TestTable(t *testing.T) {
	n := int(u32(0))
	if n < 5000 {
		t.Fatalf("the table has %d terms", n)
	}
	last := ""
	for i := range n {
		term := text(i)
		if term <= last {
			t.Fatalf("%q stands after %q", term, last)
		}
		last = term
		if lexical.IsStop(term) {
			t.Errorf("%q is a stop word", term)
		}
		weight := 1.0
		for r := range Of(term) {
			if r.Weight > weight || r.Text == term {
				t.Fatalf("%q: relative %q with weight %v after %v", term, r.Text, r.Weight, weight)
			}
			weight = r.Weight
			if _, ok := find(r.Text); !ok {
				t.Fatalf("%q: relative %q is no term of the table", term, r.Text)
			}
		}
	}
}

// The table is made from the built-in model: where the model changed, the
// generator has to run again.
func TestTableIsOfThisModel(t *testing.T) {
	m, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	pairs := [][2]string{{"car", "truck"}, {"dog", "cat"}, {"film", "cinema"}, {"boat", "ship"}, {"doctor", "physician"}}
	compared := 0
	for _, p := range pairs {
		vs, err := m.Embed(t.Context(), p[:], embed.Document)
		if err != nil {
			t.Fatal(err)
		}
		var cos float64
		for i, x := range vs[0] {
			cos += float64(x) * float64(vs[1][i])
		}
		for r := range Of(lexical.Analyze(p[0])[0]) {
			if r.Text == lexical.Analyze(p[1])[0] {
				compared++
				if want := share * cos * cos; r.Weight < want-0.03 || r.Weight > want+0.03 {
					t.Errorf("%s and %s: weight %.3f, the model says %.3f: run go run ./index/lexical/related/generate", p[0], p[1], r.Weight, want)
				}
			}
		}
	}
	if compared == 0 {
		t.Error("none of the pairs is in the table: run go run ./index/lexical/related/generate")
	}
}
