package synth

import (
	"cmp"
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/vault"
)

// What a statement must score to become a claim, and how many a session may
// give. Rules cannot tell what matters as a model can, so they keep to what was
// said outright and can be looked up again.
const (
	factScore       = 0.9
	factsPerSitting = 12
)

// facts files what was said outright as claims, each with its verified quote.
func (r *Runner) facts(ctx context.Context, w *View) (Made, error) {
	books, err := openLedgers(ctx, w)
	if err != nil {
		return Made{}, err
	}
	sessions, err := w.Notes(ctx, "sessions")
	if err != nil {
		return Made{}, err
	}
	sortByStart(sessions)
	var made Made
	gone, err := r.removedClaims(ctx, books)
	if err != nil {
		return Made{}, err
	}
	if gone != nil {
		made.Pages = append(made.Pages, *gone)
	}
	added := 0
	for _, s := range sessions {
		if err := ctx.Err(); err != nil {
			return Made{}, err
		}
		if r.done("facts", s.ID(), s.Prop("end")) {
			continue
		}
		links := vault.Parse(s.Path, []byte("[["+strings.Trim(s.Prop("transcript"), "[]")+"]]")).Links()
		if len(links) == 0 {
			continue
		}
		n, err := w.Note(vault.Path(links[0].Target + ".md"))
		if err != nil {
			made.skip(s.Path, err)
			continue
		}
		t := vault.ParseTranscript(n)
		c := r.readConversation(n)
		for _, st := range lastingStatements(c.said) {
			if claim, ok := r.claim(c, t, st); ok && books.learn(s, claim) {
				added++
			}
		}
		made.Sources = append(made.Sources, string(s.Path))
		made.Done = append(made.Done, Input{s.ID(), s.Prop("end")})
	}
	for _, p := range books.changed() {
		b := books.notes[p]
		made.edit(p, b.over, b.note.Bytes())
	}
	for p, b := range books.notes {
		made.Ledgers = append(made.Ledgers, Input{string(p), string(vault.HashOf(b.note.Bytes()))})
	}
	made.Subject = count(added, "claim") + " in " + count(len(made.Pages), "ledger")
	return made, nil
}

func sortByStart(sessions []*vault.Note) {
	slices.SortStableFunc(sessions, func(a, b *vault.Note) int {
		return cmp.Or(strings.Compare(a.Prop("start"), b.Prop("start")), strings.Compare(string(a.Path), string(b.Path)))
	})
}

// lastingStatements are the statements of a conversation that may become claims,
// the best first, at most factsPerSitting.
func lastingStatements(said []extract.Statement) []extract.Statement {
	var out []extract.Statement
	for _, s := range said {
		if s.Kind.Lasting() && s.Score >= factScore && (s.Kind != extract.Task || dated.MatchString(s.Text)) && !similarToAny(s, out) {
			out = append(out, s)
		}
	}
	slices.SortStableFunc(out, func(a, b extract.Statement) int { return cmp.Compare(b.Score, a.Score) })
	return out[:min(len(out), factsPerSitting)]
}

// dated tells a task that is worth keeping from what somebody says that they
// will try next: it names a day.
var dated = regexp.MustCompile(`(?i)\b(?:\d{4}-\d\d-\d\d|\d{1,2}(?:st|nd|rd|th)?|tomorrow|tonight|next (?:week|month|year)|from now on|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b`)

// claim makes a claim of a statement, after proving that its quote stands in
// the turn that it names.
func (r *Runner) claim(c conversation, t *vault.Transcript, s extract.Statement) (vault.Claim, bool) {
	turn, ok := t.Turn(s.Turn)
	if !ok || !strings.Contains(vault.Fold(turn.Text), s.Quote) {
		return vault.Claim{}, false
	}
	if f := r.cfg.Forgotten; f != nil && (f.Has(s.Text) || f.Has(s.Quote)) {
		return vault.Claim{}, false
	}
	day := cmp.Or(turn.Time.Date(), c.start.Date())
	return vault.Claim{
		ID:         vault.ContentID("f", 6, strings.ToLower(s.Text)),
		Text:       s.Text,
		Kind:       string(s.Kind),
		Confidence: confidence(s),
		Importance: -1,
		FirstSeen:  day,
		LastSeen:   day,
		From:       []vault.Evidence{{Link: vault.LinkToBlock(c.path, s.Turn, ""), Quote: s.Quote}},
	}, true
}

// confidence is how sure the rules are that the statement is of its kind: 0.7,
// and up to 0.9 for statements that name numbers and names.
func confidence(s extract.Statement) float64 { return min(0.9, 0.7+max(0, s.Score-factScore)/2) }

// ledgers are the facts of a vault, open for adding to.
type ledgers struct {
	w      *View
	notes  map[vault.Path]*ledger
	claims map[string]place
	byText []place
}

type ledger struct {
	note    *vault.Note
	over    vault.Hash
	changed bool
}

type place struct {
	path vault.Path
	id   string
	text string
}

func openLedgers(ctx context.Context, w *View) (*ledgers, error) {
	l := &ledgers{w: w, notes: map[vault.Path]*ledger{}, claims: map[string]place{}}
	notes, err := w.Notes(ctx, "facts")
	if err != nil {
		return nil, err
	}
	for _, n := range notes {
		l.open(n)
	}
	return l, nil
}

func (l *ledgers) open(n *vault.Note) *ledger {
	b := &ledger{note: vault.Parse(n.Path, n.Bytes()), over: vault.HashOf(n.Bytes())}
	l.notes[n.Path] = b
	for _, c := range n.Claims() {
		l.remember(n.Path, c)
	}
	return b
}

func (l *ledgers) remember(p vault.Path, c vault.Claim) {
	at := place{p, c.ID, c.Text}
	l.byText = append(l.byText, at)
	if c.ID != "" {
		l.claims[c.ID] = at
	}
}

// sameClaim is the share of content words from which two claims of one kind say
// the same thing.
const sameClaim = 0.8

// learn adds a claim, or adds its evidence to a claim that says the same. It
// reports whether a ledger got a new line.
func (l *ledgers) learn(session *vault.Note, c vault.Claim) bool {
	if at, ok := l.claims[c.ID]; ok {
		l.seenAgain(at, c)
		return false
	}
	for _, at := range l.byText {
		if sameNumbers(at.text, c.Text) && overlap(at.text, c.Text) >= sameClaim {
			l.seenAgain(at, c)
			return false
		}
	}
	domain, topic := session.Prop("domain"), cmp.Or(session.Prop("topic"), "general")
	p := l.pathOf(domain, topic)
	b := l.notes[p]
	if b == nil {
		b = &ledger{note: vault.Parse(p, newLedger(domain, topic))}
		l.notes[p] = b
	}
	b.note.AddClaim(c)
	b.changed = true
	l.remember(p, c)
	return true
}

// pathOf is the ledger of a topic. A topic has one, filed under the domain in
// which it first came up, or where the person moved it.
func (l *ledgers) pathOf(domain, topic string) vault.Path {
	p := l.w.Layout().Facts(domain, topic)
	if l.notes[p] != nil {
		return p
	}
	for _, other := range slices.Sorted(maps.Keys(l.notes)) {
		if other.Base() == p.Base() {
			return other
		}
	}
	return p
}

// seenAgain adds evidence and the day to a claim that is there already.
func (l *ledgers) seenAgain(at place, c vault.Claim) {
	b := l.notes[at.path]
	old, ok := b.note.Claim(at.id)
	if !ok || at.id == "" {
		return
	}
	link := c.From[0].Link.String()
	if slices.ContainsFunc(old.From, func(e vault.Evidence) bool { return e.Link.String() == link }) || len(old.From) >= maxEvidence {
		return
	}
	first, last := min(old.FirstSeen, c.FirstSeen), max(old.LastSeen, c.LastSeen)
	if old.FirstSeen == "" {
		first, last = c.FirstSeen, c.LastSeen
	}
	seen := first
	if last != first {
		seen += "/" + last
	}
	if b.note.SetClaimField(at.id, "seen", seen) == nil && b.note.AddEvidence(at.id, c.From[0]) == nil {
		b.changed = true
	}
}

// maxEvidence bounds the quotes that one claim collects.
const maxEvidence = 5

// sameNumbers reports whether two texts name the same numbers, so that a claim
// with a new figure is never taken for the old one.
func sameNumbers(a, b string) bool { return slices.Equal(numbers(a), numbers(b)) }

func numbers(s string) []string {
	out := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	slices.Sort(out)
	return out
}

func newLedger(domain, topic string) []byte {
	return []byte(vault.FormatFrontMatter(
		vault.NewProperty{Key: "id", Value: vault.Text("fa-" + vault.Slug(domain) + "-" + vault.Slug(topic))},
		vault.NewProperty{Key: "type", Value: vault.Text(string(vault.TypeFacts))},
		vault.NewProperty{Key: "title", Value: vault.Text(upperFirst(topic))},
		vault.NewProperty{Key: "domain", Value: vault.Text(domain)},
		vault.NewProperty{Key: "topic", Value: vault.Text(topic)},
		vault.NewProperty{Key: "tags", Value: vault.List("facts")},
	) + "\n")
}

func upperFirst(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return s
	}
	return strings.ToUpper(string(r[0])) + string(r[1:])
}

// changed lists the ledgers that got something, in order.
func (l *ledgers) changed() []vault.Path {
	var out []vault.Path
	for p, b := range l.notes {
		if b.changed {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}
