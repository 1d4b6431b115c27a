package models

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/lexical"
	"github.com/memsync/memsync/vault"
)

// tree is a vault in memory.
type tree map[string]string

func (t tree) Walk(context.Context) (out []vault.Entry, _ []vault.Skipped, _ error) {
	for p := range t {
		out = append(out, vault.Entry{Path: vault.Path(p)})
	}
	slices.SortFunc(out, func(a, b vault.Entry) int { return strings.Compare(string(a.Path), string(b.Path)) })
	return out, nil, nil
}

func (t tree) Read(p vault.Path) ([]byte, error) {
	if text, ok := t[string(p)]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
}

var subjects = []string{"ferry timetable", "sourdough bread", "knee surgery", "piano tuner", "wedding speech", "bicycle brakes", "tax return", "leaking roof"}

// chats is a vault of conversations with their summaries. The summary says the
// subject and what came of it; the person's first message says it otherwise.
func chats() tree {
	t := tree{"garden.md": "# Roses and how to cut them\n\nIn March, above an eye."}
	for i, subject := range subjects {
		at := time.Date(2025, 8, 1+i, 9, 0, 0, 0, time.UTC)
		turns := vault.FormatTurns(1, []vault.Turn{
			{Sender: "user", Text: "hello", Time: vault.Stamp{Time: at}},
			{Sender: "assistant", Text: "Hello, how can I be of service to you today?", Time: vault.Stamp{Time: at.Add(time.Second)}},
			{Sender: "user", Text: "I need some help with the " + subject + " sesame" + fmt.Sprint(i), Time: vault.Stamp{Time: at.Add(time.Minute)}},
		})
		t[fmt.Sprintf("transcripts/t%d.md", i)] = "---\ntype: transcript\n---\n\n" + string(turns)
		t[fmt.Sprintf("sessions/s%d.md", i)] = fmt.Sprintf("---\nid: ss-%d\ntype: session\ntitle: Talk %d\nstart: %s\ntranscript: \"[[transcripts/t%d]]\"\n---\n\nAbout the %s, which was settled.\n",
			i, i, at.Format(time.RFC3339), i, subject)
	}
	return t
}

// hashed is a model whose vectors are made of hashed words, or, where it guesses,
// of the whole text. After so many texts it breaks off.
type hashed struct {
	guesses bool
	breaks  int
	texts   []string
}

func (h *hashed) Model() embed.Model { return embed.Model{ID: "hashed", Dim: 64} }

func (h *hashed) Embed(_ context.Context, texts []string, _ embed.Purpose) ([][]float32, error) {
	var out [][]float32
	for _, text := range texts {
		if h.texts = append(h.texts, text); h.breaks > 0 && len(h.texts) > h.breaks {
			return nil, fmt.Errorf("%w: it broke off", embed.ErrDown)
		}
		v := make([]float32, 64)
		pieces := lexical.Analyze(text)
		if h.guesses {
			pieces = []string{text}
		}
		for _, w := range pieces {
			f := fnv.New64a()
			f.Write([]byte(w))
			r := rand.New(rand.NewPCG(f.Sum64(), 1))
			for i := range v {
				v[i] += float32(r.NormFloat64())
			}
		}
		embed.Normalize(v)
		out = append(out, v)
	}
	return out, nil
}

// config has a clock that goes a millisecond further whenever it is looked at.
func config() Config {
	at := time.Date(2025, 9, 1, 0, 0, 0, 0, time.UTC)
	return Config{Now: func() time.Time { at = at.Add(time.Millisecond); return at }}
}

func draw(t *testing.T, v tree, n int) *Sample {
	t.Helper()
	s, err := Draw(t.Context(), v, n, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// A summary is asked for by the first message that says something.
func TestDraw(t *testing.T) {
	s := draw(t, chats(), 100)
	if s.What != Summaries || s.Of != len(subjects) || len(s.Notes) != len(subjects) || len(s.Questions) != len(subjects) {
		t.Fatalf("%+v", s)
	}
	for i, q := range s.Questions {
		n := strings.TrimSuffix(strings.TrimPrefix(string(s.Notes[i].Path), "sessions/s"), ".md")
		if !q.Right[s.Notes[i].Path] || !strings.HasPrefix(q.Text, "I need some help with") || !strings.HasSuffix(q.Text, "sesame"+n) {
			t.Errorf("%s is asked for by %q", s.Notes[i].Path, q.Text)
		}
	}
	if diff := cmp.Diff(draw(t, chats(), 3), draw(t, chats(), 3)); diff != "" {
		t.Errorf("two draws of one vault differ: %s", diff)
	}
	if few := draw(t, chats(), 3); len(few.Notes) != 3 || few.Of != len(subjects) {
		t.Errorf("a small sample: %d of %d", len(few.Notes), few.Of)
	}
	hidden, err := Draw(t.Context(), chats(), 100, func(s string) string { return strings.ReplaceAll(s, "sesame", "[password]") })
	if err != nil || strings.Contains(fmt.Sprint(hidden.Questions), "sesame") {
		t.Errorf("a question holds a secret: %v, %v", hidden, err)
	}
	if _, err := Draw(t.Context(), tree{"a.md": "alone"}, 10, nil); !errors.Is(err, ErrTooFew) {
		t.Errorf("a vault of one note: %v", err)
	}
}

// Without summaries notes are asked for by titles that they no longer say.
func TestDrawTitles(t *testing.T) {
	s := draw(t, tree{
		"roses.md":      "---\ntitle: Cutting the roses\naliases: [Rose care]\n---\n# Cutting the Roses #\n\nIn March, above an eye.",
		"bread.md":      "# Bread without yeast\n\nA levain does it.",
		"2025-01-01.md": "A day with snow.",
		"empty.md":      "---\ntitle: Nothing to see here\n---\n",
	}, 10)
	var asked []string
	for _, q := range s.Questions {
		asked = append(asked, q.Text)
	}
	slices.Sort(asked)
	if want := []string{"Bread without yeast", "Cutting the roses"}; s.What != Titled || !slices.Equal(asked, want) {
		t.Errorf("%s: %q", s.What, asked)
	}
	for _, n := range s.Notes {
		if strings.Contains(strings.ToLower(string(n.Text)), "cutting") || strings.Contains(string(n.Text), "Bread") || strings.Contains(string(n.Text), "Rose care") {
			t.Errorf("%s says its title: %s", n.Path, n.Text)
		}
		if vault.Parse(n.Path, n.Text).Err() != nil || len(n.Text) < 40 {
			t.Errorf("%s: %s", n.Path, n.Text)
		}
	}
}

// A model that sees words is told from one that guesses.
func TestMeasure(t *testing.T) {
	s := draw(t, chats(), 100)
	good, err := Measure(t.Context(), s, &hashed{}, config())
	if err != nil {
		t.Fatal(err)
	}
	bad, err := Measure(t.Context(), s, &hashed{guesses: true}, config())
	if err != nil {
		t.Fatal(err)
	}
	if good.Vector.Recall1 != 1 || good.Vector.MRR != 1 || bad.Vector.MRR > 0.7 || bad.Vector.Recall1 > bad.Vector.Recall5 || bad.Vector.Recall5 > bad.Vector.Recall10 {
		t.Errorf("good %+v, guessing %+v", good.Vector, bad.Vector)
	}
	// Neither sees the answers of the probes, which share no words with them.
	if good.Calibration.Agreement <= bad.Calibration.Agreement || good.Share != embed.Share(good.Separation) || good.Separation > 0.6 {
		t.Errorf("good %+v, guessing %+v", good, bad)
	}
	if bad.Hybrid.MRR <= bad.Vector.MRR {
		t.Errorf("keywords do not help one that guesses: %+v and %+v", bad.Hybrid, bad.Vector)
	}
	// All chunks in one group, an answer a millisecond; so is each query.
	if good.Chunks != len(subjects) || good.ChunksPerSecond != 1000*float64(len(subjects)) || good.QueryTook != time.Millisecond {
		t.Errorf("%d chunks at %v/s, a query in %s", good.Chunks, good.ChunksPerSecond, good.QueryTook)
	}
	words, err := Keywords(t.Context(), s, config())
	if err != nil || words.Recall1 != 1 {
		t.Errorf("keywords %+v, %v", words, err)
	}
}

// What a model is given went through Redact.
func TestMeasureRedacts(t *testing.T) {
	v := chats()
	v["sessions/s1.md"] += "The password is opensesame1.\n"
	cfg, h := config(), &hashed{}
	cfg.Redact = func(s string) string { return strings.ReplaceAll(s, "sesame", "[password]") }
	s, err := Draw(t.Context(), v, 100, cfg.Redact)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Measure(t.Context(), s, h, cfg); err != nil {
		t.Fatal(err)
	}
	if all := strings.Join(h.texts, "\n"); strings.Contains(all, "sesame") || !strings.Contains(all, "[password]") {
		t.Error("the model was given a secret")
	}
}

// A model that breaks off is an error that says so, whenever it does.
func TestMeasureBreaksOff(t *testing.T) {
	s := draw(t, chats(), 100)
	whole := &hashed{}
	if _, err := Measure(t.Context(), s, whole, config()); err != nil {
		t.Fatal(err)
	}
	for n := 1; n < len(whole.texts); n += 7 {
		if _, err := Measure(t.Context(), s, &hashed{breaks: n}, config()); err == nil || !strings.Contains(err.Error(), "it broke off") {
			t.Errorf("after %d texts: %v", n, err)
		}
	}
}

func TestQuestions(t *testing.T) {
	v := chats()
	v["b/same.md"], v["c/same.md"] = "# Same name\n", "# Same name\n"
	find, err := Finder(t.Context(), v)
	if err != nil {
		t.Fatal(err)
	}
	file := "\ufeffwhen does the boat leave\tss-0\n\n# a remark\nwho tunes it?\tsessions/s3.md\ttranscripts/t3.md:12\nthe rose\tRoses and how to cut them\nbrakes\tss-5#^t0001\n"
	got, err := Read(strings.NewReader(file), "q.tsv", find)
	want := []Question{
		{"when does the boat leave", map[vault.Path]bool{"sessions/s0.md": true}},
		{"who tunes it?", map[vault.Path]bool{"sessions/s3.md": true, "transcripts/t3.md": true}},
		{"the rose", map[vault.Path]bool{"garden.md": true}},
		{"brakes", map[vault.Path]bool{"sessions/s5.md": true}},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Fatalf("%v: %s", err, diff)
	}
	s, err := Around(t.Context(), v, 7, got)
	if err != nil || len(s.Notes) != 7 || s.What != Own || s.Of != 2*len(subjects)+3 {
		t.Errorf("%d notes of %d, %v", len(s.Notes), s.Of, err)
	}
	for file, want := range map[string]string{
		"":                       "q.tsv: no question is in it",
		"a\nb":                   "q.tsv:1: want a question, a tab and the note that answers it",
		"a\tss-0\nb\tss-99":      `q.tsv:2: there is no note "ss-99"`,
		"a\tsame name":           `q.tsv:1: 2 notes are called "same name"; name one by its path`,
		"\tss-0":                 `q.tsv:1: want a question, a tab and the note that answers it`,
		"a\tsessions/s77.md:3\n": `q.tsv:1: there is no note "sessions/s77.md:3"`,
	} {
		if _, err := Read(strings.NewReader(file), "q.tsv", find); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", file, err, want)
		}
	}
}
