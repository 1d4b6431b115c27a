package vault

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Searchable returns text as it should be searched and shown to a model, which
// is not always how its provider kept it: context that an agent injected is left
// out, citation marks in the private use area and in lenticular brackets too,
// marks that nobody sees (zero width, direction) are dropped, and what is left
// is in normal form KC, so that a full-width letter finds a plain one.
//
// Offsets in the result say nothing about offsets in text; the raw text stays in
// the transcript. Apply it to a query too, so that both sides are alike.
func Searchable(text string) string {
	if plainASCII(text) {
		return text
	}
	text = StripInjected(text)
	text = cutBlocks(text, "<antThinking>", "</antThinking>")
	text = citations(text)
	text = strings.Map(visible, text)
	if norm.NFKC.IsNormalString(text) {
		return text
	}
	return norm.NFKC.String(text)
}

// plainASCII reports whether text has nothing that Searchable would change.
func plainASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return !strings.Contains(text, "</")
}

// visible drops the characters that take no room and carry no meaning: soft
// hyphens, zero-width spaces and joiners, direction marks, variation selectors
// and what is left of the private use area that citations use.
func visible(r rune) rune {
	switch {
	case r < 0xAD:
		return r
	case r == 0xAD, r == 0x061C, r == 0xFEFF,
		r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x206F, r >= 0xFE00 && r <= 0xFE0F,
		r >= citeOpen && r <= 0xE2FF:
		return -1
	}
	return r
}

// The marks around and within a citation, as ChatGPT writes them since 2025:
// open, kind, separator, fields, close.
const (
	citeOpen      = 0xE200
	citeClose     = 0xE201
	citeSeparator = 0xE202
)

// longestCitation bounds how far the end of a citation is looked for, in bytes;
// lists of sources run to some kilobytes.
const longestCitation = 8 << 10

// citations cuts citation marks and keeps the words that a reader saw in their
// place: the name of an entity, the label of a link.
func citations(text string) string {
	if !strings.ContainsRune(text, citeOpen) && !strings.ContainsRune(text, '【') {
		return text
	}
	var out strings.Builder
	for text != "" {
		i := strings.IndexAny(text, string(rune(citeOpen))+"【")
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		text = text[i:]
		if rest, ok := lenticular(text); ok {
			text = rest
			continue
		}
		open, size := utf8.DecodeRuneInString(text)
		body := text[size:min(len(text), size+longestCitation)]
		end := strings.IndexRune(body, citeClose)
		if open != citeOpen || end < 0 {
			out.WriteString(text[:size])
			text = text[size:]
			continue
		}
		out.WriteString(citationLabel(body[:end]))
		text = text[size+end+utf8.RuneLen(citeClose):]
	}
	out.WriteString(text)
	return out.String()
}

// lenticular cuts an old citation such as 【12†source】 or 【6:0†file.pdf】 from the
// beginning of text.
func lenticular(text string) (rest string, ok bool) {
	body, found := strings.CutPrefix(text, "【")
	if !found {
		return text, false
	}
	digits := 0
	for digits < len(body) && (body[digits] >= '0' && body[digits] <= '9' || body[digits] == ':') {
		digits++
	}
	if digits == 0 || !strings.HasPrefix(body[digits:], "†") {
		return text, false
	}
	end := strings.Index(body, "】")
	if end < 0 || strings.ContainsRune(body[:end], '\n') {
		return text, false
	}
	return body[end+len("】"):], true
}

// citationLabel is what a reader saw in place of a citation.
func citationLabel(body string) string {
	fields := strings.Split(body, string(rune(citeSeparator)))
	if len(fields) < 2 {
		return ""
	}
	switch fields[0] {
	case "entity":
		var parts []any
		if json.Unmarshal([]byte(fields[1]), &parts) == nil && len(parts) > 1 {
			name, _ := parts[1].(string)
			return name
		}
	case "url", "link_title":
		return fields[1]
	}
	return ""
}
