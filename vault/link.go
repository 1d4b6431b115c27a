package vault

import (
	"bytes"
	"path"
	"sort"
	"strings"
)

// A Link is an Obsidian wikilink: [[target#heading]], [[target#^block|alias]],
// or an embed with a "!" before it.
type Link struct {
	// Target is the note as the link names it, without ".md": a full path or a
	// bare name. Empty means the note that holds the link.
	Target string
	// Heading and Block are the place in the note; one of them or none.
	Heading, Block string
	// Alias is the text that the link shows.
	Alias string
	// Embed says that the link begins with "!".
	Embed bool
	// Span is where the link stands in the file; zero for links made by hand.
	Span Span
}

// ParseLink reads the inside of a wikilink, without the brackets.
func ParseLink(inside string) Link {
	var l Link
	inside, l.Alias, _ = strings.Cut(inside, "|")
	// In tables the bar is escaped: [[note\|alias]].
	target, place, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(inside), `\`), "#")
	l.Target = strings.TrimSpace(target)
	if block, ok := strings.CutPrefix(place, "^"); ok {
		l.Block = strings.TrimSpace(block)
	} else if h, block, ok := strings.Cut(place, "#^"); ok {
		l.Heading, l.Block = h, block
	} else {
		l.Heading = strings.TrimSpace(place)
	}
	return l
}

// String writes the link with its brackets.
func (l Link) String() string {
	var b strings.Builder
	if l.Embed {
		b.WriteByte('!')
	}
	b.WriteString("[[" + l.Target)
	if l.Block != "" {
		b.WriteString("#^" + l.Block)
	} else if l.Heading != "" {
		b.WriteString("#" + l.Heading)
	}
	if l.Alias != "" {
		b.WriteString("|" + l.Alias)
	}
	b.WriteString("]]")
	return b.String()
}

// LinkTo is a link to a note, by its full path so that it is never ambiguous.
func LinkTo(p Path, alias string) Link { return Link{Target: p.Stem(), Alias: alias} }

// LinkToBlock is a link to a block of a note.
func LinkToBlock(p Path, block, alias string) Link {
	return Link{Target: p.Stem(), Block: block, Alias: alias}
}

// Links are the wikilinks of the note's body in order, code left out. The links
// in a transcript's turns are the turns' own text and are not the vault's.
func (n *Note) Links() []Link {
	if n.Type() == TypeTranscript {
		return nil
	}
	body := n.Body()
	if !bytes.Contains(body, []byte("[[")) {
		return nil
	}
	code := codeSpans(body)
	var links []Link
	for pos := 0; ; {
		open := bytes.Index(body[pos:], []byte("[["))
		if open < 0 {
			return links
		}
		open += pos
		size := bytes.Index(body[open:], []byte("]]"))
		inside := body[open+2:]
		if size < 0 || bytes.ContainsAny(inside[:size-2], "\n") {
			pos = open + 2
			continue
		}
		inside = inside[:size-2]
		pos = open + size + 2
		if within(code, open) || len(bytes.TrimSpace(inside)) == 0 {
			continue
		}
		l := ParseLink(string(inside))
		l.Embed = open > 0 && body[open-1] == '!'
		l.Span = Span{n.body + open, n.body + pos}
		if l.Embed {
			l.Span.Start--
		}
		links = append(links, l)
	}
}

func within(spans []Span, pos int) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].End > pos })
	return i < len(spans) && spans[i].Start <= pos
}

// A Resolver finds the note that a link means, as Obsidian does: by full path,
// else relative to the note that holds it, else by the end of a path, the
// shortest path first.
type Resolver struct {
	byPath map[string]Path
	byName map[string][]Path
}

// NewResolver makes a resolver over the files of a vault.
func NewResolver(paths []Path) *Resolver {
	r := &Resolver{byPath: map[string]Path{}, byName: map[string][]Path{}}
	for _, p := range paths {
		key := linkKey(string(p))
		if _, taken := r.byPath[key]; !taken {
			r.byPath[key] = p
		}
		name := path.Base(key)
		r.byName[name] = append(r.byName[name], p)
	}
	for _, list := range r.byName {
		sort.SliceStable(list, func(i, j int) bool {
			di, dj := strings.Count(string(list[i]), "/"), strings.Count(string(list[j]), "/")
			if di != dj {
				return di < dj
			}
			return list[i] < list[j]
		})
	}
	return r
}

// linkKey folds what Obsidian does not tell apart: case and the ending ".md".
func linkKey(p string) string { return strings.TrimSuffix(strings.ToLower(p), ".md") }

// Resolve returns the file that l means when it stands in the note from.
func (r *Resolver) Resolve(l Link, from Path) (Path, bool) {
	if l.Target == "" {
		return from, true
	}
	key := linkKey(strings.TrimPrefix(path.Clean(l.Target), "/"))
	if p, ok := r.byPath[key]; ok {
		return p, true
	}
	if p, ok := r.byPath[linkKey(path.Join(string(from.Dir()), l.Target))]; ok {
		return p, true
	}
	for _, p := range r.byName[path.Base(key)] {
		if k := linkKey(string(p)); k == key || strings.HasSuffix(k, "/"+key) {
			return p, true
		}
	}
	return "", false
}
