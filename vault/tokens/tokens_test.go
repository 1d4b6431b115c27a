package tokens

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The expected counts are those of OpenAI's own tiktoken.
func TestCount(t *testing.T) {
	for text, want := range map[string]int{
		"":                   0,
		"hello world":        2,
		"tiktoken is great!": 6,
	} {
		if got := Count(text); got != want {
			t.Errorf("Count(%q) = %d, want %d", text, got, want)
		}
	}
	long := strings.Repeat("a word and ", 2000)
	if got, want := Count(long), 3*2000+1; got < want-10 || got > want+10 {
		t.Errorf("a text that is counted in pieces has %d tokens, want about %d", got, want)
	}
}

// A run that no text has is counted in time that does not grow with its square.
func TestCountOfOneLongRun(t *testing.T) {
	if n := Count(strings.Repeat("a", 1<<20)); n == 0 {
		t.Error("no tokens")
	}
}

func TestCut(t *testing.T) {
	text := "Ships the CSV export without pagination; pagination comes in September."
	if got := Cut(text, 100); got != text {
		t.Errorf("a text that fits was cut: %q", got)
	}
	got := Cut(text, 6)
	if !strings.HasPrefix(text, strings.TrimSuffix(got, ellipsis)) || got == "" || !strings.HasSuffix(got, ellipsis) {
		t.Errorf("got %q", got)
	}
	if got := Cut(text, 0); got != "" {
		t.Errorf("got %q for no tokens at all", got)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("Vi ses på fredag, eller?", 3)
	f.Add("明日の会議は午後三時に変更になりました", 5)
	f.Add(strings.Repeat("x", 9000), 40)
	f.Add("a\xff b\xfe c", 2)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		limit %= 300
		out := Cut(text, limit)
		if n := Count(out); out != "" && n > limit {
			t.Errorf("%d tokens of at most %d: %q", n, limit, out)
		}
		if body := strings.TrimSuffix(out, ellipsis); !strings.HasPrefix(text, body) {
			t.Errorf("%q is no beginning of %q", body, text)
		}
		if utf8.ValidString(text) && !utf8.ValidString(out) {
			t.Errorf("cut within a character: %q", out)
		}
	})
}
