package llm_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"github.com/memsync/memsync/synth/llm"
)

func TestExtract(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"bare", `{"a":1}`, `{"a":1}`},
		{"prose around", "Here it is:\n{\"a\": \"b\"}\nHope this helps!", `{"a": "b"}`},
		{"code fence", "```json\n{\"a\": [1, 2]}\n```", `{"a": [1, 2]}`},
		{"trailing commas", `{"a": [1, 2, ], "b": {"c": 3,},}`, `{"a": [1, 2], "b": {"c": 3}}`},
		{"comma in a string stays", `{"a": ",]"}`, `{"a": ",]"}`},
		{"line break in a string", "{\"a\": \"x\ny\tz\"}", `{"a": "x\ny\tz"}`},
		{"thoughts", "<think>{\"no\": 1}</think>{\"a\": 1}", `{"a": 1}`},
		{"braces in prose", "In {this} case: {\"a\": {}}", `{"a": {}}`},
		{"braces in strings", `{"a": "}{\"\\"}`, `{"a": "}{\"\\"}`},
		{"byte order mark", "\ufeff{\"a\":1}", `{"a":1}`},
	} {
		got, err := llm.Extract(tc.in)
		if err != nil || string(got) != tc.want {
			t.Errorf("%s: got %s, %v; want %s", tc.name, got, err, tc.want)
		}
	}
	for _, tc := range []struct {
		name, in string
		cut      bool
	}{
		{"nothing", "", false},
		{"prose", "I could not find anything.", false},
		{"an array", `[1, 2]`, false},
		{"cut in a string", `{"a": "the rest is`, true},
		{"cut after a comma", `{"a": 1,`, true},
		{"cut at once", `{`, true},
		{"a brace in prose", "a { is not JSON", false},
		{"single quotes", `{'a': 1}`, false},
	} {
		got, err := llm.Extract(tc.in)
		if err == nil || errors.Is(err, llm.ErrCut) != tc.cut {
			t.Errorf("%s: got %s, %v; cut should be %v", tc.name, got, err, tc.cut)
		}
	}
}

// What Extract returns is JSON, and of a text that is JSON it is all of it.
func FuzzExtract(f *testing.F) {
	for _, s := range []string{`{"a":[1,{"b":"\u00e9\\"}]}`, "x {\"a\":\"\n\"} y", `{"a":1,}`, "{", "```\n{}\n```", `{"a":"<think>"}`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got, err := llm.Extract(s)
		if err == nil && (!json.Valid(got) || got[0] != '{') {
			t.Fatalf("%q gives %q, which is no JSON object", s, got)
		}
		var whole map[string]any
		if json.Unmarshal([]byte(s), &whole) != nil || whole == nil {
			return
		}
		var part map[string]any
		if err != nil || json.Unmarshal(got, &part) != nil || !reflect.DeepEqual(whole, part) {
			t.Fatalf("%q gives %q, %v", s, got, err)
		}
	})
}
