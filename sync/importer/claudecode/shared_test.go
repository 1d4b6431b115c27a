package claudecode

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/importertest"
)

type said struct{ Session, ID, Sender, Text string }

// reference reads session lines the slow way: every user and assistant line
// whose message has text.
func reference(lines [][]byte) (out []said) {
	for _, line := range lines {
		var e struct {
			Type, SessionID, UUID string
			Message               json.RawMessage
		}
		if json.Unmarshal(line, &e) != nil || e.Type != "user" && e.Type != "assistant" {
			continue
		}
		var plain struct{ Content string }
		var blocks struct{ Content []struct{ Type, Text string } }
		text := ""
		if json.Unmarshal(e.Message, &plain) == nil {
			text = plain.Content
		} else if json.Unmarshal(e.Message, &blocks) == nil {
			var texts []string
			for _, b := range blocks.Content {
				if b.Type == "text" {
					texts = append(texts, b.Text)
				}
			}
			text = strings.Join(texts, "\n\n")
		}
		if strings.TrimSpace(text) != "" {
			out = append(out, said{e.SessionID, e.UUID, e.Type, text})
		}
	}
	return out
}

func TestSharedSessions(t *testing.T) {
	files, messages := 0, 0
	err := filepath.WalkDir(importertest.Shared(t, "exports/claude-code"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		if !(Format{}).Sniff(path, data[:min(len(data), 64<<10)]) {
			t.Errorf("%s is not recognised", path)
		}
		var lines [][]byte
		if filepath.Ext(path) == ".jsonl" {
			lines = bytes.Split(data, []byte("\n"))
		} else {
			var wrapped struct{ Loglines []json.RawMessage }
			if err := json.Unmarshal(data, &wrapped); err != nil {
				return err
			}
			for _, l := range wrapped.Loglines {
				lines = append(lines, l)
			}
		}
		r := importertest.Read(t, Format{}, importertest.Input(path, data))
		importertest.Check(t, path, r)
		if r.Err != nil {
			t.Error(r.Err)
		}
		var got []said
		for _, c := range r.Conversations {
			for _, turn := range c.Turns {
				if turn.Branch {
					t.Errorf("%s: %s is on a branch", path, turn.MessageID)
				}
				id := c.ID
				if !strings.Contains(string(data), `"sessionId"`) {
					id = ""
				}
				got = append(got, said{id, turn.MessageID, turn.Sender, turn.Text})
			}
			t.Logf("%s: %s %q %q", filepath.Base(path), c.ID, c.Title, c.Summary)
		}
		for _, w := range r.Warnings {
			t.Logf("%s:%d: %s", filepath.Base(path), w.Line, w.Text)
		}
		want := reference(lines)
		messages += len(want)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", path, diff)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d files, %d messages", files, messages)
}
