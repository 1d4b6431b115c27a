package synth

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// An interpreter is a model that renders the turns whose texts it knows, and
// answers nothing else.
type interpreter struct {
	known map[string]string
	asked atomic.Int64 // turns
}

func (m *interpreter) Name() string { return "interpreter" }

var turnIn = regexp.MustCompile(`(?m)^\[(t\d+)\] [^:\n]*: (.*)$`)

func (m *interpreter) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	if req.Pass != "english" {
		return llm.Reply{Text: "{}"}, nil
	}
	type turn struct {
		Turn    string `json:"turn"`
		English string `json:"english"`
	}
	reply := map[string][]turn{"turns": {}}
	for _, g := range turnIn.FindAllStringSubmatch(req.Messages[0].Text, -1) {
		m.asked.Add(1)
		if e, ok := m.known[g[2]]; ok {
			reply["turns"] = append(reply["turns"], turn{g[1], e})
		}
	}
	raw, err := json.Marshal(reply)
	return llm.Reply{Text: string(raw)}, err
}

func TestEnglish(t *testing.T) {
	const (
		work = "Kal nahi aa paungi, office mein bahut kaam hai, boss bhi gussa hai"
		keys = "Theek hai, phir chaabi padosi ko de dena, main shaam ko le lunga"
		late = "Aaj train phir se late hai, main nau baje pahunchungi station pe"
	)
	l := newLab(t)
	m := &interpreter{known: map[string]string{
		work: "Cannot come tomorrow, a lot of work at the office, the boss is angry",
		keys: "Give the keys to the neighbour, I will take them in the evening",
		late: "The train is late again today, arriving at the station at nine",
	}}
	l.cfg.Writer = &passes.Writer{Model: m}
	c := between("chat-1#2025-03-14-1000", "Mira", "2025-03-14 10:00", "Mira: "+work, "Ana: "+keys, "Mira: ok", "Ana: I bought the tickets for the concert in the old town on Saturday.")
	c.languages = []string{"hi-Latn", "en"}
	c.turns[3].Languages = []string{"en"}
	english := between("chat-2#2025-03-14-1000", "Leo", "2025-03-14 10:00", "Leo: I moved to Oslo last year and I work at a shipyard there.", "Ana: I prefer rye bread to wheat bread, and I always bake on Sunday morning.")
	l.add(c, english)
	l.run()

	const page = vault.Path("english/whatsapp/2025/2025-03-14-mira.md")
	n := vault.Parse(page, []byte(l.read(page)))
	var got []string
	for _, r := range n.Renderings() {
		got = append(got, r.Sender+" "+r.Of.Block+" "+r.Text)
	}
	want := []string{"Mira t0001 " + m.known[work], "Ana t0002 " + m.known[keys]}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("renderings (-want +got):\n%s", diff)
	}
	if n.Prop("model") == "" || n.Prop("updated") != "2025-03-14T10:00" || n.Prop("turns") != "4" {
		t.Errorf("front matter:\n%s", n.Bytes())
	}
	if len(l.paths("english")) != 1 {
		t.Errorf("an English chat was rendered: %v", l.paths("english"))
	}
	if asked := m.asked.Load(); asked != 2 {
		t.Errorf("the model was asked for %d turns, want the 2 that are not in English and say something", asked)
	}
	for p, text := range l.pages() { // a rendering is nobody's words
		if p != page && strings.Contains(text, "boss is angry") {
			t.Errorf("%s holds a rendering:\n%s", p, text)
		}
	}

	// Again nothing is asked and nothing is written.
	before := l.commits()
	l.run()
	if l.commits() != before || m.asked.Load() != 2 {
		t.Errorf("a second run made %d commits and asked for %d turns", l.commits()-before, m.asked.Load()-2)
	}

	// When the chat grows, only what is new is asked for, and an edit of the person's stays.
	l.edit(page, func(s string) string { return strings.Replace(s, "the boss is angry", "the chef is angry", 1) })
	more := between("chat-1#2025-03-14-1000", "Mira", "2025-03-14 11:30", "Mira: "+late).turns
	c.turns = append(c.turns, more...)
	l.add(c)
	l.run()
	text := l.read(page)
	if m.asked.Load() != 3 || !strings.Contains(text, "arriving at the station") || !strings.Contains(text, "the chef is angry") || strings.Count(text, "\n- ") != 3 {
		t.Errorf("after it grew (%d turns asked):\n%s", m.asked.Load(), text)
	}

	// A transcript that goes takes its rendering along.
	path, _ := c.note(l.v.Layout())
	if err := l.v.Remove(path, vault.HashOf([]byte(l.read(path)))); err != nil {
		t.Fatal(err)
	}
	l.run()
	if len(l.paths("english")) != 0 {
		t.Errorf("left without a transcript: %v", l.paths("english"))
	}
}

// A model that says nothing usable leaves no page, and is not asked again for the
// same; one that cannot be reached is.
func TestEnglishInVain(t *testing.T) {
	l := newLab(t)
	m := &interpreter{}
	l.cfg.Writer = &passes.Writer{Model: m}
	c := between("chat-1#2025-03-14-1000", "Mira", "2025-03-14 10:00", "Mira: Kal nahi aa paungi, office mein bahut kaam hai, boss bhi gussa hai", "Ana: Theek hai, phir chaabi padosi ko de dena")
	c.languages = []string{"hi-Latn"}
	l.add(c)
	l.run()
	if len(l.paths("english")) != 0 {
		t.Errorf("a page without a rendering: %v", l.paths("english"))
	}
	asked := m.asked.Load()
	l.run()
	if m.asked.Load() != asked {
		t.Error("the model was asked again for what it left out")
	}
}
