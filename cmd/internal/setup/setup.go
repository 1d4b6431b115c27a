// Package setup tells hosts about memsync: which server to start for the memory,
// and what to run when a session begins or ends.
//
// It changes settings that belong to a person and to other programs. So each
// change puts text of ours into a file and touches no other byte; a file that
// cannot be read as a whole is left alone, and then nothing is changed at all;
// setting up twice is setting up once; and taking it back gives the bytes that
// were there before. Where the file was not edited in between, a receipt in
// memsync's state folder says exactly what was put in; where it was, our entries
// are found by what they run.
package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
)

// A Place is the machine as hosts see it.
type Place struct {
	// Home is the person's home folder, Config where programs keep settings
	// (XDG_CONFIG_HOME, or ~/.config), State memsync's own state folder.
	Home, Config, State string
	// System is runtime.GOOS.
	System string
	Env    func(name string) (string, bool)
}

// env is a variable that names a folder, else the folder below home.
func (p Place) env(name string, below ...string) string {
	if v, ok := p.Env(name); ok && filepath.IsAbs(v) {
		return v
	}
	return filepath.Join(append([]string{p.Home}, below...)...)
}

// A Program is what hosts are told to run, and for which vault.
type Program struct{ Path, Vault string }

// A Change is what becomes of one file.
type Change struct {
	// Path is the file, with links resolved: a person's dotfiles are often links.
	Path string
	// Before and After are its bytes. A nil Before was not there, a nil After is
	// removed.
	Before, After []byte

	mode    fs.FileMode
	receipt *receipt // what to remember, nil to forget
	host    string
}

// Changed reports whether anything is to be done.
func (c Change) Changed() bool {
	return (c.Before == nil) != (c.After == nil) || !bytes.Equal(c.Before, c.After)
}

// Action is what happens to the file, in one word.
func (c Change) Action() string {
	switch {
	case !c.Changed():
		return "unchanged"
	case c.Before == nil:
		return "created"
	case c.After == nil:
		return "removed"
	}
	return "changed"
}

// A target is a file that a host reads, and what of it is ours.
type target interface {
	path() string
	// fresh is what a new file begins with.
	fresh() []byte
	// put returns what is to be put into a text that holds nothing of ours.
	put(text []byte) ([]jsonc.Insert, error)
	// cut takes what is ours out of a text, wherever it is.
	cut(text []byte) ([]byte, error)
}

// Install plans what setting a host up changes. It writes nothing.
func Install(h Host, p Place, run Program, pages []Page) ([]Change, error) {
	return plan(h, p, run, pages, true)
}

// Uninstall plans what taking it back changes. It writes nothing.
func Uninstall(h Host, p Place, run Program) ([]Change, error) {
	return plan(h, p, run, nil, false)
}

func plan(h Host, p Place, run Program, pages []Page, install bool) ([]Change, error) {
	known, err := readReceipts(p.State)
	if err != nil {
		return nil, err
	}
	targets, err := h.targets(p, run, pages)
	if err != nil {
		return nil, err
	}
	var all []Change
	var failed []error
	for _, t := range targets {
		c, err := planOne(t, known[h.Name], install)
		if c.host = h.Name; c.receipt != nil {
			c.receipt.Vault = run.Vault
		}
		failed = append(failed, err)
		all = append(all, c)
	}
	if err := errors.Join(failed...); err != nil {
		return nil, err
	}
	return all, nil
}

// planOne plans the change of one file: first what it would be without us, then
// with us as we are now.
func planOne(t target, known map[string]receipt, install bool) (Change, error) {
	c := Change{Path: resolve(t.path()), mode: 0o600}
	var err error
	if c.Before, c.mode, err = read(c.Path); err != nil {
		return c, err
	}
	old, have := known[c.Path]
	base := c.Before
	created := base == nil || have && old.Created
	if base != nil {
		if base, err = without(t, base, old, have); err != nil {
			return c, problem(c.Path, err)
		}
	}
	text := base
	if len(bytes.TrimSpace(text)) == 0 {
		text = append(append([]byte{}, text...), t.fresh()...)
	}
	var inserts []jsonc.Insert
	if install {
		if inserts, err = t.put(text); err != nil {
			return c, problem(c.Path, err)
		}
	}
	if len(inserts) == 0 { // nothing of ours is to be in it
		if c.After = base; have && old.Created && same(t, base) {
			c.After = nil
		}
		return c, nil
	}
	c.After = jsonc.Apply(text, inserts)
	if len(text) > len(base) { // what a new file begins with is put in as well
		inserts = []jsonc.Insert{{At: len(base), Text: string(c.After[len(base):])}}
	}
	c.receipt = &receipt{Created: created, After: sum(c.After), Inserts: inserts}
	return c, nil
}

// without is a file's text without what is ours.
func without(t target, text []byte, old receipt, have bool) ([]byte, error) {
	if have && sum(text) == old.After {
		if base, ok := jsonc.Undo(text, old.Inserts); ok {
			return base, nil
		}
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	return t.cut(text)
}

// same reports whether a text is no more than what a new file begins with.
func same(t target, text []byte) bool {
	plain := func(b []byte) string { return string(bytes.Join(bytes.Fields(b), nil)) }
	return len(bytes.TrimSpace(text)) == 0 || plain(text) == plain(t.fresh()) || plain(text) == "{}"
}

// resolve follows links to the file itself; a link that leads nowhere yet stays.
func resolve(name string) string {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		return real
	}
	return name
}

// maxSettings bounds what is read as settings. Claude Code's own file, with a
// history of projects in it, comes to some megabytes.
const maxSettings = 64 << 20

func read(name string) ([]byte, fs.FileMode, error) {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o600, nil
	}
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSettings {
		return nil, 0, fmt.Errorf("%s is not a file of settings; nothing is changed", name)
	}
	text, err := os.ReadFile(name)
	if text == nil {
		text = []byte{}
	}
	return text, info.Mode().Perm(), err
}

// A FileError says why a file is left alone.
type FileError struct {
	Path string
	Line int // 0 where no line is to blame
	Why  string
}

func (e *FileError) Error() string {
	at := e.Path
	if e.Line > 0 {
		at = fmt.Sprintf("%s:%d", e.Path, e.Line)
	}
	return at + ": " + e.Why + "; nothing is changed"
}

// Place says where to look.
func (e *FileError) Place() (string, int) { return e.Path, e.Line }

// problem makes a FileError of what an editor says.
func problem(path string, err error) error {
	if syntax, ok := errors.AsType[*jsonc.SyntaxError](err); ok {
		return &FileError{path, syntax.Line, "it cannot be read: " + syntax.What}
	}
	if place, ok := errors.AsType[*jsonc.PlaceError](err); ok {
		if place.Wanted == "nothing yet" {
			return &FileError{path, place.Line, fmt.Sprintf("it has an entry %q that runs something else", place.Names[len(place.Names)-1])}
		}
		return &FileError{path, place.Line, fmt.Sprintf("%s is not %s", place.Name(), place.Wanted)}
	}
	if own, ok := errors.AsType[*FileError](err); ok {
		own.Path = path
		return own
	}
	return &FileError{path, 0, err.Error()}
}

// Apply writes changes, each file at once or not at all. A file that was saved
// after it was read is left as it is then.
func Apply(p Place, changes []Change) error {
	known, err := readReceipts(p.State)
	if err != nil {
		return err
	}
	for _, c := range changes {
		if c.Changed() {
			if err := c.write(); err != nil {
				return err
			}
		}
		known.set(c.host, c.Path, c.receipt)
	}
	return known.write(p.State)
}

func (c Change) write() (err error) {
	now, _, err := read(c.Path)
	if err != nil {
		return err
	}
	if (now == nil) != (c.Before == nil) || !bytes.Equal(now, c.Before) {
		return fmt.Errorf("%s was saved by another program just now; run it again", c.Path)
	}
	if c.After == nil {
		return os.Remove(c.Path)
	}
	return replace(c.Path, c.After, c.mode)
}

// replace writes a file beside the old one and puts it in its place.
func replace(name string, text []byte, mode fs.FileMode) (err error) {
	dir := filepath.Dir(name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(name)+".memsync-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// Find returns the host with a name.
func Find(name string) (Host, bool) {
	i := slices.IndexFunc(Hosts(), func(h Host) bool { return h.Name == name })
	if i < 0 {
		return Host{}, false
	}
	return Hosts()[i], true
}
