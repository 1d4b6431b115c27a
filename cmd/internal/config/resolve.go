package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Layers, in the order in which a later one wins.
const (
	LayerDefault = "default"
	LayerUser    = "user"
	LayerVault   = "vault"
	LayerEnv     = "environment"
	LayerFlag    = "flag"
)

// FileName is the name of a vault's own settings.
const FileName = ".memoryrc"

// An Origin says where a value came from.
type Origin struct {
	Layer string `json:"layer"`
	// Name is the variable or the flag.
	Name string `json:"name,omitempty"`
	// File and Line are the place in a file.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

func (o Origin) String() string {
	switch {
	case o.File != "":
		return fmt.Sprintf("%s:%d", o.File, o.Line)
	case o.Name != "":
		return o.Name
	default:
		return o.Layer
	}
}

// A Flag is one setting that a command's flag gives.
type Flag struct {
	// Key is the setting's name, Flag the flag as the person typed it.
	Key, Flag, Value string
}

// Sources are the layers above the defaults.
type Sources struct {
	// UserFile is the person's own config.yaml; it need not exist.
	UserFile string
	// Vault is the vault's folder, absolute; empty means that there is none.
	Vault string
	// Env looks up the environment.
	Env func(name string) (string, bool)
	// Flags are settings from the command line.
	Flags []Flag
	// Trusted reports whether the owner has trusted what a vault asks for. A
	// nil Trusted trusts nothing.
	Trusted func(Request) bool
}

// Settings is a configuration that knows where it came from.
type Settings struct {
	Config
	// Requests are what the vault asks for that needs its owner's trust,
	// whether or not it has it.
	Requests []Request
	origins  map[string]Origin
}

// Resolve reads the layers and puts them on each other. Every error in the
// files is reported, not the first alone.
func Resolve(src Sources) (*Settings, error) {
	user, err := readFile(src.UserFile, LayerUser)
	var vault map[string]value
	if src.Vault != "" {
		var vaultErr error
		vault, vaultErr = readFile(filepath.Join(src.Vault, FileName), LayerVault)
		err = errors.Join(err, vaultErr)
	}
	if err != nil {
		return nil, err
	}
	if v, ok := vault["default_vault"]; ok {
		return nil, &Error{File: v.origin.File, Line: v.origin.Line, Name: "default_vault",
			Text: "belongs in your own " + src.UserFile + ", not in a vault"}
	}
	layers := []map[string]value{user, vault, src.environment(), src.flags()}
	s, err := stack(layers)
	if err != nil {
		return nil, err
	}
	// What the vault asks for and nobody trusted is taken out, and the rest is
	// put together again, so that the layers below it show through.
	requests := s.requests(src.Vault)
	refused := false
	for i, r := range requests {
		requests[i].Trusted = src.Trusted != nil && src.Trusted(r)
		if requests[i].Trusted {
			continue
		}
		refused = true
		for _, name := range r.Keys {
			delete(vault, name)
		}
	}
	if refused {
		if s, err = stack(layers); err != nil {
			return nil, err
		}
	}
	s.Requests = requests
	return s, nil
}

// stack puts the layers onto the defaults.
func stack(layers []map[string]value) (*Settings, error) {
	s := &Settings{Config: Default(), origins: map[string]Origin{}}
	var errs []error
	for _, k := range keys(&s.Config) {
		s.origins[k.name] = Origin{Layer: LayerDefault}
		for _, layer := range layers {
			v, ok := layer[k.name]
			if !ok {
				continue
			}
			if err := k.set(v.words); err != nil {
				name := k.name
				if v.origin.Name != "" {
					name = v.origin.Name
				}
				errs = append(errs, &Error{File: v.origin.File, Line: v.origin.Line, Name: name, Text: err.Error()})
				continue
			}
			s.origins[k.name] = v.origin
		}
	}
	return s, errors.Join(errs...)
}

// environment collects the variables that are set and not empty. A list is
// separated as PATH is.
func (src Sources) environment() map[string]value {
	if src.Env == nil {
		return nil
	}
	var c Config
	values := map[string]value{}
	for _, k := range keys(&c) {
		text, ok := src.Env(Variable(k.name))
		if !ok || text == "" {
			continue
		}
		words := []string{text}
		if k.list {
			words = strings.Split(text, string(os.PathListSeparator))
		}
		values[k.name] = value{words: words, origin: Origin{Layer: LayerEnv, Name: Variable(k.name)}}
	}
	return values
}

func (src Sources) flags() map[string]value {
	values := map[string]value{}
	for _, f := range src.Flags {
		values[f.Key] = value{words: []string{f.Value}, origin: Origin{Layer: LayerFlag, Name: f.Flag}}
	}
	return values
}

// A Setting is one key with its value and origin.
type Setting struct {
	Key    string `json:"key"`
	Value  any    `json:"value"`
	Origin Origin `json:"origin"`
}

// All lists every setting in the order in which they are explained.
func (s *Settings) All() []Setting {
	var all []Setting
	for _, k := range keys(&s.Config) {
		all = append(all, Setting{Key: k.name, Value: k.get(), Origin: s.origins[k.name]})
	}
	return all
}

// Get finds one setting. For a name that nobody knows the error names the
// nearest one.
func (s *Settings) Get(name string) (Setting, error) {
	for _, one := range s.All() {
		if one.Key == name {
			return one, nil
		}
	}
	text := "no such setting"
	if near := nearest(name, Keys()); near != "" {
		text += "; the nearest is " + near
	}
	return Setting{}, &Error{Name: name, Text: text}
}
