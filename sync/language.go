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
	sampleBytes = 240
)

// english are the words that every English text is full of and that few texts
// in another language have.
var english = func() map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq("the of and to is that it for was with you this have are be not they from at what which your will can there would their how i'm it's don't i've my") {
		words[w] = true
	}
	return words
}()

// englishShare is the share of such words from which a text is taken for English
// without a closer look; running English has about 0.3.
const englishShare = 0.16

// A linguist tells the languages of a conversation's turns. A close look costs
// about 0.2 ms, so it takes a limited number of them and then relies on what it
// has seen: people keep to their languages.
type linguist struct{ looks int }

const maxLooks = 6

// language returns the BCP 47 tag of the language that text is written in, or ""
// where that cannot be told.
func (l *linguist) language(text string) string {
	sample, letters := sampleOf(text)
	if letters < minLetters {
		return ""
	}
	words, common := 0, 0
	for w := range strings.FieldsSeq(sample) {
		words++
		if english[strings.ToLower(strings.TrimRight(w, ".,;:!?"))] {
			common++
		}
	}
	if float64(common) >= englishShare*float64(words) && common > 1 {
		return "en"
	}
	if l.looks++; l.looks > maxLooks {
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
	var l linguist
	for i, t := range turns {
		if tags[i] = l.language(t.Text); tags[i] != "" {
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
