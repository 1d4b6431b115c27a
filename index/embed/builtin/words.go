package builtin

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A splitter cuts text into words as BERT's uncased tokenizer does before it
// looks anything up: control characters go, Chinese characters and punctuation
// stand alone, accents and case go.
//
// It is scratch space of one goroutine.
type splitter struct {
	// visit takes each word, which holds until it returns, and its length in
	// characters.
	visit func(word []byte, runes int)

	word  []byte // the word being gathered
	runes int
	raw   []byte // a run of text that is not all ASCII, cleaned
	form  []byte // raw, decomposed
}

// split visits the words of text in order.
func (s *splitter) split(text string) {
	for i := 0; i < len(text); {
		if text[i] < utf8.RuneSelf {
			s.ascii(text[i])
			i++
			continue
		}
		// Whatever is glued to a character beyond ASCII is normalised with it:
		// a mark that follows a letter belongs to the letter.
		end := i
		for end < len(text) && (text[end] >= utf8.RuneSelf || class[text[end]] != blank) {
			end++
		}
		s.other(text[i:end])
		i = end
	}
	s.flush()
}

// ascii takes one ASCII character.
func (s *splitter) ascii(b byte) {
	switch class[b] {
	case letter:
		s.word = append(s.word, b)
		s.runes++
	case upper:
		s.word = append(s.word, b+'a'-'A')
		s.runes++
	case blank:
		s.flush()
	case mark:
		s.alone(rune(b))
	}
}

// other takes a run of text without plain spaces that begins beyond ASCII.
func (s *splitter) other(run string) {
	s.raw = s.raw[:0]
	for _, r := range run {
		switch {
		case r == utf8.RuneError, isControl(r):
		case unicode.IsSpace(r):
			s.raw = append(s.raw, ' ')
		case isChinese(r):
			s.raw = append(s.raw, ' ')
			s.raw = utf8.AppendRune(s.raw, r)
			s.raw = append(s.raw, ' ')
		default:
			s.raw = utf8.AppendRune(s.raw, r)
		}
	}
	s.form = norm.NFD.Append(s.form[:0], s.raw...)
	for i := 0; i < len(s.form); {
		r, size := utf8.DecodeRune(s.form[i:])
		i += size
		switch {
		case r < utf8.RuneSelf:
			s.ascii(byte(r))
		case isAccent(r):
		case isPunctuation(r):
			s.alone(r)
		default:
			s.word = utf8.AppendRune(s.word, lower(r))
			s.runes++
		}
	}
}

// alone makes one character a word.
func (s *splitter) alone(r rune) {
	s.flush()
	s.word = utf8.AppendRune(s.word, r)
	s.runes = 1
	s.flush()
}

// flush ends a word.
func (s *splitter) flush() {
	if len(s.word) > 0 {
		s.visit(s.word, s.runes)
	}
	s.word, s.runes = s.word[:0], 0
}
