package claude

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/importertest"
)

// lines says a conversation's turns as a person would check them.
func lines(c importer.Conversation) []string {
	var out []string
	for _, t := range c.Turns {
		s := t.MessageID + " " + t.Sender
		if t.Model != "" {
			s += "(" + t.Model + ")"
		}
		if !t.Time.IsZero() {
			s += " " + t.Time.String()
		}
		if t.Branch {
			s += " branch"
		}
		if t.Parent != "" {
			s += " <" + t.Parent
		}
		if len(t.Flags) > 0 {
			s += " " + strings.Join(t.Flags, ",")
		}
		s += fmt.Sprintf(" %q", t.Text)
		if len(t.Attachments) > 0 {
			s += fmt.Sprintf(" %q", t.Attachments)
		}
		out = append(out, s)
	}
	return out
}

func says(id, sender, parent, time, text string) string {
	return fmt.Sprintf(`{"uuid":%q,"sender":%q,"parent_message_uuid":%q,"created_at":%q,"text":"flat","content":[{"type":"text","text":%q}]}`, id, sender, parent, time, text)
}

func TestRead(t *testing.T) {
	const noon = "2025-03-01T12:00:00.123456Z"
	for _, tt := range []struct {
		name, members, messages string
		want                    []string
		warn                    []string
	}{
		{
			name:     "a linear conversation",
			members:  `"model":"claude-x","created_at":"2025-03-01T11:59:00Z"`,
			messages: `{"uuid":"1","sender":"human","text":"q","created_at":"` + noon + `"},{"uuid":"2","sender":"assistant","text":"a"}`,
			want:     []string{`1 user 2025-03-01 12:00:00.123456Z "q"`, `2 assistant(claude-x) 2025-03-01 12:00:00.123456Z "a"`},
		},
		{
			name:    "branches and the active leaf",
			members: `"current_leaf_message_uuid":"b"`,
			messages: says("q", "human", rootUUID, noon, "q") + "," + says("a", "assistant", "q", noon, "1st") + "," +
				says("b", "assistant", "q", noon, "2nd") + "," + says("c", "human", "a", noon, "on the 1st") + "," + says("r", "human", rootUUID, noon, "anew"),
			want: []string{
				`q user 2025-03-01 12:00:00.123456Z "q"`,
				`b assistant 2025-03-01 12:00:00.123456Z "2nd"`,
				`a assistant 2025-03-01 12:00:00.123456Z branch <q "1st"`,
				`c user 2025-03-01 12:00:00.123456Z branch "on the 1st"`,
				`r user 2025-03-01 12:00:00.123456Z branch <root "anew"`,
			},
		},
		{
			name:     "branches without an active leaf: the newest",
			messages: says("q", "human", rootUUID, "2025-01-01T00:00:00Z", "q") + "," + says("b", "assistant", "q", "2025-01-03T00:00:00Z", "new") + "," + says("a", "assistant", "q", "2025-01-02T00:00:00Z", "old"),
			want:     []string{`q user 2025-01-01 00:00:00Z "q"`, `b assistant 2025-01-03 00:00:00Z "new"`, `a assistant 2025-01-02 00:00:00Z branch <q "old"`},
		},
		{
			name:     "a lost parent",
			messages: says("q", "human", rootUUID, noon, "q") + "," + says("a", "assistant", "gone", noon, "a"),
			want:     []string{`q user 2025-03-01 12:00:00.123456Z "q"`, `a assistant 2025-03-01 12:00:00.123456Z "a"`},
			warn:     []string{"message a answers gone"},
		},
		{
			name: "blocks",
			messages: `{"uuid":"1","sender":"assistant","text":"thoughts and all","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"one"},
				{"type":"tool_use","name":"web_search","input":{"query":"x"}},{"type":"tool_result","content":[{"type":"text","text":"found"}]},{"type":"text","text":"two"}]}`,
			want: []string{`1 assistant "one\n\ntwo"`},
		},
		{
			name: "an artifact",
			messages: `{"uuid":"1","sender":"assistant","content":[{"type":"text","text":"Here."},{"type":"tool_use","name":"artifacts","input":{"command":"create","title":"Plan","content":"# Plan\n"}},
				{"type":"tool_use","name":"artifacts","input":{"command":"update","old_str":"a","new_str":"b"}}]},{"uuid":"2","sender":"human","text":"ok"}`,
			want: []string{`1 assistant "Here."`, `1/1 tool attachment "# Plan\n" ["Plan"]`, `2 user "ok"`},
		},
		{
			name: "attachments and files",
			messages: `{"uuid":"1","sender":"human","text":"see","attachments":[{"file_name":"","file_size":9,"extracted_content":"pasted"},{"file_name":"a.pdf","extracted_content":""}],
				"files":[{"file_name":"cat.png"},{"file_uuid":"f-2"}]},{"uuid":"2","sender":"human","text":"","files":[{"file_name":"dog.png"}]}`,
			want: []string{`1 user "see" ["pasted text" "a.pdf" "cat.png" "f-2"]`, `1/1 tool attachment "pasted" ["pasted text"]`, `2 user "" ["dog.png"]`},
		},
		{
			name: "only placeholders",
			messages: `{"uuid":"1","sender":"assistant","text":"` + strings.ReplaceAll(placeholder, "\n", `\n`) + `\n\n","content":[]},
				{"uuid":"2","sender":"assistant","text":"done"}`,
			want: []string{`2 assistant "done"`},
		},
		{
			name: "strange content",
			messages: `{"uuid":"1","sender":"human","text":"flat","content":null},{"uuid":"2","sender":"human","text":"flat","content":"a text"},{"uuid":"3","sender":"human","content":"only a text"},
				{"uuid":"4","sender":"assistant","text":"flat","content":[{"type":"text","text":12}]},{"uuid":"5","sender":"assistant","text":"flat","content":[{"type":"hologram"}]},
				{"uuid":"6","sender":"ghost","text":"boo"},{"sender":"human","text":"no id"},{"uuid":"1","sender":"human","text":"again"}, 12`,
			want: []string{`1 user "flat"`, `2 user "flat"`, `3 user "only a text"`, `4 assistant "flat"`, `5 assistant "flat"`, `message-7 user "no id"`, `1+ user "again"`},
			warn: []string{"two messages have the id 1", "message 2: its content is a text", "message 3: its content is a text", "message 4: a text block has no text", `sender "ghost"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			members := tt.members
			if members != "" {
				members += ","
			}
			in := `{"uuid":"c","name":"n","summary":"s",` + members + `"chat_messages":[` + tt.messages + `]}`
			r := importertest.Read(t, Format{}, importertest.Input("c.json", []byte("["+in+"]")))
			importertest.Check(t, "c.json", r)
			if r.Err != nil || len(r.Conversations) != 1 {
				t.Fatalf("%d conversations and %v", len(r.Conversations), r.Err)
			}
			c := r.Conversations[0]
			if diff := cmp.Diff(tt.want, lines(c)); diff != "" {
				t.Error(diff)
			}
			if c.Summary != "s" || c.Title != "n" {
				t.Errorf("summary %q, title %q", c.Summary, c.Title)
			}
			if len(r.Warnings) != len(tt.warn) {
				t.Fatalf("warnings %v, want %v", r.Warnings, tt.warn)
			}
			for i, w := range r.Warnings {
				if !strings.Contains(w.Text, tt.warn[i]) {
					t.Errorf("warning %q, want %q", w.Text, tt.warn[i])
				}
			}
		})
	}
}

func TestEntriesThatAreNoConversations(t *testing.T) {
	in := `[12, {"uuid":"x","name":"no messages"}, {"uuid":"e","chat_messages":[]}, {"uuid":"b","chat_messages":[{"uuid" 1}]}, {"uuid":"ok","chat_messages":[` + says("1", "human", "", "", "hi") + `]}]`
	r := importertest.Read(t, Format{}, importertest.Input("c.json", []byte(in)))
	importertest.Check(t, "c.json", r)
	if len(r.Conversations) != 1 || r.Conversations[0].ID != "ok" || r.Err != nil {
		t.Fatalf("got %v and %v", r.Conversations, r.Err)
	}
	want := []string{
		"c.json:1: entry 1 is not a conversation and is left out",
		"c.json:1: conversation x is left out: it has no messages (no chat_messages)",
		"c.json:1: conversation b is left out: no colon after a member's name at byte 37 of it",
	}
	var got []string
	for _, w := range r.Warnings {
		got = append(got, w.String())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzRead holds the laws of importertest on anything.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"uuid":"c","chat_messages":[` + says("1", "human", "2", "", "a") + `,` + says("2", "assistant", "1", "", "b") + `]}`))
	f.Add([]byte(`[{"chat_messages":[{"sender":"human","text":"x","content":"y"},{"uuid":"root","sender":"assistant","content":[{"type":"text"}]}]}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		importertest.Check(t, "f.json", importertest.Read(t, Format{}, importertest.Input("f.json", data)))
	})
}
