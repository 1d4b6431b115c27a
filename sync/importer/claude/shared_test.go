package claude

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/importertest"
)

type said struct {
	ID, Sender, Text string
	Time             time.Time
}

// reference reads a conversation the slow way: all its messages in order (none
// of the shared exports has branches), the text blocks, else the flat text.
func reference(conv map[string]any) []said {
	var out []said
	messages, _ := conv["chat_messages"].([]any)
	for _, m := range messages {
		m := m.(map[string]any)
		var texts []string
		blocks, _ := m["content"].([]any)
		for _, b := range blocks {
			b := b.(map[string]any)
			if s, ok := b["text"].(string); ok && s != "" && b["type"] == "text" {
				texts = append(texts, s)
			}
		}
		text := strings.Join(texts, "\n\n")
		if text == "" {
			text, _ = m["text"].(string)
		}
		sender := m["sender"].(string)
		if sender == "human" {
			sender = "user"
		}
		when, _ := time.Parse(time.RFC3339Nano, m["created_at"].(string))
		if strings.TrimSpace(text) != "" {
			out = append(out, said{m["uuid"].(string), sender, text, when.UTC()})
		}
	}
	return out
}

func TestSharedExports(t *testing.T) {
	files, conversations, messages := 0, 0, 0
	for _, dir := range []string{"exports/claude", "end-to-end/claude"} {
		err := filepath.WalkDir(importertest.Shared(t, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || d.Name() == "queries.json" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			isNone := d.Name() == "projects.json" || d.Name() == "simple-invalid.json"
			if got := (Format{}).Sniff(path, data[:min(len(data), 64<<10)]); got == isNone {
				t.Errorf("%s: recognised is %v", path, got)
			}
			if isNone {
				return nil
			}
			files++
			var want []map[string]any
			if data[0] == '{' {
				want = make([]map[string]any, 1)
				err = json.Unmarshal(data, &want[0])
			} else {
				err = json.Unmarshal(data, &want)
			}
			if err != nil {
				return err
			}
			r := importertest.Read(t, Format{}, importertest.Input(path, data))
			importertest.Check(t, path, r)
			if r.Err != nil {
				t.Error(r.Err)
			}
			for _, conv := range want {
				active := reference(conv)
				if len(active) == 0 {
					continue
				}
				c := r.Conversations[0]
				r.Conversations = r.Conversations[1:]
				var got []said
				for _, turn := range c.Turns {
					if turn.Branch {
						t.Errorf("%s: %s is on a branch", path, turn.MessageID)
					}
					if turn.Sender != "tool" {
						got = append(got, said{turn.MessageID, turn.Sender, turn.Text, turn.Time.Time})
					}
				}
				if diff := cmp.Diff(active, got); diff != "" {
					t.Errorf("%s: %s", path, diff)
				}
				if summary, _ := conv["summary"].(string); c.Summary != summary || c.Title != conv["name"] || c.ID != conv["uuid"] {
					t.Errorf("%s: id, title or summary differ: %q, %q, %q", path, c.ID, c.Title, c.Summary)
				}
				conversations++
				messages += len(active)
			}
			if len(r.Conversations) > 0 {
				t.Errorf("%s: %d conversations too many", path, len(r.Conversations))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d conversations, %d messages", files, conversations, messages)
}
