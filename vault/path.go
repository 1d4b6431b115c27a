package vault

import (
	"errors"
	"fmt"
	"path"
	"strings"
	"unicode/utf8"
)

// A Path names a file of a vault: relative to its root, slash-separated and
// clean. The zero Path names nothing. Values come from ParsePath or from this
// package, never from a conversion of text from outside.
type Path string

// ErrPath is wrapped by every error about a path that does not lie in a vault.
var ErrPath = errors.New("not a path inside the vault")

// ParsePath checks text from outside. It refuses absolute paths, paths that
// leave the vault, and names that git or an operating system would not take.
func ParsePath(text string) (Path, error) {
	p := strings.ReplaceAll(text, `\`, "/")
	switch {
	case p == "" || p == ".":
		return "", fmt.Errorf("%q: %w: it is empty", text, ErrPath)
	case strings.HasPrefix(p, "/") || (len(p) > 1 && p[1] == ':' && isLetter(p[0])):
		return "", fmt.Errorf("%q: %w: it is absolute", text, ErrPath)
	case strings.ContainsAny(p, "\x00\n\r"):
		return "", fmt.Errorf("%q: %w: it holds a control character", text, ErrPath)
	case !utf8.ValidString(p):
		return "", fmt.Errorf("%q: %w: it is not UTF-8", text, ErrPath)
	}
	p = path.Clean(p)
	if p == "." || p == ".." || strings.HasPrefix(p, "../") {
		return "", fmt.Errorf("%q: %w: it leads out", text, ErrPath)
	}
	if first, _, _ := strings.Cut(p, "/"); strings.EqualFold(first, ".git") {
		return "", fmt.Errorf("%q: %w: it belongs to git", text, ErrPath)
	}
	return Path(p), nil
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// Dir is the folder that p lies in, "" for the root.
func (p Path) Dir() Path {
	if d := path.Dir(string(p)); d != "." {
		return Path(d)
	}
	return ""
}

// Base is the last element of p.
func (p Path) Base() string { return path.Base(string(p)) }

// Name is the last element without ".md", as links and people say it.
func (p Path) Name() string { return strings.TrimSuffix(p.Base(), ".md") }

// Stem is p without ".md", as full links say it.
func (p Path) Stem() string { return strings.TrimSuffix(string(p), ".md") }

// IsNote reports whether p names a markdown file.
func (p Path) IsNote() bool { return strings.EqualFold(path.Ext(string(p)), ".md") }

// Under reports whether p lies in the folder dir; everything lies in "".
func (p Path) Under(dir Path) bool {
	return dir == "" || strings.HasPrefix(string(p), string(dir)+"/")
}

// Join appends elements to p and cleans the result.
func (p Path) Join(elem ...string) Path {
	return Path(path.Join(append([]string{string(p)}, elem...)...))
}
