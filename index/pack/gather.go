package pack

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/chunk"
	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/lazyregexp"
)

// How much is looked at for a pack. Each is several times what a small pack has
// room for; a large one asks for largeFactor times as much.
const (
	claimHits    = 40
	sessionHits  = 16
	evidenceHits = 24
	largeFactor  = 8
)

// weak is the share of the best hit's score below which a hit is not about the
// message: it shares a common word with it and little else.
const weak = 0.4

// found is everything that may go into a pack.
type found struct {
	profile  []Item
	claims   *lives             // of the vault
	about    []*live            // those that the message found
	relevant map[string]float64 // by Claim.Key
	sessions items              // best first
	decided  map[string]bool    // ids of the sessions read in which something was decided
	evidence items              // best first
	turns    []Item             // newest first
	until    string             // the day up to which memory reaches
}

// hits are what a search found for each kind of section, best first.
type hits struct {
	claims, sessions, evidence []index.Hit
	generation                 int64
	support                    Support
}

// search finds what the message is about.
func (m *Maker) search(ctx context.Context, r Request, intent Intent, caps Caps) (hits, error) {
	factor := 1
	if caps.Episodes > Small().Episodes {
		factor = largeFactor
	}
	parts := []index.Part{
		{Limit: claimHits * factor, Types: []string{string(vault.TypeFacts), string(vault.TypeSchema)}},
		{Limit: sessionHits * factor, Types: []string{string(vault.TypeSession), string(vault.TypeEpoch)}},
	}
	if wantsEvidence(intent, r.Message) && caps.Evidence > 0 {
		parts = append(parts, index.Part{Limit: evidenceHits * factor})
	}
	res, lists, err := m.x.SearchEach(ctx, index.Query{Text: r.Message, Now: r.Now, Bare: true}, parts)
	if err != nil {
		return hits{}, err
	}
	var support Support
	for i, list := range lists {
		support = support.With(SupportOf(list))
		if len(list) > 0 {
			floor := weak * list[0].Score
			lists[i] = slices.DeleteFunc(list, func(h index.Hit) bool { return h.Score < floor })
		}
	}
	h := hits{claims: lists[0], sessions: lists[1], generation: res.Generation, support: support}
	if len(lists) > 2 {
		h.evidence = lists[2]
	}
	return h, nil
}

// gather reads what a pack is made of.
func (m *Maker) gather(r Request, caps Caps, h hits, held *claims) *found {
	f := &found{relevant: map[string]float64{}, decided: map[string]bool{}}
	m.claimsOf(f, held, h.claims, r.Now)
	m.sessionsOf(f, h.sessions, r.Now)
	m.evidenceOf(f, held, answersLast(h.evidence))
	m.profileOf(f, caps.Profile > Small().Profile)
	m.turnsOf(f, r.Turns)
	f.until = max(held.day, m.updated())
	for _, h := range h.sessions {
		f.until = max(f.until, dateOf(h.Time))
	}
	return f
}

// share is a hit's score as a share of the best one's.
func share(h index.Hit, all []index.Hit) float64 { return shareOf(h.Score, all[0].Score) }

func shareOf(score, best float64) float64 {
	if best > 0 {
		return min(max(score/best, 0), 1)
	}
	return 0
}

// answersLast puts what the person said before what an assistant answered to it,
// where both were found: an answer holds the question's words and others, so it is
// often nearer to the message, but what is true of the person stands in the
// question.
func answersLast(hits []index.Hit) []index.Hit {
	out := slices.Clone(hits)
	for i := 0; i < len(out); i++ {
		h := out[i]
		if h.Kind != chunk.Turn || h.Speaker != assistant {
			continue
		}
		for j := i + 1; j < len(out); j++ {
			if asked := out[j]; asked.Path == h.Path && asked.Speaker != assistant && follows(asked.Turn, h.Turn) {
				copy(out[i+1:j+1], out[i:j])
				out[i] = asked
				i++
				break
			}
		}
	}
	return out
}

// assistant is how transcripts call one.
const assistant = "assistant"

// follows reports whether the turn named next comes right after the one named turn.
func follows(turn, next string) bool {
	a, okA := ordinal(turn)
	b, okB := ordinal(next)
	return okA && okB && b == a+1
}

// ordinal is the number in a turn's block id, such as t0012.
func ordinal(block string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(block, "t"))
	return n, err == nil && strings.HasPrefix(block, "t")
}

func (m *Maker) claimsOf(f *found, held *claims, hits []index.Hit, now time.Time) {
	f.claims = held.standings(m, now)
	for _, h := range hits {
		l := held.ledgers[h.Path].ledger
		if l == nil || h.Kind != chunk.Claim {
			continue // deleted since, or prose between the claims
		}
		i, ok := l.at[within(h.Turn, h.Line)]
		if !ok {
			continue
		}
		c := &l.claims[i]
		key := c.Key()
		f.relevant[key] = max(f.relevant[key], share(h, hits))
		if one := f.claims.of[c]; one != nil && f.relevant[key] > 0 && !slices.Contains(f.about, one) {
			f.about = append(f.about, one)
		}
	}
}

func (m *Maker) sessionsOf(f *found, hits []index.Hit, now time.Time) {
	decisions := map[string]bool{} // transcripts in which something was decided
	for _, c := range f.about {
		if c.Kind == "decision" {
			for _, e := range c.From {
				decisions[e.Link.Target] = true
			}
		}
	}
	taken := map[vault.Path]bool{}
	var list []index.Hit
	for _, h := range hits {
		if !taken[h.Path] && !h.Path.Under(m.v.Layout().Folder("archive")) {
			taken[h.Path] = true
			list = append(list, h)
		}
	}
	f.sessions = items{len(list), func(i int) (Item, bool) {
		h := list[i]
		e, ok := remembered(m, &m.episodes, h.Path, "", func() (episode, bool) { return m.readEpisode(h.Path) })
		if !ok {
			return Item{}, false
		}
		it := e.Item
		s := e.standing(now, m.access(it.ID))
		it.Priority, it.Heat, it.Relevance = s.Priority, s.Heat, share(h, hits)
		if e.transcript != "" && decisions[e.transcript] {
			f.decided[it.ID] = true
		}
		return it, true
	}}
}

// An episode is the summary of a session or a month.
type episode struct {
	Item
	transcript string // what it sums up
	standing   func(now time.Time, a priority.Access) priority.Standing
}

func (m *Maker) readEpisode(p vault.Path) (episode, bool) {
	n, err := m.v.Note(p)
	if err != nil {
		return episode{}, false
	}
	e := episode{Item: Item{
		ID: n.ID(), Path: n.Path, Line: n.Line(n.BodyStart()), Kind: string(n.Type()), Date: dayOf(n.Prop("start"), n.Prop("created"), n.Prop("date")),
	}}
	text := strings.TrimPrefix(strings.TrimSpace(vault.Visible(string(n.Body()))), "- ")
	e.Text = m.clean(n.Title() + ": " + vault.Fold(strings.ReplaceAll(text, "\n- ", " · ")))
	if links := vault.Parse("", []byte("[["+strings.Trim(n.Prop("transcript"), "[]")+"]]")).Links(); len(links) > 0 {
		e.transcript = links[0].Target
	}
	item := sessionItem(n)
	e.standing = func(now time.Time, a priority.Access) priority.Standing { return priority.Weigh(now, item, a) }
	return e, true
}

func (m *Maker) access(id string) priority.Access {
	if m.cfg.Counts == nil {
		return priority.Access{}
	}
	return m.cfg.Counts.Of(id)
}

// dayOf is the day of the first text that is a date or a time.
func dayOf(texts ...string) string {
	for _, t := range texts {
		if s, err := vault.ParseStamp(t); err == nil && !s.IsZero() {
			return s.Date()
		}
	}
	return ""
}

// clean is text as it may be packed: secrets and what programs injected are out,
// and nothing in it ends the pack.
func (m *Maker) clean(text string) string { return m.cleanAfter("", text) }

// cleanAfter is clean for a turn, with the one before it as context.
func (m *Maker) cleanAfter(previous, text string) string {
	if clean, ok := m.cleaned.get(pair{previous, text}); ok {
		return clean
	}
	clean := m.cfg.Redact(previous, vault.StripInjected(strings.ToValidUTF8(text, "\uFFFD")))
	clean = ownTag.ReplaceAllString(clean, "")
	if len(previous)+len(text) <= longText {
		m.cleaned.put(pair{previous, text}, clean)
	}
	return clean
}

// ownTag are the tags around a pack. Text from notes must not open or close one.
var ownTag = lazyregexp.New(`(?i)<\s*/?\s*memsync-context[^>\n]*>?`)

// profileOf reads the profile card; with more room also how the person thinks
// and writes.
func (m *Maker) profileOf(f *found, more bool) {
	l := m.v.Layout()
	for _, p := range []vault.Path{l.Profile(), l.User()} {
		if p == l.User() && !more {
			continue
		}
		card, ok := remembered(m, &m.cards, p, "", func() (Item, bool) {
			n, err := m.v.Note(p)
			if err != nil {
				return Item{}, false
			}
			body := strings.TrimSpace(m.clean(Critical(n) + vault.Visible(string(n.Body()))))
			return Item{ID: n.ID(), Path: p, Line: n.Line(n.BodyStart()), Kind: string(n.Type()), Date: dayOf(n.Prop("updated")), Text: body}, true
		})
		if ok && card.Text != "" {
			f.profile = append(f.profile, card)
		}
	}
}

// elsewhere are the types that have sections of their own, or are made of what
// has.
var elsewhere = []vault.Type{vault.TypeFacts, vault.TypeSchema, vault.TypeSession, vault.TypeEpoch, vault.TypeBoot, vault.TypeProfile, vault.TypeUser, vault.TypeTopic, vault.TypeProposal}

func (m *Maker) evidenceOf(f *found, held *claims, hits []index.Hit) {
	best := 0.0
	for _, h := range hits {
		best = max(best, h.Score)
	}
	taken := map[string]bool{}
	var list []index.Hit
	for _, h := range hits {
		if !slices.Contains(elsewhere, vault.Type(h.Type)) && !taken[h.ID] && strings.TrimSpace(h.Text) != "" {
			taken[h.ID] = true
			list = append(list, h)
		}
	}
	read := map[vault.Path]*vault.Transcript{}
	f.evidence = items{len(list), func(i int) (Item, bool) {
		h := list[i]
		it := Item{ID: h.ID, Path: h.Path, Line: h.Line, Kind: "note", Date: dateOf(h.Time), Relevance: shareOf(h.Score, best)}
		text, who := "", h.Title
		if h.Kind == chunk.Turn {
			it.Kind, who = "turn", h.Speaker
			it.Changed = held.changed[turnRef{strings.TrimSuffix(string(h.Path), ".md"), h.Turn}]
			var ok bool
			key := h.Turn + " " + strconv.Itoa(h.Span.Start) + " " + strconv.Itoa(h.Span.End)
			if text, ok = remembered(m, &m.words, h.Path, key, func() (string, bool) { return m.verbatim(read, h) }); !ok {
				return Item{}, false
			}
		} else {
			text = m.clean(h.Text)
		}
		it.Text = quoted(m.clean(vault.Fold(who)), text, m)
		return it, it.Text != ""
	}}
}

// quoted is who said something and the words, behind a line break. They are looked
// at together: a title may say what a bare word is.
func quoted(who, text string, m *Maker) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return m.clean(who + ":\n" + text)
}

// largeTranscript is the size in bytes from which on a transcript is not read for
// one turn's words.
const largeTranscript = 4 << 20

// verbatim reads what a hit found as it stands in the transcript now. Transcripts
// that were read are kept in read.
func (m *Maker) verbatim(read map[vault.Path]*vault.Transcript, h index.Hit) (string, bool) {
	t := read[h.Path]
	if t == nil {
		info, err := m.v.Stat(h.Path)
		if err != nil || info.Size() > largeTranscript {
			return "", false
		}
		n, err := m.v.Note(h.Path)
		if err != nil {
			return "", false
		}
		t = vault.ParseTranscript(n)
		read[h.Path] = t
	}
	at := slices.IndexFunc(t.Turns, func(p vault.PlacedTurn) bool { return p.ID == h.Turn })
	if at < 0 {
		return "", false
	}
	turn, previous := t.Turns[at], ""
	if at > 0 {
		previous = t.Turns[at-1].Text
	}
	text := turn.Text
	if raw := t.Bytes(); turn.Form == vault.Verbatim && h.Span.Start > turn.Body.Start && h.Span.Start < h.Span.End && h.Span.End <= min(turn.Body.End, len(raw)) {
		text = string(h.Span.Cut(raw)) // a part of a long turn
	}
	return m.cleanAfter(previous, text), true
}

func dateOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02")
}

func (m *Maker) turnsOf(f *found, turns []Turn) {
	for i, t := range slices.Backward(turns) {
		previous := ""
		if i > 0 {
			previous = turns[i-1].Text
		}
		who := m.clean(vault.Fold(cmp.Or(t.Speaker, "user")))
		if text := quoted(who, m.cleanAfter(previous, t.Text), m); text != "" {
			f.turns = append(f.turns, Item{Kind: "turn", Text: text})
		}
	}
}

// updated is the day on which the overview was last brought up to date.
func (m *Maker) updated() string {
	boot := m.v.Layout().Boot()
	day, _ := remembered(m, &m.words, boot, "updated", func() (string, bool) {
		raw, err := m.v.Head(boot)
		return dayOf(vault.Parse(boot, raw).Prop("updated")), err == nil
	})
	return day
}
