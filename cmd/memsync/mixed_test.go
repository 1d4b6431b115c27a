package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/passes"
)

// A mixedChat is a chat of testdata/mixed: its export, what its messages say in
// English, and the questions that ask for one of them.
type mixedChat struct {
	name, title, export string
	english             map[string]string // by the message
	questions           [][2]string       // the question, the message
}

func readMixed(t *testing.T, file string) mixedChat {
	t.Helper()
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := mixedChat{name: strings.TrimSuffix(filepath.Base(file), ".txt"), english: map[string]string{}}
	var at time.Time
	text := map[string]string{}
	for line := range strings.Lines(string(raw)) {
		line = strings.TrimSpace(line)
		switch first, rest, _ := strings.Cut(line, " "); {
		case first == "title":
			c.title = rest
		case first == "==":
			if at, err = time.Parse(time.DateOnly, rest); err != nil {
				t.Fatal(err)
			}
			at = at.Add(9 * time.Hour)
		case first == "?":
			q, label, _ := strings.Cut(rest, " => ")
			if text[label] == "" {
				t.Fatalf("%s: no line %s", file, label)
			}
			c.questions = append(c.questions, [2]string{q, text[label]})
		case first != "#" && line != "":
			said, english, _ := strings.Cut(rest, " => ")
			_, words, _ := strings.Cut(said, ": ")
			text[first] = words
			if english != "" {
				c.english[words] = english
			}
			at = at.Add(2 * time.Minute)
			c.export += at.Format("02/01/2006, 15:04") + " - " + said + "\n"
		}
	}
	return c
}

// An interpreter is a model that renders the messages that it knows, and can do
// nothing else.
type interpreter map[string]string

func (m interpreter) Name() string { return "interpreter" }

var turnInPrompt = regexp.MustCompile(`(?m)^\[(t\d+)\] [^:\n]*: (.*)$`)

func (m interpreter) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	type turn struct {
		Turn    string `json:"turn"`
		English string `json:"english"`
	}
	reply := map[string][]turn{"turns": {}}
	if req.Pass == "english" {
		for _, g := range turnInPrompt.FindAllStringSubmatch(req.Messages[0].Text, -1) {
			if e, ok := m[g[2]]; ok {
				reply["turns"] = append(reply["turns"], turn{g[1], e})
			}
		}
	}
	raw, err := json.Marshal(reply)
	return llm.Reply{Text: string(raw)}, err
}

// English questions about chats in other languages and in two at once, among a chat
// of a year in English: how many of the messages asked for are found, with renderings
// and without. The figures stand in docs/whatsapp.md.
func TestMixedLanguages(t *testing.T) {
	files, err := filepath.Glob("testdata/mixed/*.txt")
	if err != nil || len(files) != 3 {
		t.Fatalf("fixtures: %v, %v", files, err)
	}
	var chats []mixedChat
	for _, f := range files {
		chats = append(chats, readMixed(t, f))
	}
	const deep = 5
	got := map[bool]map[string][2]int{}
	for _, rendered := range []bool{false, true} {
		x := mixedIndex(t, chats, rendered)
		got[rendered] = map[string][2]int{}
		for _, c := range chats {
			n := [2]int{}
			for _, q := range c.questions {
				r, err := x.Search(t.Context(), index.Query{Text: q[0], Limit: deep})
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for i, h := range r.Hits {
					if h.Text == q[1] {
						found = true
						n[1]++
						if i == 0 {
							n[0]++
						}
					}
					for _, english := range c.english {
						if strings.Contains(h.Text+h.Snippet, english) {
							t.Errorf("%q shows a rendering as what was said: %q", q[0], h.Text)
						}
					}
				}
				if rendered && !found {
					t.Logf("%s: %q is not found: %q", c.name, q[0], q[1])
				}
			}
			got[rendered][c.name] = n
			t.Logf("%-8s renderings %-5v  first %2d, among %d %2d, of %d questions", c.name, rendered, n[0], deep, n[1], len(c.questions))
		}
	}
	for _, c := range chats {
		without, with := got[false][c.name], got[true][c.name]
		if with[1] <= without[1] || float64(with[1]) < 0.65*float64(len(c.questions)) {
			t.Errorf("%s: %d of %d found with renderings, %d without", c.name, with[1], len(c.questions), without[1])
		}
	}
}

// mixedIndex is the index of a vault of its own that holds the chats.
func mixedIndex(t *testing.T, chats []mixedChat, rendered bool) *index.Index {
	t.Helper()
	home := t.TempDir()
	a, _, stderr := testApp(t, home, home)
	dir := filepath.Join(home, "vault")
	if _, err := makeVault(t.Context(), a, dir, ""); err != nil {
		t.Fatal(err, stderr)
	}
	a.vaultFlag = dir
	if err := os.WriteFile(filepath.Join(dir, ".memoryrc"), []byte("version: 1\nsynth:\n  whole: 5000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	exports := filepath.Join(home, "exports")
	if err := os.Mkdir(exports, 0o700); err != nil {
		t.Fatal(err)
	}
	known := interpreter{}
	for _, c := range chats {
		for text, english := range c.english {
			known[text] = english
		}
		if err := os.WriteFile(filepath.Join(exports, "WhatsApp Chat with "+c.title+".txt"), []byte(c.export), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Create(filepath.Join(exports, "WhatsApp Chat with Leo.txt"))
	if err != nil {
		t.Fatal(err)
	}
	messages := chatgen.Years(7, "Ana", "Leo", time.Date(2024, 6, 1, 8, 0, 0, 0, time.UTC), 150_000)
	if err := chatgen.Write(f, chatgen.Dialects[0], messages); err != nil {
		t.Fatal(err)
	}
	f.Close()
	w, err := a.openToWrite(t.Context(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	if _, err := importPaths(t.Context(), a, w, []string{exports}, importOptions{}); err != nil {
		t.Fatal(err)
	}
	cfg := synth.Config{Now: a.now, Secret: secret(), State: w.places.State, Begin: w.begin, History: w.repo}
	if _, err := synth.NewRunner(w.vault, cfg).Run(t.Context(), "summaries"); err != nil {
		t.Fatal(err)
	}
	if rendered {
		cfg.Writer = &passes.Writer{Model: known}
		reports, err := synth.NewRunner(w.vault, cfg).Run(t.Context(), "english")
		if err != nil || len(reports) != 1 || len(reports[0].Written) < len(chats) {
			t.Fatalf("%+v, %v", reports, err)
		}
	}
	if _, err := a.updateIndex(t.Context(), w.session); err != nil {
		t.Fatal(err)
	}
	x, err := a.openOwnIndex(t.Context(), w.session)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	return x
}
