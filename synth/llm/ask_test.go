package llm_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/memsync/memsync/synth/llm"
)

type verdict struct {
	Action string   `json:"action"`
	Text   *string  `json:"text"`
	Tags   []string `json:"tags"`
}

var schema = &llm.Schema{Name: "verdict", Fields: []llm.Field{
	{Name: "action", Type: llm.Type{Kind: llm.String, Enum: []string{"KEEP", "DROP"}}},
	{Name: "text", Type: llm.Type{Kind: llm.String, Optional: true, Max: 10}},
	{Name: "tags", Type: llm.Type{Kind: llm.List, Max: 2, Items: &llm.Type{Kind: llm.String}}},
}}

func TestAsk(t *testing.T) {
	good := `{"action":"KEEP","text":null,"tags":["a"]}`
	for _, tc := range []struct {
		name   string
		lines  []any
		asked  int
		told   string // what the model was told after its first reply
		failed bool
	}{
		{"at once", []any{good}, 1, "", false},
		{"wrapped", []any{"Sure!\n```json\n" + good + "\n```"}, 1, "", false},
		{"an apology first", []any{"I'm sorry, I can't help with that.", good}, 2, "apology", false},
		{"HTML first", []any{"<html><body>502</body></html>", good}, 2, "apology or an error", false},
		{"broken off", []any{llm.Reply{Text: `{"action":"KE`, Cut: true}, good}, 2, "breaks off", false},
		{"an unknown action", []any{`{"action":"DELETE_ALL","text":null,"tags":[]}`, good}, 2, "none of KEEP, DROP", false},
		{"a field too many", []any{`{"action":"KEEP","text":null,"tags":[],"x":1}`, good}, 2, `"x"`, false},
		{"a field too few", []any{`{"action":"KEEP","text":null}`, good}, 2, `"tags"`, false},
		{"a list too long", []any{`{"action":"KEEP","text":null,"tags":["a","b","c"]}`, good}, 2, "at most 2", false},
		{"a text too long", []any{`{"action":"KEEP","text":"01234567890","tags":[]}`, good}, 2, "more than 10", false},
		{"null where none may be", []any{`{"action":null,"text":null,"tags":[]}`, good}, 2, "must not be null", false},
		{"what the check refuses", []any{`{"action":"DROP","text":null,"tags":[]}`, good}, 2, "keep it", false},
		{"never", []any{"no"}, llm.Tries, "no JSON object", true},
		{"declined by the server", []any{llm.Reply{Text: good, Declined: true}}, llm.Tries, "apology", true},
		{"an error told as JSON", []any{`{"error":{"message":"rate limited"}}`}, llm.Tries, `"action"`, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			m := &scripted{lines: tc.lines}
			got, err := llm.Ask(t.Context(), m, llm.Request{Schema: schema, Messages: []llm.Message{{Text: "go"}}}, func(v *verdict) error {
				if v.Action != "KEEP" {
					return errors.New("keep it")
				}
				return nil
			})
			if len(m.asked) != tc.asked {
				t.Errorf("asked %d times, want %d", len(m.asked), tc.asked)
			}
			if tc.failed {
				if !errors.Is(err, llm.ErrAnswer) {
					t.Errorf("error %v does not wrap ErrAnswer", err)
				}
			} else if diff := cmp.Diff(verdict{Action: "KEEP", Tags: []string{"a"}}, got); err != nil || diff != "" {
				t.Errorf("%v\n%s", err, diff)
			}
			if tc.told != "" {
				last := m.asked[1].Messages
				if text := last[len(last)-1].Text; len(last) != 3 || !strings.Contains(text, tc.told) {
					t.Errorf("the model was told %q, want %q in it", text, tc.told)
				}
			}
		})
	}
}

func TestAskDoesNotRepeatWhatTheServerRefused(t *testing.T) {
	m := &scripted{lines: []any{fmt.Errorf("%w: wrong key", llm.ErrRefused)}}
	_, err := llm.Ask[verdict](t.Context(), m, llm.Request{Schema: schema, Messages: []llm.Message{{Text: "go"}}}, nil)
	if !errors.Is(err, llm.ErrRefused) || len(m.asked) != 1 {
		t.Errorf("asked %d times: %v", len(m.asked), err)
	}
}

func TestSchemaAsJSONSchema(t *testing.T) {
	want := `{"additionalProperties":false,"properties":{"action":{"enum":["KEEP","DROP"],"type":"string"},"tags":{"items":{"type":"string"},"maxItems":2,"type":"array"},"text":{"type":["string","null"]}},"required":["action","text","tags"],"type":"object"}`
	if diff := cmp.Diff(want, string(schema.JSON(true))); diff != "" {
		t.Error(diff)
	}
	if strings.Contains(string(schema.JSON(false)), "maxItems") {
		t.Error("bounds where none are wanted")
	}
}
