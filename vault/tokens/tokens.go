// Package tokens counts what a language model would read.
//
// Caps on what is handed to an assistant are in tokens of o200k, the vocabulary
// of current OpenAI models; those of others differ by a tenth or so. The
// vocabulary is in the binary. The first count loads it, which takes some 20 ms;
// after that a thousand tokens take about half a millisecond.
package tokens

import (
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
	// No token of o200k is longer than 128 bytes.
	if len(text) <= limit || len(text) <= limit*128 && Count(text) <= limit {
		return text
	}
	ends := wordEnds(text[:min(len(text), limit*128)])
	low, high := 0, len(ends) // ends[:low] fits, ends[:high+1] does not
	for low < high {
		mid := (low + high + 1) / 2
		if Count(text[:ends[mid-1]]+ellipsis) <= limit {
			low = mid
		} else {
			high = mid - 1
		}
	}
	// Fewer words may count as more tokens at a cut; such a case is walked past.
	for ; low > 0; low-- {
		if out := text[:ends[low-1]] + ellipsis; Count(out) <= limit {
			return out
		}
	}
	return ""
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
