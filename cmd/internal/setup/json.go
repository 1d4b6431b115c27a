package setup

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// jsonFile is a file of settings in JSON.
type jsonFile struct {
	file  string
	begin string // a new file's text
	adds  []add
}

// An add is one entry of ours: a member by its name, or an item of a list.
type add struct {
	names []string // the way to it; for a member its own name is the last
	value any
	item  bool
	// mine recognises it, also as an older memsync wrote it.
	mine func(*jsonc.Node) bool
}

func (f jsonFile) path() string  { return f.file }
func (f jsonFile) fresh() []byte { return []byte(f.begin) }

func (f jsonFile) put(text []byte) ([]jsonc.Insert, error) {
	now, ours := text, make([]byte, len(text)) // ours marks the bytes of now that are
	for _, a := range f.adds {
		edit := jsonc.Add
		if a.item {
			edit = jsonc.Append
		}
		inserts, err := edit(now, a.names, a.value)
		if err != nil {
			return nil, err
		}
		marks := slices.Clone(inserts)
		for i := range marks {
			marks[i].Text = strings.Repeat("\x01", len(marks[i].Text))
		}
		now, ours = jsonc.Apply(now, inserts), jsonc.Apply(ours, marks)
	}
	return marked(now, ours), nil
}

// marked is the runs of a text that are marked as put in.
func marked(text, ours []byte) (all []jsonc.Insert) {
	before := 0
	for i := 0; i < len(text); {
		if ours[i] == 0 {
			before++
			i++
			continue
		}
		end := i
		for end < len(text) && ours[end] != 0 {
			end++
		}
		all = append(all, jsonc.Insert{At: before, Text: string(text[i:end])})
		i = end
	}
	return all
}

func (f jsonFile) cut(text []byte) ([]byte, error) {
	var err error
	for _, a := range f.adds {
		way, name := a.names, ""
		if !a.item {
			way, name = a.names[:len(a.names)-1], a.names[len(a.names)-1]
		}
		text, err = jsonc.Remove(text, way, func(n string, v *jsonc.Node) bool { return n == name && a.mine(v) })
		if err != nil {
			return nil, err
		}
	}
	return jsonc.RemoveOne(text, mixed)
}

// mixed finds a hook of ours in a group that holds others as well.
func mixed(root *jsonc.Node) (*jsonc.Node, int) {
	events := root.Get("hooks")
	if events == nil {
		return nil, 0
	}
	for _, event := range events.Members {
		for _, group := range event.Value.Items {
			list := group.Get("hooks")
			if list == nil || len(list.Items) < 2 {
				continue
			}
			for i, hook := range list.Items {
				if ourHook(hook) {
					return list, i
				}
			}
		}
	}
	return nil, 0
}

// ourServer recognises the entry of our server: it runs memsync mcp.
func ourServer(v *jsonc.Node) bool {
	words := v.Get("command").Strings() // opencode has all in one list
	if c := v.Get("command"); c != nil && c.Kind == jsonc.String {
		words = append([]string{c.Text}, v.Get("args").Strings()...)
	}
	return ourCommand(words)
}

func ourCommand(words []string) bool {
	return len(words) > 1 && ourProgram(words[0]) && words[1] == "mcp"
}

func ourProgram(path string) bool {
	base := filepath.Base(strings.ReplaceAll(path, `\`, "/"))
	return base == "memsync" || base == "memsync.exe"
}

// hookCommand is how a hook's command line begins, whatever quotes the program
// stands in.
var hookCommand = lazyregexp.New(`(^|[/\\'"])memsync(\.exe)?['"]? hook (session-start|pre-compact|session-end)\b`)

// ourHook recognises a hook of ours: {"command": "memsync hook ..."}.
func ourHook(v *jsonc.Node) bool {
	c := v.Get("command")
	return c != nil && hookCommand.MatchString(c.Text)
}

// ourGroup recognises a group of hooks that are all ours.
func ourGroup(v *jsonc.Node) bool {
	list := v.Get("hooks")
	if list == nil || len(list.Items) == 0 {
		return ourHook(v)
	}
	for _, hook := range list.Items {
		if !ourHook(hook) {
			return false
		}
	}
	return true
}
