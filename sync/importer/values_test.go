package importer

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

func all(r io.Reader, wrappers ...string) (out []string, lines []int, err error) {
	v := NewValues("x.json", r, wrappers...)
	for {
		val, err := v.Next(nil)
		if err == io.EOF {
			return out, lines, nil
		}
		if err != nil {
			return out, lines, err
		}
		out, lines = append(out, string(val.Raw)), append(lines, val.Line)
	}
}

func TestValues(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		want     []string
		broken   string // in the error
	}{
		{name: "empty"},
		{name: "array", in: ` [ {"a":"]"} , [1], "x\"" ,12, null ] `, want: []string{`{"a":"]"}`, `[1]`, `"x\""`, `12`, `null`}},
		{name: "empty array", in: "[]"},
		{name: "trailing comma", in: "[{},]", want: []string{"{}"}},
		{name: "single", in: `{"a":{"b":["}"]}}`, want: []string{`{"a":{"b":["}"]}}`}},
		{name: "lines", in: "{\"a\":1}\n\n{\"b\":2}\r\n42\n\"s\"\n[1]\n", want: []string{`{"a":1}`, `{"b":2}`, `42`, `"s"`, `1`}},
		{name: "wrapped", in: `{"version": 2, "conversations": [ {"a":1}, {"b":2} ], "more": {"x":[1]}}`, want: []string{`{"a":1}`, `{"b":2}`}},
		{name: "wrapper's name, not a list", in: `{"conversations": 12, "x": [1]}`, want: []string{`{"conversations":12,"x":[1]}`}},
		{name: "backslashes", in: `["\\\\", "\\\"", "\\"]`, want: []string{`"\\\\"`, `"\\\""`, `"\\"`}},
		{name: "cut in an entry", in: `[{"a":1},{"b":`, want: []string{`{"a":1}`}, broken: "x.json:1: the file ends in the middle of an entry at byte 14; 1 entry before"},
		{name: "cut in a text", in: "[{},\n{\"b\":\"abc", want: []string{`{}`}, broken: "x.json:2: the file ends in the middle of a text at byte 14; 1 entry"},
		{name: "cut in the list", in: `[{},{}`, want: []string{`{}`, `{}`}, broken: "in the middle of its list at byte 6; 2 entries"},
		{name: "no comma", in: `[{} {}]`, want: []string{`{}`}, broken: "no comma"},
		{name: "garbage", in: `}`, broken: "'}'"},
	} {
		for _, reader := range []struct {
			name string
			wrap func(io.Reader) io.Reader
		}{{"whole", func(r io.Reader) io.Reader { return r }}, {"bytewise", iotest.OneByteReader}} {
			t.Run(tt.name+"/"+reader.name, func(t *testing.T) {
				got, _, err := all(reader.wrap(strings.NewReader(tt.in)), "conversations")
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Error(diff)
				}
				if tt.broken == "" && err != nil {
					t.Error(err)
				}
				if tt.broken != "" && (err == nil || !strings.Contains(err.Error(), tt.broken)) {
					t.Errorf("error %v, want %q in it", err, tt.broken)
				}
			})
		}
	}
}

func TestValuesLines(t *testing.T) {
	_, lines, err := all(strings.NewReader("\n[\n {\n\"a\": 1\n},\n\n 2 ]"))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int{3, 7}, lines); diff != "" {
		t.Error(diff)
	}
}

func TestValuesPassesReadErrors(t *testing.T) {
	boom := errors.New("boom")
	_, _, err := all(io.MultiReader(strings.NewReader(`[{"a":1},{"b"`), iotest.ErrReader(boom)))
	if !errors.Is(err, boom) {
		t.Errorf("got %v, want the reader's error", err)
	}
}

func TestValuesRefusesTheTooLarge(t *testing.T) {
	v := NewValues("x.json", strings.NewReader(`["`+strings.Repeat("x", 1000)+`"]`))
	v.max = 100
	if _, err := v.Next(nil); err == nil {
		t.Error("a value beyond the limit was read")
	}
}

// FuzzValues holds two laws: the elements of a valid array are those that
// encoding/json finds, and how the bytes arrive changes nothing.
func FuzzValues(f *testing.F) {
	for _, s := range []string{`[{"a":"\\\""},2,[]]`, `{"conversations":[{},{}]}`, "{}\n{}", `[{"a":`, `["\\`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got, lines, err := all(bytes.NewReader(data), "conversations")
		slow, slowLines, slowErr := all(iotest.OneByteReader(bytes.NewReader(data)), "conversations")
		if diff := cmp.Diff(got, slow); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff(lines, slowLines); diff != "" {
			t.Error(diff)
		}
		if (err == nil) != (slowErr == nil) {
			t.Errorf("at once: %v, byte by byte: %v", err, slowErr)
		}
		var want []json.RawMessage
		if json.Unmarshal(data, &want) != nil || bytes.HasPrefix(bytes.TrimSpace(data), []byte("null")) {
			return
		}
		if err != nil || len(got) != len(want) {
			t.Fatalf("%d values and %v, want %d", len(got), err, len(want))
		}
		for i := range want {
			if got[i] != string(want[i]) {
				t.Errorf("value %d is %s, want %s", i, got[i], want[i])
			}
		}
	})
}

func BenchmarkValues(b *testing.B) {
	one := `{"title":"x","text":"` + strings.Repeat(`some words and a \"quote\" \u2019 `, 200) + `","n":[1,2,3]},`
	data := []byte("[" + strings.Repeat(one, 2000) + "{}]")
	b.SetBytes(int64(len(data)))
	dst := make([]byte, 0, 64<<10)
	for b.Loop() {
		v := NewValues("x.json", bytes.NewReader(data))
		for {
			val, err := v.Next(dst)
			if err == io.EOF {
				break
			}
			if err != nil {
				b.Fatal(err)
			}
			dst = val.Raw
		}
	}
}
