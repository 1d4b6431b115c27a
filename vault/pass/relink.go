package pass

import (
	"bytes"
	"strings"

	"github.com/memsync/memsync/vault/lazyregexp"
)

// When a person renames a note, Obsidian names it anew in every link to it. In a
// generated page that is no edit of what the page says: the new text of the page names
// the note anew too, perhaps by its whole path where Obsidian has only its name. So
// before the two are merged with what memsync last made, the links of the lines that
// memsync made are named alike in all three.

// linkTarget is the target of a wikilink, behind its brackets.
var linkTarget = lazyregexp.New(`\[\[([^\]|#\n]*)`)

// A naming says what notes are called that had another name, by that.
type naming map[string]string

// renamings finds the notes that a page names otherwise than what it was made of: in
// lines that are the same but for the targets of links, and stand once in both. A note
// that got two names is left out.
func renamings(made, page string) naming {
	const twice = "\x00"
	once := map[string]string{}
	for line := range strings.Lines(made) {
		if key := nameless(line); key != line {
			if _, again := once[key]; again {
				line = twice
			}
			once[key] = line
		}
	}
	names, seen := naming{}, map[string]bool{}
	for line := range strings.Lines(page) {
		key := nameless(line)
		was, ok := once[key]
		if !ok || was == twice || seen[key] {
			continue
		}
		seen[key] = true
		before, after := targets(was), targets(line)
		for i := range before {
			if name, ok := names[before[i]]; ok && name != after[i] {
				after[i] = twice
			}
			names[before[i]] = after[i]
		}
	}
	for name, now := range names {
		if now == twice || now == name {
			delete(names, name)
		}
	}
	return names
}

// nameless is a line without the targets of its links.
func nameless(line string) string { return linkTarget.ReplaceAllString(line, "[[") }

func targets(line string) []string {
	var out []string
	for _, m := range linkTarget.FindAllStringSubmatch(line, -1) {
		out = append(out, m[1])
	}
	return out
}

// apply names notes anew in a text, in the lines that may be touched.
func (n naming) apply(text string, may func(line string) bool) string {
	if len(n) == 0 {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if may(line) {
			line = linkTarget.ReplaceAllStringFunc(line, func(link string) string {
				if now, ok := n[strings.TrimPrefix(link, "[[")]; ok {
					return "[[" + now
				}
				return link
			})
		}
		b.WriteString(line)
	}
	return b.String()
}

// namedAlike are what memsync made, the page on disk and the new text, with the links
// of memsync's lines named alike, where the page names notes otherwise than before: as
// the new text does, and where that knows no better, as the page does. What the person
// wrote stays as it is.
func namedAlike(made, page, data []byte) (base, current, next []byte) {
	if bytes.Equal(made, page) {
		return made, page, data
	}
	moved := renamings(string(made), string(page))
	if len(moved) == 0 {
		return made, page, data
	}
	known := renamings(string(made), string(data))
	inMade, inPage, inData := naming{}, naming{}, naming{}
	for old, now := range moved {
		if by, ok := known[old]; ok {
			inMade[old], inPage[now] = by, by
		} else {
			inMade[old], inData[old] = now, now
		}
	}
	own := map[string]bool{}
	for line := range strings.Lines(string(made)) {
		own[nameless(line)] = true
	}
	all, memsyncs := func(string) bool { return true }, func(line string) bool { return own[nameless(line)] }
	return []byte(inMade.apply(string(made), all)), []byte(inPage.apply(string(page), memsyncs)), []byte(inData.apply(string(data), all))
}
