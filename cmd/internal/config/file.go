package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// maxFile bounds a configuration file: 1 MiB is a hundred times the example.
const maxFile = 1 << 20

// An Error says what is wrong with a setting and where it stands.
type Error struct {
	// File and Line are the place; File is empty for a flag or a variable.
	File string
	Line int
	// Name is the key, the variable or the flag.
	Name string
	Text string
}

func (e *Error) Error() string {
	place := ""
	if e.File != "" {
		place = e.File + ": "
		if e.Line > 0 {
			place = fmt.Sprintf("%s:%d: ", e.File, e.Line)
		}
	}
	if e.Name != "" {
		place += e.Name + ": "
	}
	return place + e.Text
}

// Place tells a caller the file and line.
func (e *Error) Place() (string, int) { return e.File, e.Line }

// A value is one setting as a layer gives it.
type value struct {
	words  []string
	origin Origin
}

// readFile reads the settings of one YAML file. A file that is not there holds
// none.
func readFile(path, layer string) (map[string]value, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read settings: %w", err)
	}
	if len(data) > maxFile {
		return nil, &Error{File: path, Text: "longer than 1 MiB, which no settings are"}
	}
	return parse(path, layer, data)
}

// parse reads the settings in data; path is for messages.
func parse(path, layer string, data []byte) (map[string]value, error) {
	var doc yaml.Node
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		line, text := yamlError(err)
		return nil, &Error{File: path, Line: line, Text: text}
	}
	p := parser{path: path, layer: layer, values: map[string]value{}}
	var c Config
	for _, k := range keys(&c) {
		p.known = append(p.known, k.name)
		if k.list {
			p.lists = append(p.lists, k.name)
		}
	}
	if len(doc.Content) > 0 {
		p.section("", doc.Content[0])
	}
	var next yaml.Node
	if err := d.Decode(&next); !errors.Is(err, io.EOF) {
		p.fail(next.Line, "", "only one document may stand in the file; a second begins here")
	}
	return p.values, errors.Join(p.errs...)
}

// yamlError takes apart what the YAML parser says: "yaml: line 3: did not find".
func yamlError(err error) (line int, text string) {
	text = strings.TrimPrefix(err.Error(), "yaml: ")
	if place, rest, ok := strings.Cut(text, ": "); ok {
		if _, err := fmt.Sscanf(place, "line %d", &line); err == nil {
			return line, rest
		}
	}
	return 0, text
}

type parser struct {
	path, layer  string
	known, lists []string
	values       map[string]value
	errs         []error
}

func (p *parser) fail(line int, name, text string) {
	p.errs = append(p.errs, &Error{File: p.path, Line: line, Name: name, Text: text})
}

// section reads the mapping n whose keys begin with prefix.
func (p *parser) section(prefix string, n *yaml.Node) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if isNull(n) {
		return
	}
	if n.Kind != yaml.MappingNode {
		p.fail(n.Line, strings.TrimSuffix(prefix, "."), "must hold lines of the form key: value")
		return
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, at := prefix+n.Content[i].Value, n.Content[i+1]
		if at.Kind == yaml.AliasNode {
			at = at.Alias
		}
		line := n.Content[i].Line
		switch {
		case slices.Contains(p.known, name):
			p.setting(name, line, at)
		case prefix == "" && p.isSection(name):
			p.section(name+".", at)
		default:
			text := "no such setting"
			if near := nearest(name, append(sections(p.known), p.known...)); near != "" {
				text += fmt.Sprintf("; the nearest is %s", near)
			}
			p.fail(line, name, text)
		}
	}
}

func (p *parser) isSection(name string) bool { return slices.Contains(sections(p.known), name) }

// sections are the names that hold other keys.
func sections(known []string) []string {
	var names []string
	for _, k := range known {
		if name, _, ok := strings.Cut(k, "."); ok {
			names = append(names, name)
		}
	}
	return slices.Compact(names)
}

// setting reads the value of one key. A key without a value keeps its default.
func (p *parser) setting(name string, line int, n *yaml.Node) {
	if isNull(n) {
		return
	}
	if first, twice := p.values[name]; twice {
		p.fail(line, name, fmt.Sprintf("already set in line %d", first.origin.Line))
		return
	}
	v := value{origin: Origin{Layer: p.layer, File: p.path, Line: line}}
	isList := slices.Contains(p.lists, name)
	switch {
	case n.Kind == yaml.ScalarNode:
		v.words = []string{n.Value}
	case n.Kind == yaml.SequenceNode && isList:
		v.words = []string{}
		for _, item := range n.Content {
			if item.Kind != yaml.ScalarNode {
				p.fail(item.Line, name, "each item must be one word or text")
				return
			}
			v.words = append(v.words, item.Value)
		}
	case isList:
		p.fail(line, name, "must be a list")
		return
	default:
		p.fail(line, name, "must be one value")
		return
	}
	p.values[name] = v
}

func isNull(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == "!!null" }
