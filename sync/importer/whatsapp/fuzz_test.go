package whatsapp

import (
	"testing"
	"unicode/utf8"

	"github.com/memsync/memsync/sync/importer/importertest"
	"github.com/memsync/memsync/sync/importer/whatsapp/chatgen"
)

// Nothing panics; raw bytes put together are the file; lines rise; headers lie
// within their line.
func FuzzParse(f *testing.F) {
	messages := chatgen.Chat(1, 12)
	for _, d := range chatgen.Dialects {
		f.Add(render(f, d, messages))
	}
	f.Add([]byte("[1/2/3, 4:5] x"))
	f.Add([]byte("01/02/2022, 10:00 - A: b\n01/01/2022, 10:00 - A: c\n01/02/2022, 10:00 - A: d"))
	f.Add([]byte{0xFF, 0xFE, '1', 0, '\n'})
	f.Fuzz(func(t *testing.T, data []byte) {
		c := Parse("A", data)
		checkRaw(t, data, c)
		last := 0
		for _, m := range c.Messages {
			if m.Line <= last {
				t.Fatalf("line %d comes after %d", m.Line, last)
			}
			last = m.Line
			if len(m.Raw) == 0 {
				t.Fatal("a message without bytes")
			}
			if utf8.Valid(data) && !utf8.ValidString(m.Text) {
				t.Fatalf("text %q was cut within a character", m.Text)
			}
		}
		Format{}.Sniff("a.txt", data)
		importertest.Check(t, "A.txt", importertest.Read(t, Format{}, importertest.Input("A.txt", data)))
	})
}

// A header that is found ends within the line, at a character.
func FuzzScanHeader(f *testing.F) {
	for _, d := range chatgen.Dialects {
		f.Add(d.Name + "\u200f[\u200f१/1/1")
		m := chatgen.Chat(2, 2)
		f.Add(string(render(f, d, m)))
	}
	f.Fuzz(func(t *testing.T, s string) {
		h, ok := scanHeader(s)
		nearHeader(s)
		if !ok {
			return
		}
		if h.rest <= 0 || h.rest > len(s) {
			t.Fatalf("%q: the sender begins at %d", s, h.rest)
		}
		if h.hour > 24 || h.minute > 59 || h.second > 60 {
			t.Fatalf("%q: time is %d:%d:%d", s, h.hour, h.minute, h.second)
		}
	})
}
