package history

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// glob matches a path against a pattern as .gitignore and .gitattributes mean it:
// "*" and "?" stop at a slash, "**" between slashes stands for any folders, and
// brackets hold characters, ranges and classes such as [:digit:].
func glob(pattern, path string, fold bool) bool {
	if fold {
		pattern, path = strings.ToLower(pattern), strings.ToLower(path)
	}
	budget := globBudget
	return globAt(pattern, path, true, &budget)
}

// globBudget bounds the work on one match, so that a pattern of many stars
// cannot hang a commit; what exceeds it does not match.
const globBudget = 1 << 16

// globAt matches with start saying whether pattern stands at its own beginning
// or right after a slash, where "**" has its meaning.
func globAt(pattern, path string, start bool, budget *int) bool {
	for pattern != "" {
		if *budget--; *budget < 0 {
			return false
		}
		switch pattern[0] {
		case '*':
			if start && (pattern == "**" || strings.HasPrefix(pattern, "**/")) {
				return globFolders(pattern[2:], path, budget)
			}
			rest := strings.TrimLeft(pattern, "*")
			for i := 0; ; i++ {
				if globAt(rest, path[i:], false, budget) {
					return true
				}
				if i == len(path) || path[i] == '/' {
					return false
				}
			}
		case '?':
			_, size := utf8.DecodeRuneInString(path)
			if size == 0 || path[0] == '/' {
				return false
			}
			pattern, path = pattern[1:], path[size:]
			start = false
		case '[':
			rest, tail, ok := globClass(pattern[1:], path)
			if !ok {
				return false
			}
			pattern, path = rest, tail
			start = false
		case '\\':
			if len(pattern) == 1 {
				return false
			}
			pattern = pattern[1:]
			fallthrough
		default:
			if path == "" || pattern[0] != path[0] {
				return false
			}
			start = pattern[0] == '/'
			pattern, path = pattern[1:], path[1:]
		}
	}
	return path == ""
}

// globFolders matches what follows "**" against path and everything below it.
func globFolders(rest, path string, budget *int) bool {
	if rest == "" {
		return path != ""
	}
	rest = rest[1:]
	for {
		if globAt(rest, path, true, budget) {
			return true
		}
		_, below, ok := strings.Cut(path, "/")
		if !ok {
			return false
		}
		path = below
	}
}

// globClass matches one character against a bracket expression, whose "[" is
// already read. It returns what follows in pattern and path.
func globClass(pattern, path string) (rest, tail string, ok bool) {
	c, size := utf8.DecodeRuneInString(path)
	if size == 0 || c == '/' {
		return "", "", false
	}
	negated := strings.HasPrefix(pattern, "!") || strings.HasPrefix(pattern, "^")
	if negated {
		pattern = pattern[1:]
	}
	matched := false
	for first := true; ; first = false {
		if pattern == "" {
			return "", "", false // never closed
		}
		if pattern[0] == ']' && !first {
			return pattern[1:], path[size:], matched != negated
		}
		if name, after, closed := strings.Cut(strings.TrimPrefix(pattern, "[:"), ":]"); closed && strings.HasPrefix(pattern, "[:") {
			matched = matched || inClass(name, c)
			pattern = after
			continue
		}
		var lo, hi rune
		lo, pattern = classRune(pattern)
		hi = lo
		if len(pattern) > 1 && pattern[0] == '-' && pattern[1] != ']' {
			hi, pattern = classRune(pattern[1:])
		}
		matched = matched || (lo <= c && c <= hi)
	}
}

func classRune(pattern string) (rune, string) {
	if pattern[0] == '\\' && len(pattern) > 1 {
		pattern = pattern[1:]
	}
	r, size := utf8.DecodeRuneInString(pattern)
	return r, pattern[size:]
}

func inClass(name string, c rune) bool {
	switch name {
	case "alnum":
		return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c))
	case "alpha":
		return c < utf8.RuneSelf && unicode.IsLetter(c)
	case "blank":
		return c == ' ' || c == '\t'
	case "cntrl":
		return c < ' ' || c == 0x7f
	case "digit":
		return '0' <= c && c <= '9'
	case "graph":
		return '!' <= c && c <= '~'
	case "lower":
		return 'a' <= c && c <= 'z'
	case "print":
		return ' ' <= c && c <= '~'
	case "punct":
		return c < utf8.RuneSelf && (unicode.IsPunct(c) || unicode.IsSymbol(c))
	case "space":
		return c == ' ' || ('\t' <= c && c <= '\r')
	case "upper":
		return 'A' <= c && c <= 'Z'
	case "xdigit":
		return strings.ContainsRune("0123456789abcdefABCDEF", c)
	}
	return false
}
