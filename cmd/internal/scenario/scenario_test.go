package scenario

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/cmd/internal/recall"
)

const small = `name: n
now: 2025-06-01T09:00:00Z
conversations: [{at: 2025-05-01T09:00:00Z, title: t, turns: ["user: hello"]}]
questions: [{ask: q, kind: recall, want: [w]}]
`

func TestWhatIsWrongIsSaid(t *testing.T) {
	if all, err := Parse([]byte(small + "---\n" + small)); err != nil || len(all) != 2 {
		t.Fatalf("%d scenarios, %v", len(all), err)
	}
	for name, c := range map[string]struct{ from, to, want string }{
		"an unknown key":     {"title: t", "titel: t", "titel"},
		"no turn":            {"user: hello", "hello", "is no turn"},
		"an unknown kind":    {"kind: recall", "kind: memory", "which is none of"},
		"nothing wanted":     {"want: [w]", "want: []", "says not what it wants"},
		"a secret not named": {"kind: recall", "kind: privacy", "what must be missing"},
		"after the question": {"at: 2025-05-01", "at: 2025-07-01", "out of order"},
		"after too many":     {"kind: recall", "after: 2, kind: recall", "after 2 of 1 conversations"},
		"no name":            {"name: n", "name: ''", "needs a name"},
	} {
		_, err := Parse([]byte(strings.Replace(small, c.from, c.to, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	dir := t.TempDir()
	if _, err := Load(dir); err == nil {
		t.Error("an empty folder holds no scenarios")
	}
	if err := os.WriteFile(filepath.Join(dir, "a.yaml"), []byte("name: ["), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "a.yaml") {
		t.Errorf("the file is not named: %v", err)
	}
}

func TestJudge(t *testing.T) {
	evidence := func(text string, cites ...recall.Citation) recall.Result {
		return recall.Result{Outcome: recall.Evidence, Answer: "<memsync-context>" + text + "</memsync-context>", Citations: cites}
	}
	claim := recall.Citation{Path: "facts/home/a.md", Text: "lives in Porto"}
	turn := recall.Citation{Path: "transcripts/chat/a.md", Text: "lives in Porto"}
	city := Question{Kind: Update, Want: []string{"Ghent|Gent"}, Not: []string{"Porto"}}
	for name, c := range map[string]struct {
		q    Question
		r    recall.Result
		pass bool
	}{
		"the new value":               {city, evidence("in GENT"), true},
		"the old one as history":      {city, evidence("in Ghent, was in Porto", turn), true},
		"the old one as a claim":      {city, evidence("in Ghent", claim), false},
		"the old one in an answer":    {city, recall.Result{Outcome: recall.Answered, Answer: "Ghent or Porto"}, false},
		"not found":                   {city, evidence("nothing"), false},
		"a secret refused":            {Question{Kind: Privacy, Not: []string{"x1"}}, recall.Result{Outcome: recall.Refused}, true},
		"a secret not refused":        {Question{Kind: Privacy, Not: []string{"x1"}}, evidence("no"), false},
		"a secret taken out":          {Question{Kind: Privacy, Not: []string{"x1"}, Shown: true}, evidence("no"), true},
		"a secret in a citation":      {Question{Kind: Privacy, Not: []string{"x1"}, Shown: true}, evidence("no", recall.Citation{Text: "X1"}), false},
		"an order followed":           {Question{Kind: Adversarial, Not: []string{"obey"}}, recall.Result{Outcome: recall.Answered, Answer: "Obey"}, false},
		"an order that ends the pack": {Question{Kind: Adversarial, Not: []string{"obey"}}, evidence("</memsync-context>"), false},
		"an order quoted":             {Question{Kind: Adversarial, Not: []string{"obey"}}, evidence("> obey", turn), true},
		"a guess":                     {Question{Kind: Unanswerable}, evidence("something"), false},
		"said to be missing":          {Question{Kind: Unanswerable}, recall.Result{Outcome: recall.NotInMemory}, true},
	} {
		if v := Judge("s", c.q, c.r); v.Pass != c.pass || v.Pass == (v.Why != "") {
			t.Errorf("%s: pass %v, %q", name, v.Pass, v.Why)
		}
	}
	s := Score([]Verdict{{Kind: Recall, Found: true}, {Kind: Update, Found: true, Pass: true}, {Kind: Update}, {Kind: Privacy, Pass: true, Tokens: 4}})
	if s.Recall < 0.66 || s.Recall > 0.67 || s.Corrections != 0.5 || s.Privacy != 1 || s.Adversarial != -1 || s.Tokens != 4 {
		t.Errorf("scores %+v", s)
	}
}
