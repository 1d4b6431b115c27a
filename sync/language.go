package sync

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"

	"github.com/memsync/memsync/vault"
)

// Bounds of language detection: fewer letters tell nothing, and what a text is
// written in is seen from its beginning.
const (
	minLetters  = 24
	sampleBytes = 600
)

// language returns the BCP 47 tag of the language that text is written in, or ""
// where that cannot be told.
func language(text string) string {
	sample, letters := sampleOf(text)
	if letters < minLetters {
		return ""
	}
	info := whatlanggo.Detect(sample)
	if !info.IsReliable() {
		return ""
	}
	return info.Lang.Iso6391()
}

// sampleOf is the beginning of the prose in text, without code and addresses.
func sampleOf(text string) (sample string, letters int) {
	var b strings.Builder
	code := false
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			continue
		}
		if code {
			continue
		}
		for w := range strings.FieldsSeq(line) {
			if strings.Contains(w, "://") || strings.ContainsAny(w, "_{}<>=/\\@`") || !utf8.ValidString(w) {
				continue
			}
			for _, r := range w {
				if unicode.IsLetter(r) {
					letters++
				}
			}
			b.WriteString(w + " ")
		}
		if b.Len() > sampleBytes {
			break
		}
	}
	return b.String(), letters
}

// tagLanguages writes down the language of each turn that is not in the
// conversation's main one, and returns all languages, the main one first. A
// conversation in English alone has none: English is what is assumed.
func tagLanguages(turns []vault.Turn, main string) []string {
	counts := map[string]int{}
	tags := make([]string, len(turns))
	for i, t := range turns {
		if tags[i] = language(t.Text); tags[i] != "" {
			counts[tags[i]]++
		}
	}
	var all []string
	for tag := range counts {
		all = append(all, tag)
	}
	slices.SortFunc(all, func(a, b string) int {
		if counts[a] != counts[b] {
			return counts[b] - counts[a]
		}
		return strings.Compare(a, b)
	})
	if main == "" && len(all) > 0 {
		main = all[0]
	}
	for i, tag := range tags {
		if tag != "" && tag != main {
			turns[i].Languages = []string{tag}
		}
	}
	if len(all) == 1 && all[0] == "en" {
		return nil
	}
	return all
}
