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

// Phrases returns the key phrases of texts, the best first, at most n; where keep
// is given, only those whose key it wants. A phrase
// is a run of up to three words between stop words and punctuation, scored by
// how many of the texts hold it, its length and how specific its words are
// (Rose et al., "Automatic keyword extraction from individual documents", 2010,
// with document frequency in place of word degree).
func Phrases(texts []string, n int, keep func(key string) bool) []Phrase {
	counts := map[string]*phraseCount{}
	for i, text := range texts {
		for _, s := range Sentences(text) {
			for _, r := range runs(s) {
				for size := 1; size <= min(3, len(r.words)); size++ {
					for j := 0; j+size <= len(r.words); j++ {
						form := strings.Join(r.words[j:j+size], " ")
						key := PhraseKey(form)
						c := counts[key]
						if c == nil {
							c = &phraseCount{last: -1, forms: map[string]int{}, words: size}
							counts[key] = c
						}
						c.see(i, form, j == 0 && beforeVerb[r.before], j > 0 || !predicate[r.before], j+size == len(r.words))
					}
				}
			}
		}
	}
	var phrases []Phrase
	for key, c := range counts {
		if c.texts < 2 && len(texts) > 3 || c.words == 1 && (len(key) < 4 || weakWords[key] || stopWords[key] || !c.noun()) || keep != nil && !keep(key) {
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

// A phraseCount is how often a phrase was met, and how it stood.
type phraseCount struct {
	texts, last               int
	forms                     map[string]int
	words                     int
	seen, verb, closes, named int
}

func (c *phraseCount) see(text int, form string, verb, named, closes bool) {
	if c.last != text {
		c.texts++
		c.last = text
	}
	c.forms[form]++
	c.seen++
	if verb {
		c.verb++
	}
	if closes {
		c.closes++
		if named {
			c.named++
		}
	}
}

// noun tells single words that name something: they mostly do not follow a word
// that verbs follow ("to cover"), close their run of words often enough (an
// adjective does not), and then do not mostly say how something is ("sounds
// delicious").
func (c *phraseCount) noun() bool {
	return 2*c.verb < c.seen && 4*c.closes >= c.seen && 2*c.named > c.closes
}

// beforeVerb are words after which a verb comes.
var beforeVerb = set("to i you we they he she i'd i'll i've i'm you'll you'd we'll we're we've can can't could will would should might must may don't didn't not never just let's and always also please")

// predicate are the words between which and a full stop stands how something is.
var predicate = set("is are was were be been being am i'm it's that's he's she's you're they're we're sound sounds sounded look looks looked seem seems seemed feel feels felt taste tastes smell smells so very too really pretty quite super how more most absolutely")

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

// A run is a run of content words, and the word before it in lower case.
type run struct {
	words  []string
	before string
}

// runs are the runs of content words of a sentence.
func runs(s string) []run {
	var out []run
	var r run
	before := ""
	flush := func() {
		if len(r.words) > 0 {
			out = append(out, r)
		}
		r = run{}
	}
	for w := range strings.FieldsSeq(s) {
		core := strings.TrimFunc(w, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		core = strings.ReplaceAll(core, "’", "'")
		lower := strings.ToLower(strings.TrimSuffix(core, "'s"))
		if core == "" || StopWord(lower) || !hasLetter(core) || strings.ContainsAny(core, "/\\=_(){}@'") && !strings.HasSuffix(core, "'s") {
			flush()
			before = lower
			continue
		}
		if len(r.words) == 0 {
			r.before = before
		}
		r.words = append(r.words, strings.TrimSuffix(core, "'s"))
		before = lower
		if !strings.HasSuffix(strings.ReplaceAll(w, "’", "'"), core) {
			flush()
			before = ""
		}
	}
	flush()
	return out
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
