package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names returns the proper names in texts, those in most of the texts first, at
// most n. A name is a run of up to three capitalised words that do not begin a
// sentence.
func Names(texts []string, n int) []Phrase {
	type count struct {
		texts, last int
		form        string
	}
	counts := map[string]*count{}
	for i, text := range texts {
		for _, s := range Sentences(text) {
			for _, name := range namesIn(s) {
				key := PhraseKey(name)
				c := counts[key]
				if c == nil {
					c = &count{last: -1, form: name}
					counts[key] = c
				}
				if c.last != i {
					c.texts++
					c.last = i
				}
			}
		}
	}
	var names []Phrase
	for key, c := range counts {
		names = append(names, Phrase{c.form, key, float64(c.texts)})
	}
	slices.SortFunc(names, func(a, b Phrase) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	return names[:min(n, len(names))]
}

func namesIn(sentence string) []string {
	var out, run []string
	flush := func() {
		if len(run) > 0 && run[len(run)-1] == "&" {
			run = run[:len(run)-1]
		}
		if len(run) > 0 && len(run) <= 3 {
			out = append(out, strings.Join(run, " "))
		}
		run = nil
	}
	for i, w := range strings.Fields(sentence) {
		if w == "&" && len(run) > 0 {
			run = append(run, w)
			continue
		}
		core := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		core = strings.TrimSuffix(strings.TrimSuffix(core, "'s"), "’s")
		r, _ := utf8.DecodeRuneInString(core)
		if i == 0 || !unicode.IsUpper(r) || len(core) < 3 || StopWord(PhraseKey(core)) || strings.ContainsAny(core, "/\\=_(){}@'") {
			flush()
			continue
		}
		run = append(run, core)
		if !strings.HasSuffix(w, core) {
			flush()
		}
	}
	flush()
	return out
}
