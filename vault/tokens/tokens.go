// Package tokens counts what a language model would read.
//
// Caps on what is handed to an assistant are in tokens of o200k, the vocabulary
// of current OpenAI models; those of others differ by a tenth or so. The
// vocabulary is in the binary. The first count loads it, which takes some 20 ms;
// after that a thousand tokens take about half a millisecond.
package tokens

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer"
)

var o200k = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

// piece bounds what is counted at once, in bytes. Joining the pairs of a run
// without a space takes time that grows with its square, so a run that no text
// has is cut; a text of ordinary words is never cut within a word.
const piece = 1 << 10

// Count returns the number of o200k tokens of text.
func Count(text string) int {
	n := 0
	for text != "" {
		head := text
		if len(text) > piece {
			head = text[:cutAt(text, piece)]
		}
		n += count(head)
		text = text[len(head):]
	}
	return n
}

// cutAt is a place at or before limit to part a long text: before the last space
// that follows a word, else between two characters.
func cutAt(text string, limit int) int {
	for i := limit; i > limit/2; i-- {
		if text[i] == ' ' && !unicode.IsSpace(rune(text[i-1])) && text[i+1] != ' ' {
			return i
		}
	}
	for limit > 1 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return limit
}

func count(text string) int {
	c, err := o200k()
	if err == nil {
		if n, err := c.Count(strings.ToValidUTF8(text, "\uFFFD")); err == nil {
			return n
		}
	}
	return len(text) // never reached: the vocabulary is in the binary
}

// ellipsis is what stands where a text was cut.
const ellipsis = " …"

// Cut returns text if it has at most limit tokens, else the longest beginning of
// whole words that fits with an ellipsis behind it; "" where not even a word fits.
func Cut(text string, limit int) string {
	if limit <= 0 {
		return ""
	}
	if len(text) <= limit {
		return text // no token is shorter than a byte
	}
	// Pieces are counted until the limit is passed: of a long text the rest is never
	// looked at.
	n, at, before, counted := 0, 0, 0, 0
	for at < len(text) {
		head := text[at:]
		if len(head) > piece {
			head = head[:cutAt(head, piece)]
		}
		k := count(head)
		if n+k > limit {
			break
		}
		before, counted = at, n
		n, at = n+k, at+len(head)
	}
	if at == len(text) {
		return text
	}
	// What fits is near where the tokens say; the ellipsis takes a word or two.
	near := at + reach(text[at:min(at+piece, len(text))], limit-n)
	if out := cutIn(text, before, near, counted, limit); out != "" || before == 0 {
		return out
	}
	return cutIn(text, 0, before, 0, limit) // the last words are as long as a piece
}

// cutIn is the longest beginning of text that ends in a word between two places and
// fits; counted are the tokens before the first of them.
func cutIn(text string, from, to, counted, limit int) string {
	ends := wordEnds(text[from:min(to+1, len(text))])
	for _, end := range slices.Backward(ends) {
		out := text[:from+end] + ellipsis
		if counted+Count(out[from:]) <= limit && (from == 0 || Count(out) <= limit) {
			return out
		}
	}
	return ""
}

// reach is how many bytes of a piece its first n tokens are.
func reach(text string, n int) int {
	c, err := o200k()
	if err != nil {
		return len(text)
	}
	_, parts, err := c.Encode(strings.ToValidUTF8(text, "\uFFFD"))
	if err != nil {
		return len(text)
	}
	bytes := 0
	for _, p := range parts[:min(n, len(parts))] {
		bytes += len(p)
	}
	return min(bytes, len(text))
}

// wordEnds are the offsets behind each word of text. Scripts without spaces end
// a word after each character.
func wordEnds(text string) []int {
	var ends []int
	word := false
	for i, r := range text {
		space := unicode.IsSpace(r)
		if word && (space || !spaced(r)) {
			ends = append(ends, i)
		}
		word = !space
	}
	return ends
}

// spaced reports whether r belongs to a script that puts spaces between words.
func spaced(r rune) bool {
	return !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}
