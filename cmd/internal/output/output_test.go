package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

type inner struct {
	Words []string       `json:"words"`
	By    map[string]int `json:"by"`
}

type sample struct {
	Name   string    `json:"name"`
	Items  []inner   `json:"items"`
	One    *inner    `json:"one,omitempty"`
	Any    any       `json:"any,omitempty"`
	At     time.Time `json:"at"`
	hidden []string
}

func (s sample) Text(p *Page) { p.Printf("%s\n", p.Bold(s.Name)) }

func TestJSONBeginsWithItsVersionAndHoldsNoNull(t *testing.T) {
	for name, v := range map[string]any{
		"nothing":   sample{},
		"nested":    sample{Items: []inner{{}}, One: &inner{}, Any: inner{}},
		"in any":    sample{Any: []inner(nil)},
		"a pointer": &sample{},
		"empty":     struct{}{},
	} {
		var b bytes.Buffer
		if err := Encode(&b, v); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		got := b.String()
		if !strings.HasPrefix(got, `{"schema_version":1`) || !strings.HasSuffix(got, "}\n") || strings.Count(got, "\n") != 1 {
			t.Errorf("%s: %s", name, got)
		}
		if strings.Contains(got, "null") || !json.Valid(b.Bytes()) {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestTheValueItselfIsNotChanged(t *testing.T) {
	s := &sample{Items: []inner{{}}, hidden: []string{"x"}}
	if err := Encode(&bytes.Buffer{}, s); err != nil {
		t.Fatal(err)
	}
	if s.Items[0].Words != nil {
		t.Error("encoding filled the caller's value")
	}
}

func TestMarkupIsNotEscaped(t *testing.T) {
	var b bytes.Buffer
	if err := Encode(&b, sample{Name: "a<b & c>d"}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "a<b & c>d") {
		t.Error(b.String())
	}
}

func TestTextAndColour(t *testing.T) {
	for _, test := range []struct {
		json, colour bool
		want         string
	}{
		{false, false, "x\n"},
		{false, true, "\x1b[1mx\x1b[0m\n"},
	} {
		var b bytes.Buffer
		if err := Print(&b, sample{Name: "x"}, test.json, test.colour); err != nil {
			t.Fatal(err)
		}
		if b.String() != test.want {
			t.Errorf("got %q, want %q", b.String(), test.want)
		}
	}
	if Colour(&bytes.Buffer{}, func(string) (string, bool) { return "", false }) {
		t.Error("a buffer is coloured as if it were a terminal")
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space") }

func TestAWriteThatFailsIsReported(t *testing.T) {
	if err := Print(full{}, sample{Name: "x"}, false, false); err == nil {
		t.Error("text: no error")
	}
	if err := Print(full{}, sample{Name: "x"}, true, false); err == nil {
		t.Error("JSON: no error")
	}
}

func TestPlainTakesEscapesOut(t *testing.T) {
	if got := Plain("a\x1b[2Jb\tc\nd\u009be\r"); got != "a[2Jb\tc\nde" {
		t.Errorf("got %q", got)
	}
}
