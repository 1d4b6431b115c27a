package chat

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/importertest"
	"github.com/memsync/memsync/vault"
)

func show(r importertest.Result) string {
	var b strings.Builder
	for _, c := range r.Conversations {
		fmt.Fprintf(&b, "%q %s\n", c.Title, c.Created)
		for _, t := range c.Turns {
			fmt.Fprintf(&b, "%s %s %q %v\n", t.Sender, t.Time, t.Text, t.Flags)
		}
	}
	return b.String()
}

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"object", `{"id": "s-1", "title": "Oven", "created": "2025-08-30T10:00:00Z", "host": {"name": "x"},
  "messages": [{"role": "system", "content": "Be kind."}, {"role": "user", "text": "Shelves come Friday.", "time": "2025-08-30T10:01:00Z"},
  {"role": "assistant", "content": [{"type": "text", "text": "Noted."}, {"type": "image"}]}, {"role": "tool", "content": "42"}]}`,
			`"Oven" 2025-08-30 10:00:00Z
user 2025-08-30 10:01:00Z "Shelves come Friday." []
assistant  "Noted." []
tool  "42" [tool-call]
`},
		{"list", `[{"role": "Human", "content": "Hello"}, {"role": "model", "content": "Hi"}]`, `"" 2025-09-01 08:00:00Z
user  "Hello" []
assistant  "Hi" []
`},
		{"headings", "---\ndate: 2025-08-30\n---\n# The oven\n\n## User (2025-08-30 10:00)\n\nShelves come Friday.\n\n```\nUser: not a turn\n```\n\n## Assistant\n\nNoted.\n", `"The oven" 2025-08-30 00:00
user 2025-08-30 10:00 "Shelves come Friday.\n\n` + "```\\nUser: not a turn\\n```" + `" []
assistant  "Noted." []
`},
		{"labels", "**User:** Shelves come Friday.\nTwo of them.\n\n**Assistant**: Noted.\nUser: Thanks\r\n", `"" 2025-09-01 08:00:00Z
user  "Shelves come Friday.\nTwo of them." []
assistant  "Noted." []
user  "Thanks" []
`},
		{"injected", "User: <memsync-context>\nAna glazes.\n</memsync-context>\nHello\nAssistant: Hi", `"" 2025-09-01 08:00:00Z
user  "<memsync-context>\nAna glazes.\n</memsync-context>\nHello" [injected]
assistant  "Hi" []
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f := Format{Now: vault.Stamp{Time: time.Date(2025, 9, 1, 8, 0, 0, 0, time.UTC)}}
			if !f.Sniff("session", []byte(tt.in)) {
				t.Error("it is not recognised")
			}
			r := importertest.Read(t, f, importertest.Input("session", []byte(tt.in)))
			importertest.Check(t, "session", r)
			if r.Err != nil {
				t.Fatal(r.Err)
			}
			if d := cmp.Diff(tt.want, show(r)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// What cannot be read is refused in one sentence that names the file and the line.
func TestRefused(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", "s.json is empty"},
		{"{\n\"messages\": [\n{\"role\": \"user\" \"text\": \"x\"}]}", `s.json:3: is not JSON: invalid character '"' after object key:value pair`},
		{"{\n\"messages\": [\n{\"role\": \"user\",", "s.json:3: breaks off in the middle of the JSON"},
		{"{\n\"title\": \"x\"\n}", `s.json:1: is an object without "messages"`},
		{"{\"messages\": 4}", "s.json:1: has messages that are no list"},
		{"[\n{\"text\": \"x\"}]", "s.json:2: has a message without a role"},
		{"[\n{\"role\": \"user\", \"text\": \"a\"},\n\n{\"role\": \"butler\", \"text\": \"x\"}]", `s.json:4: has "butler" as a role; there are user, assistant, system and tool`},
		{"[{\"role\": \"user\", \"text\": \"a\", \"time\": \"noon\"}]", `s.json:1: has "noon" as a time; write it as 2025-09-01T10:00:00Z`},
		{"[{\"role\": \"user\", \"content\": 4}]", "s.json:1: has content that is neither a text nor a list of parts with texts"},
		{"[{\"role\": 4}]", `s.json:1: has a number as "role", where a text belongs`},
		{"[] []", "s.json:1: begins a second value; a session is one object or one list"},
		{"[]", "s.json holds no message"},
		{"# Oven\n\nHello there.\n", `s.json:3: stands before anybody speaks; begin each turn with a line such as "## User" or "Assistant: ..."`},
		{"---\ncreated: noon\n---\nUser: x\n", `s.json:2: has "noon" as created, which is no date`},
		{"## User (2025-13-41 10:00)\nx\n", `s.json:1: has "2025-13-41 10:00" as a time; write it as 2025-09-01 10:00`},
		{"User: \xff", "s.json is not text in UTF-8 or UTF-16"},
	} {
		r := importertest.Read(t, Format{}, importertest.Input("s.json", []byte(tt.in)))
		if r.Err == nil || r.Err.Error() != tt.want {
			t.Errorf("%q: %v, want %s", tt.in, r.Err, tt.want)
		}
	}
}

func TestNotASession(t *testing.T) {
	for _, in := range []string{
		"# Notes\n\nUser stories are below.\n", "Buy milk: two litres\n", `{"mapping": {}, "messages": []}`, `[{"uuid": "x", "chat_messages": []}]`,
		`{"type":"user","message":{"role":"user","content":"x"}}`, "",
	} {
		if (Format{}).Sniff("x", []byte(in)) {
			t.Errorf("%q is taken for a session", in)
		}
	}
}

// A session that goes on keeps its identity and that of its turns.
func TestGrows(t *testing.T) {
	one := importertest.Read(t, Format{}, importertest.Input("a", []byte("User: Hello\nAssistant: Hi\nUser: Hello\n"))).Conversations[0]
	two := importertest.Read(t, Format{}, importertest.Input("b", []byte("User: Hello\nAssistant: Hi\nUser: Hello\nAssistant: Again?\n"))).Conversations[0]
	if one.ID != two.ID || one.Turns[0].MessageID == one.Turns[2].MessageID {
		t.Errorf("ids %s and %s", one.ID, two.ID)
	}
	for i, turn := range one.Turns {
		if turn.MessageID != two.Turns[i].MessageID {
			t.Errorf("turn %d is another", i)
		}
	}
}

// Whatever a file holds, reading it ends with a session or a sentence.
func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"messages":[{"role":"user","text":"x"}]}`))
	f.Add([]byte("## User\nx\n## Assistant\ny\n"))
	f.Add([]byte("---\ntitle: x\n---\nUser: a\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		r := importertest.Read(t, Format{}, importertest.Input("s", in))
		importertest.Check(t, "s", r)
		if r.Err == nil && len(r.Conversations) != 1 {
			t.Errorf("%d sessions and no error", len(r.Conversations))
		}
	})
}
