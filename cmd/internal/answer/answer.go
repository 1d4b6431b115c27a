// Package answer answers for one open vault: it searches, packs contexts, gives
// out items by their ids, and keeps a log of what it was asked.
//
// The command line, HTTP and the recall loop are faces of it, so that they cannot
// say different things. Two rules hold for every answer: it is redacted as
// strictly as can be, whatever the person keeps in the vault, and a question for
// a secret is refused; and it says how fresh it is.
package answer

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/index/priority"
	"github.com/memsync/memsync/index/rank"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/privacy"
)

// An Index is what is asked; *index.Index is one.
type Index interface {
	Search(ctx context.Context, q index.Query) (index.Result, error)
	SearchEach(ctx context.Context, q index.Query, parts []index.Part) (index.Result, [][]index.Hit, error)
	Get(ctx context.Context, id string) ([]index.Item, error)
	Status(ctx context.Context) (index.Status, error)
}

// A Config says what a Memory works with. Vault, Index, Redact and Now are needed.
type Config struct {
	Vault *vault.Vault
	Index Index
	// Redact takes every secret out of a text; previous is the message before it,
	// "" for none.
	Redact func(previous, text string) string
	Now    func() time.Time
	// State is the vault's state folder, for counts of accesses; "" keeps none.
	State string
	// Log keeps a record of what was asked; nil keeps none.
	Log *Log
	// Stale says in a sentence how the index is behind the vault, "" where it is
	// in step; nil where it always is.
	Stale func(ctx context.Context) string
	// Backlog says in a sentence what is imported and not distilled yet, "" where
	// nothing is; nil where nothing ever is.
	Backlog func() string
	// Limit and Mode are those of a query that says none.
	Limit int
	Mode  rank.Mode
}

// A Memory answers. It may be used by several goroutines.
type Memory struct {
	cfg    Config
	maker  *pack.Maker
	counts *priority.Counts
}

// New makes a Memory. It opens nothing.
func New(cfg Config) *Memory {
	m := &Memory{cfg: cfg}
	if cfg.State != "" {
		m.counts = priority.OpenCounts(cfg.State)
	}
	m.maker = pack.New(cfg.Vault, cfg.Index, pack.Config{Redact: cfg.Redact, Counts: m.counts, Now: cfg.Now})
	return m
}

// Maker makes the packs.
func (m *Memory) Maker() *pack.Maker { return m.maker }

// Vault is what is remembered.
func (m *Memory) Vault() *vault.Vault { return m.cfg.Vault }

// Now is the time.
func (m *Memory) Now() time.Time { return m.cfg.Now() }

// Access is how an item was asked for on this machine.
func (m *Memory) Access(id string) priority.Access {
	if m.counts == nil {
		return priority.Access{}
	}
	return m.counts.Of(id)
}

// Stale says how the index is behind the vault, "" where it is in step.
func (m *Memory) Stale(ctx context.Context) string {
	if m.cfg.Stale == nil {
		return ""
	}
	return m.cfg.Stale(ctx)
}

// Clean is text without secrets.
func (m *Memory) Clean(text string) string { return m.cfg.Redact("", text) }

// A RefusedError says why a question is not answered.
type RefusedError struct {
	Class  privacy.Class
	Reason string
}

func (e *RefusedError) Error() string { return e.Reason }

// Refuse returns a *RefusedError for a question that asks for a secret.
func Refuse(question string) error {
	if class, asks := privacy.Asks(question); asks {
		return &RefusedError{class, privacy.Refusal(class)}
	}
	return nil
}

// A Query asks for what is in the notes.
type Query struct {
	Query string `json:"query"`
	// Limit is how many hits are wanted, 1 to 100; 0 is the settings'.
	Limit int `json:"limit"`
	// Mode is hybrid, keyword or vector; "" is the settings'.
	Mode    string   `json:"mode"`
	Types   []string `json:"types"`
	Sources []string `json:"sources"`
	Domains []string `json:"domains"`
	Tags    []string `json:"tags"`
	// Since and Until are days or times, "" without bound.
	Since string `json:"since"`
	Until string `json:"until"`
}

// A Reply is the answer to a Query.
type Reply struct {
	Results []Hit  `json:"results"`
	Mode    string `json:"mode"`
	// Fresh says that the index was in step with the vault; Notes are sentences
	// about what is missing, stale or degraded.
	Fresh  bool     `json:"fresh"`
	Notes  []string `json:"notes"`
	TookMS float64  `json:"took_ms"`
	// Support is how well the best of the hits fits the query.
	Support pack.Support `json:"support"`
}

// A Hit is one thing that was found.
type Hit struct {
	ConversationID string `json:"conversation_id"`
	Title          string `json:"title"`
	// Summary is the summary of a session, and for everything else the part of
	// its text that is nearest to the query.
	Summary   string  `json:"summary"`
	Provider  string  `json:"provider"`
	CreatedAt string  `json:"created_at"`
	Score     float64 `json:"score"`

	ID         string     `json:"id"`
	Path       vault.Path `json:"path"`
	Line       int        `json:"line"`
	Type       string     `json:"type"`
	Speaker    string     `json:"speaker"`
	MessageIDs []string   `json:"message_ids"`
	Superseded bool       `json:"superseded"`
}

// MaxLimit bounds how many hits one query may ask for.
const MaxLimit = 100

// A BadRequestError says what is wrong with a question.
type BadRequestError struct{ Reason string }

func (e *BadRequestError) Error() string { return e.Reason }

func badRequest(format string, args ...any) error {
	return &BadRequestError{fmt.Sprintf(format, args...)}
}

var modes = map[string]rank.Mode{"hybrid": rank.Hybrid, "keyword": rank.Keyword, "vector": rank.Vector}

// Query answers a query.
func (m *Memory) Query(ctx context.Context, q Query) (Reply, error) {
	began := m.cfg.Now()
	if strings.TrimSpace(q.Query) == "" {
		return Reply{}, badRequest("query: it is empty")
	}
	iq := index.Query{Text: q.Query, Limit: q.Limit, Mode: m.cfg.Mode, Types: q.Types, Sources: q.Sources, Domains: q.Domains, Tags: q.Tags}
	if q.Limit == 0 {
		iq.Limit = m.cfg.Limit
	}
	if q.Limit < 0 || q.Limit > MaxLimit {
		return Reply{}, badRequest("limit: %d is outside 1 to %d", q.Limit, MaxLimit)
	}
	if q.Mode != "" {
		var ok bool
		if iq.Mode, ok = modes[q.Mode]; !ok {
			return Reply{}, badRequest("mode: %q is none of hybrid, keyword, vector", q.Mode)
		}
	}
	var err error
	if iq.Since, err = day("since", q.Since, 0); err != nil {
		return Reply{}, err
	}
	if iq.Until, err = day("until", q.Until, 1); err != nil {
		return Reply{}, err
	}
	if err := Refuse(q.Query); err != nil {
		return Reply{}, err
	}
	stale := m.Stale(ctx)
	found, err := m.cfg.Index.Search(ctx, iq)
	if err != nil {
		return Reply{}, err
	}
	r := Reply{Results: []Hit{}, Mode: found.Mode.String(), Fresh: stale == "", Notes: append([]string{}, found.Notes...)}
	r.Support = pack.SupportOf(found.Hits)
	if stale != "" {
		r.Notes = append(r.Notes, stale)
	}
	for _, h := range found.Hits {
		r.Results = append(r.Results, m.hit(h))
	}
	took := m.cfg.Now().Sub(began)
	r.TookMS = millis(took)
	m.cfg.Log.add(searchRecord(m.Clean(q.Query), found, took, began))
	return r, nil
}

func (m *Memory) hit(h index.Hit) Hit {
	out := Hit{
		ConversationID: h.ConversationID, Title: m.Clean(h.Title), Summary: m.Clean(h.Snippet), Provider: h.Provider,
		CreatedAt: rfc3339(h.Time), Score: h.Score, ID: h.ID, Path: h.Path, Line: h.Line, Type: h.Type, Speaker: h.Speaker,
		MessageIDs: h.MessageIDs, Superseded: h.Superseded,
	}
	if h.Type == string(vault.TypeSession) {
		if n, err := m.cfg.Vault.Note(h.Path); err == nil {
			out.Summary = m.Clean(vault.Fold(vault.Visible(string(n.Body()))))
		}
	}
	return out
}

// day reads a bound, a day or a moment; the end of a day is the beginning of the
// next.
func day(field, text string, later int) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	s, err := vault.ParseStamp(text)
	if err != nil {
		return time.Time{}, badRequest("%s: %q is not a day such as 2025-09-01", field, text)
	}
	if len(text) == len("2006-01-02") {
		return s.Time.AddDate(0, 0, later), nil
	}
	return s.Time, nil
}

func rfc3339(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Status says what the index holds.
func (m *Memory) Status(ctx context.Context) (index.Status, error) { return m.cfg.Index.Status(ctx) }
