package setup

import (
	"bytes"
	"errors"
	"reflect"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
)

// tomlFile is Codex's config.toml, in which our server is a table of its own at
// the end.
type tomlFile struct {
	file string
	run  Program
}

const (
	tomlTable  = "mcp_servers"
	tomlServer = "memsync"
)

func (f tomlFile) path() string  { return f.file }
func (f tomlFile) fresh() []byte { return nil }

func (f tomlFile) put(text []byte) ([]jsonc.Insert, error) {
	before, err := decodeTOML(text)
	if err != nil {
		return nil, err
	}
	if servers, ok := before[tomlTable].(map[string]any); ok && servers[tomlServer] != nil {
		return nil, &FileError{Why: `it has a server "memsync" that runs something else`}
	}
	eol := "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		eol = "\r\n"
	}
	var b strings.Builder
	if len(text) > 0 {
		if !bytes.HasSuffix(text, []byte("\n")) {
			b.WriteString(eol)
		}
		b.WriteString(eol)
	}
	var args []string
	for _, a := range f.run.mcp() {
		args = append(args, quoteTOML(a))
	}
	b.WriteString("[" + tomlTable + "." + tomlServer + "]" + eol)
	b.WriteString("command = " + quoteTOML(f.run.Path) + eol)
	b.WriteString("args = [" + strings.Join(args, ", ") + "]" + eol)
	insert := []jsonc.Insert{{At: len(text), Text: b.String()}}
	after, err := decodeTOML(jsonc.Apply(text, insert))
	if err != nil { // mcp_servers is an inline table, say
		return nil, &FileError{Why: "a table [mcp_servers.memsync] does not fit into it"}
	}
	if !reflect.DeepEqual(before, withoutServer(after)) {
		return nil, &FileError{Why: "a table [mcp_servers.memsync] would change what else it says"}
	}
	return insert, nil
}

func (f tomlFile) cut(text []byte) ([]byte, error) {
	before, err := decodeTOML(text)
	if err != nil {
		return nil, err
	}
	servers, _ := before[tomlTable].(map[string]any)
	entry, _ := servers[tomlServer].(map[string]any)
	words := []string{asText(entry["command"])}
	if list, ok := entry["args"].([]any); ok {
		for _, one := range list {
			words = append(words, asText(one))
		}
	}
	if !ourCommand(words) {
		return text, nil
	}
	rest := cutTables(text, func(name string) bool {
		return name == tomlTable+"."+tomlServer || strings.HasPrefix(name, tomlTable+"."+tomlServer+".")
	})
	after, err := decodeTOML(rest)
	if err != nil || !reflect.DeepEqual(withoutServer(before), after) {
		return nil, &FileError{Why: "its server memsync is not a table of its own; take it out by hand"}
	}
	return rest, nil
}

func asText(v any) string {
	s, _ := v.(string)
	return s
}

// withoutServer is what a file says beside our server.
func withoutServer(all map[string]any) map[string]any {
	servers, ok := all[tomlTable].(map[string]any)
	if !ok {
		return all
	}
	rest := map[string]any{}
	for k, v := range all {
		rest[k] = v
	}
	others := map[string]any{}
	for k, v := range servers {
		if k != tomlServer {
			others[k] = v
		}
	}
	if rest[tomlTable] = others; len(others) == 0 {
		delete(rest, tomlTable)
	}
	return rest
}

func decodeTOML(text []byte) (map[string]any, error) {
	all := map[string]any{}
	err := toml.Unmarshal(bytes.TrimPrefix(text, []byte("\ufeff")), &all)
	if bad, ok := errors.AsType[*toml.DecodeError](err); ok {
		line, _ := bad.Position()
		return nil, &FileError{Line: line, Why: "it cannot be read: " + bad.Error()}
	}
	return all, err
}

// quoteTOML writes a string; a literal one where that reads better, as for the
// paths of Windows.
func quoteTOML(s string) string {
	if strings.Contains(s, `\`) && !strings.ContainsAny(s, "'\n\r\t") {
		return "'" + s + "'"
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`).Replace(s) + `"`
}

// cutTables takes out the tables with these names, from their header to the next
// one. Comments and blank lines before the next header are its own.
func cutTables(text []byte, named func(string) bool) []byte {
	heads := headers(text)
	var out []byte
	from := 0
	for i, h := range heads {
		if !named(h.name) {
			continue
		}
		end := len(text)
		if i+1 < len(heads) {
			end = beforeHeader(text, h.at, heads[i+1].at)
		}
		start := h.at
		if before := bytes.TrimRight(text[from:start], " \t\r\n"); len(before) > 0 || from > 0 {
			start = afterLine(text, from+len(before))
		}
		out = append(out, text[from:start]...)
		from = end
	}
	return append(out, text[from:]...)
}

// beforeHeader is where the comments and blank lines begin that stand before the
// header at next.
func beforeHeader(text []byte, low, next int) int {
	for {
		line := bytes.LastIndexByte(text[:next-1], '\n') + 1
		if line <= low {
			return next
		}
		rest := bytes.TrimLeft(text[line:next], " \t\r\n")
		if len(rest) > 0 && rest[0] != '#' {
			return next
		}
		next = line
	}
}

// afterLine is the beginning of the line after the one that ends at or after i.
func afterLine(text []byte, i int) int {
	end := bytes.IndexByte(text[i:], '\n')
	if end < 0 {
		return len(text)
	}
	return i + end + 1
}

type header struct {
	name string
	at   int
}

// headers finds the lines that begin a table: those that start with a bracket
// outside of strings and lists.
func headers(text []byte) (all []header) {
	depth, fresh := 0, true // fresh: only white space so far on this line
	for i := 0; i < len(text); {
		rest := text[i:]
		switch c := rest[0]; {
		case c == '\n':
			fresh = true
			i++
			continue
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '#':
			i += lineLength(rest)
			continue
		case c == '[' && fresh && depth == 0:
			end := i + lineLength(rest)
			all = append(all, header{tableName(string(text[i:end])), bytes.LastIndexByte(text[:i], '\n') + 1})
			i = end
			continue
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		case c == '"' || c == '\'':
			i += quoted(rest)
			fresh = false
			continue
		}
		fresh = false
		i++
	}
	return all
}

// lineLength is how far a text's first line goes, without its line break.
func lineLength(text []byte) int {
	if end := bytes.IndexByte(text, '\n'); end >= 0 {
		return end
	}
	return len(text)
}

// quoted is the length of the string that a text begins with.
func quoted(text []byte) int {
	q := string(text[:1])
	if bytes.HasPrefix(text, []byte(q+q+q)) {
		q += q + q
	}
	for i := len(q); i < len(text); i++ {
		switch {
		case text[i] == '\\' && q[0] == '"':
			i++
		case bytes.HasPrefix(text[i:], []byte(q)):
			return i + len(q)
		}
	}
	return len(text)
}

// tableName is the name in a header, its parts without quotes and spaces.
func tableName(line string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(line, "["), "]")
	parts := strings.Split(name, ".")
	for i, p := range parts {
		parts[i] = strings.Trim(strings.TrimSpace(p), `"'`)
	}
	return strings.Join(parts, ".")
}
