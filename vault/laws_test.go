package vault

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sharedData is a folder of real inputs beside the repository; tests that look
// for it are skipped where it is absent.
func sharedData(t testing.TB, name string) string {
	dir, err := filepath.Abs("../../shared/data/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("no %s beside the repository: this test reads real vaults", name)
	}
	return dir
}

func TestVaultsOfOthersSurviveEdits(t *testing.T) {
	dir := sharedData(t, "vaults")
	files, edits := 0, 0
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		raw, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		files++
		n := Parse(Path(filepath.Base(name)), bytes.Clone(raw))
		if !bytes.Equal(n.Bytes(), raw) {
			t.Errorf("%s: parse then write changed it", name)
		}
		if strings.HasSuffix(name, ".md") && len(coverGap(n.Body())) > 0 {
			t.Errorf("%s: blocks do not cover the body", name)
		}
		for _, p := range n.Properties() {
			if edited := checkEdit(t, name, raw, p.Key); edited {
				edits++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 300 || edits < 100 {
		t.Errorf("read %d files and made %d edits, expected more of both", files, edits)
	}
}

// coverGap names the first part of a body that no block covers.
func coverGap(body []byte) string {
	pos := 0
	for _, b := range Blocks(body) {
		if b.Span.Start != pos {
			return string(body[pos:b.Span.Start])
		}
		pos = b.Span.End
	}
	return string(bytes.TrimSpace(body[pos:]))
}

// checkEdit sets a property and proves that only its own lines changed.
func checkEdit(t *testing.T, name string, raw []byte, key string) bool {
	t.Helper()
	n := Parse("note.md", bytes.Clone(raw))
	if err := n.Set(key, Text("a new value: yes")); err != nil {
		if !bytes.Equal(n.Bytes(), raw) {
			t.Errorf("%s: %s: a refused edit changed the note", name, key)
		}
		return false
	}
	if got := n.Prop(key); got != "a new value: yes" {
		t.Errorf("%s: %s reads back as %q", name, key, got)
	}
	head, tail := commonEnds(raw, n.Bytes())
	if changed := raw[head : len(raw)-tail]; bytes.Count(changed, []byte("\n")) > 1+len(Parse("", raw).List(key)) {
		t.Errorf("%s: setting %s changed %q", name, key, changed)
	}
	return true
}

func commonEnds(a, b []byte) (head, tail int) {
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head, tail
}

func TestLinksOfRealVaultsResolve(t *testing.T) {
	v, err := Open(filepath.Join(sharedData(t, "vaults"), "obsidian-help-en"), Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	entries, _, err := v.Walk(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	var paths []Path
	for _, e := range entries {
		paths = append(paths, e.Path)
	}
	r := NewResolver(paths)
	links, found := 0, 0
	for _, e := range entries {
		n, err := v.Note(e.Path)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range n.Links() {
			if strings.ContainsAny(filepath.Ext(l.Target), ".") && filepath.Ext(l.Target) != ".md" {
				continue // an image or a base
			}
			links++
			if _, ok := r.Resolve(l, e.Path); ok {
				found++
			} else {
				t.Logf("%s: %s leads nowhere", e.Path, l)
			}
		}
	}
	t.Logf("%d of %d links resolve in %d notes", found, links, len(entries))
	if links < 500 || float64(found) < 0.97*float64(links) {
		t.Errorf("%d of %d links resolve", found, links)
	}
}

func FuzzNote(f *testing.F) {
	for _, s := range []string{
		"", "---\n---\n", "---\na: 1\n---\nbody", "\xef\xbb\xbf---\r\ntags:\r\n  - a # c\r\n\r\nb: |\r\n  x\r\n---\r\n",
		"---\na: 1\na: 2\n---\n", "---\n\ta: 1\n---\n", "---\na: {b: c}\n---\n```\n---\n```\n", "---\nq: 'it''s' # why\n'k l': \"x\\\"y\"\n---\n",
		"\xff\xfe---\n", "---\n{a: 1}\n---\n", "---\ntags:\n- a\n- b\nz: 1", "- a (kind:: goal) ^x\n- b\n\n## Superseded\n\n- c ^y\n",
	} {
		f.Add([]byte(s), "a", "new: \"value\"")
	}
	f.Fuzz(func(t *testing.T, raw []byte, key, value string) {
		n := Parse("n.md", bytes.Clone(raw))
		if !bytes.Equal(n.Bytes(), raw) {
			t.Fatal("parse then write changed the note")
		}
		if gap := coverGap(n.Body()); gap != "" && len(Blocks(n.Body())) > 0 {
			t.Fatalf("blocks leave out %q", gap)
		}
		n.Links()
		for _, p := range n.Properties() {
			checkSet(t, raw, p.Key, Text(value))
			checkSet(t, raw, p.Key, List(value, key))
		}
		for _, c := range n.Claims() {
			if got := string(c.Span.Cut(raw)); strings.Contains(got, "\n") {
				t.Fatalf("a claim of several lines: %q", got)
			}
		}
	})
}

func checkSet(t *testing.T, raw []byte, key string, v Value) {
	n := Parse("n.md", bytes.Clone(raw))
	before := bytes.Clone(n.Body())
	if err := n.Set(key, v); err != nil {
		if !bytes.Equal(n.Bytes(), raw) {
			t.Fatal("a refused edit changed the note")
		}
		return
	}
	if !bytes.Equal(n.Body(), before) {
		t.Fatalf("setting %q changed the body", key)
	}
	if p, _ := n.find(key); !v.matches(p) {
		t.Fatalf("%q reads back as %+v", key, p)
	}
}

func FuzzTranscript(f *testing.F) {
	f.Add("user", "hello", "assistant", "**user** · 2025-08-09 19:31:04Z · (bytes:: 3) ^t0002\n\nabc\n", "gpt-5", "m1")
	f.Add("~ J*o_n(a)s", "```\nopen", "a\\x41", "---\na: 1\n---\n\x00\r\n\ue200cite\ue201 ^t0002", "2025-08-09", "(")
	f.Add("", "", " · ", "\n\n<!-- open\n\n%%", "·", "%41 ")
	f.Add("a**b", "\xff\xfe", "", "[[x|y]] ^t0001", "", "")
	f.Fuzz(func(t *testing.T, s1, x1, s2, x2, model, msg string) {
		turns := []Turn{
			{Sender: s1, Text: x1, MessageID: msg},
			{Sender: s2, Text: x2, Model: model, Branch: true, Parent: msg, Attachments: []string{"a (1).png", s1 + "x"}},
			{Sender: s1, Text: x2 + x1, Flags: []string{"otp"}, Languages: []string{"en", "sv"}},
			{Sender: "user", Text: x1 + "\n", Revises: msg},
		}
		head := FormatFrontMatter(NewProperty{"type", Text("transcript")})
		raw := append([]byte(head+"\n"), FormatTurns(1, turns[:2])...)
		tr := ParseTranscript(Parse("t.md", raw))
		raw = tr.AppendTurns(turns[2:])
		tr = ParseTranscript(Parse("t.md", raw))
		if len(tr.Changed) > 0 || len(tr.Turns) != len(turns) {
			t.Fatalf("%d turns, changed %v in\n%s", len(tr.Turns), tr.Changed, raw)
		}
		for i, p := range tr.Turns {
			want := turns[i]
			want.ID = turnID(i + 1)
			if diff := cmp.Diff(want, p.Turn); diff != "" {
				t.Fatalf("turn %d (-want +got):\n%s\n%s", i+1, diff, raw)
			}
			if p.Form == Verbatim && string(p.Body.Cut(raw)) != want.Text {
				t.Fatalf("turn %d: the span cuts out %q", i+1, p.Body.Cut(raw))
			}
		}
		if !plainTextOnly(string(raw)) {
			t.Fatal("the note is not plain text")
		}
	})
}

func FuzzClaim(f *testing.F) {
	f.Add("Avoids deep work after 21:00.", "no more (deep) work]] | x", "f-12ab34", "o: x (y::z)")
	f.Add(" ^a", "", "", "::")
	f.Fuzz(func(t *testing.T, text, quote, id, object string) {
		c := Claim{Text: Fold(text), Kind: "goal", Confidence: 0.5, Importance: -1, Object: object,
			FirstSeen: "2025-08-09", LastSeen: "2025-09-01",
			From: []Evidence{{Link: LinkToBlock("transcripts/claude/2025/x.md", "t0001", ""), Quote: Fold(quote)}}}
		if isBlockID(id) {
			c.ID = id
		}
		if strings.ContainsAny(text, "&()") || c.Text == "" || !plainTextOnly(text+quote+object) {
			return // entities and fields of a person's own keep their meaning
		}
		line := c.Format()
		if strings.ContainsAny(line, "\n\r") {
			t.Fatalf("a line break in %q", line)
		}
		got, ok := ParseClaim(line)
		if diff := cmp.Diff(c, got); !ok || diff != "" {
			t.Fatalf("%q (-want +got):\n%s", line, diff)
		}
		if again := got.Format(); again != line {
			t.Fatalf("format after parse gives %q, not %q", again, line)
		}
	})
}
