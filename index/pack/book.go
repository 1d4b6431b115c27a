package pack

import (
	"io/fs"
	"strconv"
	"sync"
	"time"

	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
)

// A ledger is one file's claims. It does not change: a file with other bytes is
// another ledger.
type ledger struct {
	hash   vault.Hash
	claims []Claim
	at     map[string]int // by block id, or by line for a claim without one
	day    time.Time      // the newest on which a claim in force was said
	// held and past are the turns that prove claims in force, and those that hold
	// no more.
	held, past []turnRef
}

// A turnRef names a turn as a claim's evidence does.
type turnRef struct{ note, block string }

// A reading is a ledger and how its file stood when it was read.
type reading struct {
	stood
	*ledger
}

// readLedger reads the file at p. One with the same bytes as before is the same
// ledger.
func (m *Maker) readLedger(p vault.Path, before reading) (reading, error) {
	s, ok := m.stands(p)
	if !ok {
		return reading{}, fs.ErrNotExist
	}
	raw, err := m.v.Read(p)
	if err != nil {
		return reading{}, err
	}
	hash := vault.HashOf(raw)
	if before.ledger != nil && before.hash == hash {
		return reading{s, before.ledger}, nil
	}
	return reading{s, newLedger(vault.Parse(p, raw), hash)}, nil
}

func newLedger(n *vault.Note, hash vault.Hash) *ledger {
	l := &ledger{hash: hash, at: map[string]int{}}
	if !n.IsLedger() {
		return l
	}
	domain, topic := n.Prop("domain"), n.Prop("topic")
	for i, c := range n.Claims() {
		l.claims = append(l.claims, Claim{Claim: c, Path: n.Path, Domain: domain, Topic: topic, seen: seen(c)})
		l.at[within(c.ID, c.Line)] = i
		for _, e := range c.From {
			if turn := (turnRef{e.Link.Target, e.Link.Block}); c.InForce() {
				l.held = append(l.held, turn)
			} else {
				l.past = append(l.past, turn)
			}
		}
		if one := l.claims[i]; c.InForce() && one.seen.After(l.day) {
			l.day = one.seen
		}
	}
	return l
}

// within is what a claim is called in its ledger, and by the index.
func within(block string, line int) string {
	if block != "" {
		return "^" + block
	}
	return strconv.Itoa(line)
}

// A book is what is looked up of all claims together. It is shared, and does not
// change but for what it keeps.
type book struct {
	all []*Claim // in the order of paths and lines
	// changed are the turns of which a claim was made that holds no more, and none
	// that does.
	changed map[turnRef]bool
	day     string // the newest day on which one in force was said

	mu    sync.Mutex
	stood *lives // as they stand at these:
	now   time.Time
	rev   int64 // of the counts
}

// A live claim is one in force and how it stands.
type live struct {
	*Claim
	key string
	now priority.Standing
}

// lives are the claims of a book by how they stand at one moment. They do not change.
type lives struct {
	of     map[*Claim]*live
	kinds  map[string][]*live
	pinned []*live
	past   []*Claim // no longer in force
}

// bind makes one book of all ledgers.
func bind(ledgers []*ledger) *book {
	b := &book{changed: map[turnRef]bool{}}
	n := 0
	var newest time.Time
	for _, l := range ledgers {
		n += len(l.claims)
		for _, turn := range l.past {
			b.changed[turn] = true
		}
		if l.day.After(newest) {
			newest = l.day
		}
	}
	b.day, b.all = dateOf(newest), make([]*Claim, 0, n)
	for _, l := range ledgers {
		for i := range l.claims {
			b.all = append(b.all, &l.claims[i])
		}
		if len(b.changed) > 0 {
			for _, turn := range l.held {
				delete(b.changed, turn)
			}
		}
	}
	return b
}

// standings are the Maker's, to the minute: priorities move by less than anyone could
// tell in it, and working them all out takes longer than choosing among them.
func (b *book) standings(m *Maker, now time.Time) *lives {
	now = now.Truncate(time.Minute)
	rev := int64(0)
	if m.cfg.Counts != nil {
		rev = m.cfg.Counts.Rev()
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.stood != nil && b.now.Equal(now) && b.rev == rev {
		return b.stood
	}
	out := &lives{of: make(map[*Claim]*live, len(b.all)), kinds: map[string][]*live{}}
	held := make([]live, 0, len(b.all))
	for i, s := range m.standings(b.all, now) {
		c := b.all[i]
		if !c.InForce() {
			out.past = append(out.past, c)
			continue
		}
		held = append(held, live{c, c.Key(), s})
		l := &held[len(held)-1]
		out.of[c], out.kinds[c.Kind] = l, append(out.kinds[c.Kind], l)
		if c.Pin != "" {
			out.pinned = append(out.pinned, l)
		}
	}
	b.stood, b.now, b.rev = out, now, rev
	return out
}

// standings works out how each claim stands at now.
func (m *Maker) standings(all []*Claim, now time.Time) []priority.Standing {
	var counts map[string]priority.Access
	if m.cfg.Counts != nil {
		counts, _ = m.cfg.Counts.All()
	}
	out := make([]priority.Standing, len(all))
	live := make([]priority.Standing, 0, len(all))
	of := make([]int, 0, len(all))
	for i, c := range all {
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
