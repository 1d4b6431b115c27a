package chatgpt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/importertest"
)

// said is a message as the reference walk below sees it.
type said struct {
	ID, Sender, Text string
	Time             time.Time
}

// reference walks a conversation the slow way, over maps, from the design's
// words: from current_node to the root; hidden, system, thoughts, recap, tether
// and editable-context nodes left out; the time of the parent where there is
// none, then the conversation's.
func reference(conv map[string]any) (active []said, off map[string]said) {
	mapping := conv["mapping"].(map[string]any)
	parent := func(id string) string {
		n, _ := mapping[id].(map[string]any)
		if p, ok := n["parent"].(string); ok {
			return p
		}
		for other, n := range mapping {
			children, _ := n.(map[string]any)["children"].([]any)
			for _, c := range children {
				if c == id {
					return other
				}
			}
		}
		return ""
	}
	messageTime := func(id string) (time.Time, bool) {
		n, _ := mapping[id].(map[string]any)
		m, _ := n["message"].(map[string]any)
		return exact(m["create_time"])
	}
	at := func(id string) time.Time {
		for up := id; up != ""; up = parent(up) {
			if t, ok := messageTime(up); ok {
				return t
			}
		}
		t, _ := exact(conv["create_time"])
		return t
	}
	look := func(id string) (said, bool) {
		n, _ := mapping[id].(map[string]any)
		m, _ := n["message"].(map[string]any)
		if m == nil {
			return said{}, false
		}
		role := m["author"].(map[string]any)["role"].(string)
		meta, _ := m["metadata"].(map[string]any)
		if role != "user" && role != "assistant" || meta["is_visually_hidden_from_conversation"] == true {
			return said{}, false
		}
		content := m["content"].(map[string]any)
		switch content["content_type"] {
		case "thoughts", "reasoning_recap", "tether_browsing_display", "tether_quote", "user_editable_context", "model_editable_context":
			return said{}, false
		}
		text, _ := content["text"].(string)
		parts, _ := content["parts"].([]any)
		var texts []string
		for _, p := range parts {
			if s, ok := p.(string); ok && s != "" {
				texts = append(texts, s)
			}
		}
		text += strings.Join(texts, "\n")
		return said{fmt.Sprint(m["id"]), role, text, at(id)}, strings.TrimSpace(text) != ""
	}
	current, _ := conv["current_node"].(string)
	if _, ok := mapping[current]; !ok {
		var best time.Time
		for id := range mapping {
			if t, ok := messageTime(id); ok && t.After(best) {
				current, best = id, t
			}
		}
	}
	onPath := map[string]bool{}
	for id := current; id != "" && !onPath[id]; id = parent(id) {
		onPath[id] = true
		if s, ok := look(id); ok {
			active = append([]said{s}, active...)
		}
	}
	off = map[string]said{}
	for id := range mapping {
		if s, ok := look(id); ok && !onPath[id] {
			off[s.ID] = s
		}
	}
	return active, off
}

// exact is a JSON number of seconds as a time, by rational arithmetic.
func exact(v any) (time.Time, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return time.Time{}, false
	}
	r, _ := new(big.Rat).SetString(n.String())
	r.Mul(r, big.NewRat(1e9, 1))
	ns := new(big.Int).Quo(r.Num(), r.Denom())
	return time.Unix(0, ns.Int64()).UTC(), true
}

// refused are the files that look like exports and are none.
var refused = map[string]bool{"long_chat_export.json": true, "single_topic.json": true, "multi_topic.json": true, "malformed.json": true, "empty.json": true}

func TestSharedExports(t *testing.T) {
	files, conversations, messages, branches := 0, 0, 0, 0
	for _, dir := range []string{"exports/chatgpt", "end-to-end/chatgpt"} {
		root := importertest.Shared(t, dir)
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".json" || d.Name() == "queries.json" {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			data = bytes.TrimPrefix(data, []byte("\ufeff"))
			if got := (Format{}).Sniff(path, data[:min(len(data), 64<<10)]); got == refused[d.Name()] {
				t.Errorf("%s: recognised is %v", path, got)
				return nil
			}
			if refused[d.Name()] {
				return nil
			}
			files++
			got := importertest.Read(t, Format{}, importertest.Input(path, data))
			importertest.Check(t, path, got)
			if got.Err != nil {
				t.Errorf("%s: %v", path, got.Err)
			}
			var want []map[string]any
			dec := json.NewDecoder(bytes.NewReader(data))
			dec.UseNumber()
			if err := dec.Decode(&want); err != nil {
				return err
			}
			i := 0
			for _, conv := range want {
				if _, ok := conv["mapping"]; !ok {
					continue
				}
				active, off := reference(conv)
				if len(active)+len(off) == 0 {
					continue
				}
				c := got.Conversations[i]
				i++
				var said1 []said
				for _, turn := range c.Turns {
					if turn.Sender == "tool" || strings.TrimSpace(turn.Text) == "" {
						continue
					}
					s := said{turn.MessageID, turn.Sender, turn.Text, turn.Time.Time}
					if !turn.Branch {
						said1 = append(said1, s)
						continue
					}
					if diff := cmp.Diff(off[s.ID], s); diff != "" {
						t.Errorf("%s: branch of %s: %s", path, c.ID, diff)
					}
					branches++
					delete(off, s.ID)
				}
				if diff := cmp.Diff(active, said1); diff != "" {
					t.Errorf("%s: %s: %s", path, c.ID, diff)
				}
				if len(off) > 0 {
					t.Errorf("%s: %s: messages on branches are missing: %v", path, c.ID, off)
				}
				conversations++
				messages += len(active)
			}
			if i != len(got.Conversations) {
				t.Errorf("%s: %d conversations, want %d", path, len(got.Conversations), i)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d conversations, %d messages on active paths, %d on branches", files, conversations, messages, branches)
}
