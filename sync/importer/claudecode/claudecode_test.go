package claudecode

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/importertest"
)

// says writes a line of a session.
func says(kind, id, parent, text string, more ...string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"parentUuid":%s,"sessionId":"s","cwd":"/p","timestamp":"2025-06-14T10:00:00.5Z","message":{"role":%q,"content":%q}%s}`,
		kind, id, p, kind, text, strings.Join(more, "")) + "\n"
}

func lines(c importer.Conversation) []string {
	var out []string
	for _, t := range c.Turns {
		s := t.MessageID + " " + t.Sender
		if t.Model != "" {
			s += "(" + t.Model + ")"
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
			s += fmt.Sprintf(" %v", t.Attachments)
		}
		out = append(out, s)
	}
	return out
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
		warn     []string
	}{
		{
			name: "what was said",
			in: says("user", "1", "", "do it") +
				`{"type":"assistant","uuid":"2","parentUuid":"1","sessionId":"s","message":{"role":"assistant","model":"claude-y","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Yes."},{"type":"tool_use","name":"Bash","input":{"command":"ls"}},{"type":"text","text":"Done."}]}}` + "\n" +
				`{"type":"user","uuid":"3","parentUuid":"2","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","content":"files"}]},"toolUseResult":{"stdout":"files"}}` + "\n" +
				`{"type":"user","uuid":"4","parentUuid":"3","sessionId":"s","message":{"role":"user","content":[{"type":"text","text":"look"},{"type":"image","source":{"media_type":"image/png","data":"AAAA"}}]}}` + "\n",
			want: []string{`1 user "do it"`, `2 assistant(claude-y) "Yes.\n\nDone."`, `4 user "look" [image/png]`},
		},
		{
			name: "what the program says",
			in: says("user", "1", "", "hidden", `,"isMeta":true`) +
				says("user", "2", "1", "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n") +
				says("user", "3", "2", "<local-command-stdout>cleared</local-command-stdout>") +
				says("user", "4", "3", caveat+" DO NOT respond") +
				says("user", "5", "4", "This session is being continued", `,"isCompactSummary":true`) +
				says("user", "6", "5", "<system-reminder>be careful</system-reminder>\nmy own words") +
				says("assistant", "7", "6", "API Error: 500", `,"isApiErrorMessage":true`) +
				says("user", "8", "7", "[Request interrupted by user]") +
				says("user", "9", "8", "task", `,"isSidechain":true`) +
				says("assistant", "10", "8", "ok"),
			want: []string{
				`2 user injected,meta "<command-name>/clear</command-name>\n<command-message>clear</command-message>\n"`,
				`3 user injected,meta "<local-command-stdout>cleared</local-command-stdout>"`,
				`4 user meta "` + caveat + ` DO NOT respond"`,
				`5 user meta "This session is being continued"`,
				`6 user injected "<system-reminder>be careful</system-reminder>\nmy own words"`,
				`8 user meta "[Request interrupted by user]"`,
				`10 assistant "ok"`,
			},
		},
		{
			name: "going back and asking again",
			in: says("user", "1", "", "q") + says("assistant", "2", "1", "a") +
				says("user", "3", "2", "first try") + says("assistant", "4", "3", "answer to it") + says("user", "5", "4", "more of it") +
				says("user", "6", "2", "second try") + says("assistant", "7", "6", "better"),
			want: []string{`1 user "q"`, `2 assistant "a"`, `6 user "second try"`, `7 assistant "better"`,
				`3 user branch <2 "first try"`, `4 assistant branch "answer to it"`, `5 user branch "more of it"`},
		},
		{
			name: "compacted: a new root goes on in order",
			in:   says("user", "1", "", "q") + says("assistant", "2", "1", "a") + says("user", "3", "", "summary", `,"isCompactSummary":true`) + says("user", "4", "3", "go on"),
			want: []string{`1 user "q"`, `2 assistant "a"`, `3 user meta "summary"`, `4 user "go on"`},
		},
		{
			name: "lines repeated by a resumed session",
			in:   says("user", "1", "", "q") + says("assistant", "2", "1", "a") + says("user", "1", "", "q") + says("user", "3", "2", "more"),
			want: []string{`1 user "q"`, `2 assistant "a"`, `3 user "more"`},
		},
		{
			name: "a last line that is being written",
			in:   says("user", "1", "", "q") + says("assistant", "2", "1", "a")[:60],
			want: []string{`1 user "q"`},
		},
		{
			name: "bad lines",
			in:   says("user", "1", "", "q") + "nonsense\n{\"type\":\"user\"\n{}\n" + `{"type":"user","sessionId":"s","message":"x"}` + "\n" + says("assistant", "2", "1", "a"),
			want: []string{`1 user "q"`, `2 assistant "a"`},
			warn: []string{"f.jsonl:2: the line is not an object", "f.jsonl:3: the line is left out: the text ends", "f.jsonl:4: the line has no type", "f.jsonl:5: the message is left out: it is not an object"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := importertest.Read(t, Format{}, importertest.Input("f.jsonl", []byte(tt.in)))
			importertest.Check(t, "f.jsonl", r)
			if r.Err != nil || len(r.Conversations) != 1 {
				t.Fatalf("%d conversations and %v", len(r.Conversations), r.Err)
			}
			if diff := cmp.Diff(tt.want, lines(r.Conversations[0])); diff != "" {
				t.Error(diff)
			}
			if len(r.Warnings) != len(tt.warn) {
				t.Fatalf("warnings %v, want %v", r.Warnings, tt.warn)
			}
			for i, w := range r.Warnings {
				if !strings.HasPrefix(w.String(), tt.warn[i]) {
					t.Errorf("warning %q, want %q", w, tt.warn[i])
				}
			}
		})
	}
}

func TestSessions(t *testing.T) {
	in := `{"type":"summary","summary":"of another file","leafUuid":"elsewhere"}` + "\n" +
		says("user", "1", "", "in s") + strings.ReplaceAll(says("user", "9", "", "in t"), `"s"`, `"t"`) + says("assistant", "2", "1", "in s") +
		`{"type":"summary","summary":"Short title","leafUuid":"2"}` + "\n" +
		`{"type":"custom-title","customTitle":"Mine","sessionId":"t"}` + "\n"
	r := importertest.Read(t, Format{}, importertest.Input("f.jsonl", []byte(in)))
	importertest.Check(t, "f.jsonl", r)
	var got []string
	for _, c := range r.Conversations {
		got = append(got, fmt.Sprintf("%s %q %s %d %s", c.ID, c.Title, c.Project, len(c.Turns), c.Updated))
	}
	want := []string{`s "Short title" /p 2 2025-06-14 10:00:00.5Z`, `t "Mine" /p 1 2025-06-14 10:00:00.5Z`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestSniff(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		want bool
	}{
		"session":          {says("user", "1", "", "q"), true},
		"snapshot first":   {`{"type":"file-history-snapshot","messageId":"x","snapshot":{}}` + "\n" + says("user", "1", "", "q"), true},
		"web":              {`{"loglines":[{"type":"user"}]}`, true},
		"subagent":         {says("user", "1", "", "q", `,"isSidechain":true`), false},
		"another jsonl":    {`{"type":"message","text":"x"}` + "\n", false},
		"list":             {`[{"type":"user","uuid":"x"}]`, false},
		"notes about json": {"user assistant", false},
	} {
		if got := (Format{}).Sniff("f.jsonl", []byte(tt.in)); got != tt.want {
			t.Errorf("%s: recognised is %v", name, got)
		}
	}
}

// FuzzRead holds the laws of importertest on anything.
func FuzzRead(f *testing.F) {
	f.Add([]byte(says("user", "1", "2", "a") + says("assistant", "2", "1", "b") + says("user", "3", "1", "c") + says("user", "4", "1", "d")))
	f.Add([]byte(`{"loglines":[{"type":"user","message":{"content":["x"]}}]}`))
	f.Add([]byte("{\"type\":\"user\"}\n42\n\n\"x"))
	f.Fuzz(func(t *testing.T, data []byte) {
		importertest.Check(t, "f.jsonl", importertest.Read(t, Format{}, importertest.Input("f.jsonl", data)))
	})
}
