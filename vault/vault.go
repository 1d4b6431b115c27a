package vault

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// ErrNoVault is wrapped when a folder is not there or is no folder.
var ErrNoVault = errors.New("no vault")

// A Vault is a folder of notes that is open for reading and writing.
//
// It may be used by several goroutines. It takes no lock by itself: whoever
// writes holds the vault's Lock; readers need none.
type Vault struct {
	dir    string
	root   *os.Root
	layout Layout
	ignore ignorer
	fault  func(step Step, p Path) error
	walked atomic.Int64 // notes that the last Walk found
}

// A Config says how a vault is opened. The zero value is a vault that is
// memsync's as a whole.
type Config struct {
	// Root is memsync's folder in the vault (`root:` in .memoryrc); "" or "."
	// where the whole vault is memsync's.
	Root string
	// Ignore are gitignore patterns of files that are not looked at, beside
	// those in the vault's .memoryignore.
	Ignore []string
	// Fault is called before each step of a write; an error that it returns is
	// the step's. Tests use it to fail, and to die, at every step.
	Fault func(step Step, p Path) error
}

// Open opens the vault in dir. It starts nothing and changes nothing.
func Open(dir string, c Config) (*Vault, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	info, err := os.Stat(abs)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: %w: there is no such folder", dir, ErrNoVault)
	case err != nil:
		return nil, err
	case !info.IsDir():
		return nil, fmt.Errorf("%s: %w: it is a file", dir, ErrNoVault)
	}
	v := &Vault{dir: abs, fault: c.Fault}
	if c.Root != "" && c.Root != "." {
		p, err := ParsePath(c.Root)
		if err != nil {
			return nil, fmt.Errorf("root: %w", err)
		}
		v.layout.Root = p
	}
	if v.root, err = os.OpenRoot(abs); err != nil {
		return nil, err
	}
	lines := c.Ignore
	if own, err := v.root.ReadFile(IgnoreFile); err == nil {
		lines = append(strings.Split(string(own), "\n"), lines...)
	}
	v.ignore = newIgnorer(lines)
	return v, nil
}

// Close releases the vault's folder.
func (v *Vault) Close() error { return v.root.Close() }

// Dir is the vault's absolute folder.
func (v *Vault) Dir() string { return v.dir }

// Layout says where each kind of note lies in this vault.
func (v *Vault) Layout() Layout { return v.layout }

// Read returns the bytes of a file of the vault.
func (v *Vault) Read(p Path) ([]byte, error) {
	raw, err := v.root.ReadFile(string(p))
	if err != nil {
		return nil, pathError(p, err)
	}
	return raw, nil
}

// headSize is what Head reads at once: most front matter is shorter.
const headSize = 4 << 10

// Head returns the beginning of a note: all of its front matter and a part of
// its body.
func (v *Vault) Head(p Path) ([]byte, error) {
	f, err := v.root.Open(string(p))
	if err != nil {
		return nil, pathError(p, err)
	}
	defer f.Close()
	head := make([]byte, headSize)
	n, err := io.ReadFull(f, head)
	head = head[:n]
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return head, nil
	case err != nil:
		return nil, pathError(p, err)
	}
	if _, _, closed := fences(head); closed || !bytes.HasPrefix(head[bomLen(head):], []byte("---")) {
		return head, nil
	}
	return v.Read(p)
}

// Note reads and parses a note.
func (v *Vault) Note(p Path) (*Note, error) {
	raw, err := v.Read(p)
	if err != nil {
		return nil, err
	}
	return Parse(p, raw), nil
}

// Stat describes a file of the vault without following a symbolic link.
func (v *Vault) Stat(p Path) (fs.FileInfo, error) {
	info, err := v.root.Lstat(string(p))
	if err != nil {
		return nil, pathError(p, err)
	}
	return info, nil
}

// Exists reports whether a file stands at p.
func (v *Vault) Exists(p Path) bool {
	_, err := v.root.Lstat(string(p))
	return err == nil
}

// pathError says a file system's error with the vault's path, once.
func pathError(p Path, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		err = le.Err
	}
	return fmt.Errorf("%s: %w", p, err)
}
