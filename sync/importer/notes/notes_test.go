package notes

import (
	"strings"
	"testing"
	"time"

	"github.com/memsync/memsync/sync/importer/importertest"
)

func TestRead(t *testing.T) {
	modified := time.Date(2025, 5, 6, 7, 8, 9, 0, time.UTC)
	for _, tt := range []struct{ name, file, in, title, created string }{
		{"heading", "idea.md", "# An idea\n\ntext", "An idea", "2025-05-06 07:08:09Z"},
		{"file name", "n/2024-03-02 walk.txt", "We walked.", "2024-03-02 walk", "2024-03-02 00:00"},
		{"front matter", "x.md", "---\ntitle: Mine\ncreated: 2023-01-02T03:04:05Z\ntags: [a]\n---\n# Other\n", "Mine", "2023-01-02 03:04:05Z"},
		{"front matter date", "x.md", "---\r\ndate: 2023-01-02\r\n---\r\n\r\n# Head\r\n", "Head", "2023-01-02 00:00"},
		{"broken front matter", "x.md", "---\na: [\n---\n# Head\n", "x", "2025-05-06 07:08:09Z"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			in := importertest.Input(tt.file, []byte(tt.in))
			in.Modified = modified
			if !(Format{}).Sniff(tt.file, []byte(tt.in)) {
				t.Error("it is not recognised")
			}
			r := importertest.Read(t, Format{}, in)
			importertest.Check(t, tt.file, r)
			if r.Err != nil || len(r.Conversations) != 1 {
				t.Fatalf("%d conversations and %v", len(r.Conversations), r.Err)
			}
			c := r.Conversations[0]
			if c.Title != tt.title || c.Created.String() != tt.created || c.Turns[0].Text != tt.in {
				t.Errorf("title %q, created %q, text %q", c.Title, c.Created, c.Turns[0].Text)
			}
		})
	}
}

func TestIDs(t *testing.T) {
	id := func(name, text string) string {
		return importertest.Read(t, Format{}, importertest.Input(name, []byte(text))).Conversations[0].ID
	}
	if id("a/n.md", "x") != id("b/n.md", "x") {
		t.Error("the folder that a note is imported from changes its id")
	}
	if id("n.md", "x") == id("n.md", "y") || id("n.md", "x") == id("m.md", "x") {
		t.Error("two notes have one id")
	}
}

func TestRefused(t *testing.T) {
	for in, want := range map[string]string{" \n": "is empty", "a\xff": "is not text", strings.Repeat("x", largest+1): "is too large"} {
		r := importertest.Read(t, Format{}, importertest.Input("n.md", []byte(in)))
		if r.Err == nil || !strings.HasPrefix(r.Err.Error(), "n.md "+want) {
			t.Errorf("%.10q: %v, want %q", in, r.Err, want)
		}
	}
}

// FuzzRead holds the law that a note's text is its file.
func FuzzRead(f *testing.F) {
	f.Add("---\ntitle: x\n---\n# y")
	f.Fuzz(func(t *testing.T, text string) {
		r := importertest.Read(t, Format{}, importertest.Input("n.md", []byte(text)))
		importertest.Check(t, "n.md", r)
		if r.Err == nil && !strings.HasPrefix(text, "\ufeff") && !strings.HasPrefix(text, "\xff\xfe") && !strings.HasPrefix(text, "\xfe\xff") && r.Conversations[0].Turns[0].Text != text {
			t.Errorf("%q became %q", text, r.Conversations[0].Turns[0].Text)
		}
	})
}
