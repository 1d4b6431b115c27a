package pack

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/tokens"
)

var now = time.Date(2025, 9, 2, 6, 10, 0, 0, time.UTC)

// open makes the vault of testdata/vault.txtar and its index.
func open(t testing.TB) (*Maker, *vault.Vault, *index.Index) {
	t.Helper()
	a, err := txtar.ParseFile("testdata/vault.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	clock := func() time.Time { return now }
	x, err := index.Open(ctx, t.TempDir(), e, index.Config{Now: clock})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if _, err := x.Sync(ctx, v); err != nil {
		t.Fatal(err)
	}
	return New(v, x, Config{Now: clock, Counts: priority.OpenCounts(t.TempDir())}), v, x
}

func packOf(t testing.TB, m *Maker, r Request) Pack {
	t.Helper()
	p, err := m.Make(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func ids(p Pack, section string) []string {
	var out []string
	for _, s := range p.Sections {
		if s.Name == section {
			for _, it := range s.Items {
				out = append(out, it.ID)
			}
		}
	}
	return out
}

func TestEveryIntentHasItsSections(t *testing.T) {
	m, _, _ := open(t)
	for intent, want := range map[Intent][]string{
		Plan:    {"Profile", "Pinned", "Goals and policies", "Recent episodes", "In the way"},
		Reflect: {"Profile", "Pinned", "What they live by", "Before and after", "What changed"},
		Recall:  {"Profile", "Pinned", "Episodes", "Facts", "Verbatim"},
		Decide:  {"Profile", "Pinned", "Policies and goals", "Past decisions", "Outcomes", "Verbatim"},
		Nudge:   {"Profile", "Pinned", "Policies", "Trend", "One thing to do"},
	} {
		p := packOf(t, m, Request{Message: "the export of Reflecta", Intent: intent})
		var got []string
		for _, s := range p.Sections {
			got = append(got, s.Heading)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", intent, diff)
		}
	}
}

func TestARecallFindsWhatWasSaid(t *testing.T) {
	m, _, _ := open(t)
	p := packOf(t, m, Request{Message: "When did I decide to ship the CSV export without pagination?"})
	if p.Intent != Recall || !p.Detected {
		t.Errorf("intent %s, detected %v", p.Intent, p.Detected)
	}
	if got := ids(p, "episodes"); len(got) == 0 || got[0] != "ss-2025-08-09-csv-export" {
		t.Errorf("episodes %v", got)
	}
	if got := ids(p, "facts"); !slices.Contains(got, "f-4k7q") {
		t.Errorf("facts %v", got)
	}
	if got := ids(p, "evidence"); !slices.Contains(got, "tr-7f2k9q#^t0003") {
		t.Errorf("evidence %v", got)
	}
	for _, want := range []string{
		"- [decision] Ships the CSV export without pagination; pagination comes in September. (2025-08-09; f-4k7q)\n",
		"- user (2025-08-09; tr-7f2k9q#^t0003):\n> Works. Let's ship without pagination and add it in September.",
		"# Memory reaches to 2025-09-02.",
		"- [goal] Finish the school pilot of Reflecta before Christmas. (2025-08-15; s-goal2)\n",
	} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("the pack lacks %q:\n%s", want, p.Text)
		}
	}
	if strings.Count(p.Text, "memsync-context") != 2 {
		t.Errorf("a note's text opens or closes the pack:\n%s", p.Text)
	}
}

func TestWhatIsMarkedAndWhatIsLeftOut(t *testing.T) {
	m, _, _ := open(t)
	p := packOf(t, m, Request{Message: "Am I allergic to birch pollen?", Intent: Recall})
	if !strings.Contains(p.Text, "uncertain: Might be allergic to birch pollen") {
		t.Errorf("low confidence is not marked:\n%s", p.Text)
	}
	p = packOf(t, m, Request{Message: "what are my policies on mail and calls on Sundays", Intent: Decide})
	if strings.Contains(p.Text, "Answers mail twice") || strings.Contains(p.Text, "calls on Sundays. (") {
		t.Errorf("a proposed or an outdated policy steers:\n%s", p.Text)
	}
	p = packOf(t, m, Request{Message: "has my sleep changed?", Intent: Reflect})
	if !strings.Contains(p.Text, "(before: 7 until 2025-07-30)") {
		t.Errorf("no trend:\n%s", p.Text)
	}
	p = packOf(t, m, Request{Message: "push me a little", Intent: Nudge})
	for _, s := range p.Sections {
		if s.Heading == "Policies" && len(s.Items) > 2 || (s.Heading == "Trend" || s.Heading == "One thing to do") && len(s.Items) != 1 {
			t.Errorf("%s has %d items", s.Heading, len(s.Items))
		}
	}
}

func TestAnEditCountsAtOnceWhateverTheIndexHolds(t *testing.T) {
	m, v, _ := open(t)
	ask := Request{Message: "ship the CSV export without pagination", Intent: Recall, Stale: "the index is 1 note behind the vault"}
	name := filepath.Join(v.Dir(), "facts", "work", "reflecta.md")
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(raw), "- Ships the CSV export without pagination; pagination comes in September.", "- Ships the XML export.", 1)
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := packOf(t, m, ask)
	if strings.Contains(p.Text, "Ships the CSV export") || !strings.Contains(p.Text, "Ships the XML export") {
		t.Errorf("the old line is packed:\n%s", p.Text)
	}
	if p.Fresh || !strings.Contains(p.Notice, "The index is 1 note behind the vault.") {
		t.Errorf("the pack does not say that it is stale: %s", p.Notice)
	}
}

func TestSecretsAreNeitherPackedNorGivenOut(t *testing.T) {
	m, _, _ := open(t)
	p := packOf(t, m, Request{Message: "what's my wifi password"})
	if p.Refusal == "" || p.Text != "" || len(p.Sections) > 0 {
		t.Errorf("not refused: %+v", p)
	}
	p = packOf(t, m, Request{Message: "Jonas asked for the wifi of the office after the demo", Intent: Recall, Caps: Large(),
		Turns: []Turn{{"Ines", "my card is 4111 1111 1111 1111"}}})
	if !slices.Contains(ids(p, "evidence"), "tr-jonas#^t0004") {
		t.Errorf("the turn with the secret was not found, so nothing was shown: %v", p.Used)
	}
	for _, secret := range []string{"Mango", "4111"} {
		if strings.Contains(p.Text, secret) {
			t.Errorf("%s is in the pack:\n%s", secret, p.Text)
		}
	}
}

func TestRecentTurnsComeLastAndInOrder(t *testing.T) {
	m, _, _ := open(t)
	p := packOf(t, m, Request{Message: "and then?", Turns: []Turn{{"user", "first"}, {"assistant", "second\nline"}, {"user", "third"}}})
	if !strings.Contains(p.Text, "## Recent turns\n- user: first\n- assistant: second\n  line\n- user: third\n#") {
		t.Errorf("got:\n%s", p.Text)
	}
	p = packOf(t, m, Request{Message: "and then?", Caps: Caps{Total: 200, Turns: 8}, Turns: []Turn{{"user", "first"}, {"user", "second"}, {"user", "third"}}})
	if !strings.Contains(p.Text, "third") || strings.Contains(p.Text, "first") {
		t.Errorf("the newest turns are to be kept:\n%s", p.Text)
	}
}

var packsTried = flag.Int("packs", 600, "how many random packs TestLaws makes")

// The laws of every pack, over random messages, intents and budgets.
func TestLaws(t *testing.T) {
	m, v, _ := open(t)
	words := strings.Fields("when did I decide to ship the export without pagination should I run a half marathon plan next week sleep Jonas demo school pilot SQLite " +
		"what changed exactly 2025 September vem är Jonas пароль 明日の会議 <b> </memsync-context> \x00 quote office wifi recording books")
	superseded := []string{"f-0x3b", "f-sl7", "s-old1", "The demo is on 8 August in Gothenburg. (", "Sleeps about seven hours", "Takes calls on Sundays"}
	// A seed that is fixed, so that a failure is found again.
	r := rand.New(rand.NewPCG(1, 2))
	n := *packsTried
	packs := 0
	for i := range n {
		var msg []string
		for range 1 + r.IntN(12) {
			msg = append(msg, words[r.IntN(len(words))])
		}
		req := Request{Message: strings.Join(msg, " ")}
		if r.IntN(2) == 0 {
			req.Intent = Intents()[r.IntN(len(Intents()))]
		}
		if r.IntN(4) == 0 {
			req.Caps = Large()
		}
		if r.IntN(5) > 0 {
			req.Budget = 1 + r.IntN([]int{60, 300, 3000, 40_000}[r.IntN(4)])
		}
		if r.IntN(6) == 0 {
			req.Stale = "2 notes are newer than the index"
		}
		for range r.IntN(4) {
			req.Turns = append(req.Turns, Turn{"user", strings.Join(msg, "\n")})
		}
		p := packOf(t, m, req)
		if err := lawful(p, superseded); err != nil {
			t.Fatalf("pack %d, %+v: %v\n%s", i, req, err, p.Text)
		}
		if p.Text != "" {
			packs++
		}
		if i%50 == 0 {
			again := packOf(t, New(v, m.x, m.cfg), req)
			if diff := cmp.Diff(p, again); diff != "" {
				t.Fatalf("pack %d twice (-first +second):\n%s", i, diff)
			}
		}
	}
	if packs < n/2 {
		t.Errorf("only %d of %d packs hold anything", packs, n)
	}
}

func lawful(p Pack, superseded []string) error {
	if n := tokens.Count(p.Text); n > p.Budget || n != p.Tokens {
		return fmt.Errorf("%d tokens, said to be %d, of a budget of %d", n, p.Tokens, p.Budget)
	}
	for _, s := range p.Sections {
		var text strings.Builder
		for _, it := range s.Items {
			text.WriteString(it.Text)
			if it.ID == "" && s.Name != "turns" {
				return fmt.Errorf("an item of %s has no id: %s", s.Name, it.Text)
			}
			if it.ID != "" && !slices.Contains(p.Used, it.ID) {
				return fmt.Errorf("%s is not among the ids used", it.ID)
			}
			if p.Text != "" && !strings.Contains(p.Text, it.Text) {
				return fmt.Errorf("%s is not in the text", it.ID)
			}
		}
		if n := tokens.Count(text.String()); n > s.Cap || n != s.Tokens {
			return fmt.Errorf("section %s has %d tokens, said to be %d, of %d", s.Name, n, s.Tokens, s.Cap)
		}
	}
	for _, gone := range append(superseded, "Mango#55") {
		if strings.Contains(p.Text, gone) {
			return fmt.Errorf("%q is in the pack", gone)
		}
	}
	return nil
}

// The card is in every pack, whatever its intent and however small, and the turns at
// hand leave room for what is remembered.
func TestTheProfileIsAlwaysThere(t *testing.T) {
	m, _, _ := open(t)
	var turns []Turn
	for range 40 {
		turns = append(turns, Turn{"user", strings.Repeat("we spoke of the ferry ", 20)})
	}
	for _, intent := range []Intent{Plan, Reflect, Recall, Decide, Nudge} {
		for _, budget := range []int{260, 300, 500, 1000, 0} {
			for _, said := range [][]Turn{nil, turns} {
				p := packOf(t, m, Request{Message: "the export of Reflecta", Intent: intent, Budget: budget, Turns: said})
				if len(ids(p, "profile")) == 0 {
					t.Errorf("%s within %d, %d turns: no profile:\n%s", intent, budget, len(said), p.Text)
				}
				if (budget == 0 || budget >= 1000) && len(ids(p, "pinned"))+len(ids(p, "facts"))+len(ids(p, "schema")) == 0 {
					t.Errorf("%s within %d, %d turns: no claim:\n%s", intent, budget, len(said), p.Text)
				}
			}
		}
	}
}

func TestDetect(t *testing.T) {
	for message, want := range map[string]Intent{
		"Should I take the school's offer or wait?":          Decide,
		"Help me plan next week around the demo":             Plan,
		"How has my sleep changed over the last months?":     Reflect,
		"When did I last see Jonas?":                         Recall,
		"I'm stuck, give me a push":                          Nudge,
		"What did we decide about pagination?":               Recall,
		"which option is better for the export, CSV or XML?": Decide,
		"Reflecta":                 "",
		"fix the failing test":     "",
		"Soll ich zum Arzt gehen?": Decide,
	} {
		got, told := Detect(message)
		if want == "" && (told || got != Recall) || want != "" && (got != want || !told) {
			t.Errorf("Detect(%q) = %s, %v; want %q", message, got, told, want)
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add("should I")
	f.Add(strings.Repeat("plan \xff", 900))
	f.Fuzz(func(t *testing.T, message string) {
		got, told := Detect(message)
		if _, err := ParseIntent(string(got)); err != nil || !told && got != Recall {
			t.Errorf("%q: %s, %v", message, got, told)
		}
	})
}
