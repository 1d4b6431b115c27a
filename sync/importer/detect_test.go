package importer_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/chatgpt"
	"github.com/memsync/memsync/sync/importer/claude"
	"github.com/memsync/memsync/sync/importer/claudecode"
	"github.com/memsync/memsync/sync/importer/codex"
	"github.com/memsync/memsync/sync/importer/importertest"
	"github.com/memsync/memsync/sync/importer/notes"
	"github.com/memsync/memsync/sync/importer/whatsapp"
)

var formats = []importer.Format{chatgpt.Format{}, claude.Format{}, claudecode.Format{}, codex.Format{}, whatsapp.Format{}, notes.Format{}}

const (
	aChatGPT    = `[{"title":"t","mapping":{"a":{"message":null}},"current_node":"a"}]`
	aClaude     = `[{"uuid":"1","name":"n","chat_messages":[]}]`
	aClaudeCode = `{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"x"}}` + "\n"
	aCodex      = `{"timestamp":"2025-10-29T00:59:38Z","type":"session_meta","payload":{"id":"1"}}` + "\n"
	aWhatsApp   = "[12/31/24, 9:41:02 PM] Ana: hi\n[12/31/24, 9:42:02 PM] Ben: hello\n"
)

func write(t *testing.T, dir string, files map[string]string) string {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func detect(t *testing.T, path, source string) (importer.Plan, error) {
	t.Helper()
	b, err := importer.Open(path, importer.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return importer.Detect(b, formats, source)
}

func TestDetectFolder(t *testing.T) {
	dir := write(t, t.TempDir(), map[string]string{
		"gpt/conversations-000.json":    aChatGPT,
		"gpt/conversations-001.json":    aChatGPT,
		"gpt/user.json":                 `{"id":"u"}`,
		"gpt/chat.html":                 "<html>",
		"gpt/message_feedback.json":     `[]`,
		"gpt/README.txt":                "see the help pages",
		"claude/conversations.json":     aClaude,
		"claude/users.json":             `[{"uuid":"u","full_name":"x","email_address":"y"}]`,
		"claude/projects.json":          `[{"uuid":"p","prompt_template":""}]`,
		"code/1.jsonl":                  aClaudeCode,
		"code/agent-1.jsonl":            strings.Replace(aClaudeCode, `"sessionId"`, `"isSidechain":true,"sessionId"`, 1),
		"codex/rollout-1.jsonl":         aCodex,
		"chats/WhatsApp Chat - Ana.txt": aWhatsApp,
		"notes/idea.md":                 "# An idea",
		"package.json":                  `{"name":"x","version":"1"}`,
		"binary.txt":                    "\x00\x01\x02",
	})
	plan, err := detect(t, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	rel := func(name string) string {
		r, err := filepath.Rel(dir, name)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(r)
	}
	got := map[string]string{}
	for _, m := range plan.Matches {
		got[rel(m.Input.Name)] = m.Format.Source()
	}
	for _, s := range plan.Skipped {
		got[rel(s.Name)] = "skipped: " + s.Reason
	}
	for _, s := range plan.Quiet {
		got[rel(s.Name)] = "quiet: " + s.Reason
	}
	want := map[string]string{
		"gpt/conversations-000.json":    "chatgpt",
		"gpt/conversations-001.json":    "chatgpt",
		"gpt/user.json":                 "quiet: is the account data of a ChatGPT export",
		"gpt/chat.html":                 "quiet: is the readable copy of a ChatGPT export",
		"gpt/message_feedback.json":     "quiet: is the feedback of a ChatGPT export",
		"gpt/README.txt":                "skipped: is a text that no format recognises",
		"claude/conversations.json":     "claude",
		"claude/users.json":             "quiet: is the list of users of a Claude export",
		"claude/projects.json":          "quiet: is the list of projects of a Claude export",
		"code/1.jsonl":                  "claude-code",
		"code/agent-1.jsonl":            "quiet: is the log of a subagent, not of a person's session",
		"codex/rollout-1.jsonl":         "codex",
		"chats/WhatsApp Chat - Ana.txt": "whatsapp",
		"notes/idea.md":                 "notes",
		"package.json":                  "skipped: is JSON, but not a list of conversations",
		"binary.txt":                    "skipped: is not text",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestDetectRefuses(t *testing.T) {
	for name, tt := range map[string]struct{ file, in, source, want string }{
		"messages":     {"x.json", `[{"role":"user","content":"q"}]`, "", "is a bare list of messages (role and content): it has no conversations with ids and times"},
		"broken":       {"x.json", `[{"role":"user","content":"q"`, "", "is a bare list of messages (role and content): it has no conversations with ids and times"},
		"empty list":   {"x.json", "[]\n", "", "is an empty list: it holds no conversations"},
		"empty":        {"x.json", "", "", "is empty"},
		"object":       {"x.json", `{"invalid":"x"}`, "", "is JSON, but not a list of conversations"},
		"values":       {"x.json", `[1,2]`, "", "is a list of values, not of conversations"},
		"not JSON":     {"x.json", `{invalid`, "", "begins like JSON but cannot be read as such"},
		"projects":     {"projects.json", `[{}]`, "", "is the list of projects of a Claude export"},
		"shared links": {"shared.json", `[{"id":"1","conversation_id":"2","title":"t","create_time":1}]`, "", "has titles and times of conversations but none of their messages"},
		"takeout":      {"MyActivity.json", `[{"header":"Gemini","title":"t","titleUrl":"u","time":"t"}]`, "", "is an activity list of Google Takeout, which memsync does not read"},
		"page":         {"x.html", "<!DOCTYPE html><title>x", "", "is a web page, not an export"},
		"picture":      {"x.png", "\x89PNG\r\n\x00", "", "is not text"},
		"source":       {"x.json", aChatGPT, "gpt", "is not known; memsync reads chatgpt, claude, claude-code, codex, whatsapp, notes"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(write(t, t.TempDir(), map[string]string{tt.file: tt.in}), tt.file)
			_, err := detect(t, path, tt.source)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.ContainsAny(err.Error(), "\n") {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	t.Run("a folder of other things", func(t *testing.T) {
		dir := write(t, t.TempDir(), map[string]string{"a.json": "{}", "b.json": "1"})
		if _, err := detect(t, dir, ""); err == nil || !strings.Contains(err.Error(), dir+" holds 2 files, and none is an export; memsync reads") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("a folder of nothing", func(t *testing.T) {
		if _, err := detect(t, t.TempDir(), ""); err == nil || !strings.Contains(err.Error(), "holds no file that could be an export") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("source over a folder", func(t *testing.T) {
		dir := write(t, t.TempDir(), map[string]string{"a.json": aClaude})
		if _, err := detect(t, dir, "chatgpt"); err == nil || err.Error() != dir+" holds nothing that looks like an export of chatgpt" {
			t.Errorf("got %v", err)
		}
	})
}

func TestDetectSourceForcesAFile(t *testing.T) {
	path := filepath.Join(write(t, t.TempDir(), map[string]string{"odd.dat": `{"title":"t"}`}), "odd.dat")
	plan, err := detect(t, path, "claude")
	if err != nil || len(plan.Matches) != 1 || plan.Matches[0].Format.Source() != "claude" {
		t.Errorf("got %v and %v", plan, err)
	}
}

// TestSharedLookAlikes: every shared export is recognised as what it is, or
// refused with one sentence.
func TestSharedLookAlikes(t *testing.T) {
	refused := map[string]bool{
		"long_chat_export.json": true, "single_topic.json": true, "multi_topic.json": true, "malformed.json": true, "empty.json": true,
		"projects.json": true, "simple-invalid.json": true,
	}
	for dir, source := range map[string]string{"exports/chatgpt": "chatgpt", "exports/claude": "claude", "exports/claude-code": "claude-code"} {
		err := filepath.WalkDir(importertest.Shared(t, dir), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			plan, err := detect(t, path, "")
			switch {
			case refused[d.Name()] && err == nil:
				t.Errorf("%s is taken for %s", path, plan.Matches[0].Format.Source())
			case refused[d.Name()]:
				t.Log(strings.TrimPrefix(err.Error(), filepath.Dir(path)+"/"))
			case err != nil:
				t.Error(err)
			case len(plan.Matches) != 1 || plan.Matches[0].Format.Source() != source:
				t.Errorf("%s: %v", path, plan)
			default:
				r := importertest.Read(t, plan.Matches[0].Format, plan.Matches[0].Input)
				importertest.Check(t, plan.Matches[0].Input.Name, r)
				if r.Err != nil || len(r.Conversations) == 0 {
					t.Errorf("%s: %d conversations and %v", path, len(r.Conversations), r.Err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadFromZip reads an export as people download it.
func TestReadFromZip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "export.zip")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(f)
	for name, text := range map[string]string{
		"conversations.json": `[{"id":"c","current_node":"a","mapping":{"a":{"message":{"id":"a","author":{"role":"user"},"content":{"parts":["hi"]}}}}}]`,
		"user.json":          `{}`, "chat.html": "<html>",
	} {
		e, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	plan, err := detect(t, path, "")
	if err != nil || len(plan.Matches) != 1 || len(plan.Quiet) != 2 {
		t.Fatalf("%v and %v", plan, err)
	}
	r := importertest.Read(t, plan.Matches[0].Format, plan.Matches[0].Input)
	if r.Err != nil || len(r.Conversations) != 1 || r.Conversations[0].Turns[0].Text != "hi" {
		t.Errorf("got %+v", r)
	}
}

// FuzzSniff holds the laws that no beginning of a file makes a format panic, and
// that what is refused is refused with a reason.
func FuzzSniff(f *testing.F) {
	for _, s := range []string{aChatGPT, aClaude, aClaudeCode, aCodex, aWhatsApp, "", "[", `{"data":[{}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b := &importer.Bundle{Path: "f.json", Inputs: []importer.Input{importertest.Input("f.json", data)}}
		plan, err := importer.Detect(b, formats, "")
		if err == nil && len(plan.Matches) != 1 || err != nil && !strings.HasPrefix(err.Error(), "f.json ") {
			t.Errorf("%d matches and %v", len(plan.Matches), err)
		}
	})
}
