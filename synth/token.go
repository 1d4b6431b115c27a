package synth

import (
	"regexp"
	"sync"

	"github.com/tiktoken-go/tokenizer"
)

var codec = sync.OnceValues(func() (tokenizer.Codec, error) { return tokenizer.Get(tokenizer.O200kBase) })

var linkTarget = regexp.MustCompile(`\s*\(\[\[[^\]|]*\|(\d+)\]\]\)|\[\[[^\]|]*\|([^\]]*)\]\]`)

// Visible is markdown as a reader sees it: citations are left out, and links
// show their alias only. Caps on tokens count this text; links are addresses.
func Visible(text string) string { return linkTarget.ReplaceAllString(text, "$2") }

// Tokens counts the o200k tokens of what a reader sees of text.
func Tokens(text string) int {
	c, err := codec()
	if err == nil {
		if n, err := c.Count(Visible(text)); err == nil {
			return n
		}
	}
	return len(text) / 4 // the table is in the binary, so this is never reached
}
