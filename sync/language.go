package sync

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"

	"github.com/memsync/memsync/vault"
)

// Languages are told turn by turn and then for the conversation as a whole.
//
// A turn is told by its scripts and by its small words (languagewords.go). What
// those leave open is asked of a library that compares trigrams of letters; it is
// right about paragraphs and guesses about a line of chat, so its answer counts
// only where it is sure, the text is long enough, and either the rest of the
// conversation is in that language too or the text is a paragraph. A language that
// one turn alone suggests, and that not clearly, is taken for a slip: people keep to
// their languages.

// Bounds of telling a language.
const (
	// sampleBytes is how much of a text is looked at: what it is written in shows
	// at its beginning.
	sampleBytes = 400
	// minSmall is how many different small words of one language tell it without
	// further evidence, clearSmall how many tell it beyond doubt. One is enough for a
	// language that the conversation is known to be in.
	minSmall, clearSmall = 2, 3
	// minShare is the part of a text's words that must be small words of a language;
	// running text has 0.3 to 0.5 of them.
	minShare = 0.08
	// minLetters is how many letters a text must have for the library to be asked,
	// paragraph for its answer to count alone.
	minLetters, paragraph = 24, 160
	// minConfidence is the library's own measure, from 0 to 1.
	minConfidence = 0.8
	// minScript is how many letters in a script tell that it is used.
	minScript = 3
	// maxLooks bounds how often the library is asked in one conversation: a look
	// costs about 0.2 ms.
	maxLooks = 6
)

// A suspicion is a language that a turn may be in.
type suspicion struct {
	tag string
	// script is the one it is written in, for others than Latin; tag is empty where
	// no more can be told.
	script string
	// words counts what speaks for it.
	words int
	// sure says that the turn tells it alone; clear that it would stand against a
	// whole conversation.
	sure, clear bool
}

// A linguist tells the languages of the turns of one conversation.
type linguist struct{ looks int }

// suspect lists the languages that text may be in, the most used first.
func (l *linguist) suspect(text string) []suspicion {
	sample := sampleOf(text)
	if sample == "" {
		return nil
	}
	var out []suspicion
	latin := false
	for _, s := range scriptsOf(sample) {
		if s.name == "Latn" {
			latin = true
			continue
		}
		if s.letters >= minScript {
			x := suspicion{tag: languageOf(s.name), script: s.name, words: s.letters / 4, sure: true, clear: s.letters >= minLetters}
			if x.tag == "" {
				x.tag = told(s.name, sample)
			}
			out = append(out, x)
		}
	}
	if latin {
		out = append(out, l.inLatin(sample, len(out) > 0)...)
	}
	slices.SortStableFunc(out, func(a, b suspicion) int {
		return cmp.Or(cmp.Compare(b.words, a.words), strings.Compare(a.tag, b.tag))
	})
	return out
}

// inLatin lists the languages of the words in Latin letters. beside says that the
// text has words in another script, so that a few Latin ones may be names.
func (l *linguist) inLatin(sample string, beside bool) []suspicion {
	counts, different := map[string]int{}, map[string]map[string]bool{}
	words, letters := 0, 0
	for w := range strings.FieldsSeq(sample) {
		w = strings.ToLower(strings.Trim(strings.ReplaceAll(w, "’", "'"), ".,;:!?()\"'…*_~-"))
		if w == "" {
			continue
		}
		words++
		letters += utf8.RuneCountInString(w)
		tag := smallWord[w]
		if tag == "" {
			continue
		}
		counts[tag]++
		if different[tag] == nil {
			different[tag] = map[string]bool{}
		}
		different[tag][w] = true
	}
	var out []suspicion
	for tag, n := range counts {
		enough := float64(n) >= minShare*float64(words)
		d := len(different[tag])
		out = append(out, suspicion{tag: tag, words: n, sure: enough && d >= minSmall, clear: enough && d >= clearSmall})
	}
	if len(out) > 0 || beside || letters < minLetters || l.looks >= maxLooks {
		return out
	}
	l.looks++
	info := whatlanggo.Detect(sample)
	if info.Confidence < minConfidence || !info.IsReliable() || info.Script != unicode.Latin {
		return nil
	}
	if tag := cmp.Or(info.Lang.Iso6391(), info.Lang.Iso6393()); tag != "" {
		return []suspicion{{tag: tag, words: 1, clear: letters >= paragraph}}
	}
	return nil
}

// sampleOf is the beginning of the prose in text, without code and addresses.
func sampleOf(text string) string {
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
			b.WriteString(w + " ")
		}
		if b.Len() > sampleBytes {
			break
		}
	}
	return b.String()
}

// tagLanguages writes down the languages of each turn that is not in the
// conversation's main one alone, and returns all languages, the main one first. A
// conversation in English alone has none: English is what is assumed. main is the
// conversation's where it is known already.
func tagLanguages(turns []vault.Turn, main string) []string {
	var l linguist
	suspicions := make([][]suspicion, len(turns))
	known := map[string]bool{}
	sure := map[string]int{}
	for i, t := range turns {
		suspicions[i] = l.suspect(t.Text)
		for _, s := range suspicions[i] {
			if s.tag == "" {
				continue
			}
			if s.sure {
				sure[s.tag]++
			}
			known[s.tag] = known[s.tag] || s.clear || sure[s.tag] >= 2
		}
	}
	if main != "" {
		known[main] = true
	}
	settle(suspicions, sure, known)
	if len(known) == 0 || onlyFalse(known) { // a conversation of one or two lines
		for tag := range sure {
			known[tag] = true
		}
	}
	counts := map[string]int{}
	tags := make([][]string, len(turns))
	for i := range turns {
		for _, s := range suspicions[i] {
			if known[s.tag] {
				tags[i] = append(tags[i], s.tag)
				counts[s.tag]++
			}
		}
	}
	all := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	if main == "" && len(all) > 0 {
		main = all[0]
	}
	for i, t := range tags {
		if len(t) > 1 || len(t) == 1 && t[0] != main {
			turns[i].Languages = t
		}
	}
	if len(all) == 1 && all[0] == "en" {
		return nil
	}
	return all
}

// settle gives a tag to what is known by its script alone: the language that the
// conversation has most of in that script, for Han Chinese, else one that says no
// more than the script, und-Cyrl.
func settle(suspicions [][]suspicion, sure map[string]int, known map[string]bool) {
	most := map[string]string{"Hani": "zh"}
	for _, turn := range suspicions {
		for _, s := range turn {
			script := s.script
			if script == "Kana" {
				script = "Hani" // Japanese without kana looks like Chinese
			}
			if s.tag != "" && script != "" && sure[s.tag] > sure[most[script]] {
				most[script] = s.tag
			}
		}
	}
	for _, turn := range suspicions {
		for i := range turn {
			if s := &turn[i]; s.tag == "" {
				s.tag = cmp.Or(most[s.script], "und-"+s.script)
				known[s.tag] = true
			}
		}
	}
}

func onlyFalse(m map[string]bool) bool {
	for _, v := range m {
		if v {
			return false
		}
	}
	return true
}
