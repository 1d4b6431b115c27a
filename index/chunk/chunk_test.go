package chunk

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/memsync/memsync/vault"
)

func split(path, text string) []Chunk { return Split(vault.Parse(vault.Path(path), []byte(text))) }

// checkLaws holds for every note: spans cut out exactly their text, follow each
// other, and cover every byte that is searched.
func checkLaws(t *testing.T, raw []byte) {
	t.Helper()
	n := vault.Parse("n.md", raw)
	chunks := Split(n)
	if len(chunks) == 0 {
		t.Fatal("no chunk at all")
	}
	covered := make([]bool, len(raw))
	last := n.BodyStart()
	for i, c := range chunks {
		if c.Span.Start < last || c.Span.End < c.Span.Start || c.Span.End > len(raw) {
			t.Fatalf("chunk %d: span %v after %d of %d", i, c.Span, last, len(raw))
		}
		last = c.Span.End
		if got := string(c.Span.Cut(raw)); got != c.Text {
			t.Fatalf("chunk %d: span cuts %q, text is %q", i, got, c.Text)
		}
		if c.Line != n.Line(c.Span.Start) {
			t.Fatalf("chunk %d: line %d, want %d", i, c.Line, n.Line(c.Span.Start))
		}
		for j := c.Span.Start; j < c.Span.End; j++ {
			covered[j] = true
		}
	}
	if bytes.IndexByte(raw, 0) >= 0 && !isText(raw) {
		return // binary: nothing is searched
	}
	structure := make([]bool, len(raw))
	if n.Type() == vault.TypeTranscript {
		for _, p := range vault.ParseTranscript(n).Turns {
			end := p.Body.Start // header, blank line, opening fence
			for j := p.Header.Start; j < end; j++ {
				structure[j] = true
			}
			if p.Form != vault.Verbatim { // the closing fence
				for j, feeds := p.Body.End, 0; j < len(raw) && feeds < 2; j++ {
					structure[j] = true
					if raw[j] == '\n' {
						feeds++
					}
				}
			}
		}
	}
	for j := n.BodyStart(); j < len(raw); j++ {
		if !covered[j] && !structure[j] && !strings.ContainsRune(" \t\r\n", rune(raw[j])) {
			t.Fatalf("byte %d (%q) is in no chunk", j, raw[j])
		}
	}
}

func isText(raw []byte) bool { return strings.ToValidUTF8(string(raw), "") == string(raw) }

var transcript = `---
type: transcript
title: Export
---

**user** · 2025-08-09 19:31:04Z · (msg:: 0b1d6c52) (bytes:: 11) ^t0001

Hello there

**assistant** · 2025-08-09 19:31:40Z · claude-sonnet-4 · (msg:: 41aa90f7) (bytes:: 2) ^t0002

Hi
`

func FuzzLaws(f *testing.F) {
	long := strings.Repeat("One sentence of some words stands here. ", 120)
	turns := "---\ntype: transcript\n---\n\n" + string(vault.FormatTurns(1, []vault.Turn{
		{Sender: "user", Text: "plain"},
		{Sender: "user", Text: "open ```\nfence"},
		{Sender: "A\x00b", Text: "carriage\r\n\x00return " + strings.Repeat(`\`, 900)},
		{Sender: "user", Text: ""},
		{Sender: "user", Text: long},
	}))
	for _, seed := range []string{
		"", "# One\n\ntext\n\n## Two\ntext\n", "---\ntitle: x\n---\n", transcript, turns, long,
		strings.Repeat("x", 9000), strings.Repeat("漢", 3000), "```\ncode\n# no heading\n```\nafter",
		"---\ntype: facts\n---\n\nIntro.\n\n- A claim. (kind:: event) ^f-1\n\n## Superseded\n\n- Old. ^f-2\n",
		"---\ntype: rendering\n---\n\nIntro.\n\n- **Mira** · 2025-03-14 10:02 · Cannot come ([[transcripts/x#^t0001|1]])\n- a bullet\n",
		"\x00\xff\xfe binary", "---\nbroken: [\n---\nbody", "- a\n- b\n  - c\n\n1. x\n2) y\n", "a\r\n\r\nb\r\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) { checkLaws(t, raw) })
}

func TestTurnsStayApart(t *testing.T) {
	got := split("transcripts/x.md", transcript)
	type row struct {
		Kind         Kind
		Turn, Sender string
		Message      string
		Line         int
		Text         string
	}
	var rows []row
	for _, c := range got {
		rows = append(rows, row{c.Kind, c.Turn.ID, c.Turn.Sender, c.Turn.MessageID, c.Line, c.Text})
	}
	want := []row{
		{Turn, "t0001", "user", "0b1d6c52", 8, "Hello there"},
		{Turn, "t0002", "assistant", "41aa90f7", 12, "Hi"},
	}
	if d := cmp.Diff(want, rows); d != "" {
		t.Error(d)
	}
}

func TestLongTurnIsCut(t *testing.T) {
	text := strings.Repeat("This sentence says one thing and then it ends. ", 90)
	note := "---\ntype: transcript\n---\n\n" + string(vault.FormatTurns(1, []vault.Turn{{Sender: "Ana", Text: text}}))
	got := split("t.md", note)
	if len(got) < 3 {
		t.Fatalf("%d chunks of a turn of %d tokens", len(got), Tokens(text))
	}
	for i, c := range got {
		if n := Tokens(c.Text); n < MinTokens || n > MaxTokens {
			t.Errorf("chunk %d has %d tokens", i, n)
		}
		if c.Turn.Sender != "Ana" || c.Part != i || !strings.HasSuffix(c.Text, ".") {
			t.Errorf("chunk %d: sender %q, part %d, ends %q", i, c.Turn.Sender, c.Part, c.Text[len(c.Text)-9:])
		}
	}
}

func TestEscapedTurnIsSearchedAsItWas(t *testing.T) {
	note := "---\ntype: transcript\n---\n\n" + string(vault.FormatTurns(1, []vault.Turn{{Sender: "Ana", Text: "C:\\dir\r\nnext"}}))
	got := split("t.md", note)
	if len(got) != 1 || got[0].Search != "C:\\dir\r\nnext" {
		t.Errorf("got %+v", got)
	}
}

func TestInjectedIsNotSearched(t *testing.T) {
	injected := "<memsync-context n=\"1\">\n" + strings.Repeat("old news of the harbour, said again. ", 150) + "\n</b> too\n</memsync-context>"
	text := "Before it.\n" + injected + "\nAfter it, <memsync-context> in words.\n<system-reminder>do</system-reminder>\nEnd."
	note := "---\ntype: transcript\n---\n\n" + string(vault.FormatTurns(1, []vault.Turn{{Sender: "Ana", Text: text}}))
	var all []string
	for _, c := range split("t.md", note) {
		all = append(all, strings.Fields(c.Search)...)
	}
	if got := strings.Join(all, " "); got != "Before it. After it, <memsync-context> in words. End." {
		t.Errorf("searched: %q", got)
	}
}

func TestClaims(t *testing.T) {
	got := split("facts/health/sleep.md", "---\ntype: facts\n---\n\n- Sleeps six hours. (kind:: identity) (seen:: 2025-07-30) ^f-1\n\n## Superseded\n\n- Slept eight. (kind:: identity) ^f-2\n")
	var claims []string
	for _, c := range got {
		if c.Kind == Claim {
			claims = append(claims, c.Claim.ID+" "+c.Search)
			if c.Claim.Superseded != (c.Claim.ID == "f-2") {
				t.Errorf("%s: superseded is %v", c.Claim.ID, c.Claim.Superseded)
			}
		}
	}
	if d := cmp.Diff([]string{"f-1 Sleeps six hours.", "f-2 Slept eight."}, claims); d != "" {
		t.Error(d)
	}
}

func TestHeadings(t *testing.T) {
	para := strings.Repeat("Words that fill a paragraph up to its size. ", 14)
	got := split("n.md", "# Guide\n\n"+para+"\n\n## Setup\n\n"+para+"\n\n### Keys ##\n\n"+para+"\n\n## Use\n\nshort\n\n### Deep\n\nmore\n")
	var paths []string
	for _, c := range got {
		paths = append(paths, c.Heading)
	}
	want := []string{"Guide", "Guide > Setup", "Guide > Setup > Keys", "Guide > Use"}
	if d := cmp.Diff(want, paths); d != "" {
		t.Error(d)
	}
}

// Prose keeps to the sizes, apart from notes and last sections that have less.
func TestSizes(t *testing.T) {
	sentence := "The harbour was quiet when the ferry came in from the islands at noon. "
	for _, paragraph := range []int{1, 3, 8, 40} {
		var b strings.Builder
		for b.Len() < 20000 {
			b.WriteString(strings.Repeat(sentence, paragraph) + "\n\n")
		}
		for i, c := range split("n.md", b.String()) {
			if n := Tokens(c.Text); n < MinTokens || n > MaxTokens {
				t.Errorf("paragraphs of %d: chunk %d has %d tokens", paragraph, i, n)
			}
		}
	}
}

func TestBadInput(t *testing.T) {
	big := bytes.Repeat([]byte("line of a large note with words\n"), 200_000)
	for name, raw := range map[string][]byte{
		"one line":    bytes.Repeat([]byte("word "), 400_000),
		"no space":    bytes.Repeat([]byte("x"), 1_000_000),
		"large":       big,
		"empty":       nil,
		"only spaces": []byte(" \n\t\n"),
		"binary":      bytes.Repeat([]byte{0, 1, 0xff, '\n'}, 10_000),
		"invalid":     bytes.Repeat([]byte{0xff, 0xfe, 'a', '\n'}, 10_000),
	} {
		t.Run(name, func(t *testing.T) { checkLaws(t, raw) })
	}
}

func BenchmarkSplit(b *testing.B) {
	raw := []byte(strings.Repeat("# Heading\n\n"+strings.Repeat("The harbour was quiet when the ferry came in. ", 30)+"\n\n- item one\n- item two\n\n", 60))
	b.SetBytes(int64(len(raw)))
	for b.Loop() {
		Split(vault.Parse("n.md", raw))
	}
}
