package eval

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/rank"
)

var ablation = flag.Bool("ablation", false, "print the ablation table over the retrieval sets")

// sets returns the folder of the retrieval sets that lie beside the repository;
// they are not part of it.
func sets(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			t.Skip("the repository's root is not found")
		}
		dir = up
	}
	root := filepath.Join(dir, "..", "shared", "data", "retrieval")
	if _, err := os.Stat(root); err != nil {
		t.Skip("the retrieval sets (../shared/data/retrieval) are not on this machine")
	}
	return root
}

// TestAblation prints the table of docs/retrieval.md:
//
//	go test ./index/eval -run TestAblation -ablation -v
func TestAblation(t *testing.T) {
	if !*ablation {
		t.Skip("run with -ablation")
	}
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	if err := Ablation(t.Context(), sets(t), e, os.Stdout); err != nil {
		t.Fatal(err)
	}
}

// TestHybridLeads holds hybrid search above plain BM25 and above each single
// mode, on every family, in every measure of the table.
func TestHybridLeads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	root := sets(t)
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	plain := rank.DefaultWeights()
	bare(&plain)
	run := func(mode rank.Mode, w *rank.Weights) Report {
		r, err := Run(t.Context(), root, "", Options{Mode: mode, Weights: w, Embedder: e, Open: OpenMemory})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	hybrid := run(rank.Hybrid, nil)
	for name, other := range map[string]Report{
		"plain BM25": run(rank.Keyword, &plain), "keyword": run(rank.Keyword, nil), "vector": run(rank.Vector, nil),
	} {
		for _, c := range columns {
			row := Row{c.family, c.level, "all"}
			if h, o := c.value(hybrid[row]), c.value(other[row]); h <= o {
				t.Errorf("%s, %s: hybrid %.3f, %s %.3f", c.family, c.title, h, name, o)
			}
		}
	}
}

// small is a set with one question for each way of finding.
func small(t *testing.T) (root string) {
	t.Helper()
	root = t.TempDir()
	dir := filepath.Join(root, "fam", "one")
	files := map[string]string{
		"corpus.jsonl": `{"_id":"a","text":"How far is the lighthouse from your house?","metadata":{"group":"g1","speaker":"Ana","time":"2024-03-04"}}
{"_id":"b","text":"It is about seven kilometres when you take the coastal path.","metadata":{"group":"g1","speaker":"Ben","time":"2024-03-04"}}
{"_id":"c","text":"We bought new curtains for the kitchen.","metadata":{"group":"g2","speaker":"Ana","time":"2024-04-04"}}
`,
		"queries.jsonl": `{"_id":"q1","text":"kitchen curtains","metadata":{"category":"words"}}
{"_id":"q2","text":"distance to the lighthouse","metadata":{"category":"context"}}
`,
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\tc\t1\nq2\tb\t1\nq2\ta\t0\n",
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// The product and the harness in memory rank alike, and the run holds what was
// scored.
func TestRun(t *testing.T) {
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	root, out := small(t), t.TempDir()
	product, err := Run(t.Context(), root, out, Options{Embedder: e})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := Run(context.Background(), root, "", Options{Embedder: e, Open: OpenMemory})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(product, memory); diff != "" {
		t.Errorf("product and memory differ:\n%s", diff)
	}
	row := product[Row{"fam", "doc", "all"}]
	if row == nil || row.N != 2 || row.AnyAt(5) != 1 || row.AllAt(5) != 1 || row.MeanRR() < 0.75 {
		t.Errorf("measures: %+v", row)
	}
	got, err := os.ReadFile(filepath.Join(out, "fam", "one.run"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "q1 Q0 c 1 100 memsync\n"; len(got) < len(want) || string(got[:len(want)]) != want {
		t.Errorf("run begins with %.40q, want %q", got, want)
	}
}

func TestMeasures(t *testing.T) {
	var m Measures
	gold := map[string]bool{"x": true, "y": true}
	m.add([]string{"a", "x", "b", "c", "d", "y"}, gold)
	m.add([]string{"x", "y"}, gold)
	m.add(nil, gold)
	if m.N != 3 || m.AnyAt(1) != 1.0/3 || m.AnyAt(5) != 2.0/3 || m.AllAt(5) != 1.0/3 || m.AllAt(10) != 2.0/3 || m.FracAt(5) != 0.5 || m.MeanRR() != 0.5 {
		t.Errorf("measures: %+v", m)
	}
}

func TestLoadSaysWhere(t *testing.T) {
	dir := t.TempDir()
	if _, err := Find(dir); err == nil {
		t.Error("a folder without sets is no error")
	}
	if err := os.WriteFile(filepath.Join(dir, "corpus.jsonl"), []byte("{\"_id\":\"a\"}\n{oops\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Load(dir, dir)
	if want := filepath.Join(dir, "corpus.jsonl") + ":2"; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v does not name %s", err, want)
	}
}
