package extract

import (
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// A person hands an assistant texts to work on: a letter to mend, a paragraph to
// translate, a problem to solve. They say "I" as well, and it is not the person who
// says it. This file finds where such a text begins.

// reworked asks for something to be done to a text that follows the colon, on the same
// line or below.
var reworked = lazyregexp.New(`(?i)\b(?:re-?write|re-?word|proof-?read|translate|paraphrase|rephrase|summari[sz]e|polish|shorten|copy-?edit|edit|solve|grade|transcribe)\b[^.?!:\n]{0,80}:`)

// below ends a line that announces a text beneath it: "Here's my cover letter:",
// "Can you improve the following draft:", "See the email below:".
var below = lazyregexp.New(`(?im)(?:\b(?:here(?:'s|’s| is| are| it is| goes)|below|following|(?:improve|review|correct|check|fix|critique|revise|format|respond to|reply to|answer) (?:this|these|my|the|our)|this is (?:the|my|what))\b[^.?!:\n]{0,80}):[ \t]*\r?$`)

// ofOneself are announcements of what the person says of themselves.
var ofOneself = lazyregexp.New(`(?i)\b(?:situation|background|context|details?|info|information|facts?|preferences?|profile|schedule|plans?|goals?|rules?|constraints?|requirements?|questions?|problem is|about (?:me|myself|us)|know about|to remember|thoughts|ideas?|update|news|story so far|progress|i(?:'ve| have)? (?:did|tried|done|want|need|know|think))\b`)

// leastHanded is the length in bytes from which something is a text that is handed
// over: a few words behind a colon are part of the sentence.
const leastHanded = 30

// own are the parts of a turn that are its sender's word: what stands before a text
// that they hand over, and behind one in quotation marks.
func own(text string) []string {
	var out []string
	for {
		end := -1
		for _, p := range []*lazyregexp.Regexp{reworked, below} {
			if loc := p.FindStringIndex(text); loc != nil && (end < 0 || loc[1] < end) && !ofOneself.MatchString(text[loc[0]:loc[1]]) {
				end = loc[1]
			}
		}
		if end < 0 {
			return append(out, text)
		}
		rest := strings.TrimSpace(text[end:])
		if len(rest) < leastHanded || fenceOf(rest) != "" || strings.HasPrefix(rest, "|") || listMark.MatchString(rest) {
			// What prose leaves out anyway, a list of wishes, or next to nothing.
			out, text = append(out, text[:end]), text[end:]
			continue
		}
		out = append(out, text[:end])
		after, ok := quotedAtOnce(rest)
		if !ok {
			return out
		}
		text = after
	}
}

// quotedAtOnce is what follows a text that begins with a quotation in marks.
func quotedAtOnce(s string) (after string, ok bool) {
	for open, closing := range map[string]string{`"`: `"`, "“": "”", "«": "»", "„": "“"} {
		if inside, found := strings.CutPrefix(s, open); found {
			_, after, ok = strings.Cut(inside, closing)
			return after, ok
		}
	}
	return "", false
}
