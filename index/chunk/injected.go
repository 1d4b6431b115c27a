package chunk

import (
	"bytes"

	"github.com/memsync/memsync/vault"
)

// maskInjected returns body with what a program put into the turn blanked, so
// that memory does not feed on what it said itself. Every byte that is left
// keeps its place, and a block may reach over several chunks. Body itself is
// returned where nothing was put in.
func maskInjected(body []byte) []byte {
	if !bytes.Contains(body, []byte("</")) || !vault.HasInjected(string(body)) {
		return body
	}
	masked := bytes.Clone(body)
	for open := 0; open < len(body); open++ {
		if body[open] != '<' {
			continue
		}
		if n := injectedLen(body, open); n > 0 {
			for i := open; i < open+n; i++ {
				if masked[i] != '\n' {
					masked[i] = ' '
				}
			}
			open += n - 1
		}
	}
	return masked
}

// maxInjected bounds the closing tags that are tried for one opening tag.
const maxInjected = 64

// injectedLen is the length of the block that a program put at open, 0 where
// there is none: the shortest text from there to the end of a closing tag of
// which vault leaves nothing.
func injectedLen(body []byte, open int) int {
	if start := bytes.LastIndexByte(body[:open], '\n') + 1; len(bytes.TrimSpace(body[start:open])) > 0 {
		return 0 // vault only takes tags that begin a line
	}
	end := open
	for range maxInjected {
		i := bytes.Index(body[end:], []byte("</"))
		if i < 0 {
			return 0
		}
		end += i
		j := bytes.IndexByte(body[end:], '>')
		if j < 0 {
			return 0
		}
		end += j + 1
		if block := string(body[open:end]); vault.HasInjected(block) {
			if vault.StripInjected(block) == "" {
				return end - open
			}
			return 0
		}
	}
	return 0
}
