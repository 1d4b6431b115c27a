package chatgpt

import (
	"context"
	"errors"
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
			s += fmt.Sprintf(" %v", t.Attachments)
		}
		out = append(out, s)
	}
	return out
}

// jsonNode writes a node of a mapping; message members come as they are.
func jsonNode(id, parent, message string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	if message != "null" {
		message = `{"id":"` + id + `",` + message + `}`
	}
	return `"` + id + `":{"id":"` + id + `","parent":` + p + `,"message":` + message + `,"children":[]}`
}

func says(role, time, text string) string {
	return `"author":{"role":"` + role + `"},"create_time":` + time + `,"content":{"content_type":"text","parts":["` + text + `"]},"metadata":{},"recipient":"all"`
}

func conv(members string, nodes ...string) string {
	return `{"id":"c",` + members + `"mapping":{` + strings.Join(nodes, ",") + `}}`
}

func TestRead(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
		warn     []string // each in one warning, in order
	}{
		{
			name: "path and branches",
			in: conv(`"current_node":"a2","default_model_slug":"m1",`,
				jsonNode("root", "", "null"),
				jsonNode("u1", "root", says("user", "100", "q")),
				jsonNode("a1", "u1", says("assistant", "101.5", "first")),
				jsonNode("a2", "u1", says("assistant", "102.000001", "second")+`,"metadata":{"model_slug":"m2"}`),
				jsonNode("u2", "a1", says("user", "103", "more")),
				jsonNode("u0", "root", says("user", "99", "another beginning")),
			),
			want: []string{
				`u1 user 1970-01-01 00:01:40Z "q"`,
				`a2 assistant(m2) 1970-01-01 00:01:42.000001Z "second"`,
				`u0 user 1970-01-01 00:01:39Z branch <root "another beginning"`,
				`a1 assistant(m1) 1970-01-01 00:01:41.5Z branch <u1 "first"`,
				`u2 user 1970-01-01 00:01:43Z branch "more"`,
			},
		},
		{
			name: "what nobody said is left out, and branches hang on what is left",
			in: conv(`"current_node":"a",`,
				jsonNode("s", "", says("system", "1", "be good")),
				jsonNode("h", "s", says("user", "2", "hidden")+`,"metadata":{"is_visually_hidden_from_conversation":true}`),
				jsonNode("e", "h", `"author":{"role":"user"},"content":{"content_type":"user_editable_context","user_profile":"x"}`),
				jsonNode("u", "e", says("user", "3", "q")),
				jsonNode("t", "u", `"author":{"role":"assistant"},"content":{"content_type":"thoughts","thoughts":[{"content":"hm"}]}`),
				jsonNode("r", "t", `"author":{"role":"assistant"},"content":{"content_type":"reasoning_recap","content":"Thought for 1s"}`),
				jsonNode("b", "r", `"author":{"role":"tool"},"content":{"content_type":"tether_quote","text":"page"}`),
				jsonNode("n", "b", says("assistant", "4", "")),
				jsonNode("a", "n", says("assistant", "5", "answer")),
				jsonNode("x", "n", says("assistant", "6", "other answer")),
			),
			want: []string{
				`u user 1970-01-01 00:00:03Z "q"`,
				`a assistant 1970-01-01 00:00:05Z "answer"`,
				`x assistant 1970-01-01 00:00:06Z branch <u "other answer"`,
			},
		},
		{
			name: "times of the parent, then of the conversation",
			in: conv(`"create_time":50,"current_node":"d",`,
				jsonNode("a", "", says("user", "null", "1")),
				jsonNode("b", "a", says("assistant", "60.25", "2")),
				jsonNode("h", "b", says("system", "61", "x")),
				jsonNode("c", "h", says("user", "0", "3")),
				jsonNode("d", "c", says("assistant", `"1970-01-01T00:01:10Z"`, "4")),
			),
			want: []string{
				`a user 1970-01-01 00:00:50Z "1"`, `b assistant 1970-01-01 00:01:00.25Z "2"`,
				`c user 1970-01-01 00:01:01Z "3"`, `d assistant 1970-01-01 00:01:10Z "4"`,
			},
		},
		{
			name: "tools",
			in: conv(`"current_node":"o",`,
				jsonNode("c", "", `"author":{"role":"assistant"},"content":{"content_type":"code","language":"python","text":"1+1"},"recipient":"python"`),
				jsonNode("o", "c", `"author":{"role":"tool","name":"python"},"content":{"content_type":"execution_output","text":"2"},"recipient":"all"`),
			),
			want: []string{`c assistant tool-call "1+1"`, `o tool "2"`},
		},
		{
			name: "parts, pictures, speech and files",
			in: conv(`"current_node":"v",`,
				jsonNode("p", "", `"author":{"role":"user"},"content":{"content_type":"multimodal_text","parts":[{"content_type":"image_asset_pointer","asset_pointer":"file-service://f1"},"look","",{"content_type":"image_asset_pointer","asset_pointer":"sediment://f2"},"at this"]},"metadata":{"attachments":[{"id":"f1","name":"cat.jpg"}]}`),
				jsonNode("v", "p", `"author":{"role":"user"},"content":{"content_type":"multimodal_text","parts":[{"content_type":"audio_transcription","text":"hello there","direction":"in"},{"content_type":"real_time_user_audio_video_asset_pointer","audio_asset_pointer":{"asset_pointer":"sediment://a1"}}]}`),
			),
			want: []string{`p user "look\nat this" [cat.jpg f2]`, `v user "hello there" [a1]`},
		},
		{
			name: "raw text to the byte",
			in:   conv(`"current_node":"a",`, jsonNode("a", "", says("user", "1", `  \ue200cite\ue202turn0\ue201 \u0000\r\n\t**x** \ud83d\ude00 `))),
			want: []string{`a user 1970-01-01 00:00:01Z "  \ue200cite\ue202turn0\ue201 \x00\r\n\t**x** 😀 "`},
		},
		{
			name: "half a surrogate pair",
			in:   conv(`"current_node":"a",`, jsonNode("a", "", says("user", "1", `a\ud83db`))),
			want: []string{`a user 1970-01-01 00:00:01Z "a` + "\uFFFD" + `b"`},
			warn: []string{"conversation c: 1 characters that are not Unicode"},
		},
		{
			name: "injected context",
			in:   conv(`"current_node":"a",`, jsonNode("a", "", says("user", "1", `<memsync-context>old</memsync-context>\nnew`))),
			want: []string{`a user 1970-01-01 00:00:01Z injected "<memsync-context>old</memsync-context>\nnew"`},
		},
		{
			name: "no current node",
			in: conv("", jsonNode("r", "", says("user", "1", "q")), jsonNode("a", "r", says("assistant", "5", "new")),
				jsonNode("b", "r", says("assistant", "2", "old")), jsonNode("c", "b", says("user", "3", "old too"))),
			want: []string{
				`r user 1970-01-01 00:00:01Z "q"`, `a assistant 1970-01-01 00:00:05Z "new"`,
				`b assistant 1970-01-01 00:00:02Z branch <r "old"`, `c user 1970-01-01 00:00:03Z branch "old too"`,
			},
			warn: []string{"does not say which branch"},
		},
		{
			name: "current node that is not there, and a lost beginning",
			in:   conv(`"current_node":"gone",`, jsonNode("a", "lost", says("user", "1", "q")), jsonNode("b", "a", says("assistant", "2", "a"))),
			want: []string{`a user 1970-01-01 00:00:01Z "q"`, `b assistant 1970-01-01 00:00:02Z "a"`},
			warn: []string{"active message gone is missing", "message a answers lost"},
		},
		{
			name: "a circle",
			in:   conv(`"current_node":"b",`, jsonNode("a", "b", says("user", "1", "q")), jsonNode("b", "a", says("assistant", "2", "a"))),
			want: []string{`a user 1970-01-01 00:00:01Z "q"`, `b assistant 1970-01-01 00:00:02Z "a"`},
			warn: []string{"in a circle"},
		},
		{
			name: "parents known only by their children",
			in:   `{"id":"c","current_node":"b","mapping":{"b":{"message":{"author":{"role":"assistant"},"content":{"parts":["2"]}}},"a":{"children":["b"],"message":{"author":{"role":"user"},"content":{"parts":["1"]}}}}}`,
			want: []string{`a user "1"`, `b assistant "2"`},
		},
		{
			name: "unknown kinds and authors",
			in: conv(`"current_node":"c",`, jsonNode("a", "", `"author":{"role":"user"},"content":{"content_type":"hologram","beam":1}`),
				jsonNode("b", "a", says("oracle", "1", "x")), jsonNode("c", "b", says("user", "2", "q"))),
			want: []string{`c user 1970-01-01 00:00:02Z "q"`},
			warn: []string{`message a is left out: its content is of the unknown kind "hologram"`, `author "oracle"`},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := importertest.Read(t, Format{}, importertest.Input("c.json", []byte("["+tt.in+"]")))
			importertest.Check(t, "c.json", r)
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
				if !strings.Contains(w.Text, tt.warn[i]) {
					t.Errorf("warning %q, want %q", w.Text, tt.warn[i])
				}
			}
		})
	}
}

var good = conv(`"current_node":"a",`, jsonNode("a", "", says("user", "1", "q")))

func TestShapes(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     int
		warn     string
		err      string
	}{
		{"single", good, 1, "", ""},
		{"wrapped", `{"version":1,"conversations":[` + good + `,` + good + `]}`, 2, "", ""},
		{"lines", good + "\n" + good + "\n", 2, "", ""},
		{"byte order mark", "\ufeff[" + good + "]", 1, "", ""},
		{"utf-16", utf16le("[" + good + "]"), 1, "", ""},
		{"empty list", "[]", 0, "", ""},
		{"nothing but other things", `[1,{"id":"x"}]`, 0, "", "c.json has 2 entries, and none is a conversation of this format"},
		{"entries that are none", `[null,12,` + good + `,{"id":"x"}]`, 1, "conversation x is left out: it has no messages", ""},
		{"one entry broken", `[` + good + `,` + "\n" + `{"id":"bad","mapping":{"a" {}}},` + good + `]`, 2, "c.json:2: conversation bad is left out: no colon", ""},
		{"cut", "[" + good + ",\n" + good[:40], 1, "", "c.json:2: the file ends in the middle of an entry at byte 269; 1 entry before it were read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := importertest.Read(t, Format{}, importertest.Input("c.json", []byte(tt.in)))
			if len(r.Conversations) != tt.want {
				t.Errorf("%d conversations, want %d", len(r.Conversations), tt.want)
			}
			warnings := fmt.Sprint(r.Warnings)
			if tt.warn == "" && len(r.Warnings) > 0 || !strings.Contains(warnings, tt.warn) {
				t.Errorf("warnings %s, want %q", warnings, tt.warn)
			}
			if tt.err == "" && r.Err != nil || tt.err != "" && (r.Err == nil || !strings.HasPrefix(r.Err.Error(), tt.err)) {
				t.Errorf("error %v, want %q", r.Err, tt.err)
			}
		})
	}
}

func utf16le(s string) string {
	out := "\xff\xfe"
	for _, b := range []byte(s) { // ASCII only
		out += string([]byte{b, 0})
	}
	return out
}

func TestReadStops(t *testing.T) {
	in := importertest.Input("c.json", []byte("["+strings.Repeat(good+",", 500)+good+"]"))
	full := errors.New("the disk is full")
	n := 0
	err := Format{}.Read(t.Context(), in, func(importer.Conversation) error {
		if n++; n == 3 {
			return full
		}
		return nil
	}, func(importer.Warning) {})
	if !errors.Is(err, full) || n != 3 {
		t.Errorf("after %d conversations: %v", n, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	n = 0
	err = Format{}.Read(ctx, in, func(importer.Conversation) error {
		n++
		cancel()
		return nil
	}, func(importer.Warning) {})
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("after %d conversations: %v", n, err)
	}
}

func TestDerivedIDsSurviveGrowth(t *testing.T) {
	id := func(extra string) string {
		in := `{"create_time":5,"mapping":{` + jsonNode("u1", "", says("user", "1", "q")) + extra + `}}`
		return importertest.Read(t, Format{}, importertest.Input("c.json", []byte(in))).Conversations[0].ID
	}
	if a, b := id(""), id(","+jsonNode("v2", "u1", says("assistant", "2", "a"))); a != b || a == "" {
		t.Errorf("the id went from %q to %q", a, b)
	}
}

// FuzzRead holds the laws of importertest on anything.
func FuzzRead(f *testing.F) {
	f.Add([]byte("[" + good + "]"))
	f.Add([]byte(conv("", jsonNode("a", "b", says("user", "1", "q")), jsonNode("b", "a", says("tool", "1", "q")))))
	f.Add([]byte(`[{"mapping":{"a":{"message":{"id":"x","author":{"role":"user"},"content":{"parts":["1"]}}},"b":{"parent":"a","message":{"id":"x","author":{"role":"user"},"content":{"text":"2"}}}}}]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		importertest.Check(t, "f.json", importertest.Read(t, Format{}, importertest.Input("f.json", data)))
	})
}
