package history

import (
	"bufio"
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"
)

// rules reads the files by which a person tells git about paths, .gitignore and
// .gitattributes, each once. It serves one question to the repository and is
// then forgotten, so edits of those files count at once.
type rules struct {
	r    *Repo
	fold bool // core.ignoreCase

	mu         sync.Mutex
	ignores    map[string][]ignoreRule // by folder; also by the files outside the tree
	attributes map[string][]attributeRule
	excluded   map[string]bool // folders, decided
}

func (r *Repo) rules() *rules {
	return &rules{
		r: r, fold: r.git().on("core.ignorecase", false),
		ignores: map[string][]ignoreRule{}, attributes: map[string][]attributeRule{}, excluded: map[string]bool{},
	}
}

// An ignoreRule is a line of a .gitignore.
type ignoreRule struct {
	pattern  string
	again    bool // "!": not ignored after all
	folders  bool // only folders
	anchored bool // matched against the path, not the last name
}

// ignored reports whether git would leave an untracked file alone.
func (x *rules) ignored(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.folderIgnored(parent(path)) || x.match(path, false)
}

// ignoredFolder is ignored for a folder: nothing in it is looked at.
func (x *rules) ignoredFolder(path string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.folderIgnored(path)
}

// folderIgnored decides a folder with those above it: below an ignored folder
// nothing can be taken back.
func (x *rules) folderIgnored(folder string) bool {
	if folder == "" {
		return false
	}
	known, ok := x.excluded[folder]
	if !ok {
		known = x.folderIgnored(parent(folder)) || x.match(folder, true)
		x.excluded[folder] = known
	}
	return known
}

// match asks the rules about one path: the nearest folder's first, the last line
// of each first.
func (x *rules) match(name string, folder bool) bool {
	at := name
	for at != "" {
		at = parent(at)
		if ignored, decided := decide(x.ignoreFile(at), strings.TrimPrefix(name[len(at):], "/"), folder, x.fold); decided {
			return ignored
		}
	}
	for _, file := range []string{
		filepath.Join(x.r.common, "info", "exclude"),
		x.r.userFile("core.excludesfile", "ignore"),
	} {
		rules, ok := x.ignores[file]
		if !ok {
			rules = readIgnores(file)
			x.ignores[file] = rules
		}
		if ignored, decided := decide(rules, name, folder, x.fold); decided {
			return ignored
		}
	}
	return false
}

func (x *rules) ignoreFile(folder string) []ignoreRule {
	rules, ok := x.ignores[folder]
	if !ok {
		rules = readIgnores(filepath.Join(x.r.file(folder), ".gitignore"))
		x.ignores[folder] = rules
	}
	return rules
}

func decide(rules []ignoreRule, name string, folder, fold bool) (ignored, decided bool) {
	for i := len(rules) - 1; i >= 0; i-- {
		rule := rules[i]
		subject := name
		if !rule.anchored {
			subject = path.Base(name)
		}
		if (!rule.folders || folder) && glob(rule.pattern, subject, fold) {
			return !rule.again, true
		}
	}
	return false, false
}

func readIgnores(file string) []ignoreRule {
	var rules []ignoreRule
	eachLine(file, func(line string) {
		if rule, ok := parseIgnore(line); ok {
			rules = append(rules, rule)
		}
	})
	return rules
}

func parseIgnore(line string) (rule ignoreRule, ok bool) {
	if strings.HasPrefix(line, "#") {
		return rule, false
	}
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	line, rule.again = strings.CutPrefix(line, "!")
	line, rule.folders = strings.CutSuffix(line, "/")
	rule.anchored = strings.Contains(line, "/")
	rule.pattern = strings.TrimPrefix(line, "/")
	return rule, rule.pattern != ""
}

// eachLine calls line for every line of a file that can be read.
func eachLine(file string, line func(string)) {
	if file == "" {
		return
	}
	// A symbolic link of these names is not followed, as git does not.
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
		if info == nil || info.Mode()&os.ModeSymlink == 0 || strings.HasPrefix(filepath.Base(file), ".git") {
			return
		}
	}
	f, err := os.Open(file)
	if err != nil {
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for first := true; lines.Scan(); first = false {
		text := lines.Text()
		if first {
			text = strings.TrimPrefix(text, "\uFEFF")
		}
		line(text)
	}
}

// userFile returns the person's own file of rules for all repositories: the one
// that a setting names, or git's default beside its configuration.
func (r *Repo) userFile(key, name string) string {
	if file := r.git().get(key); file != "" {
		return expandHome(file)
	}
	files := r.cfg.UserFiles
	if files == nil {
		files = userFiles()
	}
	found := ""
	for _, file := range files {
		if filepath.Base(file) != "config" || filepath.Base(filepath.Dir(file)) != "git" {
			continue
		}
		beside := filepath.Join(filepath.Dir(file), name)
		if _, err := os.Stat(beside); !errors.Is(err, os.ErrNotExist) {
			found = beside
		}
	}
	return found
}

// parent is the folder of a path, "" for the root.
func parent(path string) string {
	at := strings.LastIndexByte(path, '/')
	return path[:max(at, 0)]
}
