package jsonc

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree is what a document says, without its layout.
func tree(n *Node) any {
	switch n.Kind {
	case Object:
		all := map[string]any{}
		for _, m := range n.Members {
			all[m.Name] = tree(m.Value)
		}
		return all
	case Array:
		all := []any{}
		for _, v := range n.Items {
			all = append(all, tree(v))
		}
		return all
	case String:
		return "text " + n.Text
	}
	return "word " + n.Text
}

func parse(t *testing.T, text []byte) *Node {
	t.Helper()
	n, err := Parse(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return n
}

func TestParse(t *testing.T) {
	n := parse(t, []byte("\ufeff// settings\n{ 'a': [1, -2.5e3, 0x1F, .5, true, null,], /* b */ b_c: \"x\\u00e9\\n\\\"\", \"d\": {}, }\n// end"))
	want := map[string]any{"a": []any{"word 1", "word -2.5e3", "word 0x1F", "word .5", "word true", "word null"}, "b_c": "text xé\n\"", "d": map[string]any{}}
	if diff := cmp.Diff(want, tree(n)); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		"":                        "line 1: the file ends where a value should be",
		"{\n\"a\": 1\n\"b\": 2}":  "line 3: '\"' stands where a comma or '}' should be",
		"{\"a\" 1}":               "line 1: '1' stands where a colon should be",
		"{} x":                    "line 1: 'x' stands where the end should be",
		"{\"a\": tru}":            "line 1: 't' stands where a value should be",
		"{\n\n/* ":                "line 3: a comment does not end",
		"{\"a\n\": 1}":            "line 1: a string does not end",
		strings.Repeat("[", 1000): "line 1: it is nested more than 100 deep",
		"{\xff}":                  "line 1: it is not UTF-8",
		"{,}":                     "line 1: ',' stands where a name should be",
	} {
		_, err := Parse([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%.20q: %v, want %s", text, err, want)
		}
	}
}

var entry = Fields{{"command", "/bin/memsync"}, {"args", []string{"mcp", "--vault", "/a b"}}}

func TestAddKeepsTheHouseInOrder(t *testing.T) {
	for name, one := range map[string]struct{ before, after string }{
		"empty": {"{}\n", `{
  "servers": {
    "memsync": {
      "command": "/bin/memsync",
      "args": ["mcp", "--vault", "/a b"]
    }
  }
}
`},
		"beside another, indented by tabs": {"{\n\t// mine\n\t\"servers\": {\n\t\t\"other\": {} // keep\n\t}\n}", "{\n\t// mine\n\t\"servers\": {\n\t\t\"other\": {}, // keep\n\t\t\"memsync\": {\n\t\t\t\"command\": \"/bin/memsync\",\n\t\t\t\"args\": [\"mcp\", \"--vault\", \"/a b\"]\n\t\t}\n\t}\n}"},
		"trailing commas":                  {"{\r\n    servers: {\r\n        a: 1, // one\r\n    },\r\n}\r\n", "{\r\n    servers: {\r\n        a: 1, // one\r\n        \"memsync\": {\r\n            \"command\": \"/bin/memsync\",\r\n            \"args\": [\"mcp\", \"--vault\", \"/a b\"]\r\n        },\r\n    },\r\n}\r\n"},
		"on one line":                      {`{"servers":{"a":1}}`, `{"servers":{"a":1, "memsync": {"command": "/bin/memsync", "args": ["mcp", "--vault", "/a b"]}}}`},
		"behind a comment":                 {"{\n  \"servers\": {\n    // none yet\n  }\n}\n", "{\n  \"servers\": {\n    // none yet\n    \"memsync\": {\n      \"command\": \"/bin/memsync\",\n      \"args\": [\"mcp\", \"--vault\", \"/a b\"]\n    }\n  }\n}\n"},
	} {
		inserts, err := Add([]byte(one.before), []string{"servers", "memsync"}, entry)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		after := Apply([]byte(one.before), inserts)
		if diff := cmp.Diff(one.after, string(after)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		back, ok := Undo(after, inserts)
		if !ok || string(back) != one.before {
			t.Errorf("%s: undone it is %s", name, back)
		}
		removed, err := Remove(after, []string{"servers"}, func(name string, _ *Node) bool { return name == "memsync" })
		if err != nil || name != "behind a comment" && strings.Contains(one.before, "servers") && string(removed) != one.before {
			t.Errorf("%s: removed it is %q, %v", name, removed, err)
		}
	}
}

func TestAddGivesWay(t *testing.T) {
	for text, want := range map[string]string{
		`{"servers":{"memsync":1}}`: "line 1: servers.memsync is not nothing yet",
		"{\n\"servers\": null}":     "line 2: servers is not an object",
		`[]`:                        "line 1: the document is not an object",
	} {
		_, err := Add([]byte(text), []string{"servers", "memsync"}, 1)
		var place *PlaceError
		if !errors.As(err, &place) || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := Append([]byte(`{"a":{}}`), []string{"a"}, "x"); err == nil || err.Error() != "line 1: a is not a list" {
		t.Errorf("a list: %v", err)
	}
}

func TestRemoveTakesOnlyWhatIsOurs(t *testing.T) {
	for before, after := range map[string]string{
		`{"l":["ours"]}`:                         `{}`,
		`{"l":["ours","a"]}`:                     `{"l":["a"]}`,
		`{"l":["a", "ours"]}`:                    `{"l":["a"]}`,
		`{"l":["a", "ours", "b", "ours"],"z":1}`: `{"l":["a", "b"],"z":1}`,
		"{\n  // x\n  \"l\": [\n    \"ours\",\n    // of a\n    \"a\"\n  ]\n}": "{\n  // x\n  \"l\": [\n    // of a\n    \"a\"\n  ]\n}",
		"{\n  \"l\": [\n    \"a\", // of a\n    \"ours\", // why\n  ]\n}":      "{\n  \"l\": [\n    \"a\", // of a // why\n  ]\n}",
		"{\n  \"l\": [\n    \"ours\" // mine\n  ]\n}":                          "{\n  \"l\": [\n    // mine\n  ]\n}",
		"{\n  \"a\": 1,\n  \"l\": [\n    \"ours\"\n  ]\n}\n":                   "{\n  \"a\": 1\n}\n",
		`{"l":["a"]}`: `{"l":["a"]}`,
		`{}`:          `{}`,
	} {
		got, err := Remove([]byte(before), []string{"l"}, func(_ string, v *Node) bool { return v.Text == "ours" })
		if err != nil || string(got) != after {
			t.Errorf("%s: %q, want %q, %v", before, got, after, err)
		}
		parse(t, got)
	}
}

// Any document that can be read can be added to and taken from, and says the same
// as before; undone, it has the same bytes.
func FuzzEdits(f *testing.F) {
	for _, s := range []string{
		"{}", "{\n}", `{"a":1}`, "{\n  \"a\": {\"b\": [1, 2]} // c\n}", "{ /* x */ }", "{\n\t'a': [],\n}\r\n", `{"a":{}}`, `{"a":{"m":{"x":1}}}`, "// x\n{//y\n}",
		"{\"a\":{\n/* 1 */\"k\"/* 2 */:/* 3 */1/* 4 */,/* 5 */}}", `{"l":["x"]}`, "{\"a\": {\n\"b\": 1 /* x\n */\n}}", "\ufeff{}", `{"l":null}`, "{\"a\": {\n\"b\": 1 /*/x\n */\n}}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		root, err := Parse(text)
		if err != nil {
			return
		}
		before := tree(root)
		if inserts, err := Add(text, []string{"a", "m"}, entry); err == nil {
			after := Apply(text, inserts)
			back, ok := Undo(after, inserts)
			if !ok || !bytes.Equal(back, text) {
				t.Fatalf("undone: %q, was %q", back, text)
			}
			now := parse(t, after)
			if v := now.Get("a", "m", "command"); v == nil || v.Text != "/bin/memsync" {
				t.Fatalf("not added: %s", after)
			}
			removed, err := Remove(after, []string{"a"}, func(name string, _ *Node) bool { return name == "m" })
			if err != nil {
				t.Fatalf("remove from %q: %v", after, err)
			}
			if diff := cmp.Diff(noEmpty(before), noEmpty(tree(parse(t, removed)))); diff != "" {
				t.Fatalf("%q to %q to %q: %s", text, after, removed, diff)
			}
		}
		if inserts, err := Append(text, []string{"l"}, "ours!"); err == nil {
			after := Apply(text, inserts)
			back, ok := Undo(after, inserts)
			if !ok || !bytes.Equal(back, text) {
				t.Fatalf("undone: %q, was %q", back, text)
			}
			parse(t, after)
			removed, err := Remove(after, []string{"l"}, func(_ string, v *Node) bool { return v.Text == "ours!" })
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(noEmpty(before), noEmpty(tree(parse(t, removed)))); diff != "" && !bytes.Contains(text, []byte("ours!")) {
				t.Fatalf("%q to %q: %s", after, removed, diff)
			}
		}
	})
}

// noEmpty drops the containers under a and l that are empty: Remove may take them.
func noEmpty(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	for _, name := range []string{"a", "l"} {
		switch c := m[name].(type) {
		case map[string]any:
			if len(c) == 0 {
				delete(m, name)
			}
		case []any:
			if len(c) == 0 {
				delete(m, name)
			}
		}
	}
	return m
}

// What the standard library reads, this package reads as the same.
func FuzzParseAgreesWithJSON(f *testing.F) {
	f.Add(`{"a":[1,2.5,-3e4,"x\u00e9\/\"",true,null,{}]}`)
	f.Add(`[[],{"":""}]`)
	f.Fuzz(func(t *testing.T, text string) {
		var want any
		if json.Unmarshal([]byte(text), &want) != nil || strings.Contains(text, `\u`) && strings.Contains(strings.ToLower(text), `\ud`) {
			return
		}
		n, err := Parse([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "nested") || strings.Contains(err.Error(), "UTF-8") {
				return
			}
			t.Fatalf("%q: %v", text, err)
		}
		if got, wanted := fmt.Sprint(shape(tree(n))), fmt.Sprint(plain(want)); got != wanted {
			t.Fatalf("%q: %s, want %s", text, got, wanted)
		}
	})
}

// plain and shape make the two readings comparable: numbers by being one.
func plain(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = plain(v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = plain(v[i])
		}
		return v
	case string:
		return "text " + v
	}
	return "word"
}

func shape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			v[k] = shape(v[k])
		}
		return v
	case []any:
		for i := range v {
			v[i] = shape(v[i])
		}
		return v
	case string:
		if strings.HasPrefix(v, "word ") {
			return "word"
		}
		return v
	}
	return v
}
