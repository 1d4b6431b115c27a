package codex

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/sync/importer/importertest"
)

const rollout = `{"timestamp":"2025-10-29T00:59:38.317Z","type":"session_meta","payload":{"id":"019a","timestamp":"2025-10-29T00:59:38.308Z","cwd":"/home/ana/csv","originator":"codex_cli_rs","cli_version":"0.46.0","instructions":null}}
{"timestamp":"2025-10-29T00:59:38.400Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>x</permissions instructions>"}]}}
{"timestamp":"2025-10-29T00:59:38.400Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"# AGENTS.md instructions for /home/ana/csv\n\n<INSTRUCTIONS>x</INSTRUCTIONS>"}]}}
{"timestamp":"2025-10-29T00:59:38.400Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n<cwd>/home/ana/csv</cwd>\n</environment_context>"}]}}
{"timestamp":"2025-10-29T00:59:39Z","type":"turn_context","payload":{"cwd":"/home/ana/csv","model":"gpt-5-codex","summary":"auto"}}
{"timestamp":"2025-10-29T00:59:40Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"why is it slow?"},{"type":"input_image","image_url":"data:"}]}}
{"timestamp":"2025-10-29T00:59:40Z","type":"event_msg","payload":{"type":"user_message","message":"why is it slow?","kind":"plain"}}
{"timestamp":"2025-10-29T00:59:41Z","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"content":null}}
{"timestamp":"2025-10-29T00:59:42Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{}","call_id":"c"}}
{"timestamp":"2025-10-29T00:59:43Z","type":"response_item","payload":{"type":"function_call_output","call_id":"c","output":"..."}}
{"timestamp":"2025-10-29T00:59:44Z","type":"event_msg","payload":{"type":"agent_message","message":"It reads twice."}}
{"timestamp":"2025-10-29T00:59:44Z","type":"response_item","payload":{"type":"message","id":"msg_1","role":"assistant","content":[{"type":"output_text","text":"It reads twice."}]}}
{"timestamp":"2025-10-29T00:59:50Z","type":"event_msg","payload":{"type":"token_count","info":{}}}
`

const early = `{"id":"5973","timestamp":"2025-05-01T10:00:00.000Z","instructions":""}
{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}],"id":"m1"}
{"record_type":"state"}
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"hi"}],"id":"m1"}
`

func TestRead(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"rollout", rollout, `019a /home/ana/csv gpt-5-codex 2025-10-29 00:59:38.317Z-2025-10-29 00:59:50Z
user 2025-10-29 00:59:40Z  "why is it slow?" [image]
assistant 2025-10-29 00:59:44Z gpt-5-codex "It reads twice." []
`},
		{"early version", early, `5973   2025-05-01 10:00:00Z-2025-05-01 10:00:00Z
user 2025-05-01 10:00:00Z  "hello" []
assistant 2025-05-01 10:00:00Z  "hi" []
`},
		{"events only", strings.ReplaceAll(rollout, "response_item", "other"), `019a /home/ana/csv gpt-5-codex 2025-10-29 00:59:38.317Z-2025-10-29 00:59:50Z
user 2025-10-29 00:59:40Z  "why is it slow?" []
assistant 2025-10-29 00:59:44Z gpt-5-codex "It reads twice." []
`},
		{"being written", rollout[:len(rollout)-30], `019a /home/ana/csv gpt-5-codex 2025-10-29 00:59:38.317Z-2025-10-29 00:59:44Z
user 2025-10-29 00:59:40Z  "why is it slow?" [image]
assistant 2025-10-29 00:59:44Z gpt-5-codex "It reads twice." []
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := importertest.Input("rollout-x.jsonl", []byte(tt.in))
			if !(Format{}).Sniff("rollout-x.jsonl", []byte(tt.in)) {
				t.Error("it is not recognised")
			}
			r := importertest.Read(t, Format{}, in)
			importertest.Check(t, "rollout-x.jsonl", r)
			if r.Err != nil || len(r.Conversations) != 1 || len(r.Warnings) > 0 {
				t.Fatalf("%d conversations, %v, %v", len(r.Conversations), r.Warnings, r.Err)
			}
			c := r.Conversations[0]
			got := fmt.Sprintf("%s %s %s %s-%s\n", c.ID, c.Project, c.Model, c.Created, c.Updated)
			for _, t := range c.Turns {
				got += fmt.Sprintf("%s %s %s %q %v\n", t.Sender, t.Time, t.Model, t.Text, t.Attachments)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBadLines(t *testing.T) {
	r := importertest.Read(t, Format{}, importertest.Input("f.jsonl", []byte("[]\n{\"a\"}\n"+rollout)))
	importertest.Check(t, "f.jsonl", r)
	if len(r.Conversations) != 1 || len(r.Warnings) != 2 || r.Warnings[1].Line != 2 {
		t.Errorf("%d conversations, warnings %v", len(r.Conversations), r.Warnings)
	}
}

// FuzzRead holds the laws of importertest on anything.
func FuzzRead(f *testing.F) {
	f.Add([]byte(rollout))
	f.Add([]byte(early))
	f.Fuzz(func(t *testing.T, data []byte) {
		importertest.Check(t, "f.jsonl", importertest.Read(t, Format{}, importertest.Input("f.jsonl", data)))
	})
}
