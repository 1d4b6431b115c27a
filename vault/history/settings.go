package history

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	gitconfig "github.com/go-git/go-git/v5/config"
	format "github.com/go-git/go-git/v5/plumbing/format/config"
)

// settings are git's configuration for one repository: the machine's, the
// person's and the repository's own, later values winning. Keys are lower case,
// "section.key" or "section.Sub.key".
type settings map[string][]string

// get returns the last value of a key, "" when there is none.
func (s settings) get(key string) string {
	values := s[key]
	if len(values) == 0 {
		return ""
	}
	return values[len(values)-1]
}

// on returns a boolean, with what it is when the key is not set.
func (s settings) on(key string, unset bool) bool {
	if len(s[key]) == 0 {
		return unset
	}
	switch strings.ToLower(s.get(key)) {
	case "false", "no", "off", "0":
		return false
	}
	return true
}

// userFiles returns where git keeps the machine's and the person's configuration,
// the most general first.
func userFiles() []string {
	var files []string
	for _, scope := range []gitconfig.Scope{gitconfig.SystemScope, gitconfig.GlobalScope} {
		if found, err := gitconfig.Paths(scope); err == nil {
			if scope == gitconfig.GlobalScope && len(found) > 1 {
				// go-git lists ~/.gitconfig before ~/.config/git/config;
				// to git the former is the stronger.
				last := len(found) - 1
				found[last-1], found[last] = found[last], found[last-1]
			}
			files = append(files, found...)
		}
	}
	return files
}

// loadSettings reads the files in order. A file that is missing or may not be
// read is passed over, as git does; one that makes no sense is an error.
func loadSettings(gitDir string, files []string) (settings, error) {
	s := settings{}
	var errs []error
	for _, file := range files {
		errs = append(errs, s.load(file, gitDir, 0))
	}
	return s, errors.Join(errs...)
}

// maxIncludes is how deep include.path may lead, git's own limit.
const maxIncludes = 10

func (s settings) load(file, gitDir string, depth int) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	raw := format.New()
	if err := format.NewDecoder(f).Decode(raw); err != nil {
		return fmt.Errorf("git configuration %s: %w", file, err)
	}
	var errs []error
	for _, section := range raw.Sections {
		name := strings.ToLower(section.Name)
		for _, option := range section.Options {
			if name == "include" && strings.EqualFold(option.Key, "path") {
				errs = append(errs, s.include(option.Value, file, gitDir, depth))
			}
			s.add(name+"."+option.Key, option.Value)
		}
		for _, sub := range section.Subsections {
			for _, option := range sub.Options {
				if name == "includeif" && strings.EqualFold(option.Key, "path") && includes(sub.Name, file, gitDir) {
					errs = append(errs, s.include(option.Value, file, gitDir, depth))
				}
				s.add(name+"."+sub.Name+"."+option.Key, option.Value)
			}
		}
	}
	return errors.Join(errs...)
}

func (s settings) add(key, value string) {
	last := strings.LastIndexByte(key, '.')
	key = key[:last] + strings.ToLower(key[last:])
	s[key] = append(s[key], value)
}

func (s settings) include(path, from, gitDir string, depth int) error {
	if depth >= maxIncludes {
		return fmt.Errorf("git configuration %s: includes lead too deep", from)
	}
	path = expandHome(path)
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(from), path)
	}
	return s.load(path, gitDir, depth+1)
}

// includes decides an includeIf condition. Those on the repository's place are
// known; others (the branch, a remote) do not hold.
func includes(condition, from, gitDir string) bool {
	kind, pattern, ok := strings.Cut(condition, ":")
	if !ok || (kind != "gitdir" && kind != "gitdir/i") {
		return false
	}
	pattern = filepath.ToSlash(expandHome(pattern))
	switch {
	case strings.HasPrefix(pattern, "./"):
		pattern = filepath.ToSlash(filepath.Dir(from)) + pattern[1:]
	case !strings.HasPrefix(pattern, "/") && !filepath.IsAbs(pattern):
		pattern = "**/" + pattern
	}
	if strings.HasSuffix(pattern, "/") {
		pattern += "**"
	}
	return glob(pattern, filepath.ToSlash(gitDir), kind == "gitdir/i")
}

// expandHome replaces a leading ~ by the person's home.
func expandHome(path string) string {
	rest, ok := strings.CutPrefix(path, "~/")
	if !ok {
		return path
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return path
	}
	return filepath.Join(home, rest)
}
