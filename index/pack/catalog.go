package pack

import (
	"context"
	"maps"
	"strconv"
	"sync"
	"time"

	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
)

// A Claim is a line of a ledger and how it stands.
type Claim struct {
	vault.Claim
	Path   vault.Path
	Domain string
	Topic  string
	priority.Standing

	seen time.Time
}

// Key is the claim's id, or path:line for a line without one.
func (c Claim) Key() string { return keyOf(c.Path, c.Claim) }

// Seen is the day on which the claim was last said, zero where none is known.
func (c Claim) Seen() time.Time { return c.seen }

// seen reads the day once: reading it for every pack would take most of its time.
func seen(c vault.Claim) time.Time {
	for _, text := range []string{c.LastSeen, c.FirstSeen} {
		if s, err := vault.ParseStamp(text); err == nil && !s.IsZero() {
			return s.Time
		}
	}
	return time.Time{}
}

// A catalog holds the ledgers as they were last read, so that a pack reads only
// those that changed.
type catalog struct {
	mu   sync.Mutex
	last *claims
}

// claims are all of a vault at one moment and the files that they were read from.
// They are shared and do not change.
type claims struct {
	*book
	// generation is that of the index with which the folders were looked at, 0
	// where it is not known.
	generation int64
	ledgers    map[vault.Path]reading
	young      []vault.Path // had just been written when they were read
}

// racy is how soon after a write a file's time may stay the same through another
// one, as git takes it.
const racy = 2 * time.Second

// Claims reads every claim of the vault with its standing at now, in the order of
// paths and lines. Claims that hold no more are among them.
func (m *Maker) Claims(ctx context.Context, now time.Time) ([]Claim, error) {
	held, err := m.cat.read(ctx, m, 0)
	if err != nil {
		return nil, err
	}
	out := make([]Claim, len(held.all))
	for i, s := range m.standings(held.all, now) {
		out[i] = *held.all[i]
		out[i].Standing = s
	}
	return out, nil
}

// read returns every claim. With the generation of an index that is in step with
// the vault, what was read with the same one is taken for it: the caller checks the
// files of what it takes (see claims.hold). 0 looks at every file.
func (c *catalog) read(ctx context.Context, m *Maker, generation int64) (*claims, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && generation != 0 && c.last.generation == generation {
		if aged, same := c.last.age(m); same {
			c.last = aged
			return aged, nil
		}
	}
	var entries []vault.Entry
	for _, folder := range []string{"facts", "schema"} {
		list, err := m.v.WalkUnder(ctx, m.v.Layout().Folder(folder))
		if err != nil {
			return nil, err
		}
		entries = append(entries, list...)
	}
	old := c.last
	if old == nil {
		old = &claims{}
	}
	out := &claims{generation: generation, ledgers: make(map[vault.Path]reading, len(entries))}
	list := make([]*ledger, 0, len(entries))
	same := old.book != nil
	for _, e := range entries {
		was, known := old.ledgers[e.Path]
		r := was
		if !known || !(stood{size: e.Size, modTime: e.ModTime}).still(was.stood) {
			var err error
			if r, err = m.readLedger(e.Path, was); err != nil {
				continue // it went away since the folder was read, or is not readable: status says so
			}
		}
		same = same && r.ledger == was.ledger
		if !r.settled {
			out.young = append(out.young, e.Path)
		}
		out.ledgers[e.Path] = r
		list = append(list, r.ledger)
	}
	if same && len(out.ledgers) == len(old.ledgers) {
		out.book = old.book
	} else {
		out.book = bind(list)
	}
	c.last = out
	return out, nil
}

// age looks again at the ledgers that had just been written when they were read: a
// file's time may stay the same through another write. It returns the claims as
// they are to be kept, and false where one of the ledgers is another now.
func (c *claims) age(m *Maker) (aged *claims, same bool) {
	aged = c
	for _, p := range c.young {
		was := c.ledgers[p]
		r, err := m.readLedger(p, was)
		if err != nil || r.ledger != was.ledger {
			return nil, false
		}
		if r.stood == was.stood {
			continue
		}
		if aged == c {
			aged = &claims{book: c.book, generation: c.generation, ledgers: maps.Clone(c.ledgers)}
		}
		aged.ledgers[p] = r
	}
	if aged != c {
		for _, p := range c.young {
			if !aged.ledgers[p].settled {
				aged.young = append(aged.young, p)
			}
		}
	}
	return aged, true
}

// hold reports whether the ledgers at these paths stand as they were read.
func (c *claims) hold(m *Maker, paths map[vault.Path]bool) bool {
	for p := range paths {
		was := c.ledgers[p]
		if now, ok := m.stands(p); ok && now.still(was.stood) {
			continue
		}
		if r, err := m.readLedger(p, was); err != nil || r.ledger != was.ledger {
			return false
		}
	}
	return true
}

func keyOf(p vault.Path, c vault.Claim) string {
	if c.ID != "" {
		return c.ID
	}
	return string(p) + ":" + strconv.Itoa(c.Line)
}
