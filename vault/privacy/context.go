package privacy

import (
	"strings"
	"unicode/utf8"
)

// How far a word speaks for a number, in bytes. A sentence that names a secret
// and gives it has the two within some ten words of each other.
const (
	reachBefore = 48 // between a label and the number behind it
	reachAfter  = 32 // between a number and the label behind it
)

// before returns the nearest word of one of kinds that ends before at, within
// reach and in the same sentence. Number kinds compete: in "card of order 4111…"
// the order is nearer.
func (s *scan) before(at, reach int, kinds ...kind) (hit, bool) {
	for i := s.lastHit(at); i >= 0; i-- {
		w := s.hits[i]
		if at-w.end > reach || sentenceEnds(s.text[w.end:at]) {
			return hit{}, false
		}
		if oneOf(w.kind, kinds) {
			return w, true
		}
	}
	return hit{}, false
}

// after is before's mirror.
func (s *scan) after(at, reach int, kinds ...kind) (hit, bool) {
	for i := s.lastHit(at) + 1; i < len(s.hits); i++ {
		w := s.hits[i]
		if w.start < at {
			continue
		}
		if w.start-at > reach || sentenceEnds(s.text[at:w.start]) {
			return hit{}, false
		}
		if oneOf(w.kind, kinds) {
			return w, true
		}
	}
	return hit{}, false
}

// lastHit is the index of the last word that ends at or before at, or -1.
func (s *scan) lastHit(at int) int {
	lo, hi := 0, len(s.hits)
	for lo < hi {
		if m := (lo + hi) / 2; s.hits[m].end <= at {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo - 1
}

// has returns the first word of one of kinds anywhere within reach of [start, end).
func (s *scan) near(start, end, reach int, kinds ...kind) bool {
	for i := s.lastHit(start); i >= 0 && start-s.hits[i].end <= reach; i-- {
		if oneOf(s.hits[i].kind, kinds) {
			return true
		}
	}
	for i := s.lastHit(start) + 1; i < len(s.hits) && s.hits[i].start-end <= reach; i++ {
		if oneOf(s.hits[i].kind, kinds) {
			return true
		}
	}
	return false
}

func oneOf(k kind, kinds []kind) bool {
	for _, x := range kinds {
		if x == k {
			return true
		}
	}
	return false
}

// sentenceEnds reports whether a sentence ends inside gap: a line break, or a
// full stop with a space behind that closes no abbreviation.
func sentenceEnds(gap string) bool {
	for i := 0; i < len(gap); i++ {
		switch gap[i] {
		case '\n':
			return true
		case '!', '?':
			return true
		case '.':
			if i+1 < len(gap) && gap[i+1] == ' ' && !abbreviation(gap[:i]) {
				return true
			}
		}
	}
	return strings.Contains(gap, "।") || strings.Contains(gap, "。")
}

func abbreviation(before string) bool {
	word := before[strings.LastIndexAny(before, " \t.")+1:]
	switch lowerASCII(word) {
	case "no", "nr", "num", "acc", "acct", "n", "tel", "ref", "approx", "mr", "ms", "dr", "":
		return true
	}
	return false
}

// connectors are the words that may stand between a label and its value, or
// between a value and its label, and say "is".
var connectors = set(`is are was be its it's it’s it equals now currently still so then here as = : := - – — -> → => > > ( [ " ' “ ” „ « » * ** _ , ; | # .
	no no. nr nr. num number number: nummer numero número numéro nº n° code pin otp id for of to from my your our the a an this that: new old latest current temp temporary
	ist lautet war heißt heisst sind mein dein ihr der die das für es está esta es: era ahora mi tu su el la de del para est: est était c'est le mon votre ton pour du
	è e' era: il mio tuo del per é meu seu do da para: это он вот был мой ваш твой от для है हैं था मेरा आपका का के की ये यह hai h ye yeh mera tera apka aapka ka ke ki tha thi aaya
	هو هي الخاص بك لك است är är: din ditt mitt till för er: jest to: to twój mój dla je jsou moje váš pro is: uw jouw mijn voor het adalah anda untuk là của bạn başına için
	是 为 就是 は が です : ： ＝ 는 은 입니다 를 을`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// connects reports whether gap holds nothing but connectors and at most free
// other words.
func connects(gap string, free int) bool {
	for word := range strings.FieldsSeq(gap) {
		word = strings.ToLower(strings.Trim(word, `"'“”„«»()[]*_,;:：.!?-–—|=#>।،。，`))
		if word == "" || connectors[word] || particles(word) {
			continue
		}
		if free--; free < 0 {
			return false
		}
	}
	return true
}

// particles reports whether word is made only of CJK connectors: "是", "は".
func particles(word string) bool {
	if word[0] < utf8.RuneSelf {
		return false
	}
	for _, r := range word {
		if !strings.ContainsRune("是为為就的：は、がです는은이가를을입니다", r) {
			return false
		}
	}
	return true
}

// wordBefore returns the word that ends at or before at on the same line, lower case,
// with its punctuation stripped, and where it begins.
func (s *scan) wordBefore(at int) (string, int) {
	t := strings.TrimRight(s.text[max(0, at-48):at], " \t(\"'“:#*-")
	off := max(0, at-48)
	i := strings.LastIndexAny(t, " \t\n(\"'“")
	return strings.ToLower(strings.Trim(t[i+1:], ",;.")), off + i + 1
}

// wordAfter returns the word behind at on the same line, lower case; empty
// where the line or the sentence ends first.
func (s *scan) wordAfter(at int) string {
	t := s.text[at:min(len(s.text), at+64)]
	trimmed := strings.TrimLeft(t, " \t\u00a0")
	if trimmed == t || trimmed == "" {
		return ""
	}
	i := strings.IndexAny(trimmed, " \t\n,;.!?)(:\"'")
	if i >= 0 {
		trimmed = trimmed[:i]
	}
	return strings.ToLower(trimmed)
}

// inURL reports whether start lies inside a URL.
func (s *scan) inURL(start int) bool {
	t := s.text[max(0, start-longURL):start]
	return strings.Contains(t[strings.LastIndexAny(t, " \t\n<>\"'")+1:], "://")
}

// longURL bounds how far back the beginning of a URL is looked for, in bytes.
const longURL = 1024
