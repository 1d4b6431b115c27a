package history

import (
	"path"
	"path/filepath"
	"strings"
)

// An attributeRule is a line of a .gitattributes, or the meaning of a macro.
type attributeRule struct {
	macro    string
	pattern  string
	anchored bool
	set      []attribute
}

// An attribute's state is "set", "unset", "" for unspecified, or its value.
type attribute struct{ name, state string }

const (
	attributeSet   = "set"
	attributeUnset = "unset"
)

// attributesOf returns the attributes of a path: what the last rule says that
// speaks of each, with .git/info/attributes before the nearest folder's file, and
// that before the ones above it and the person's own.
func (x *rules) attributesOf(name string) map[string]string {
	x.mu.Lock()
	defer x.mu.Unlock()
	type file struct{ path, folder string }
	files := []file{{x.r.userFile("core.attributesfile", "attributes"), ""}}
	folder := ""
	for _, part := range append([]string{""}, strings.Split(parent(name), "/")...) {
		if part != "" {
			folder = path.Join(folder, part)
		} else if len(files) > 1 {
			continue
		}
		files = append(files, file{filepath.Join(x.r.file(folder), ".gitattributes"), folder})
	}
	files = append(files, file{filepath.Join(x.r.common, "info", "attributes"), ""})

	macros := map[string][]attribute{"binary": {{"diff", attributeUnset}, {"merge", attributeUnset}, {"text", attributeUnset}}}
	found := map[string]string{}
	var apply func(set []attribute, depth int)
	apply = func(set []attribute, depth int) {
		for _, a := range set {
			found[a.name] = a.state
			if a.state == attributeSet && depth < maxMacros {
				apply(macros[a.name], depth+1)
			}
		}
	}
	for _, f := range files {
		for _, rule := range x.attributeFile(f.path) {
			if rule.macro != "" {
				macros[rule.macro] = rule.set
				continue
			}
			subject := strings.TrimPrefix(strings.TrimPrefix(name, f.folder), "/")
			if !rule.anchored {
				subject = path.Base(name)
			}
			if glob(rule.pattern, subject, x.fold) {
				apply(rule.set, 0)
			}
		}
	}
	return found
}

// maxMacros is how deep macros may name each other.
const maxMacros = 8

func (x *rules) attributeFile(file string) []attributeRule {
	rules, ok := x.attributes[file]
	if !ok {
		eachLine(file, func(line string) {
			if rule, ok := parseAttributes(line); ok {
				rules = append(rules, rule)
			}
		})
		x.attributes[file] = rules
	}
	return rules
}

func parseAttributes(line string) (rule attributeRule, ok bool) {
	line = strings.Trim(line, " \t\r")
	if line == "" || line[0] == '#' {
		return rule, false
	}
	var pattern, rest string
	if line[0] == '"' {
		end := closingQuote(line)
		if end < 0 {
			return rule, false
		}
		pattern, rest = unquote(line[1:end]), line[end+1:]
	} else {
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			return rule, false
		}
		pattern, rest = line[:end], line[end:]
	}
	for _, word := range strings.Fields(rest) {
		rule.set = append(rule.set, parseAttribute(word))
	}
	if name, is := strings.CutPrefix(pattern, "[attr]"); is {
		rule.macro = name
		return rule, name != ""
	}
	// Negative patterns are not allowed, and one for a folder says nothing of
	// the files in it.
	if strings.HasPrefix(pattern, "!") || strings.HasSuffix(pattern, "/") {
		return rule, false
	}
	rule.anchored = strings.Contains(pattern, "/")
	rule.pattern = strings.TrimPrefix(pattern, "/")
	return rule, true
}

func parseAttribute(word string) attribute {
	switch {
	case strings.HasPrefix(word, "-"):
		return attribute{word[1:], attributeUnset}
	case strings.HasPrefix(word, "!"):
		return attribute{word[1:], ""}
	}
	if name, value, ok := strings.Cut(word, "="); ok {
		return attribute{name, value}
	}
	return attribute{word, attributeSet}
}

func closingQuote(line string) int {
	for i := 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// unquote undoes git's quoting of a path with unusual characters in it.
func unquote(text string) string {
	var out []byte
	for i := 0; i < len(text); i++ {
		if text[i] != '\\' || i+1 == len(text) {
			out = append(out, text[i])
			continue
		}
		i++
		switch c := text[i]; c {
		case 'n':
			out = append(out, '\n')
		case 't':
			out = append(out, '\t')
		case '0', '1', '2', '3':
			if i+2 < len(text) {
				out = append(out, (c-'0')<<6|(text[i+1]-'0')<<3|(text[i+2]-'0'))
				i += 2
			}
		default:
			out = append(out, c)
		}
	}
	return string(out)
}
