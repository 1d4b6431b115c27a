package pack

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

// A Request is a message and how much may be said to it.
type Request struct {
	Message string
	// Intent is what the message wants; "" has it detected.
	Intent Intent
	// Caps bound the pack; the zero value is Small. Turns come on top.
	Caps Caps
	// Budget bounds the whole pack, turns and all: the caps are scaled to it. 0
	// leaves them as they are.
	Budget int
	// Turns are the last turns of the conversation at hand, oldest first.
	Turns []Turn
	// Now is the time that recency and "last week" refer to; zero is Config.Now.
	Now time.Time
	// Stale says in a sentence how the index is behind, "" where it is not.
	Stale string
	// Backlog says in a sentence what is not distilled yet, "" where nothing waits.
	Backlog string
}

// A Turn is one of the conversation at hand.
type Turn struct {
	Speaker string `json:"speaker"`
	Text    string `json:"text"`
}

// A Pack is the context for one message.
type Pack struct {
	Intent Intent `json:"intent"`
	// Detected says that the intent was told from the message; where neither
	// that nor the caller said one, it is recall.
	Detected bool `json:"detected"`
	// Refusal says why there is no pack: the message asks for a secret.
	Refusal string `json:"refusal,omitempty"`
	// Text is what an assistant reads, Tokens its length, Budget its cap.
	Text     string    `json:"text"`
	Tokens   int       `json:"tokens"`
	Budget   int       `json:"budget"`
	Sections []Section `json:"sections"`
	// Used are the ids of all items in the pack.
	Used []string `json:"used"`
	// Dropped counts the items that did not fit.
	Dropped int `json:"dropped"`
	// Notice is the line about what was dropped and how fresh the memory is.
	Notice string `json:"notice"`
	// Fresh says that the index was in step with the vault.
	Fresh bool `json:"fresh"`
	// Support is how well what was found fits the message.
	Support Support `json:"support"`
	// Candidates are what was found for the message, for the log of retrievals.
	Candidates []Candidate `json:"-"`
}

// A Section is one kind of item.
type Section struct {
	// Name is what the section is in every intent: profile, pinned, schema,
	// episodes, facts, evidence or turns; Heading is what it is called in this one.
	Name    string `json:"name"`
	Heading string `json:"heading"`
	// Tokens are those of its items, Cap what they may have.
	Tokens int    `json:"tokens"`
	Cap    int    `json:"cap"`
	Items  []Item `json:"items"`
	// Dropped counts the items of the section that did not fit.
	Dropped int `json:"dropped"`
}

// An Item is one thing remembered.
type Item struct {
	// ID asks for all of it (memsync get ID).
	ID   string     `json:"id"`
	Path vault.Path `json:"path"`
	Line int        `json:"line"`
	// Kind is a claim's kind, session, epoch, turn, note or profile.
	Kind string `json:"kind"`
	// Date is when it was last said or happened, "" where nothing is known.
	Date string `json:"date"`
	// Text is the item as it stands in the pack.
	Text string `json:"text"`
	// Uncertain items are marked so in the text.
	Uncertain bool `json:"uncertain"`
	// Changed marks a turn of which a claim was made that holds no more.
	Changed bool `json:"changed"`
	// Relevance is the item's share of the best item's score, 0 where the message
	// did not find it; Priority is what package priority makes of it.
	Relevance float64       `json:"relevance"`
	Priority  float64       `json:"priority"`
	Heat      priority.Heat `json:"heat"`
	Tokens    int           `json:"tokens"`
}

// A Searcher finds what a message is about; *index.Index is one.
type Searcher interface {
	SearchEach(ctx context.Context, q index.Query, parts []index.Part) (index.Result, [][]index.Hit, error)
}

// A Config says how packs are made. Its zero value works.
type Config struct {
	// Redact takes secrets out of a text; previous is the message before it in a
	// chat, which may ask for what it answers, "" for none. Nil takes out every
	// secret that the detector finds.
	Redact func(previous, text string) string
	// Counts are the accesses on this machine; nil is none.
	Counts *priority.Counts
	// Now is the clock; nil leaves times unknown.
	Now func() time.Time
}

// A Maker makes packs of one vault. It may be used by several goroutines.
type Maker struct {
	v   *vault.Vault
	x   Searcher
	cfg Config
	cat catalog

	cleaned  memo[pair, string]
	episodes memo[pair, ofFile[episode]]
	cards    memo[pair, ofFile[Item]]
	words    memo[pair, ofFile[string]]
	counted  memo[string, int]
}

// New returns a Maker. It reads nothing yet.
func New(v *vault.Vault, x Searcher, cfg Config) *Maker {
	if cfg.Redact == nil {
		d := privacy.NewRedactor(privacy.Policy(nil).Strict(), nil)
		cfg.Redact = func(previous, text string) string {
			clean, _ := d.RedactAfter(previous, text)
			return clean
		}
	}
	if cfg.Now == nil {
		cfg.Now = func() time.Time { return time.Time{} }
	}
	m := &Maker{v: v, x: x, cfg: cfg}
	m.cleaned.most, m.episodes.most, m.cards.most, m.words.most = keptTexts, keptFiles, keptFiles, keptFiles
	m.counted.most = keptTexts
	return m
}

// Make puts a pack together.
func (m *Maker) Make(ctx context.Context, r Request) (Pack, error) {
	if strings.TrimSpace(r.Message) == "" {
		return Pack{}, fmt.Errorf("pack: %w", index.ErrEmptyQuery)
	}
	if r.Caps == (Caps{}) {
		r.Caps = Small()
	}
	if r.Now.IsZero() {
		r.Now = m.cfg.Now()
	}
	caps := r.Caps.withTurns(len(r.Turns) > 0)
	if r.Budget > 0 {
		caps = caps.Within(r.Budget)
	}
	p := Pack{Intent: r.Intent, Fresh: r.Stale == "", Sections: []Section{}, Used: []string{}, Budget: caps.Total}
	if p.Intent == "" {
		p.Intent, p.Detected = Detect(r.Message)
	}
	if class, asks := privacy.Asks(r.Message); asks {
		p.Refusal = privacy.Refusal(class)
		return p, nil
	}
	hits, err := m.search(ctx, r, p.Intent, caps)
	if err != nil {
		return Pack{}, fmt.Errorf("pack: %w", err)
	}
	p.Candidates = hits.candidates()
	p.Support = hits.support
	generation := hits.generation
	if r.Stale != "" {
		generation = 0 // the index does not know the vault as it is
	}
	for {
		held, err := m.cat.read(ctx, m, generation)
		if err != nil {
			return Pack{}, fmt.Errorf("pack: %w", err)
		}
		made := p
		f := m.gather(r, caps, hits, held)
		m.fill(&made, f.plan(m, p.Intent, caps), caps.Total, f.until, strings.TrimSpace(sentence(r.Stale)+" "+sentence(r.Backlog)))
		if generation == 0 || held.hold(m, made.ledgers()) {
			return made, nil
		}
		generation = 0 // a ledger was edited a moment ago: look at all of them
	}
}

// ledgers are the paths of the claims in the pack.
func (p *Pack) ledgers() map[vault.Path]bool {
	out := map[vault.Path]bool{}
	for _, s := range p.Sections {
		if s.Name == "pinned" || s.Name == "schema" || s.Name == "facts" {
			for _, it := range s.Items {
				out[it.Path] = true
			}
		}
	}
	return out
}
