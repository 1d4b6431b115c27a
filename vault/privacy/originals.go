package privacy

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// ErrUnknown says that no original is kept under an id.
var ErrUnknown = errors.New("no original is kept under this id")

// An Original is a secret as it stood before it was redacted.
type Original struct {
	ID    string    `json:"id"`
	Class Class     `json:"class"`
	Text  string    `json:"text"`
	Where string    `json:"where,omitempty"` // a turn or a note: "transcripts/whatsapp/2025/…#^t0012"
	Seen  time.Time `json:"seen,omitzero"`   // when it was put aside
}

// Originals keeps secrets outside the vault, for their owner alone: one file of
// JSON lines that only grows, except when a secret is forgotten. Several
// processes may use one directory at once.
type Originals struct {
	dir string
	key []byte

	mu   sync.Mutex
	info os.FileInfo      // the file as it was last read, and how far
	size int64            //
	kept map[string][]int // id to places in list
	list []Original
}

const (
	originalsFile = "originals.jsonl"
	keyFile       = "key"
	lockFile      = "originals.lock" // its own name: all places may be one folder
)

// OpenOriginals opens the store in dir and makes it where it is missing: the
// directory 0700, the files 0600, and a random key from chance (nil is the
// system's). A directory that others may read is closed to them.
func OpenOriginals(dir string, chance io.Reader) (*Originals, error) {
	if chance == nil {
		chance = rand.Reader
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("originals: %w", err)
	}
	if err := narrow(dir, 0o700); err != nil {
		return nil, fmt.Errorf("originals: %w", err)
	}
	o := &Originals{dir: dir, kept: map[string][]int{}}
	unlock, err := o.lock()
	if err != nil {
		return nil, err
	}
	defer unlock()
	if o.key, err = o.openKey(chance); err != nil {
		return nil, err
	}
	if err := narrow(o.path(originalsFile), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("originals: %w", err)
	}
	return o, nil
}

// narrow takes the modes that are not in mode from a file, where it has them: a
// disk that is read-only lets nothing be set, not even what is so.
func narrow(name string, mode fs.FileMode) error {
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm()&^mode == 0 {
		return err
	}
	return os.Chmod(name, mode)
}

// Key is the random key under which ids are made, one per store.
func (o *Originals) Key() []byte { return slices.Clone(o.key) }

func (o *Originals) path(name string) string { return filepath.Join(o.dir, name) }

// lock takes the store's lock file, which other processes honour too.
func (o *Originals) lock() (unlock func(), err error) {
	l := flock.New(o.path(lockFile), flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return nil, fmt.Errorf("originals: lock: %w", err)
	}
	return func() { l.Unlock() }, nil
}

func (o *Originals) openKey(chance io.Reader) ([]byte, error) {
	key, err := os.ReadFile(o.path(keyFile))
	if err == nil && len(key) == 32 {
		return key, nil
	}
	if err == nil {
		return nil, fmt.Errorf("originals: %s holds %d bytes, not 32: restore it, or marks in the vault lose their secrets", o.path(keyFile), len(key))
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("originals: %w", err)
	}
	key = make([]byte, 32)
	if _, err := io.ReadFull(chance, key); err != nil {
		return nil, fmt.Errorf("originals: key: %w", err)
	}
	return key, o.replace(keyFile, key)
}

// Put keeps originals and returns when they are on the disk. One that is
// already kept for the same place is not written twice. An id that stands for
// another secret is an error, and nothing is written.
func (o *Originals) Put(originals ...Original) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	unlock, err := o.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := o.refresh(); err != nil {
		return err
	}
	var lines bytes.Buffer
	fresh := map[string]Original{}
	for _, p := range originals {
		if p.ID == "" || !p.Class.valid() {
			return fmt.Errorf("originals: %q of class %q is no original", p.ID, p.Class)
		}
		known, written := o.find(p)
		if f, ok := fresh[p.ID]; ok && known == nil {
			known = &f
		}
		if known != nil && (known.Text != p.Text || known.Class != p.Class) {
			return fmt.Errorf("originals: id %s already stands for another secret", p.ID)
		}
		if _, again := fresh[p.ID+"\x00"+p.Where]; written || again {
			continue
		}
		line, err := json.Marshal(p)
		if err != nil {
			return fmt.Errorf("originals: %w", err)
		}
		lines.Write(append(line, '\n'))
		fresh[p.ID], fresh[p.ID+"\x00"+p.Where] = p, p
	}
	if lines.Len() == 0 {
		return nil
	}
	return o.append(lines.Bytes())
}

// find returns what is kept under p's id, and whether p's place is among it.
func (o *Originals) find(p Original) (known *Original, written bool) {
	for _, i := range o.kept[p.ID] {
		known = &o.list[i]
		if known.Where == p.Where {
			return known, true
		}
	}
	return known, false
}

// append writes lines at the end of the file, behind a line break where a crash
// left half a line.
func (o *Originals) append(lines []byte) error {
	f, err := os.OpenFile(o.path(originalsFile), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	if n := info.Size(); n > 0 {
		last := make([]byte, 1)
		if _, err := f.ReadAt(last, n-1); err != nil {
			return fmt.Errorf("originals: %w", err)
		}
		if last[0] != '\n' {
			lines = append([]byte{'\n'}, lines...)
		}
	}
	if _, err := f.Write(lines); err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	if err := f.Sync(); err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	if info.Size() == 0 {
		return o.syncDir()
	}
	return nil
}

// refresh reads what was written since it was last read.
func (o *Originals) refresh() error {
	f, err := os.Open(o.path(originalsFile))
	if errors.Is(err, fs.ErrNotExist) {
		o.info, o.size, o.list, o.kept = nil, 0, nil, map[string][]int{}
		return nil
	}
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	if o.info == nil || !os.SameFile(o.info, info) || info.Size() < o.size {
		o.size, o.list, o.kept = 0, nil, map[string][]int{}
	}
	o.info = info
	b, err := io.ReadAll(io.NewSectionReader(f, o.size, info.Size()-o.size))
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	whole := bytes.LastIndexByte(b, '\n') + 1 // half a line is not there yet
	for line := range bytes.Lines(b[:whole]) {
		var p Original
		if json.Unmarshal(line, &p) != nil || p.ID == "" {
			continue // what a crash tore
		}
		o.kept[p.ID] = append(o.kept[p.ID], len(o.list))
		o.list = append(o.list, p)
	}
	o.size += int64(whole)
	return nil
}

// Get returns the original of id. Its Where lists every place, a line each.
func (o *Originals) Get(id string) (Original, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.refresh(); err != nil {
		return Original{}, err
	}
	places := o.kept[id]
	if len(places) == 0 {
		return Original{}, fmt.Errorf("%s: %w", id, ErrUnknown)
	}
	p := o.list[places[0]]
	for _, i := range places[1:] {
		p.Where += "\n" + o.list[i].Where
	}
	return p, nil
}

// List returns every original that is kept, one for each place, oldest first.
func (o *Originals) List() ([]Original, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if err := o.refresh(); err != nil {
		return nil, err
	}
	return slices.Clone(o.list), nil
}

// Forget removes the originals of ids from the disk. Their marks stay in the
// vault and can no longer be revealed.
func (o *Originals) Forget(ids ...string) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	unlock, err := o.lock()
	if err != nil {
		return err
	}
	defer unlock()
	if err := o.refresh(); err != nil {
		return err
	}
	var unknown []string
	for _, id := range ids {
		if len(o.kept[id]) == 0 {
			unknown = append(unknown, id)
		}
	}
	if len(unknown) > 0 {
		return fmt.Errorf("%s: %w", strings.Join(unknown, ", "), ErrUnknown)
	}
	var rest bytes.Buffer
	for _, p := range o.list {
		if slices.Contains(ids, p.ID) {
			continue
		}
		line, err := json.Marshal(p)
		if err != nil {
			return fmt.Errorf("originals: %w", err)
		}
		rest.Write(append(line, '\n'))
	}
	return o.replace(originalsFile, rest.Bytes())
}

// replace writes a file whole: beside it, to the disk, then in its place.
func (o *Originals) replace(name string, content []byte) error {
	f, err := os.CreateTemp(o.dir, "."+name+"-*") // 0600
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(f.Name(), o.path(name))
	}
	if err != nil {
		return fmt.Errorf("originals: %w", err)
	}
	return o.syncDir()
}

// syncDir makes a new name durable. Windows cannot sync a directory and needs not.
func (o *Originals) syncDir() error {
	d, err := os.Open(o.dir)
	if err != nil {
		return nil
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, fs.ErrInvalid) && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("originals: %w", err)
	}
	return nil
}
