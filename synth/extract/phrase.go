package extract

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// A Phrase is a key phrase and how much of a text is about it.
type Phrase struct {
	// Text is the phrase as it is written most often.
	Text string
	// Key is the phrase folded for comparison.
	Key   string
	Score float64
}

// Phrases returns the key phrases of texts, the best first, at most n. A phrase
// is a run of up to three words between stop words and punctuation, scored by
// how many of the texts hold it, its length and how specific its words are
// (Rose et al., "Automatic keyword extraction from individual documents", 2010,
// with document frequency in place of word degree).
func Phrases(texts []string, n int) []Phrase {
	type count struct {
		texts, last int
		forms       map[string]int
		words       int
	}
	counts := map[string]*count{}
	for i, text := range texts {
		for _, s := range Sentences(text) {
			for _, words := range runs(s) {
				for size := 1; size <= min(3, len(words)); size++ {
					for j := 0; j+size <= len(words); j++ {
						form := strings.Join(words[j:j+size], " ")
						key := PhraseKey(form)
						c := counts[key]
						if c == nil {
							c = &count{last: -1, forms: map[string]int{}, words: size}
							counts[key] = c
						}
						if c.last != i {
							c.texts++
							c.last = i
						}
						c.forms[form]++
					}
				}
			}
		}
	}
	var phrases []Phrase
	for key, c := range counts {
		if c.texts < 2 && len(texts) > 3 || c.words == 1 && (len(key) < 4 || weakWords[key]) {
			continue
		}
		score := float64(c.texts) * []float64{0, 1, 2.2, 2.6}[c.words]
		phrases = append(phrases, Phrase{bestForm(c.forms), key, score})
	}
	slices.SortFunc(phrases, func(a, b Phrase) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Key, b.Key))
	})
	return distinct(phrases, n)
}

// distinct drops phrases whose words a better phrase already has.
func distinct(phrases []Phrase, n int) []Phrase {
	var out []Phrase
	for _, p := range phrases {
		if len(out) == n {
			break
		}
		if !slices.ContainsFunc(out, func(q Phrase) bool { return sharesWord(p.Key, q.Key) }) {
			out = append(out, p)
		}
	}
	return out
}

func sharesWord(a, b string) bool {
	words := strings.Fields(b)
	for w := range strings.FieldsSeq(a) {
		if slices.Contains(words, w) {
			return true
		}
	}
	return false
}

func bestForm(forms map[string]int) string {
	best, n := "", 0
	for form, c := range forms {
		if c > n || c == n && form < best {
			best, n = form, c
		}
	}
	return best
}

// PhraseKey folds a phrase: lower case, plural s taken off each word.
func PhraseKey(s string) string {
	words := strings.Fields(strings.ToLower(s))
	for i, w := range words {
		if len(w) > 4 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is") {
			words[i] = w[:len(w)-1]
		}
	}
	return strings.Join(words, " ")
}

// runs are the runs of content words of a sentence.
func runs(s string) [][]string {
	var out [][]string
	var run []string
	flush := func() {
		if len(run) > 0 {
			out = append(out, run)
			run = nil
		}
	}
	for w := range strings.FieldsSeq(s) {
		core := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		lower := strings.ToLower(strings.TrimSuffix(core, "'s"))
		if core == "" || StopWord(lower) || !hasLetter(core) || strings.ContainsAny(core, "/\\=_(){}@") {
			flush()
			continue
		}
		run = append(run, strings.TrimSuffix(core, "'s"))
		if !strings.HasSuffix(w, core) && !strings.HasSuffix(w, "'s") {
			flush()
		}
	}
	flush()
	return out
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
