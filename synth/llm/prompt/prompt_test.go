package prompt_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/prompt"
)

func own(files map[string]string) func(string) ([]byte, error) {
	return func(name string) ([]byte, error) {
		if text, ok := files[name]; ok {
			return []byte(text), nil
		}
		return nil, fs.ErrNotExist
	}
}

type judge struct {
	Cap              int
	Old, New         llm.Data
	OldDate, NewDate string
}

var sample = judge{Cap: 200, Old: llm.NewData("old words"), New: llm.NewData("new words"), OldDate: "2025-01-01", NewDate: "2025-02-01"}

func TestRender(t *testing.T) {
	system, user, err := prompt.Builtin().Render("judge", sample)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"MERGE, UPDATE_OLD, KEEP_BOTH or DISCARD_NEW", "at most 200 tokens", llm.FenceRule} {
		if !strings.Contains(system, want) {
			t.Errorf("the system prompt lacks %q:\n%s", want, system)
		}
	}
	for _, want := range []string{llm.Fence("old words"), llm.Fence("new words"), "2025-02-01"} {
		if !strings.Contains(user, want) {
			t.Errorf("the prompt lacks %q:\n%s", want, user)
		}
	}
}

func TestAVaultsOwnPrompt(t *testing.T) {
	text := "---\nname: judge\nversion: 7\n---\n{{define \"system\"}}Be brief.{{end}}{{define \"user\"}}{{printf \"%s\" .Old}} or {{.New | printf \"%q\"}}{{end}}\n"
	s, err := prompt.Load(own(map[string]string{"judge": text}))
	if err != nil {
		t.Fatal(err)
	}
	system, user, err := s.Render("judge", sample)
	if err != nil || !strings.HasSuffix(system, llm.FenceRule) || !strings.Contains(system, "Be brief.") {
		t.Errorf("%v\n%s", err, system)
	}
	// However the template prints data, it is fenced.
	if want := llm.Fence("old words") + " or " + llm.Fence("new words"); user != want {
		t.Errorf("got %q", user)
	}
	if got := s.Version("judge") + " " + s.Version("session"); got != "judge/7+own session/1" {
		t.Errorf("versions %s", got)
	}
}

func TestPromptsThatCannotBeUsed(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"no front matter", "hello", `name ""`},
		{"another's name", "---\nname: topic\nversion: 1\n---\n", `name "topic", want "judge"`},
		{"no version", "---\nname: judge\n---\n", "version"},
		{"no user part", "---\nname: judge\nversion: 1\n---\n{{define \"system\"}}x{{end}}", `no template "user"`},
		{"not a template", "---\nname: judge\nversion: 1\n---\n{{define \"system\"}}", "unexpected EOF"},
		{"too long", strings.Repeat("x", 1<<17), "more than"},
	} {
		_, err := prompt.Load(own(map[string]string{"judge": tc.text}))
		if err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), prompt.Folder+"/judge.md") {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
	head := "---\nname: judge\nversion: 1\n---\n{{define \"system\"}}x{{end}}"
	for _, tc := range []struct{ name, text, want string }{
		{"an unknown field", `{{define "user"}}{{.Everything}}{{end}}`, "Everything"},
		{"without end", `{{define "x"}}` + strings.Repeat("x", 1000) + `{{template "x" .}}{{end}}{{define "user"}}{{template "x" .}}{{end}}`, "more than"},
	} {
		s, err := prompt.Load(own(map[string]string{"judge": head + tc.text}))
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.Render("judge", sample); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}
