package builtin

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"os"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

var golden = flag.String("tokens", "testdata/tokens.jsonl", "texts with the teacher's pieces, as distill/tokens.py writes them")

// The pieces are those that the teacher's own tokenizer finds.
func TestPiecesAgreeWithTeacher(t *testing.T) {
	m := mustOpen(t)
	f, err := os.Open(*golden)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	texts, wrong := 0, 0
	for in.Scan() {
		var line struct {
			Text   string
			Pieces []string
		}
		if err := json.Unmarshal(in.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		texts++
		if got := m.Pieces(line.Text); strings.Join(got, " ") != strings.Join(line.Pieces, " ") {
			if wrong++; wrong <= 5 {
				t.Errorf("pieces of %q (-teacher +ours):\n%s", line.Text, cmp.Diff(line.Pieces, got))
			}
		}
	}
	if err := in.Err(); err != nil {
		t.Fatal(err)
	}
	t.Logf("%d texts, %d differ", texts, wrong)
	if texts == 0 || wrong > 0 {
		t.Errorf("%d of %d texts are cut differently", wrong, texts)
	}
}

// newest holds the characters whose decomposition or lower case only one of the two
// Unicode versions knows; either way their words are unknown. distill/tokens.py
// leaves out the same.
var newest = &unicode.RangeTable{
	R16: []unicode.Range16{{0x1c89, 0x1c89, 1}, {0xa7cb, 0xa7dc, 1}},
	R32: []unicode.Range32{{0x10d50, 0x10d65, 1}, {0x11938, 0x11938, 1}, {0x16ea0, 0x16eb8, 1}},
}

// Each code point between two letters splits, vanishes or is rewritten as the
// teacher's tokenizer has it.
func TestCodePointsAgreeWithTeacher(t *testing.T) {
	data, err := os.ReadFile("testdata/codepoints.txt")
	if err != nil {
		t.Fatal(err)
	}
	blocks := 0
	for line := range strings.Lines(string(data)) {
		var block rune
		var want uint32
		if _, err := fmt.Sscanf(line, "%x %x", &block, &want); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		blocks++
		var got uint32
		for r := block; r < block+256; r++ {
			if unicode.Is(newest, r) {
				continue
			}
			got = crc32.Update(got, crc32.IEEETable, []byte(strings.Join(words("a"+string(r)+"a"), "\x1f")+"\n"))
		}
		if got != want {
			t.Errorf("block U+%04X: words differ from the teacher's", block)
		}
	}
	if blocks < 1000 {
		t.Errorf("only %d blocks compared", blocks)
	}
}

func words(text string) (out []string) {
	s := splitter{visit: func(word []byte, _ int) { out = append(out, string(word)) }}
	s.split(text)
	return out
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		text string
		want string
	}{
		{"", ""},
		{" \n\t", ""},
		{"Don't stop", "don|'|t|stop"},
		{"Café au lait", "cafe|au|lait"},
		{"e\u0301te\u0301", "ete"},
		{"İstanbul", "istanbul"},
		{"你好world", "你|好|world"},
		{"soft\u00adhyphen", "softhyphen"},
		{"a\u3000b\u2003c", "a|b|c"},
		{"“so”", "“|so|”"},
		{"\xff\xfeok\x00", "ok"},
	} {
		if got := strings.Join(words(test.text), "|"); got != test.want {
			t.Errorf("words of %q: %q, want %q", test.text, got, test.want)
		}
	}
}

// Of any text: no panic, every piece is one of the table's, words come out
// normalised (splitting them again changes nothing), and there are no more
// pieces than characters after decomposition.
func FuzzPieces(f *testing.F) {
	for _, s := range []string{"", "Hello, world", "naïve 你好 🤖", "\xff", strings.Repeat("é", 300), "##ing ##", "a\u0300\u0301b"} {
		f.Add(s)
	}
	m, err := Open()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text string) {
		pieces := m.Pieces(text)
		for _, p := range pieces {
			bare := strings.TrimPrefix(p, "##")
			row, ok := m.table.find([]byte(bare), bare != p)
			if !ok && p == "##" {
				continue
			}
			if !ok || m.table.piece(row) != p {
				t.Fatalf("piece %q of %q is not in the table", p, text)
			}
		}
		if limit := 18 * (len(text) + 1); len(pieces) > limit {
			t.Fatalf("%d pieces of %d bytes", len(pieces), len(text))
		}
		once := words(text)
		for _, w := range once {
			if !utf8.ValidString(w) {
				t.Fatalf("word %q of %q is not UTF-8", w, text)
			}
		}
		joined := strings.Join(once, " ")
		if again := words(joined); strings.Join(again, " ") != joined {
			t.Fatalf("words of %q change when split again:\n%s", text, cmp.Diff(once, again))
		}
	})
}
