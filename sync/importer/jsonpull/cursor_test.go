package jsonpull

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree walks any value with a cursor into what encoding/json would make of it.
func tree(c *Cursor) any {
	switch c.Kind() {
	case Object:
		m := map[string]any{}
		c.Object(func(key []byte) {
			k := string(key)
			m[k] = tree(c)
		})
		return m
	case Array:
		s := []any{}
		c.Array(func(int) { s = append(s, tree(c)) })
		return s
	case String:
		return c.Str()
	case Number:
		return json.Number(c.Num())
	case Bool:
		return c.True()
	case Null:
		c.Skip()
		return nil
	}
	c.Skip()
	return nil
}

// FuzzTree holds the law that whatever encoding/json accepts, the cursor reads
// to the same value.
func FuzzTree(f *testing.F) {
	for _, s := range []string{
		`{"a":[1,-2.50e3,true,false,null,"x\ny\u00e9\ud83d\ude00"],"":{}}`,
		`"\ud83d lone \ude00"`, `[]`, ` { } `, `{"a":{"a":{"a":[[[]]]}}}`, `"\\\""`, "\"\xff\"", `{"\u0061":1}`, `[1,`, `{"a" 1}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := New(data)
		got := tree(c)
		skip := New(data)
		skip.Skip()
		if !json.Valid(data) {
			return
		}
		if err := c.Err(); err != nil {
			t.Fatalf("valid JSON rejected: %v", err)
		}
		if skip.Err() != nil || skip.Offset() != c.Offset() {
			t.Fatalf("Skip stopped at %d (%v), the walk at %d", skip.Offset(), skip.Err(), c.Offset())
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(data))
		dec.UseNumber()
		if err := dec.Decode(&want); err != nil {
			t.Skip("deeper than encoding/json goes")
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func TestWrongTypes(t *testing.T) {
	c := New([]byte(`{"s":12,"n":"x","b":null,"o":[1],"a":{"x":1},"last":"ok"}`))
	var last string
	c.Object(func(key []byte) {
		switch string(key) {
		case "s":
			if s, ok := c.StrOK(); ok || s != "" {
				t.Error("a number was read as a string")
			}
		case "n":
			if c.Num() != "" {
				t.Error("a string was read as a number")
			}
		case "b":
			if c.True() {
				t.Error("null is true")
			}
		case "o":
			c.Object(func([]byte) { t.Error("an array has members") })
		case "a":
			c.Array(func(int) { t.Error("an object has elements") })
		case "last":
			last = c.Str()
		}
	})
	if c.Err() != nil || last != "ok" {
		t.Errorf("the walk ended at %q with %v", last, c.Err())
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, in := range []string{``, `{`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1 "b":2}`, `{1:2}`, `[1 2]`, `"a`, `"\x"`, `"\u12"`, `?`} {
		c := New([]byte(in))
		tree(c)
		if c.Err() == nil {
			t.Errorf("%s was read without an error", in)
		}
	}
}

func TestReplaced(t *testing.T) {
	c := New([]byte(`"a\ud83db` + "\xff" + `c\udc00"`))
	if got, want := c.Str(), "a\uFFFDb\uFFFDc\uFFFD"; got != want || c.Replaced != 3 {
		t.Errorf("got %q with %d replaced, want %q with 3", got, c.Replaced, want)
	}
}
