package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memsync/memsync/vault/privacy"
)

// What becomes of a secret of each class, for each value that its class can have:
// in git's objects, in the index and the state, in the store of originals.
func TestEveryClassUnderEachPolicy(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	for _, action := range []privacy.Action{privacy.Redact, privacy.Keep, privacy.Refuse} {
		t.Run(string(action), func(t *testing.T) {
			home, dir := t.TempDir(), filepath.Join(t.TempDir(), "vault")
			run := func(args ...string) string {
				t.Helper()
				a, stdout, stderr := testApp(t, home, dir)
				if status := a.run(t.Context(), args); status != exitDone {
					t.Fatalf("%v: %s", args, stderr)
				}
				return stdout.String() + stderr.String()
			}
			a, _, stderr := testApp(t, home, home)
			if status := a.run(t.Context(), []string{"init", dir}); status != exitDone {
				t.Fatal(stderr)
			}
			var settings strings.Builder
			settings.WriteString("version: 1\nprivacy:\n")
			for _, c := range privacy.Secrets() {
				fmt.Fprintf(&settings, "  %s: %s\n", c, action)
			}
			if err := os.WriteFile(filepath.Join(dir, ".memoryrc"), []byte(settings.String()), 0o600); err != nil {
				t.Fatal(err)
			}
			export := filepath.Join(home, "conversations.json")
			if err := os.WriteFile(export, exportOf(t), 0o600); err != nil {
				t.Fatal(err)
			}
			said := run("import", export)
			if err := os.Remove(export); err != nil {
				t.Fatal(err)
			}
			if got := strings.Count(said, "This message was left out"); (got > 0) != (action == privacy.Refuse) {
				t.Errorf("%d messages are named as left out: %s", got, said)
			}

			objects := gitObjects(t, dir)
			var originals, rest strings.Builder
			walk(t, home, func(path string, raw []byte) {
				if strings.Contains(path, filepath.Join(".local", "share")) {
					originals.Write(raw)
				} else {
					rest.Write(raw)
				}
			})
			if !strings.Contains(rest.String(), "SQLite format") {
				t.Fatal("the index was not looked at")
			}
			for _, p := range planted {
				in := func(text string) bool {
					quoted, _ := json.Marshal(p.secret) // as the store writes it
					return strings.Contains(text, p.secret) || strings.Contains(text, strings.Trim(string(quoted), `"`))
				}
				if got, want := in(objects), action == privacy.Keep; got != want {
					t.Errorf("%s: in git's objects is %v, want %v", p.class, got, want)
				}
				if got, want := in(originals.String()), action == privacy.Redact; got != want {
					t.Errorf("%s: in the store of originals is %v, want %v", p.class, got, want)
				}
				if in(rest.String()) {
					t.Errorf("%s: the index or the state holds it", p.class)
				}
				if mark := "[" + string(p.class) + " "; action == privacy.Redact && !strings.Contains(objects, mark) {
					t.Errorf("%s: git holds no mark %q", p.class, mark)
				}
				if action != privacy.Refuse && !strings.Contains(objects, "(flags:: "+string(p.class)) {
					t.Errorf("%s: the message is not flagged", p.class)
				}
				leaks(t, "search", run("search", p.words))
				leaks(t, "context", run("context", "tell me about the "+p.words))
			}
		})
	}
}

// exportOf is a conversation whose messages each hold one of the planted secrets.
func exportOf(t *testing.T) []byte {
	t.Helper()
	mapping := map[string]any{}
	last := any(nil)
	for i, p := range planted {
		id := fmt.Sprintf("m%02d", i)
		mapping[id] = map[string]any{"id": id, "parent": last, "children": []string{}, "message": map[string]any{
			"id": id, "author": map[string]any{"role": "user"}, "create_time": 1754762400 + i, "content": map[string]any{"content_type": "text", "parts": []string{p.text}},
		}}
		if last != nil {
			mapping[last.(string)].(map[string]any)["children"] = []string{id}
		}
		last = id
	}
	raw, err := json.Marshal([]any{map[string]any{
		"id": "c-planted", "title": "House book", "create_time": 1754762400, "update_time": 1754762500, "current_node": last, "mapping": mapping,
	}})
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// gitObjects is the content of every object of a repository, as git itself reads
// it.
func gitObjects(t *testing.T, dir string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "cat-file", "--batch-all-objects", "--batch")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git cat-file: %v", err)
	}
	return string(out)
}

func walk(t *testing.T, root string, each func(path string, raw []byte)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		if strings.Contains(path, filepath.Join(".local", "share")) {
			if info, err := d.Info(); err != nil || info.Mode().Perm() != 0o600 {
				t.Errorf("%s has mode %v, %v", path, info.Mode().Perm(), err)
			}
		}
		raw, err := os.ReadFile(path)
		each(path, raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
