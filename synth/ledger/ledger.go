// Package ledger keeps the claims of a vault open for changes: it finds a claim by
// its id or its words, files a new one, adds evidence to one that says the same,
// and tells which notes a pass has to write.
//
// A ledger is a note of the person's. Only the lines that change are touched;
// package vault sees to that. Nothing here writes: Changed returns edits, each with
// the hash of what it is an edit of, for a pass to write and commit.
package ledger

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// A Reader is the vault as the caller sees it.
type Reader interface {
	Layout() vault.Layout
	// Notes reads the notes of one of memsync's folders, in order of their paths.
	Notes(ctx context.Context, folder string) ([]*vault.Note, error)
}

// Books are the ledgers of a vault: schema and facts.
type Books struct {
	layout vault.Layout
	notes  map[vault.Path]*book
	ids    map[string]place
	words  words
}

type book struct {
	note    *vault.Note
	over    vault.Hash
	changed bool
	claims  []vault.Claim // of the note, unless stale
	stale   bool
}

// An Edit is a ledger to be written: Data over the note that Over is the hash of.
type Edit struct {
	Path vault.Path
	Over vault.Hash
	Data []byte
}

// Open reads every ledger of the vault.
func Open(ctx context.Context, r Reader) (*Books, error) {
	b := &Books{layout: r.Layout(), notes: map[vault.Path]*book{}, ids: map[string]place{}, words: newWords()}
	for _, folder := range []string{"schema", "facts"} {
		notes, err := r.Notes(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, n := range notes {
			if !n.IsLedger() {
				continue
			}
			b.notes[n.Path] = &book{note: n.Clone(), over: vault.HashOf(n.Bytes())}
			for _, c := range n.Claims() {
				b.index(n.Path, c)
			}
		}
	}
	return b, nil
}

func (b *Books) index(p vault.Path, c vault.Claim) {
	at := place{p, c.ID, c.Text}
	b.words.add(at)
	if c.ID != "" {
		b.ids[c.ID] = at
	}
}

// Paths are the ledgers, in order.
func (b *Books) Paths() []vault.Path { return slices.Sorted(maps.Keys(b.notes)) }

// Has reports whether there is a ledger at p.
func (b *Books) Has(p vault.Path) bool { return b.notes[p] != nil }

// Hash is the hash of a ledger as it was read.
func (b *Books) Hash(p vault.Path) vault.Hash { return b.notes[p].over }

// Find returns a claim by its id, with its ledger.
func (b *Books) Find(id string) (vault.Claim, vault.Path, bool) {
	at, ok := b.ids[id]
	if !ok || id == "" {
		return vault.Claim{}, "", false
	}
	c, ok := b.notes[at.path].note.Claim(id)
	return c, at.path, ok
}

// parsed are the claims of a ledger, read once between two changes of it.
func (k *book) parsed() []vault.Claim {
	if k.claims == nil || k.stale {
		k.claims, k.stale = k.note.Claims(), false
	}
	return k.claims
}

// InForce are the claims that hold now, ledger by ledger.
func (b *Books) InForce() []vault.Claim {
	var out []vault.Claim
	for _, p := range b.Paths() {
		for _, c := range b.notes[p].parsed() {
			if c.InForce() {
				out = append(out, c)
			}
		}
	}
	return out
}

// Holds reports whether a claim stands in some ledger, by its id or its words.
func (b *Books) Holds(c vault.Claim) bool {
	if _, ok := b.ids[c.ID]; ok && c.ID != "" {
		return true
	}
	return b.words.has(c.Text)
}

// sameClaim is the share of content words from which two claims with the same
// numbers say the same thing.
const sameClaim = 0.8

// Same finds a claim in force that says the same as text in other words.
func (b *Books) Same(text string) (vault.Claim, bool) {
	for _, at := range b.words.near(text, sameClaim) {
		if !extract.SameNumbers(at.text, text) || extract.Denies(at.text, text) {
			continue
		}
		if c, _, ok := b.Find(at.id); ok && c.InForce() || at.id == "" {
			c.Text = at.text
			return c, true
		}
	}
	return vault.Claim{}, false
}

// Sharing are the claims in force that have at least so many content words of a text,
// and at least a share of those of the shorter, as extract.Shared counts them,
// ledger by ledger. The others are not read.
func (b *Books) Sharing(text string, least int, share float64) []vault.Claim {
	at := slices.DeleteFunc(b.words.sharing(text, least, share), func(p place) bool { return p.id == "" })
	slices.SortFunc(at, func(a, b place) int {
		return cmp.Or(strings.Compare(string(a.path), string(b.path)), strings.Compare(a.id, b.id))
	})
	var out []vault.Claim
	for i, p := range at {
		if i > 0 && at[i-1].id == p.id { // one that was reworded has two places
			continue
		}
		for _, c := range b.notes[p.path].parsed() {
			if c.ID == p.id && c.InForce() {
				out = append(out, c)
			}
		}
	}
	return out
}

// Learn adds a claim to the ledger of a topic, or its evidence to a claim that
// says the same. It reports the id under which the claim stands and whether a
// ledger got a new line.
func (b *Books) Learn(domain, topic string, c vault.Claim) (id string, added bool) {
	if _, ok := b.ids[c.ID]; ok {
		b.SeenAgain(c.ID, c)
		return c.ID, false
	}
	if same, ok := b.Same(c.Text); ok {
		b.SeenAgain(same.ID, c)
		return same.ID, false
	}
	b.Add(b.pathOf(domain, topic), domain, topic, c)
	return c.ID, true
}

// Add puts a claim into the ledger at p, which is made where there is none.
func (b *Books) Add(p vault.Path, domain, topic string, c vault.Claim) {
	k := b.notes[p]
	if k == nil {
		k = &book{note: vault.Parse(p, b.newLedger(p, domain, topic)), over: vault.NoFile}
		b.notes[p] = k
	}
	k.note.AddClaim(c)
	k.changed, k.stale = true, true
	b.index(p, c)
}

// Edit changes the note of the ledger in which the claim with the id stands.
func (b *Books) Edit(id string, change func(n *vault.Note) error) error {
	k := b.notes[b.ids[id].path]
	before := k.note.Bytes()
	if err := change(k.note); err != nil {
		return err
	}
	if string(before) != string(k.note.Bytes()) {
		k.changed, k.stale = true, true
	}
	if c, ok := k.note.Claim(id); ok {
		at := b.ids[id]
		if at.text != c.Text {
			at.text = c.Text
			b.ids[id] = at
			b.words.add(at)
		}
	} else {
		delete(b.ids, id)
		b.words.drop(id)
	}
	return nil
}

// pathOf is the ledger of a topic. A topic has one, filed under the domain in
// which it first came up, or where the person moved it and as they call it.
func (b *Books) pathOf(domain, topic string) vault.Path {
	p := b.layout.Facts(domain, topic)
	if b.notes[p] != nil {
		return p
	}
	moved := p
	for _, other := range b.Paths() {
		switch {
		case !other.Under(b.layout.Folder("facts")):
		case b.notes[other].note.ID() == idOf(domain, topic):
			return other
		case moved == p && other.Base() == p.Base() && topic != "general":
			moved = other
		}
	}
	return moved
}

// idOf is the id of the ledger of a topic: whatever becomes of its name, it stays.
func idOf(domain, topic string) string { return "fa-" + vault.Slug(domain) + "-" + vault.Slug(topic) }

// A Topic is what a ledger of facts is about, and the area of life that it is in.
type Topic struct{ Domain, Topic string }

// Topics are those of the ledgers of facts, in order of their paths.
func (b *Books) Topics() []Topic {
	var out []Topic
	for _, p := range b.Paths() {
		if n := b.notes[p].note; p.Under(b.layout.Folder("facts")) {
			out = append(out, Topic{n.Prop("domain"), n.Prop("topic")})
		}
	}
	return out
}

// maxEvidence bounds the quotes that one claim collects.
const maxEvidence = 5

// SeenAgain adds the evidence and the days of c to the claim with the id.
func (b *Books) SeenAgain(id string, c vault.Claim) {
	old, _, ok := b.Find(id)
	if !ok || len(c.From) == 0 {
		return
	}
	link := c.From[0].Link.String()
	if slices.ContainsFunc(old.From, func(e vault.Evidence) bool { return e.Link.String() == link }) || len(old.From) >= maxEvidence {
		return
	}
	_ = b.Edit(id, func(n *vault.Note) error {
		if err := n.SetClaimField(id, "seen", span(old, c)); err != nil {
			return err
		}
		return n.AddEvidence(id, c.From[0])
	})
}

// span is the field of the days between which two claims were seen.
func span(a, b vault.Claim) string {
	first, last := min(a.FirstSeen, b.FirstSeen), max(a.LastSeen, b.LastSeen)
	if a.FirstSeen == "" {
		first, last = b.FirstSeen, b.LastSeen
	}
	if last != first {
		return first + "/" + last
	}
	return first
}

// newLedger is an empty ledger: of facts, or of the person's self-model for a
// place in schema/.
func (b *Books) newLedger(p vault.Path, domain, topic string) []byte {
	if p.Under(b.layout.Folder("schema")) {
		return []byte(vault.FormatFrontMatter(
			vault.NewProperty{Key: "id", Value: vault.Text("sc-" + p.Name())},
			vault.NewProperty{Key: "type", Value: vault.Text(string(vault.TypeSchema))},
			vault.NewProperty{Key: "title", Value: vault.Text(extract.Capital(p.Name()))},
			vault.NewProperty{Key: "tags", Value: vault.List("schema")},
		) + "\n")
	}
	return []byte(vault.FormatFrontMatter(
		vault.NewProperty{Key: "id", Value: vault.Text(idOf(domain, topic))},
		vault.NewProperty{Key: "type", Value: vault.Text(string(vault.TypeFacts))},
		vault.NewProperty{Key: "title", Value: vault.Text(extract.Capital(topic))},
		vault.NewProperty{Key: "domain", Value: vault.Text(domain)},
		vault.NewProperty{Key: "topic", Value: vault.Text(topic)},
		vault.NewProperty{Key: "tags", Value: vault.List("facts")},
	) + "\n")
}

// Changed are the ledgers that got something, in order.
func (b *Books) Changed() []Edit {
	var out []Edit
	for _, p := range b.Paths() {
		if k := b.notes[p]; k.changed {
			out = append(out, Edit{p, k.over, k.note.Bytes()})
		}
	}
	return out
}

// Left is each ledger's hash as it stands now, changed or not.
func (b *Books) Left() map[vault.Path]vault.Hash {
	out := map[vault.Path]vault.Hash{}
	for p, k := range b.notes {
		out[p] = vault.HashOf(k.note.Bytes())
	}
	return out
}
