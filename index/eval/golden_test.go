package eval

import (
	"bufio"
	"cmp"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	godiff "github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/vault"
)

var update = flag.Bool("update", false, "write the golden files anew")

// goldenNow is the evening on which the golden queries are asked.
var goldenNow = time.Date(2024, 12, 16, 20, 0, 0, 0, time.UTC)

// TestGolden searches a small vault of our own with our own questions. The
// place of each answer stands in a committed file: a change of ranking, of terms
// or of the model shows there, query by query, and is accepted with -update.
func TestGolden(t *testing.T) {
	x := goldenIndex(t)
	type sums struct {
		n, at1, at5 int
		rr          float64
	}
	total := make(map[string]*sums)
	var out strings.Builder
	out.WriteString("# The place of the first answer of each query; 0 is not among the first 20.\n")
	for _, q := range goldenQueries(t) {
		place := goldenPlace(t, x, q)
		fmt.Fprintf(&out, "%d\t%s\t%s\n", place, q.Category, q.Text)
		for _, c := range []string{"all", q.Category} {
			s := total[c]
			if s == nil {
				s = new(sums)
				total[c] = s
			}
			s.n++
			if place == 0 {
				continue
			}
			s.rr += 1 / float64(place)
			if place <= 5 {
				s.at5++
			}
			if place == 1 {
				s.at1++
			}
		}
	}
	out.WriteString("# recall@1, recall@5, MRR\n")
	for _, c := range slices.Sorted(maps.Keys(total)) {
		s := total[c]
		n := float64(s.n)
		fmt.Fprintf(&out, "%s\t%d queries\t%.3f\t%.3f\t%.3f\n", c, s.n, float64(s.at1)/n, float64(s.at5)/n, s.rr/n)
	}
	const path = "testdata/golden/golden.tsv"
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := godiff.Diff(strings.Split(string(want), "\n"), strings.Split(out.String(), "\n")); diff != "" {
		t.Errorf("the ranking changed; if that is meant, run go test ./index/eval -run TestGolden -update\n(-want +got):\n%s", diff)
	}
}

// TestSupersededSinks asks what changed during the year: what held before must
// not stand above what holds now.
func TestSupersededSinks(t *testing.T) {
	x := goldenIndex(t)
	for _, c := range []struct{ query, now, before string }{
		{"Where do I live?", "fac-home2", "fac-home1"},
		{"Do I rent a flat?", "fac-home2", "fac-home1"},
		{"Which team do I work in?", "fac-work2", "fac-work1"},
	} {
		places := make(map[string]int)
		r, err := x.Search(t.Context(), index.Query{Text: c.query, Limit: 200, Now: goldenNow})
		if err != nil {
			t.Fatal(err)
		}
		for i, h := range r.Hits {
			if _, ok := places[h.Turn]; !ok {
				places[h.Turn] = i + 1
			}
		}
		if places[c.now] == 0 || places[c.before] != 0 && places[c.before] < places[c.now] {
			t.Errorf("%s: %s stands at %d, %s at %d", c.query, c.now, places[c.now], c.before, places[c.before])
		}
	}
}

func goldenPlace(t *testing.T, x *index.Index, q Query) int {
	t.Helper()
	r, err := x.Search(t.Context(), index.Query{Text: q.Text, Limit: 20, Now: goldenNow})
	if err != nil {
		t.Fatalf("%s: %v", q.Text, err)
	}
	for i, h := range r.Hits {
		if q.Gold[h.Turn] || slices.ContainsFunc(h.MessageIDs, func(id string) bool { return q.Gold[id] }) {
			return i + 1
		}
	}
	return 0
}

func goldenQueries(t *testing.T) []Query {
	t.Helper()
	var out []Query
	for _, l := range goldenLines(t, "testdata/golden/queries.tsv") {
		f := strings.Split(l, "\t")
		if len(f) != 3 {
			t.Fatalf("queries.tsv: %q has %d fields, want 3", l, len(f))
		}
		q := Query{Category: f[0], Text: f[1], Gold: make(map[string]bool)}
		for g := range strings.SplitSeq(f[2], ",") {
			q.Gold[g] = true
		}
		out = append(out, q)
	}
	return out
}

func goldenLines(t *testing.T, path string) []string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if l := sc.Text(); l != "" && (!strings.HasPrefix(l, "#") || strings.HasPrefix(l, "##")) {
			out = append(out, l)
		}
	}
	return out
}

// goldenIndex indexes the golden corpus as notes of a vault.
func goldenIndex(t *testing.T) *index.Index {
	t.Helper()
	notes := make(map[string]string)
	turns := make(map[string][]vault.Turn)
	var name string
	var at time.Time
	for _, l := range goldenLines(t, "testdata/golden/corpus.txt") {
		if head, ok := strings.CutPrefix(l, "== "); ok {
			var day string
			name, day, _ = strings.Cut(head, " ")
			var err error
			if at, err = time.Parse(time.DateOnly, day); err != nil {
				t.Fatal(err)
			}
			at = at.Add(18 * time.Hour)
			continue
		}
		if strings.HasPrefix(name, "facts/") {
			if notes[name] == "" {
				notes[name] = "---\ntype: facts\ntitle: Life\n---\n\n"
			}
			if strings.HasPrefix(l, "##") {
				l = "\n" + l + "\n"
			}
			notes[name] += l + "\n"
			continue
		}
		speaker, text, _ := strings.Cut(l, ": ")
		id := fmt.Sprintf("%s:%d", name, len(turns[name])+1)
		turns[name] = append(turns[name], vault.Turn{Sender: speaker, Text: text, MessageID: id, Time: vault.Stamp{Time: at}})
		at = at.Add(time.Minute)
	}
	for name, ts := range turns {
		notes["transcripts/"+name] = "---\ntype: transcript\ntitle: Conversation\n---\n\n" + string(vault.FormatTurns(1, ts))
	}
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), t.TempDir(), e, index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
	})
	names := slices.SortedFunc(maps.Keys(notes), cmp.Compare[string])
	report, err := x.Update(context.WithoutCancel(t.Context()), func(yield func(index.Change) bool) {
		for _, n := range names {
			if !yield(index.Change{Path: vault.Path(n + ".md"), Read: func() ([]byte, error) { return []byte(notes[n]), nil }}) {
				return
			}
		}
	})
	if err != nil || len(report.Problems) > 0 {
		t.Fatalf("update: %v %v", err, report.Problems)
	}
	return x
}
