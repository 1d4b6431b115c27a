package main

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault"
)

// claimsIn are the texts of all claims of a vault.
func claimsIn(t *testing.T, dir string) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	for _, folder := range []string{"facts", "schema"} {
		_ = filepath.WalkDir(filepath.Join(dir, folder), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil
			}
			raw, err := os.ReadFile(name)
			if err != nil {
				t.Error(err)
			}
			for _, c := range vault.Parse(vault.Path(d.Name()), raw).Claims() {
				all[c.Text] = true
			}
			return nil
		})
	}
	return all
}

// A session in which the host put what memsync said at its start, and in which the
// assistant asked memsync, is remembered for what the person said in it, and for
// nothing that came from memsync.
func TestWhatMemsyncSaidIsNotLearned(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "vault")
	run := func(stdin string, args ...string) string {
		t.Helper()
		a, stdout, stderr := testApp(t, home, home)
		a.stdin = strings.NewReader(stdin)
		if status := a.run(t.Context(), append(args, "--vault", dir)); status != exitDone {
			t.Fatalf("%q exits %d: %s%s", args, status, stdout, stderr)
		}
		return stdout.String()
	}
	a, stdout, stderr := testApp(t, home, home)
	if status := a.run(t.Context(), []string{"init", dir}); status != exitDone {
		t.Fatal(stdout, stderr)
	}
	exports, err := filepath.Abs(filepath.Join("testdata", "exports"))
	if err != nil {
		t.Fatal(err)
	}
	run("", "import", filepath.Join(exports, "second.json"))
	before := claimsIn(t, dir)
	var start struct {
		Output struct {
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	if err := json.Unmarshal([]byte(run("{}", "hook", "session-start")), &start); err != nil || !strings.Contains(start.Output.Context, "hazelnuts") {
		t.Fatalf("the start: %v %+v", err, start)
	}
	var packed struct{ Text string }
	if err := json.Unmarshal([]byte(run("", "context", "--json", "which nuts may I not eat")), &packed); err != nil || !strings.Contains(packed.Text, "hazelnuts") {
		t.Fatalf("the pack: %v %+v", err, packed)
	}
	injected := start.Output.Context
	for name, file := range map[string]string{
		"claude-code.jsonl": claudeCode(
			turn{"user", injected + "\n\nWhich glaze do I take?"}, turn{"assistant", "One without lead."},
			turn{"user", "<system-reminder>\nSessionStart hook additional context: " + injected + "\n</system-reminder>\nI decided to rent a studio with Lena from May. I never fire above 1222 degrees. The studio is in Delft."},
			turn{"assistant", packed.Text + "\nNoted."},
		),
		"session.md": "## User\n\n" + injected + "\n\nWhich glaze do I take?\n\n## Assistant\n\n" + packed.Text + "\n\nOne without lead.\n\n" +
			"## User\n\nI decided to buy a second kiln from the potter in Delft. I never glaze on Sundays. My sister Lena collects the second kiln on Friday.\n",
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(home, name)
			if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
				t.Fatal(err)
			}
			known := claimsIn(t, dir)
			var r rememberedResult
			if err := json.Unmarshal([]byte(run("", "remember", "--json", "--session", path)), &r); err != nil {
				t.Fatal(err)
			}
			if r.Commit == "" {
				t.Error("nothing was remembered, so nothing was tried")
			}
			own := 0
			for text := range claimsIn(t, dir) {
				if known[text] {
					continue
				}
				if strings.Contains(file, text[1:len(text)-1]) {
					own++
				} else {
					t.Errorf("learned, and nobody said it here: %q", text)
				}
				if strings.Contains(injected+packed.Text, text[1:len(text)-1]) {
					t.Errorf("learned from what memsync said: %q", text)
				}
			}
			if own == 0 {
				t.Error("what the person decided was not learned")
			}
			summaries, err := filepath.Glob(filepath.Join(dir, "sessions", "*", "*.md"))
			if err != nil || len(summaries) == 0 {
				t.Fatalf("no summaries: %v", err)
			}
			for _, s := range summaries {
				raw, err := os.ReadFile(s)
				if err != nil {
					t.Fatal(err)
				}
				if (strings.Contains(string(raw), "1222") || strings.Contains(string(raw), "Sundays")) && strings.Contains(string(raw), "azelnut") {
					t.Errorf("the summary repeats what memsync said: %s", raw)
				}
			}
		})
	}
	for text := range before {
		if !claimsIn(t, dir)[text] {
			t.Errorf("%q is gone", text)
		}
	}
	// Nor is it found as words that somebody said.
	if got := run("", "search", "--mode", "keyword", "--type", "transcript", "background", "not", "a", "request", "memory_search"); strings.Contains(got, "claude-code") {
		t.Errorf("what memsync said is found: %s", got)
	}
}

type turn struct{ role, text string }

// claudeCode is a session file of Claude Code.
func claudeCode(turns ...turn) string {
	var b strings.Builder
	parent := any(nil)
	for i, one := range turns {
		id := "w" + string(rune('1'+i))
		content := any(one.text)
		if one.role == "assistant" {
			content = []any{map[string]string{"type": "text", "text": one.text}}
		}
		line, err := json.Marshal(map[string]any{
			"parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/home/ana/oven", "sessionId": "s-9", "version": "2.0.1",
			"type": one.role, "message": map[string]any{"role": one.role, "content": content}, "uuid": id, "timestamp": "2025-08-31T10:00:0" + string(rune('0'+i)) + ".000Z",
		})
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
		parent = id
	}
	return b.String()
}
