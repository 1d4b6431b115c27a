package ops

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/memsync/memsync/vault"
)

// shelf is a vault in memory.
type shelf map[vault.Path][]byte

func (s shelf) Layout() vault.Layout { return vault.Layout{} }

func (s shelf) Note(p vault.Path) (*vault.Note, error) {
	raw, ok := s[p]
	if !ok {
		return nil, fmt.Errorf("%s: %w", p, fs.ErrNotExist)
	}
	return vault.Parse(p, raw), nil
}

func (s shelf) Head(p vault.Path) (*vault.Note, error) { return s.Note(p) }

func (s shelf) Paths(_ context.Context, folder string) ([]vault.Path, error) {
	var out []vault.Path
	for p := range s {
		if p.Under(vault.Path(folder)) {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out, nil
}

func (s shelf) Notes(ctx context.Context, folder string) ([]*vault.Note, error) {
	paths, _ := s.Paths(ctx, folder)
	var out []*vault.Note
	for _, p := range paths {
		out = append(out, vault.Parse(p, s[p]))
	}
	return out, nil
}

func readShelf(t testing.TB) shelf {
	t.Helper()
	a, err := txtar.ParseFile("testdata/chats.txtar")
	if err != nil {
		t.Fatal(err)
	}
	s := shelf{}
	for _, f := range a.Files {
		name, id, isChat := strings.Cut(f.Name, " ")
		if !isChat {
			s[vault.Path(name)] = f.Data
			continue
		}
		var turns []vault.Turn
		for i, block := range strings.Split("\n"+string(f.Data), "\n> ")[1:] {
			head, text, _ := strings.Cut(block, "\n")
			words := strings.Fields(head)
			when, err := vault.ParseStamp(words[1])
			if err != nil {
				t.Fatal(err)
			}
			turns = append(turns, vault.Turn{Sender: words[0], Time: when, Flags: words[2:], MessageID: fmt.Sprintf("%s-m%d", id, i+1), Text: strings.TrimSpace(text)})
		}
		head := fmt.Sprintf("---\nid: tr-%s\ntype: transcript\nconversation: %s\n---\n\n", id, id)
		s[vault.Path(name)] = append([]byte(head), vault.FormatTurns(1, turns)...)
	}
	return s
}

func testConfig(t testing.TB) Config {
	t.Helper()
	f, err := vault.NewForgotten(bytes.NewReader(make([]byte, 16)))
	if err != nil {
		t.Fatal(err)
	}
	f.Add("Hates coriander.", "I cannot stand coriander")
	return Config{
		Today:     "2025-09-01",
		Forgotten: f,
		Secret:    func(text string) bool { return strings.Contains(text, "hunter2-secret") },
	}
}

// one is operations with one in it.
func one(op string, body json.RawMessage) (Operations, error) {
	return Parse(strings.NewReader(fmt.Sprintf(`{"schema_version": 1, %q: [%s]}`, op, body)))
}

// testdata/labelled.jsonl holds operations and what is to come of each: "applied"
// or the reason for which it is refused. Each works on the same vault.
func TestLabelledOperations(t *testing.T) {
	file, err := os.Open("testdata/labelled.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	vaultNotes := readShelf(t)
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		n++
		var l struct {
			Want, Why, Op string
			Body          json.RawMessage
		}
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		o, err := one(l.Op, l.Body)
		if err != nil {
			t.Errorf("line %d: %v", n, err)
			continue
		}
		res, err := Apply(t.Context(), vaultNotes, o, testConfig(t))
		if err != nil {
			t.Fatal(err)
		}
		got, why := "applied", ""
		if len(res.Rejected) > 0 {
			got, why = string(res.Rejected[0].Reason), res.Rejected[0].Message
		}
		if got != l.Want {
			t.Errorf("line %d (%s): got %s %s, want %s\n%s", n, l.Why, got, why, l.Want, lines.Text())
		}
		if len(res.Applied)+len(res.Rejected) != 1 {
			t.Errorf("line %d: applied %v and refused %v", n, res.Applied, res.Rejected)
		}
		if got == "applied" {
			proved(t, n, vaultNotes, res)
		} else if len(res.Edits) > 0 {
			t.Errorf("line %d was refused and changes %s", n, res.Edits[0].Path)
		}
	}
	if n < 150 {
		t.Errorf("only %d labelled operations", n)
	}
}

// proved holds an edit to the promise: every quote stands in its turn, and no line
// changed but the one that the operation is about.
func proved(t *testing.T, line int, s shelf, res Result) {
	t.Helper()
	if len(res.Edits) == 0 {
		return // more proof from a turn that proves it already
	}
	for _, e := range res.Edits {
		if e.Over != vault.NoFile && e.Over != vault.HashOf(s[e.Path]) {
			t.Errorf("line %d: the edit of %s is over another note", line, e.Path)
		}
		for _, c := range vault.Parse(e.Path, e.Data).Claims() {
			for _, ev := range c.From {
				n, err := s.Note(vault.Path(ev.Link.Target + ".md"))
				if err != nil {
					t.Errorf("line %d: %v", line, err)
					continue
				}
				turn, ok := vault.ParseTranscript(n).Turn(ev.Link.Block)
				if !ok || !strings.Contains(vault.Fold(turn.Text), ev.Quote) {
					t.Errorf("line %d: %q does not stand in %s", line, ev.Quote, ev.Link)
				}
			}
		}
		lost := 0
		next := string(e.Data)
		for was := range strings.Lines(string(s[e.Path])) {
			if !strings.Contains(next, was) {
				lost++
			}
		}
		if lost > 1 {
			t.Errorf("line %d: %d lines of %s changed", line, lost, e.Path)
		}
	}
}

// What is refused does not stop the rest, and the rest sees what was done before.
func TestApplyTheRest(t *testing.T) {
	s := readShelf(t)
	const a = "transcripts/chatgpt/2025/2025-03-01-kitchen.md"
	proof := func(turn, quote string) []Proof { return []Proof{{a, turn, quote}} }
	cfg := testConfig(t)
	res, err := Apply(t.Context(), s, Operations{
		Create: []Create{
			{Statement: Statement{Text: "Likes marble.", Kind: "preference"}, Provenance: proof("t0001", "I like marble very much")},
			{Statement: Statement{Text: "Allergic to nickel.", Kind: "identity", Domain: "health", Topic: "allergies"}, Provenance: proof("t0011", "I am allergic to nickel")},
			{Statement: Statement{Text: "Is allergic to nickel.", Kind: "identity"}, Provenance: proof("t0011", "allergic to nickel, so remind me")},
		},
		Supersede: []Supersede{{ID: "f-price", By: Statement{Text: "The oak worktop costs 700 euros.", Kind: "entity"}, Provenance: proof("t0007", "the worktop costs 700 euros now")}},
		Delete:    []Delete{{ID: "f-known1", Provenance: proof("t0015", "please forget what I said about shelves")}},
	}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]Rejection{{"create", 0, QuoteNotInTurn, `"I like marble very much" does not stand in turn t0001`}}, res.Rejected); d != "" {
		t.Errorf("refused (-want +got):\n%s", d)
	}
	id := vault.ContentID("f", 6, "allergic to nickel.")
	price := vault.ContentID("f", 6, "the oak worktop costs 700 euros.")
	want := []Done{
		{"create", 1, id, "facts/health/allergies.md", ""},
		{"create", 2, id, "facts/health/allergies.md", "known already; nothing was added"},
		{"supersede", 0, price, "facts/home/kitchen.md", ""},
		{"delete", 0, "f-known1", "facts/home/kitchen.md", ""},
	}
	if d := cmp.Diff(want, res.Applied); d != "" {
		t.Errorf("applied (-want +got):\n%s", d)
	}
	if !res.Forget || !cfg.Forgotten.Has("Likes shelving of the open kind.") || !cfg.Forgotten.Has("I prefer open shelves") {
		t.Error("what was deleted is not forgotten")
	}
	for _, e := range res.Edits {
		if e.Path == "facts/home/kitchen.md" {
			n := vault.Parse(e.Path, e.Data)
			old, _ := n.Claim("f-price")
			next, _ := n.Claim(price)
			if !old.Superseded || old.Until != "2025-03-16" || !slices.Equal(next.Supersedes, []string{"f-price"}) {
				t.Errorf("the chain is broken: %+v, %+v", old, next)
			}
		}
	}
}

// That a claim is known is said as it is: a turn that it does not cite yet is added
// to it, one that it does cite is not.
func TestKnownAlready(t *testing.T) {
	const a = "transcripts/chatgpt/2025/2025-03-01-kitchen.md"
	create := func(turn, quote string) Create {
		return Create{Statement: Statement{Text: "Prefers open shelves.", Kind: "preference"}, Provenance: []Proof{{a, turn, quote}}}
	}
	res, err := Apply(t.Context(), readShelf(t), Operations{Create: []Create{
		create("t0005", "prefer open shelves over"), create("t0015", "what I said about shelves"),
	}}, testConfig(t))
	if err != nil || len(res.Rejected) > 0 {
		t.Fatalf("%+v, %v", res, err)
	}
	var notes []string
	for _, d := range res.Applied {
		notes = append(notes, d.ID+": "+d.Note)
	}
	if d := cmp.Diff([]string{"f-shelf: known already; nothing was added", "f-shelf: known already; the proof was added"}, notes); d != "" {
		t.Error(d)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		`{}`:                                    "",
		`{"schema_version": 2}`:                 "operations: schema_version 2 is newer than this program's 1",
		`{"creat": []}`:                         `operations: unknown field "creat"`,
		`{"create": [{"provenence": []}]}`:      `operations: unknown field "provenence"`,
		`{} {}`:                                 "operations: something follows the JSON object",
		`[]`:                                    "operations: cannot unmarshal array into Go value of type ops.Operations",
		``:                                      "operations: EOF",
		`{"pin": [{"id": "a", "pin": "none"}]}`: "",
	} {
		_, err := Parse(strings.NewReader(text))
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
