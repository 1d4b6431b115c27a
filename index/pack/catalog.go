package pack

import (
	"context"
	"io/fs"
	"slices"
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
	mu      sync.Mutex
	ledgers map[vault.Path]ledger
	last    *claims
}

type ledger struct {
	stood
	claims []Claim
}

// claims are all of a vault at one moment, in the order of paths and lines. They
// are shared and do not change.
type claims struct {
	all []Claim
	at  map[string]int // by what the index calls them: path and block id, or line
	// changed are the turns of which a claim was made that holds no more, and none
	// that does.
	changed map[string]bool
	day     string // the newest day on which one in force was said
	// generation is that of the index with which the folders were looked at, 0
	// where it is not known or a ledger had just been written.
	generation int64
	ledgers    map[vault.Path]ledger

	mu   sync.Mutex
	live []live   // in force, as they stand at these:
	past []*Claim // no longer in force
	now  time.Time
	rev  int64 // of the counts
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
	out := slices.Clone(held.all)
	for i, s := range m.standings(held.all, now) {
		out[i].Standing = s
	}
	return out, nil
}

// standings works out how each claim stands at now.
func (m *Maker) standings(all []Claim, now time.Time) []priority.Standing {
	var counts map[string]priority.Access
	if m.cfg.Counts != nil {
		counts, _ = m.cfg.Counts.All()
	}
	out := make([]priority.Standing, len(all))
	live := make([]priority.Standing, 0, len(all))
	of := make([]int, 0, len(all))
	for i := range all {
		c := &all[i]
		item := priority.Item{Seen: c.seen, Importance: priority.Importance(c.Kind, c.Claim.Importance), Pinned: c.Pin != ""}
		s := priority.Weigh(now, item, counts[c.Key()])
		if !c.InForce() {
			s.Heat, s.Energy = priority.Cold, 0
			out[i] = s
			continue
		}
		live, of = append(live, s), append(of, i)
	}
	priority.Cap(live)
	for n, i := range of {
		out[i] = live[n]
	}
	return out
}

// standings is the Maker's, to the minute: priorities move by less than anyone could
// tell in it, and working them all out takes longer than choosing among them.
func (c *claims) standings(m *Maker, now time.Time) (inForce []live, past []*Claim) {
	now = now.Truncate(time.Minute)
	rev := int64(0)
	if m.cfg.Counts != nil {
		rev = m.cfg.Counts.Rev()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.live == nil || !c.now.Equal(now) || c.rev != rev {
		c.live, c.past, c.now, c.rev = make([]live, 0, len(c.all)), nil, now, rev
		for i, s := range m.standings(c.all, now) {
			if one := &c.all[i]; one.InForce() {
				c.live = append(c.live, live{one, one.Key(), s})
			} else {
				c.past = append(c.past, one)
			}
		}
	}
	return c.live, c.past
}

// read returns every claim. With the generation of an index that is in step with
// the vault, what was read with the same one is taken for it: the caller checks the
// files of what it takes (see claims.hold). 0 looks at every file.
func (c *catalog) read(ctx context.Context, m *Maker, generation int64) (*claims, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.last != nil && generation != 0 && c.last.generation == generation {
		return c.last, nil
	}
	var entries []vault.Entry
	for _, folder := range []string{"facts", "schema"} {
		list, err := m.v.WalkUnder(ctx, m.v.Layout().Folder(folder))
		if err != nil {
			return nil, err
		}
		entries = append(entries, list...)
	}
	out := &claims{generation: generation, ledgers: make(map[vault.Path]ledger, len(entries))}
	same := c.last != nil && len(entries) == len(c.last.ledgers)
	for _, e := range entries {
		l, ok := c.ledgers[e.Path]
		if !ok || !(stood{size: e.Size, modTime: e.ModTime}).still(l.stood) {
			var err error
			if l, err = m.readLedger(e.Path); err != nil {
				same = false
				continue // it went away since the folder was read, or is not readable: status says so
			}
			same = false
		}
		if !l.settled {
			out.generation = 0
		}
		out.ledgers[e.Path] = l
		out.all = append(out.all, l.claims...)
	}
	c.ledgers = out.ledgers
	if same {
		out.all, out.at, out.day, out.changed = c.last.all, c.last.at, c.last.day, c.last.changed
	} else {
		out.index()
	}
	c.last = out
	return out, nil
}

// index makes what is looked up of the claims.
func (c *claims) index() {
	c.at, c.changed = make(map[string]int, len(c.all)), map[string]bool{}
	var newest time.Time
	for i, one := range c.all {
		c.at[place(one.Path, one.ID, one.Line)] = i
		if !one.InForce() {
			for _, e := range one.From {
				c.changed[e.Link.Target+"#^"+e.Link.Block] = true
			}
		}
		if one.InForce() && one.seen.After(newest) {
			newest = one.seen
		}
	}
	if len(c.changed) > 0 {
		for _, one := range c.all {
			if one.InForce() {
				for _, e := range one.From {
					delete(c.changed, e.Link.Target+"#^"+e.Link.Block)
				}
			}
		}
	}
	c.day = dateOf(newest)
}

// hold reports whether the ledgers at these paths stand as they were read.
func (c *claims) hold(m *Maker, paths map[vault.Path]bool) bool {
	for p := range paths {
		now, ok := m.stands(p)
		if !ok || !now.still(c.ledgers[p].stood) {
			return false
		}
	}
	return true
}

func (m *Maker) readLedger(p vault.Path) (ledger, error) {
	before, ok := m.stands(p)
	if !ok {
		return ledger{}, fs.ErrNotExist
	}
	n, err := m.v.Note(p)
	if err != nil {
		return ledger{}, err
	}
	l := ledger{stood: before}
	if !n.IsLedger() {
		return l, nil
	}
	for _, c := range n.Claims() {
		l.claims = append(l.claims, Claim{Claim: c, Path: p, Domain: n.Prop("domain"), Topic: n.Prop("topic"), seen: seen(c)})
	}
	return l, nil
}

func place(p vault.Path, block string, line int) string {
	if block != "" {
		return string(p) + "#^" + block
	}
	return lineKey(p, line)
}

func lineKey(p vault.Path, line int) string { return string(p) + ":" + strconv.Itoa(line) }

func keyOf(p vault.Path, c vault.Claim) string {
	if c.ID != "" {
		return c.ID
	}
	return lineKey(p, c.Line)
}
