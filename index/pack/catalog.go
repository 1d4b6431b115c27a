package pack

import (
	"context"
	"io/fs"
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
}

type ledger struct {
	size    int64
	modTime time.Time
	settled bool // the file had not just been written when it was read
	claims  []Claim
}

// racy is how soon after a write a file's time may stay the same through another
// one, as git takes it.
const racy = 2 * time.Second

// Claims reads every claim of the vault with its standing at now, in the order of
// paths and lines. Claims that hold no more are among them.
func (m *Maker) Claims(ctx context.Context, now time.Time) ([]Claim, error) {
	claims, err := m.cat.read(ctx, m.v, m.cfg.Now())
	if err != nil {
		return nil, err
	}
	var counts map[string]priority.Access
	if m.cfg.Counts != nil {
		counts = m.cfg.Counts.All()
	}
	standings := make([]priority.Standing, 0, len(claims))
	var live []int
	for i := range claims {
		c := &claims[i]
		item := priority.Item{Seen: c.Seen(), Importance: priority.Importance(c.Kind, c.Claim.Importance), Pinned: c.Pin != ""}
		s := priority.Weigh(now, item, counts[c.Key()])
		if !c.InForce() {
			s.Heat, s.Energy = priority.Cold, 0
			c.Standing = s
			continue
		}
		live = append(live, i)
		standings = append(standings, s)
	}
	priority.Cap(standings)
	for n, i := range live {
		claims[i].Standing = standings[n]
	}
	return claims, nil
}

// read returns a copy of every claim, without standings. Clock is the time of now.
func (c *catalog) read(ctx context.Context, v *vault.Vault, clock time.Time) ([]Claim, error) {
	var entries []vault.Entry
	for _, folder := range []string{"facts", "schema"} {
		list, err := v.WalkUnder(ctx, v.Layout().Folder(folder))
		if err != nil {
			return nil, err
		}
		entries = append(entries, list...)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := make(map[vault.Path]ledger, len(entries))
	var out []Claim
	for _, e := range entries {
		l, ok := c.ledgers[e.Path]
		if !ok || !l.settled || l.size != e.Size || !l.modTime.Equal(e.ModTime) {
			var err error
			if l, err = readLedger(v, e, clock); err != nil {
				continue // it went away since the folder was read, or is not readable: status says so
			}
		}
		now[e.Path] = l
		out = append(out, l.claims...)
	}
	c.ledgers = now
	return out, nil
}

func readLedger(v *vault.Vault, e vault.Entry, clock time.Time) (ledger, error) {
	before, err := v.Stat(e.Path)
	if err != nil {
		return ledger{}, err
	}
	n, err := v.Note(e.Path)
	if err != nil {
		return ledger{}, err
	}
	l := ledger{size: e.Size, modTime: e.ModTime, settled: settled(v, e.Path, before, clock)}
	if !n.IsLedger() {
		return l, nil
	}
	for _, c := range n.Claims() {
		l.claims = append(l.claims, Claim{Claim: c, Path: e.Path, Domain: n.Prop("domain"), Topic: n.Prop("topic"), seen: seen(c)})
	}
	return l, nil
}

// settled reports whether a file that was just read can be told from its next
// version by its time: nobody wrote it while it was read, nor shortly before.
func settled(v *vault.Vault, p vault.Path, before fs.FileInfo, now time.Time) bool {
	after, err := v.Stat(p)
	return err == nil && after.ModTime().Equal(before.ModTime()) && after.Size() == before.Size() && now.Sub(after.ModTime()) > racy
}

// byKey finds claims by what the index calls them: the ledger's path and the
// block id, or the line for claims without one.
func byKey(claims []Claim) map[string]int {
	out := make(map[string]int, 2*len(claims))
	for i, c := range claims {
		out[place(c.Path, c.ID, c.Line)] = i
	}
	return out
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
