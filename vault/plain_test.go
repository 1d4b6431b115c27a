package vault

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

func TestSearchable(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain", "Plain words, <b>tags</b> & all.", "Plain words, <b>tags</b> & all."},
		{"citation", "Rust 1.0 came in 2015.\ue200cite\ue202turn0search1\ue202turn0news3\ue201 Then", "Rust 1.0 came in 2015. Then"},
		{"entity", "by \ue200entity\ue202[\"people\",\"Ada Lovelace\",\"writer\"]\ue201.", "by Ada Lovelace."},
		{"link", "see \ue200url\ue202the manual\ue202turn0view0\ue201", "see the manual"},
		{"unclosed citation", "a\ue200cite b", "acite b"},
		{"stray marks", "a\ue204b\ue2ffc", "abc"},
		{"old citation", "It is so【12†source】. And so【6:0†file.pdf】【3†L10-L20】!", "It is so. And so!"},
		{"not a citation", "【重要】 read 【12】", "【重要】 read 【12】"},
		{"zero width", "pass\u200bword \u202ahi\u202c\ufeff so\u00adft", "password hi soft"},
		{"full width", "ＡＢＣ ﬁne ①", "ABC fine 1"},
		{"narrow space", "4:05\u202fPM", "4:05 PM"},
		{"injected", "<memsync-context v=\"1\">\nold news\n</memsync-context>\nmy question", "\nmy question"},
		{"thinking", "Sure. <antThinking>a plan</antThinking>Here", "Sure. Here"},
		{"combining", "e\u0301", "é"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Searchable(tt.in)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestStripInjected(t *testing.T) {
	for in, want := range map[string]string{
		"":             "",
		"nothing here": "nothing here",
		"a\n  <system-reminder>x</system-reminder>\nb":                                          "a\n  \nb",
		"<memsync-context ids=\"1 2\">x</memsync-context>b<memsync-context>y</memsync-context>": "b<memsync-context>y</memsync-context>",
		"what does <memsync-context> do? </memsync-context>":                                    "what does <memsync-context> do? </memsync-context>",
		"<memsync-contextual>x</memsync-contextual></memsync-context>":                          "<memsync-contextual>x</memsync-contextual></memsync-context>",
		"<memsync-context>never closed":                                                         "<memsync-context>never closed",
	} {
		if got := StripInjected(in); got != want {
			t.Errorf("StripInjected(%q) = %q, want %q", in, got, want)
		}
		if HasInjected(in) != (in != want) {
			t.Errorf("HasInjected(%q) is wrong", in)
		}
	}
}

// FuzzSearchable holds the laws that the result has no citation marks, is
// normal, and is stable.
func FuzzSearchable(f *testing.F) {
	f.Add("a\ue200cite\ue202x\ue201b【1†s】\u200b①")
	f.Add("<system-reminder>\ue200</system-reminder>")
	f.Fuzz(func(t *testing.T, text string) {
		got := Searchable(text)
		if strings.ContainsFunc(got, func(r rune) bool { return r >= 0xE200 && r <= 0xE2FF }) {
			t.Errorf("private marks are left in %q", got)
		}
		if !norm.NFKC.IsNormalString(got) {
			t.Errorf("%q is not normal", got)
		}
		if len(StripInjected(text)) > len(text) {
			t.Error("stripping made the text longer")
		}
	})
}

func BenchmarkSearchable(b *testing.B) {
	text := strings.Repeat("Plain words that need nothing done to them. ", 50)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		Searchable(text)
	}
}
