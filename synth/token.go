package synth

import (
	"github.com/memsync/memsync/vault/tokens"

	"github.com/memsync/memsync/vault/lazyregexp"
)

var linkTarget = lazyregexp.New(`\s*\(\[\[[^\]|]*\|(?:\d+|[a-z]{1,2}-[0-9a-z]{4,12})\]\]\)|\[\[[^\]|]*\|([^\]]*)\]\]`)

// Visible is markdown as a reader sees it: citations are left out, and links
// show their alias only. Caps on tokens count this text; links are addresses.
func Visible(text string) string { return linkTarget.ReplaceAllString(text, "$1") }

// Tokens counts the o200k tokens of what a reader sees of text.
func Tokens(text string) int { return tokens.Count(Visible(text)) }
