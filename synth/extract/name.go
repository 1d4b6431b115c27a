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

// greeting stands before the name of the one who is spoken to.
var greeting = set("hi hello hey dear thanks thank morning goodnight night bye goodbye yo ok okay yes yeah haha congrats sorry")

// Person reports whether a name is somebody's: it is mostly used to speak to them
// ("see you, Ana!"), or now and then in ways in which one speaks of people only
// ("Ana and I", "Ana said", "my sister Ana").
func Person(texts []string, name string) bool {
	all, spoken, of := 0, 0, 0
	for _, text := range texts {
		if !strings.Contains(text, name) {
			continue
		}
		for _, s := range Sentences(text) {
			words := strings.Fields(s)
			for i, w := range words {
				core := strings.Trim(w, ".,!?;:…\"'()")
				if strings.TrimSuffix(strings.TrimSuffix(core, "'s"), "’s") != name {
					continue
				}
				all++
				before, after := "", ""
				if i > 0 {
					before = words[i-1]
				}
				if i+1 < len(words) {
					after = words[i+1]
				}
				switch lower := strings.ToLower(strings.Trim(before, ".,!")); {
				case greeting[lower],
					strings.HasSuffix(before, ",") && (after == "" || strings.ContainsAny(w[len(w)-1:], ",.!?")),
					i == 0 && after != "" && strings.HasSuffix(w, ","):
					spoken++
				case kinWord.MatchString(lower), toPeople[lower], saying[strings.Trim(after, ".,!?")],
					after == "and" && i+2 < len(words) && strings.Trim(words[i+2], ".,!?") == "I":
					of++
				}
			}
		}
	}
	return all > 0 && (2*spoken >= all || 5*of >= all)
}

// toPeople are verbs whose object is a person, saying verbs whose subject is one.
var (
	toPeople = set("met told asked invited married texted thanked hugged visited")
	saying   = set("said says told asked thinks thought suggested mentioned recommended wants wanted loves hates invited agreed knows lives moved works who")
)
