package priority

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// Counts keeps the accesses of one vault's items on this machine: a file of JSON
// lines, one an access, that is rewritten as one line an item when it has grown.
// Several processes may use one directory at once. Losing it loses heat and
// nothing else.
type Counts struct {
	dir string

	mu   sync.Mutex
	info fs.FileInfo // the file as it was last read, and how far
	size int64
	by   map[string]Access
	rev  int64 // changes with by
}

const (
	countsFile = "access.jsonl"
	countsLock = "access.lock"
)

// The bounds of what is kept: the file is rewritten from maxFile bytes on, and
// then holds the maxItems items that were asked for last.
const (
	maxFile  = 1 << 20
	maxItems = 10_000
)

// A line is accesses at one time, or what all accesses of one item came to.
type line struct {
	At  int64    `json:"at,omitempty"` // Unix seconds
	IDs []string `json:"ids,omitempty"`

	ID     string  `json:"id,omitempty"`
	Hits   int     `json:"hits,omitempty"`
	Energy float64 `json:"energy,omitempty"`
}

// OpenCounts opens the counts in dir, a folder of the vault's state that exists.
// It makes nothing: the file comes with the first access.
func OpenCounts(dir string) *Counts { return &Counts{dir: dir, by: map[string]Access{}} }

// Of returns how an item was asked for; the zero Access for one that never was.
func (c *Counts) Of(id string) Access {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.refresh() // without counts everything is as if never asked for
	return c.by[id]
}

// All returns the accesses of every item, and a number that stays the same as long
// as they do.
func (c *Counts) All() (by map[string]Access, rev int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.refresh()
	return maps.Clone(c.by), c.rev
}

// Rev is the number that All returns.
func (c *Counts) Rev() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	_ = c.refresh()
	return c.rev
}

// Touch notes that items were asked for at a time.
func (c *Counts) Touch(at time.Time, ids ...string) error {
	if len(ids) == 0 {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	l := flock.New(filepath.Join(c.dir, countsLock), flock.SetPermissions(0o600))
	if err := l.Lock(); err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	defer l.Unlock()
	text, err := json.Marshal(line{At: at.Unix(), IDs: ids})
	if err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	f, err := os.OpenFile(c.path(), os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	// A line that a crash cut short ends here, and is passed over by readers.
	last := []byte{'\n'}
	info, err := f.Stat()
	if err == nil && info.Size() > 0 {
		_, err = f.ReadAt(last, info.Size()-1)
	}
	if err == nil {
		if last[0] != '\n' {
			text = append([]byte{'\n'}, text...)
		}
		_, err = f.Write(append(text, '\n'))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	if err := c.refresh(); err != nil {
		return err
	}
	if c.size > maxFile {
		return c.compact()
	}
	return nil
}

func (c *Counts) path() string { return filepath.Join(c.dir, countsFile) }

// refresh reads what was written since the file was last read.
func (c *Counts) refresh() error {
	f, err := os.Open(c.path())
	if errors.Is(err, fs.ErrNotExist) {
		if c.info != nil {
			c.info, c.size, c.by = nil, 0, map[string]Access{}
			c.rev++
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	if c.info == nil || !os.SameFile(c.info, info) || info.Size() < c.size {
		c.size, c.by = 0, map[string]Access{}
		c.rev++
	}
	c.info = info
	if info.Size() == c.size {
		return nil
	}
	r := bufio.NewReader(io.NewSectionReader(f, c.size, info.Size()-c.size))
	for {
		text, err := r.ReadBytes('\n')
		if err != nil {
			return nil // half a line is not there yet
		}
		c.size += int64(len(text))
		var l line
		if json.Unmarshal(bytes.TrimSpace(text), &l) == nil {
			c.apply(l)
		}
	}
}

func (c *Counts) apply(l line) {
	c.rev++
	at := time.Unix(l.At, 0).UTC()
	if l.ID != "" {
		c.by[l.ID] = Access{Hits: l.Hits, Last: at, Energy: unit(l.Energy)}
		return
	}
	for _, id := range l.IDs {
		a := c.by[id]
		// The half-life of an unimportant item: what it means to be important
		// is known where the item is, and counts from its last access on.
		halves := 0.0
		if !a.Last.IsZero() {
			halves = float64(max(at.Sub(a.Last), 0)) / float64(HalfLife)
		}
		a.Hits++
		a.Energy = Reheat(a.Energy * math.Exp2(-halves))
		a.Last = at
		c.by[id] = a
	}
}

// compact rewrites the file as one line an item. The caller holds the lock.
func (c *Counts) compact() error {
	ids := slices.Collect(maps.Keys(c.by))
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(c.by[b].Last.Compare(c.by[a].Last), cmp.Compare(a, b))
	})
	var out bytes.Buffer
	for _, id := range ids[:min(len(ids), maxItems)] {
		a := c.by[id]
		text, err := json.Marshal(line{At: a.Last.Unix(), ID: id, Hits: a.Hits, Energy: a.Energy})
		if err != nil {
			return fmt.Errorf("access counts: %w", err)
		}
		out.Write(append(text, '\n'))
	}
	f, err := os.CreateTemp(c.dir, "."+countsFile+"-*")
	if err != nil {
		return fmt.Errorf("access counts: %w", err)
	}
	_, err = f.Write(out.Bytes())
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), c.path())
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return fmt.Errorf("access counts: %w", err)
	}
	c.info = nil
	return c.refresh()
}
