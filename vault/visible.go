package vault

import "github.com/memsync/memsync/vault/lazyregexp"

var linkMarkup = lazyregexp.New(`\s*\(\[\[[^\]|]*\|(\d+)\]\]\)|!?\[\[[^\]|]*\|([^\]]*)\]\]|!?\[\[([^\]|]*)\]\]`)

// Visible is markdown as a reader sees it: citations, which are links that show
// a number, are left out, and other links show their alias, or else their target.
func Visible(text string) string { return linkMarkup.ReplaceAllString(text, "$2$3") }
