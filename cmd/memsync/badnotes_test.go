package main

import (
	"encoding/json"
	goflag "flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var hugeNote = goflag.Int("huge-mib", 2, "the size of the largest note of TestBadNotesFromTheShell, in MiB; 50 is the long form")

// Every bad note and every bad query gets an answer or a sentence through the
// command line, and status names the notes that could not be read whole.
func TestBadNotesFromTheShell(t *testing.T) {
	home, dir := t.TempDir(), filepath.Join(t.TempDir(), "vault")
	memsync := func(args ...string) (status int, out, errs string) {
		t.Helper()
		a, stdout, stderr := testApp(t, home, dir)
		status = a.run(t.Context(), args)
		return status, stdout.String(), stderr.String()
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := memsync("init"); status != exitDone {
		t.Fatal(errs)
	}
	line := "a line of a note that is far too long for anybody to read, about quicksilver. "
	for path, text := range map[string]string{
		"huge.md":              strings.Repeat(line+"\n", *hugeNote<<20/len(line)) + "the end holds a narwhal\n",
		"one-line.md":          strings.Repeat(line, 10_000) + "with an okapi",
		"empty.md":             "",
		"binary.md":            strings.Repeat("\x00\x01\xff\xfe", 50_000),
		"invalid.md":           "caf\xe9 with a \xff\xfe lemur",
		"broken.md":            "---\ntitle: [unclosed\n---\nA wombat in the body.",
		"日記/昨日.md":             "猫が窓から逃げた。",
		"Ελληνικά/σημείωση.md": "Η γάτα έφυγε από το παράθυρο.",
		"עברית/הערה.md":        "החתול ברח מהחלון.",
		"العربية/ملاحظة.md":    "هربت القطة من النافذة.",
		"ไทย/บันทึก.md":        "แมวหนีออกทางหน้าต่าง",
		"हिन्दी/टिप्पणी.md":                  "बिल्ली खिड़की से भाग गई।",
		"한국어/메모.md":                          "고양이가 창문으로 도망쳤다.",
		"русский/заметка.md":                 "Кошка убежала через окно.",
		"emoji 🎉/party.md":                   "The ocelot came to the party.",
		"-dash.md":                           "An emu in a file with a dash.",
		"a b#c^d[e]f.md":                     "A koi in a file with marks.",
		strings.Repeat("d/", 40) + "deep.md": "A quokka lives deep down.",
	} {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	type answer struct {
		Hits  []struct{ Path, Snippet string }
		Notes []string
	}
	search := func(words ...string) (r answer) {
		t.Helper()
		status, out, errs := memsync(append([]string{"search", "--json"}, words...)...)
		if status != exitDone || json.Unmarshal([]byte(out), &r) != nil || r.Hits == nil {
			t.Errorf("search %.60q exits %d: %s", words, status, errs)
		}
		return r
	}
	for query, want := range map[string]string{
		"narwhal": "huge.md", "okapi": "one-line.md", "lemur": "invalid.md", "wombat": "broken.md", "窓": "日記/昨日.md", "γάτα": "Ελληνικά/σημείωση.md",
		"החתול": "עברית/הערה.md", "القطة": "العربية/ملاحظة.md", "หน้าต่าง": "ไทย/บันทึก.md", "खिड़की": "हिन्दी/टिप्पणी.md", "창문으로": "한국어/메모.md",
		"окно": "русский/заметка.md", "ocelot": "emoji 🎉/party.md", "emu": "-dash.md", "koi": "a b#c^d[e]f.md", "quokka": strings.Repeat("d/", 40) + "deep.md",
		strings.Repeat("quicksilver and other words that nobody wrote ", 1430) + "narwhal": "huge.md", // 10,000 words
		`narwhal AND (NOT "OR NEAR( * ^ title: -x'; DROP TABLE notes; --`:                  "huge.md",
	} {
		for _, mode := range []string{"hybrid", "keyword"} {
			r := search("--mode", mode, "--", query)
			if len(r.Hits) == 0 || r.Hits[0].Path != want {
				t.Errorf("%s %.60q: %+v, want %s first", mode, query, r, want)
			}
		}
	}
	for _, query := range []string{"ሰላም ልዑል", "🎉", "!?", `"" ()`, "qwxz", "\xff"} {
		for _, mode := range []string{"hybrid", "keyword", "vector"} {
			if r := search("--mode", mode, "--", query); len(r.Hits) == 0 && len(r.Notes) == 0 {
				t.Errorf("%s %q: an empty answer without a reason", mode, query)
			}
		}
	}
	status, out, errs := memsync("status")
	for _, want := range []string{"broken.md: front matter: ", "binary.md: it holds no text; its name is searched"} {
		if status != exitDone || !strings.Contains(out, want) {
			t.Errorf("status exits %d and does not say %q: %s%s", status, want, out, errs)
		}
	}
	if strings.Contains(out, "invalid.md:") || strings.Contains(out, "empty.md:") {
		t.Errorf("status names notes that are searched whole: %s", out)
	}
}
