// Package prompt renders the prompts of package templates, or the person's own in
// their place.
//
// A prompt is a file: front matter with its name and version, then two templates,
// "system" and "user" (text/template). A vault may bring its own of the same name
// in .memory-templates/prompts/. It can say anything but one thing: where data
// from transcripts stands, it stands fenced (llm.Data), and the rule about fences
// ends every system prompt. What a reply may change does not depend on the prompt.
package prompt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/templates"
	"github.com/memsync/memsync/vault"
)

// Folder is where a vault keeps its own prompts, one NAME.md each.
const Folder = ".memory-templates/prompts"

// names are the prompts there are.
var names = []string{"session", "judge", "profile", "topic", "user", "operations", "epoch", "english", "answer"}

// Names returns the names of the prompts.
func Names() []string { return slices.Clone(names) }

// maxFile and maxText bound a prompt's file and what it renders to, in bytes. A
// megabyte is some 250,000 tokens, beyond what most models read at once.
const (
	maxFile = 64 << 10
	maxText = 4 << 20
)

// A Prompt is one of them.
type Prompt struct {
	Name    string
	Version int
	// Own says that it is the vault's.
	Own  bool
	tmpl *template.Template
}

// A Set is every prompt.
type Set struct{ prompts map[string]*Prompt }

// Builtin is the set that is in the program.
func Builtin() *Set {
	s, err := Load(nil)
	if err != nil {
		panic(err) // a test parses them
	}
	return s
}

// Load reads the built-in prompts and the vault's in their place. The function
// own returns the file of a name, or an error that wraps fs.ErrNotExist; nil is
// for a vault without. A prompt that cannot be used is an error: the person wrote
// it to be used.
func Load(own func(name string) ([]byte, error)) (*Set, error) {
	s := &Set{map[string]*Prompt{}}
	var bad error
	for _, name := range names {
		raw, err := templates.Prompts.ReadFile("prompts/" + name + ".md")
		if err != nil {
			return nil, fmt.Errorf("prompt %s: %w", name, err)
		}
		mine := false
		if own != nil {
			switch theirs, err := own(name); {
			case err == nil:
				raw, mine = theirs, true
			case !errors.Is(err, fs.ErrNotExist):
				bad = errors.Join(bad, fmt.Errorf("prompt %s: %w", name, err))
				continue
			}
		}
		p, err := parse(name, raw)
		if err != nil {
			at := name
			if mine {
				at = Folder + "/" + name + ".md"
			}
			bad = errors.Join(bad, fmt.Errorf("prompt %s: %w", at, err))
			continue
		}
		p.Own = mine
		s.prompts[name] = p
	}
	return s, bad
}

func parse(name string, raw []byte) (*Prompt, error) {
	if len(raw) > maxFile {
		return nil, fmt.Errorf("the file has more than %d bytes", maxFile)
	}
	n := vault.Parse(vault.Path(name+".md"), raw)
	if got := n.Prop("name"); got != name {
		return nil, fmt.Errorf("its front matter says name %q, want %q", llm.Clip(got, 40), name)
	}
	version, err := strconv.Atoi(n.Prop("version"))
	if err != nil || version < 1 {
		return nil, fmt.Errorf("its front matter needs a version, a whole number from 1")
	}
	t, err := template.New(name).Option("missingkey=error").Parse(string(n.Body()))
	if err != nil {
		return nil, err
	}
	for _, part := range []string{"system", "user"} {
		if t.Lookup(part) == nil {
			return nil, fmt.Errorf("it defines no template %q", part)
		}
	}
	return &Prompt{Name: name, Version: version, tmpl: t}, nil
}

// Version says which prompt is used, for a trailer or a hash of inputs:
// "session/1", and "session/1+own" for the vault's.
func (s *Set) Version(name string) string {
	p := s.prompts[name]
	if p == nil {
		return name
	}
	v := name + "/" + strconv.Itoa(p.Version)
	if p.Own {
		v += "+own"
	}
	return v
}

// Render fills in a prompt. Text from outside goes in as llm.Data.
func (s *Set) Render(name string, data any) (system, user string, err error) {
	p := s.prompts[name]
	if p == nil {
		return "", "", fmt.Errorf("there is no prompt %q", name)
	}
	if system, err = p.render("system", data); err != nil {
		return "", "", err
	}
	user, err = p.render("user", data)
	return system + "\n\n" + llm.FenceRule, user, err
}

func (p *Prompt) render(part string, data any) (string, error) {
	var b strings.Builder
	err := p.tmpl.ExecuteTemplate(&limited{&b, maxText}, part, data)
	if err != nil {
		return "", fmt.Errorf("prompt %s: %w", p.Name, err)
	}
	return strings.TrimSpace(b.String()), nil
}

// limited takes n bytes and no more: a template can repeat itself without end.
type limited struct {
	w io.Writer
	n int
}

func (l *limited) Write(p []byte) (int, error) {
	if l.n -= len(p); l.n < 0 {
		return 0, fmt.Errorf("it comes to more than %d bytes", maxText)
	}
	return l.w.Write(p)
}
