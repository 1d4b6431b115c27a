package extract

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// prose returns the lines of a turn that are prose: code, tables, quotations,
// stack traces and markup are left out. Each line is a substring of text.
func prose(text string) []string {
	var lines []string
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if mark := fenceOf(trimmed); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence) && strings.Trim(trimmed, mark[:1]) == "":
				fence = ""
			}
			continue
		}
		if fence != "" || trimmed == "" || isMarkup(line, trimmed) {
			continue
		}
		lines = append(lines, trimmed)
	}
	return lines
}

// fenceOf returns the run of backticks or tildes that a line begins with, if it
// is long enough to open or close a block of code.
func fenceOf(line string) string {
	for _, c := range []string{"`", "~"} {
		run := line[:len(line)-len(strings.TrimLeft(line, c))]
		if len(run) >= 3 {
			return run
		}
	}
	return ""
}

var codeLine = lazyregexp.New(`^(import |from \w+ import|def |class \w+[(:{]|function |const |let |var |return\b|#include|public |private |@\w+|</?\w+|\$ |>>>|\w+\(.*\)[;{]?$|.*[;{}]$|at .*\(.*:\d+\)|File ".*", line|Traceback|\d+\s*\|)`)

func isMarkup(line, trimmed string) bool {
	switch {
	case strings.HasPrefix(line, "\t"), strings.HasPrefix(line, "    ") && codeLine.MatchString(trimmed):
		return true
	case strings.HasPrefix(trimmed, "|"), strings.HasPrefix(trimmed, ">"), strings.HasPrefix(trimmed, "---"):
		return true
	}
	return codeLine.MatchString(trimmed) || mostlySymbols(trimmed)
}

func mostlySymbols(s string) bool {
	letters, other := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			letters++
		case r != ' ':
			other++
		}
	}
	return other > letters
}

var listMark = lazyregexp.New(`^(?:[-*+•]|\d{1,2}[.)])\s+`)

// Sentences cuts the prose of a turn into sentences, each a substring of text.
func Sentences(text string) []string {
	var out []string
	for _, line := range prose(text) {
		line = strings.TrimLeft(line, "#")
		line = strings.TrimSpace(listMark.ReplaceAllString(strings.TrimSpace(line), ""))
		for line != "" {
			end := sentenceEnd(line)
			if s := strings.TrimSpace(line[:end]); s != "" {
				out = append(out, s)
			}
			line = strings.TrimSpace(line[end:])
		}
	}
	return out
}

// abbreviations end in a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"dr": true, "mr": true, "mrs": true, "ms": true, "prof": true, "st": true, "vs": true, "e.g": true, "i.e": true,
	"etc": true, "no": true, "approx": true, "jr": true, "sr": true, "inc": true, "ltd": true, "fig": true,
}

// sentenceEnd is the offset behind the first sentence of s.
func sentenceEnd(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		switch r {
		case '。', '！', '？', '।', '؟':
			return i
		case '.', '!', '?', '…':
			for i < len(s) && strings.IndexByte(".!?\"')", s[i]) >= 0 {
				i++
			}
			if i == len(s) {
				return i
			}
			if r == '!' && i > 1 && s[i-2] >= '0' && s[i-2] <= '9' {
				continue // 4! is a number
			}
			if s[i] != ' ' || r == '.' && endsInAbbreviation(s[:i-1]) {
				continue
			}
			next, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[i:], " \"'("))
			if r != '.' || !unicode.IsLower(next) {
				return i
			}
		}
	}
	return len(s)
}

func endsInAbbreviation(s string) bool {
	word := s[strings.LastIndexAny(s, " (")+1:]
	return abbreviations[strings.ToLower(word)] || len(word) == 1 && unicode.IsUpper(rune(word[0]))
}
