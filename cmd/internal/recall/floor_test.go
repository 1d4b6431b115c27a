package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/eval"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/vault"
)

// The floor, measured: questions asked of the memory that they are about must pass
// it, and a good part of the same questions asked of another person's must not.
// The sets are not part of the project.
func TestFloor(t *testing.T) {
	root := filepath.Join("..", "..", "..", "..", "shared", "data", "retrieval")
	var labs []lab
	for _, set := range []string{"locomo/conv-26", "locomo/conv-30", "locomo/conv-41", "realtalk/chat-01", "realtalk/chat-02", "realtalk/chat-03"} {
		dir := filepath.Join(root, filepath.FromSlash(set))
		if _, err := os.Stat(dir); err != nil {
			t.Skip("the retrieval sets are not here: ", err)
		}
		s, err := eval.Load(root, dir)
		if err != nil {
			t.Fatal(err)
		}
		labs = append(labs, lab{s, indexed(t, s)})
	}
	asked := map[string][]pack.Support{}
	passed := map[string][]asking{}
	ask := func(who string, x *index.Index, question string) {
		hits := search(t, x, question)
		s := pack.SupportOf(hits)
		asked[who] = append(asked[who], s)
		if !fits(s, true, 600) {
			return
		}
		f := asking{question: question}
		for _, h := range hits {
			f.texts = append(f.texts, h.Speaker+":\n> "+h.Text)
		}
		passed[who] = append(passed[who], f)
	}
	for i, l := range labs {
		for _, q := range l.set.Queries[:min(120, len(l.set.Queries))] {
			who := "own"
			if q.Category == "5" { // what one did is asked of the other
				who = "swapped"
			} else {
				ask("other", labs[(i+1)%len(labs)].x, q.Text)
			}
			ask(who, l.x, q.Text)
		}
	}
	refused := func(who string, builtin bool) float64 {
		n := 0
		for _, s := range asked[who] {
			if !fits(s, builtin, 600) {
				n++
			}
		}
		return 100 * float64(n) / float64(max(1, len(asked[who])))
	}
	for _, who := range []string{"own", "other"} {
		n := 0
		for _, f := range passed[who] {
			if doubted(t.Context(), f.question, f.texts) != "" {
				n++
			}
		}
		t.Logf("doubted of %d questions that pass asked of the %s memory: %d", len(passed[who]), who, n)
		if who == "own" && n > len(passed[who])/100 {
			t.Errorf("%d of %d questions that memory can answer are doubted", n, len(passed[who]))
		}
	}
	for what, builtin := range map[string]bool{"words and meaning": true, "words alone": false} {
		t.Logf("%s: refused of %d questions %.1f%%, of them asked of another memory %.1f%%, of %d about the wrong person %.1f%%",
			what, len(asked["own"]), refused("own", builtin), refused("other", builtin), len(asked["swapped"]), refused("swapped", builtin))
		if wrong := refused("own", builtin); wrong > 5 {
			t.Errorf("%s: %.1f%% of the questions that memory can answer are refused", what, wrong)
		}
		if right := refused("other", builtin); right < 40 {
			t.Errorf("%s: only %.1f%% of the questions to another memory are refused", what, right)
		}
	}
}

// An asking is a question and what was found for it.
type asking struct {
	question string
	texts    []string
}

type lab struct {
	set *eval.Set
	x   *index.Index
}

func indexed(t *testing.T, s *eval.Set) *index.Index {
	t.Helper()
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), t.TempDir(), e, index.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	var groups []string
	turns := map[string][]vault.Turn{}
	for _, d := range s.Docs {
		if turns[d.Group] == nil {
			groups = append(groups, d.Group)
		}
		turns[d.Group] = append(turns[d.Group], vault.Turn{Sender: d.Speaker, MessageID: d.ID, Text: d.Text, Time: vault.Stamp{Time: eval.ParseTime(d.Time)}})
	}
	_, err = x.Update(t.Context(), func(yield func(index.Change) bool) {
		for i, g := range groups {
			text := append(fmt.Appendf(nil, "---\ntype: transcript\ntitle: %05d\n---\n\n", i), vault.FormatTurns(1, turns[g])...)
			if !yield(index.Change{Path: vault.Path(fmt.Sprintf("transcripts/%05d.md", i)), Read: func() ([]byte, error) { return text, nil }}) {
				return
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func search(t *testing.T, x *index.Index, question string) []index.Hit {
	t.Helper()
	r, err := x.Search(t.Context(), index.Query{Text: question, Limit: recalled})
	if err != nil {
		t.Fatal(err)
	}
	return r.Hits
}
