package recall

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

var now = time.Date(2025, 9, 2, 6, 10, 0, 0, time.UTC)

// memoryOf opens the vault that package pack is tested with.
func memoryOf(t *testing.T) *answer.Memory {
	t.Helper()
	a, err := txtar.ParseFile("../../../index/pack/testdata/vault.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir, state := t.TempDir(), t.TempDir()
	for _, f := range a.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return over(t, dir, answer.Config{State: state, Now: func() time.Time { return now }, Log: answer.OpenLog(state)})
}

// over is the memory of the notes in a folder.
func over(t *testing.T, dir string, c answer.Config) *answer.Memory {
	t.Helper()
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = v.Close() })
	e, err := builtin.Open()
	if err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(t.Context(), t.TempDir(), e, index.Config{Now: c.Now})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = x.Close() })
	if _, err := x.Sync(t.Context(), v); err != nil {
		t.Fatal(err)
	}
	r := privacy.NewRedactor(privacy.Policy(nil).Strict(), make([]byte, 32))
	c.Vault, c.Index, c.Redact = v, x, func(previous, text string) string {
		clean, _ := r.RedactAfter(previous, text)
		return clean
	}
	return answer.New(c)
}

// A script is a model that says what it was told to say.
type script struct {
	turns []Turn
	err   error
	saw   []string
	lasts []bool
}

func (s *script) Answer(_ context.Context, _, context string, last bool) (Turn, error) {
	s.saw, s.lasts = append(s.saw, context), append(s.lasts, last)
	if s.err != nil {
		return Turn{}, s.err
	}
	t := s.turns[min(len(s.saw), len(s.turns))-1]
	return t, nil
}

// says is a turn of one sentence.
func says(text string, cites ...string) Turn {
	return Turn{Sentences: []Sentence{{text, cites}}}
}

const question = "when did I decide to ship the CSV export without pagination?"

func TestOutcomes(t *testing.T) {
	more := Turn{Recall: &Intent{Query: "Jonas Malmö", Why: "where Jonas lives"}}
	for name, test := range map[string]struct {
		question string
		model    *script
		outcome  string
		recalls  int
		cites    []string
	}{
		"without a model":               {question, nil, Evidence, 0, nil},
		"a secret":                      {"what's my wifi password", &script{}, Refused, 0, nil},
		"an answer":                     {question, &script{turns: []Turn{says("On 9 August.", "f-4k7q")}}, Answered, 0, []string{"f-4k7q"}},
		"brackets around the id":        {question, &script{turns: []Turn{says("On 9 August.", "[f-4k7q]")}}, Answered, 0, []string{"f-4k7q"}},
		"a number that nobody said":     {question, &script{turns: []Turn{says("On 11 August.", "f-4k7q")}}, NotInMemory, 0, nil},
		"one sentence of two is proved": {question, &script{turns: []Turn{{Sentences: []Sentence{{"On 9 August.", []string{"f-4k7q"}}, {"It rained.", nil}}}}}, Answered, 0, []string{"f-4k7q"}},
		"not in memory":                 {"which ferry goes to the volcano?", nil, NotInMemory, 0, nil},
		"an answer that proves nothing": {question, &script{turns: []Turn{says("In the spring.")}}, NotInMemory, 0, nil},
		"an invented citation":          {question, &script{turns: []Turn{says("In the spring.", "f-made-up")}}, NotInMemory, 0, nil},
		"nothing":                       {question, &script{turns: []Turn{{}}}, NotInMemory, 0, nil},
		"one more recall":               {question, &script{turns: []Turn{more, says("Malmö.", "f-jon2")}}, Answered, 1, []string{"f-jon2"}},
		"no end of recalls":             {question, &script{turns: []Turn{more}}, NotInMemory, MaxRecalls, nil},
		"a recall of a secret":          {question, &script{turns: []Turn{{Recall: &Intent{Query: "what's the wifi password"}}, {}}}, NotInMemory, 1, nil},
		"a recall that makes no sense":  {question, &script{turns: []Turn{{Recall: &Intent{Query: "x", Since: "soon"}}, {}}}, NotInMemory, 1, nil},
		"a model that fails":            {question, &script{err: errors.New("no answer")}, Evidence, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := Config{}
			if test.model != nil {
				cfg.Model = test.model
			}
			m := memoryOf(t)
			r, err := Ask(t.Context(), m, test.question, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != test.outcome || r.Recalls != test.recalls || r.Answer == "" {
				t.Errorf("%s after %d recalls, %q; want %s after %d", r.Outcome, r.Recalls, r.Answer, test.outcome, test.recalls)
			}
			var cites []string
			for _, c := range r.Citations {
				cites = append(cites, c.ID)
			}
			if test.cites != nil && !slices.Equal(cites, test.cites) {
				t.Errorf("cites %v, want %v", cites, test.cites)
			}
			if r.Outcome == NotInMemory && len(cites) > 0 {
				t.Errorf("cites %v for what is not in memory", cites)
			}
			if last := r.Trace[len(r.Trace)-1]; last.State != string(Finalize) {
				t.Errorf("the trace ends with %s", last.State)
			}
			if test.model != nil {
				for i, context := range test.model.saw {
					if strings.Contains(context, "Mango") {
						t.Error("the model saw a secret")
					}
					if test.model.lasts[i] != (i == MaxRecalls) {
						t.Errorf("turn %d: last is %v", i, test.model.lasts[i])
					}
				}
			}
			for _, id := range test.cites {
				if m.Access(id).Hits != 1 {
					t.Errorf("the citation of %s is not counted as an access", id)
				}
			}
		})
	}
}
