package lexical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Classes of an ASCII byte. A joiner binds words into an identifier only where
// a letter or digit follows at once: "3.5", "a_b", "src/x", "x@y".
const (
	other = iota
	letter
	digit
	joiner
	quote
)

var class = func() (t [256]byte) {
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-32] = letter, letter
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for _, c := range "_-./:@,\\+#" {
		t[c] = joiner
	}
	t['\''] = quote
	return t
}()

// scan reads text one compound at a time: a run of words and joiners.
func (a *analyzer) scan(text string) {
	for i := 0; i < len(text); {
		if c := text[i]; c < utf8.RuneSelf {
			if k := class[c]; k == letter || k == digit {
				i = a.compound(text, i)
			} else {
				i++
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case unsegmented(r):
			i = a.pairs(text, i)
		case beginsWord(r):
			i = a.compound(text, i)
		default:
			i += n
		}
	}
}

// compound reads the words that joiners bind together from i on and emits
// them; it returns where it stopped.
func (a *analyzer) compound(text string, i int) int {
	a.parts = a.parts[:0]
	var joined bool // by a joiner that makes an identifier
	for {
		start := i
		i = a.readWord(text, i)
		a.emitWord(text[start:i])
		if i+1 >= len(text) || class[text[i]] != joiner || !startsWord(text, i+1) {
			break
		}
		j := text[i]
		switch {
		case j == ',' || j == '+' || j == '#':
			// "1,000" was read as one number; "red,green" is two words.
			a.whole(joined)
			return i + 1
		default:
			joined = true
		}
		i++
	}
	a.whole(joined)
	return i
}

// whole emits the compound itself, where it is more than its parts.
func (a *analyzer) whole(joined bool) {
	if joined && len(a.parts) > 1 && len(a.parts) <= 8 {
		a.out = append(a.out, clip(strings.Join(a.parts, "_")))
	}
}

func startsWord(text string, i int) bool {
	if c := text[i]; c < utf8.RuneSelf {
		return class[c] == letter || class[c] == digit
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	return beginsWord(r) && !unsegmented(r)
}

// beginsWord says whether a word may begin with r. The modifier letter apostrophe
// is a letter to Unicode, and only joins words here.
func beginsWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && r != '\u02bc'
}

// readWord folds the word at i into a.word and returns its end. Apostrophes
// inside a word vanish, a possessive ending with its s; thousands separators
// vanish inside a number.
func (a *analyzer) readWord(text string, i int) int {
	a.word = a.word[:0]
	start, ascii := i, true
	for i < len(text) {
		c := text[i]
		switch class[c] {
		case letter:
			a.word = append(a.word, c|0x20)
			i++
			continue
		case digit:
			a.word = append(a.word, c)
			i++
			continue
		case joiner:
			if c == ',' && thousands(text, start, i) {
				i++
				continue
			}
			goto done
		case quote:
			if i > start && i+1 < len(text) && startsWord(text, i+1) {
				if e := possessive(text, i+1); e > 0 {
					i = e
					goto done
				}
				i++
				continue
			}
			goto done
		}
		if c < utf8.RuneSelf {
			break
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if r == '\u2019' || r == '\u02bc' {
			if i > start && i+n < len(text) && startsWord(text, i+n) {
				if e := possessive(text, i+n); e > 0 {
					i = e
					goto done
				}
				i += n
				continue
			}
			break
		}
		if unsegmented(r) || !(unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)) {
			break
		}
		ascii = false
		a.word = append(a.word, text[i:i+n]...)
		i += n
	}
done:
	if a.ascii = ascii; !ascii {
		a.word = fold(a.word)
	}
	if len(a.word) > MaxTermRunes {
		a.word = a.word[:len(clip(string(a.word)))]
	}
	return i
}

// possessive returns the end of a possessive s at i, or 0.
func possessive(text string, i int) int {
	if text[i]|0x20 == 's' && (i+1 == len(text) || !startsWord(text, i+1) && class[text[i+1]] != quote) {
		return i + 1
	}
	return 0
}

// thousands says whether the comma at i stands between one to three digits from
// start (or a group of three) and exactly three more.
func thousands(text string, start, i int) bool {
	for k := start; k < i; k++ {
		if class[text[k]] != digit && text[k] != ',' {
			return false
		}
	}
	lead := i - start
	if k := strings.LastIndexByte(text[start:i], ','); k >= 0 {
		lead = i - start - k - 1
		if lead != 3 {
			return false
		}
	}
	if lead == 0 || lead > 3 || i+3 >= len(text) {
		return false
	}
	for k := i + 1; k <= i+3; k++ {
		if class[text[k]] != digit {
			return false
		}
	}
	return i+4 >= len(text) || class[text[i+4]] != digit && class[text[i+4]] != letter
}

// emitWord emits the word in a.word. Where its spelling in the text shows more
// words, camelCase or HTTPServer2, they are emitted too.
func (a *analyzer) emitWord(spelling string) {
	if len(a.word) == 0 {
		return
	}
	t := a.term(a.word)
	if t == "" {
		return
	}
	a.out = append(a.out, t)
	a.parts = append(a.parts, t)
	if a.ascii && len(spelling) == len(a.word) && len(spelling) > 3 {
		a.humps(spelling)
	}
}

// humps emits the words of a camelCase spelling. "iPhone" and "McDonald" have
// humps of one or two letters and stay whole.
func (a *analyzer) humps(s string) {
	first := true
	for start, i := 0, 1; i <= len(s); i++ {
		if i < len(s) && !hump(s, i) {
			continue
		}
		if first {
			if i == len(s) {
				return // no hump at all
			}
			first = false
		}
		if i-start >= 3 && class[s[start]] == letter {
			a.out = append(a.out, a.term(a.word[start:i]))
		}
		start = i
	}
}

func hump(s string, i int) bool {
	up := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	low := func(c byte) bool { return c >= 'a' && c <= 'z' }
	return low(s[i-1]) && up(s[i]) || i+1 < len(s) && up(s[i-1]) && up(s[i]) && low(s[i+1])
}

// pairs emits the run of unsegmented script at i, each character by itself and
// each with its neighbour, and returns the run's end. Pairs find words; single
// characters are there for the query that is one.
func (a *analyzer) pairs(text string, i int) int {
	for prev := -1; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unsegmented(r) {
			break
		}
		if prev >= 0 {
			a.out = append(a.out, norm.NFKC.String(text[prev:i+n]))
		}
		a.out = append(a.out, norm.NFKC.String(text[i:i+n]))
		prev = i
		i += n
	}
	return i
}

// unsegmented says whether r belongs to a script that writes words without
// spaces, or, for Hangul, glues particles to them.
func unsegmented(r rune) bool {
	if r < 0x0E00 {
		return false
	}
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan) && !unicode.IsPunct(r) && !unicode.IsSymbol(r) ||
		r == 'ー' // the long vowel mark of Katakana is of no script
}
