package privacy

import (
	"crypto/hmac"
	"crypto/sha256"
	"strings"
)

// A Mark is what stands in a text in place of a secret: "[otp 7f2k9q3mwx]". In
// Obsidian it reads as plain text and is no link; the id finds the original.
type Mark struct {
	Class      Class
	ID         string
	Start, End int
}

// The letters of ids: those of Crockford's base 32, which cannot be mistaken for
// one another when read aloud.
const idLetters = "0123456789abcdefghjkmnpqrstvwxyz"

// idLength is nine letters of a keyed hash, 45 bits, and one that checks them.
// Among a hundred thousand secrets two share an id with a chance of one in 7,000.
const idLength = 10

// NewID returns the id of a secret of class c: a keyed hash, the same for the
// same secret under the same key, and of no use without it.
func NewID(key []byte, c Class, secret string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(c))
	mac.Write([]byte{0})
	mac.Write([]byte(secret))
	sum := mac.Sum(nil)
	id := make([]byte, idLength)
	for i := range idLength - 1 {
		id[i] = idLetters[sum[i]%32]
	}
	id[idLength-1] = checkLetter(c, string(id[:idLength-1]))
	return string(id)
}

// checkLetter keeps a bracket that somebody typed from passing for a mark, and so
// from hiding a secret inside.
func checkLetter(c Class, id string) byte {
	sum := sha256.Sum256([]byte("mark " + string(c) + " " + id))
	return idLetters[sum[0]%32]
}

// FormatMark writes the mark of id.
func FormatMark(c Class, id string) string { return "[" + string(c) + " " + id + "]" }

// Marks returns the marks in text, in order.
func Marks(text string) []Mark { return appendMarks(nil, text) }

func appendMarks(out []Mark, text string) []Mark {
	for i := 0; i < len(text); {
		k := strings.IndexByte(text[i:], '[')
		if k < 0 {
			return out
		}
		start := i + k
		i = start + 1
		rest := text[i:]
		space := strings.IndexByte(rest[:min(len(rest), 16)], ' ')
		if space < 0 || len(rest) < space+1+idLength+1 || rest[space+1+idLength] != ']' {
			continue
		}
		c, id := Class(rest[:space]), rest[space+1:space+1+idLength]
		if !c.valid() || strings.Trim(id, idLetters) != "" || id[idLength-1] != checkLetter(c, id[:idLength-1]) {
			continue
		}
		i += space + 1 + idLength + 1
		out = append(out, Mark{c, id, start, i})
	}
	return out
}
