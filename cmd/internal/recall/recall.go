// Package recall answers a question from memory, or says that it is not there.
//
// It is a small machine with explicit states: load what is known of the person,
// retrieve, compose, and then either answer or ask for one more recall, at most
// MaxRecalls times, and finish. Each recall carries a structured intent: what to
// look for and why, never free text that steers. Every step goes into a trace.
//
// Two things keep it from guessing. What was found must fit the question (see
// floor), or the question is not in memory, whoever answers. And what a model
// answers is not believed: each sentence must cite items that were put before it,
// or it is dropped. Without a model the machine returns the evidence and says so. A
// question for a secret is refused before anything is looked up.
package recall

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/index/pack"
	"github.com/memsync/memsync/vault/tokens"
)

// MaxRecalls bounds the recalls of one question.
const MaxRecalls = 3

// A State is a step of the machine.
type State string

// The states, in the order in which a question goes through them.
const (
	Load      State = "load_profile"
	Summaries State = "retrieve_summaries"
	Raw       State = "retrieve_raw"
	Compose   State = "compose_context"
	Decide    State = "answer_or_request_recall"
	Recall    State = "recall_retrieve"
	Finalize  State = "finalize"
)

// A Step is one entry of the trace.
type Step = answer.Step

// An Intent is what one more recall is for.
type Intent struct {
	// Query is what to look for; Types narrow it to kinds of notes.
	Query string   `json:"query"`
	Types []string `json:"types"`
	Since string   `json:"since"`
	Until string   `json:"until"`
	Why   string   `json:"why"`
}

// A Turn is what a model makes of the context: an answer in sentences, or one more
// recall, or neither where it does not know.
type Turn struct {
	Sentences []Sentence `json:"sentences"`
	Recall    *Intent    `json:"recall"`
}

// A Sentence of an answer and the ids of the items that prove it.
type Sentence struct {
	Text  string   `json:"text"`
	Cites []string `json:"cites"`
}

// A Model answers from a context. Last says that it may not ask for another
// recall.
type Model interface {
	Answer(ctx context.Context, question, context string, last bool) (Turn, error)
}

// Outcomes of a question.
const (
	Answered    = "answered"
	Evidence    = "evidence"      // no model: what was found
	NotInMemory = "not_in_memory" // nothing was found, or nothing that proves an answer
	Refused     = "refused"
)

// A Result is what became of a question.
type Result struct {
	Question string `json:"question"`
	// Outcome is answered, evidence, not_in_memory or refused.
	Outcome string `json:"outcome"`
	// Answer is the answer, the evidence, or why there is none.
	Answer string `json:"answer"`
	// Citations are the items that the answer stands on, checked to be among
	// those that were found.
	Citations []Citation `json:"citations"`
	// Dropped counts the sentences of a model that were not proved.
	Dropped int `json:"dropped,omitempty"`
	Recalls int `json:"recalls"`
	// Support is how well what was found fits the question; below the floor it is
	// not in memory. Tokens is what was put before the model, or found.
	Support pack.Support `json:"support"`
	Tokens  int          `json:"tokens"`
	// Note says why no model answered where one was asked, or that none is set.
	Note   string `json:"note,omitempty"`
	Fresh  bool   `json:"fresh"`
	Notice string `json:"notice"`
	Trace  []Step `json:"trace"`
}

// A Citation is an item that an answer stands on.
type Citation struct {
	ID   string `json:"id"`
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Config says how questions are answered. Model may be nil.
type Config struct {
	Model Model
	// Preset is small or large.
	Preset string
}

// A machine is one question on its way.
type machine struct {
	m        *answer.Memory
	cfg      Config
	question string
	r        Result

	began  time.Time
	blocks []string // of the context
	items  map[string]Citation
	found  []string // the texts of the items of the pack
	asked  []answer.Candidate
	// builtin says that cosines are those of the built-in model.
	builtin bool
	chunks  int // of the index
}

// Ask answers a question.
func Ask(ctx context.Context, m *answer.Memory, question string, cfg Config) (Result, error) {
	a := &machine{m: m, cfg: cfg, question: question, items: map[string]Citation{}, began: m.Now()}
	a.r = Result{Question: m.Clean(question), Citations: []Citation{}, Trace: []Step{}}
	if err := answer.Refuse(question); err != nil {
		a.r.Outcome, a.r.Answer = Refused, err.Error()
		a.note(Finalize, "the question asks for a secret", nil, 0)
		a.log()
		return a.r, nil
	}
	var next *Intent
	for state := Load; ; {
		var err error
		switch state {
		case Load, Summaries, Raw, Compose:
			// One pack does all four, within the budgets of its sections.
			err = a.pack(ctx)
			state = Decide
		case Decide:
			next, err = a.decide(ctx)
			state = Finalize
			if next != nil {
				state = Recall
			}
		case Recall:
			err = a.recall(ctx, *next)
			state = Decide
		case Finalize:
			a.finish(ctx)
			return a.r, nil
		}
		if err != nil {
			return a.r, fmt.Errorf("ask: %w", err)
		}
	}
}

func (a *machine) note(s State, what string, ids []string, tokens int) {
	a.r.Trace = append(a.r.Trace, Step{State: string(s), What: what, IDs: append([]string{}, ids...), Tokens: tokens})
}

// pack loads the profile, retrieves summaries and words, and composes them.
func (a *machine) pack(ctx context.Context) error {
	p, err := a.m.Pack(ctx, answer.ContextRequest{Message: a.question, Intent: string(pack.Recall), Preset: a.cfg.Preset})
	if err != nil {
		return err
	}
	a.r.Fresh, a.r.Notice, a.r.Support, a.r.Tokens = p.Fresh, p.Notice, p.Support, p.Tokens
	a.asked = answer.CandidatesOf(p)
	if st, err := a.m.Status(ctx); err == nil {
		a.builtin, a.chunks = strings.HasPrefix(st.Model, builtinModel), st.Chunks
	}
	for _, s := range p.Sections {
		var ids []string
		for _, it := range s.Items {
			ids = append(ids, it.ID)
			a.items[it.ID] = Citation{ID: it.ID, Path: string(it.Path), Line: it.Line, Text: strings.TrimSpace(it.Text)}
			a.found = append(a.found, bare(it))
		}
		state := Summaries
		switch s.Name {
		case "profile", "pinned":
			state = Load
		case "evidence":
			state = Raw
		}
		a.note(state, s.Heading, ids, s.Tokens)
	}
	a.blocks = append(a.blocks, p.Text)
	a.note(Compose, "the context", p.Used, p.Tokens)
	return nil
}

// decide has the model answer, or ask for one more recall. Without a model there
// is nothing to decide.
func (a *machine) decide(ctx context.Context) (*Intent, error) {
	if a.cfg.Model == nil {
		a.r.Note = "no language model is set: the evidence is the answer"
		a.note(Decide, a.r.Note, nil, 0)
		return nil, nil
	}
	last := a.r.Recalls >= MaxRecalls
	turn, err := a.cfg.Model.Answer(ctx, a.question, strings.Join(a.blocks, "\n"), last)
	if err != nil {
		// The evidence is still an answer.
		a.r.Note = "the language model did not answer, the evidence is the answer: " + a.m.Clean(err.Error())
		a.note(Decide, a.r.Note, nil, 0)
		a.cfg.Model = nil
		return nil, ctx.Err()
	}
	if turn.Recall != nil && strings.TrimSpace(turn.Recall.Query) != "" && !last {
		a.note(Decide, "one more recall: "+a.m.Clean(turn.Recall.Why), nil, 0)
		return turn.Recall, nil
	}
	a.cite(turn)
	return nil, nil
}

// recalled is how many hits one recall brings.
const recalled = 8

func (a *machine) recall(ctx context.Context, in Intent) error {
	a.r.Recalls++
	if err := answer.Refuse(in.Query); err != nil {
		a.note(Recall, "refused: it asks for a secret", nil, 0)
		return nil
	}
	reply, err := a.m.Query(ctx, answer.Query{Query: in.Query, Limit: recalled, Types: in.Types, Since: in.Since, Until: in.Until})
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		a.note(Recall, "it could not be done: "+a.m.Clean(err.Error()), nil, 0)
		return nil
	}
	var ids []string
	var b strings.Builder
	b.WriteString("Found for " + a.m.Clean(in.Query) + ":\n")
	for _, h := range reply.Results {
		if h.Superseded {
			continue
		}
		id := h.ID
		if _, block, ok := strings.Cut(id, "#^"); ok && (h.Type == "facts" || h.Type == "schema") {
			id = block
		}
		ids = append(ids, id)
		line := "- " + h.Summary + " (" + id + ")"
		if _, known := a.items[id]; !known {
			a.items[id] = Citation{ID: id, Path: string(h.Path), Line: h.Line, Text: line}
		}
		b.WriteString(line + "\n")
	}
	n := tokens.Count(b.String())
	a.blocks = append(a.blocks, b.String())
	a.r.Tokens += n
	a.r.Support = a.r.Support.With(reply.Support)
	a.note(Recall, a.m.Clean(in.Query), ids, n)
	return nil
}

// finish says what became of the question, counts what was cited and logs it.
func (a *machine) finish(ctx context.Context) {
	fits := a.fits()
	switch {
	case a.r.Outcome == Answered && fits:
		var ids []string
		for _, c := range a.r.Citations {
			ids = append(ids, c.ID)
		}
		_ = a.m.Touch(ids...) // an answer that cannot be counted is one
	case a.r.Outcome == NotInMemory || a.r.Outcome == Answered || !a.evident(ctx, fits):
		a.r.Outcome, a.r.Answer, a.r.Citations = NotInMemory, "This is not in memory.", []Citation{}
	default:
		a.r.Outcome, a.r.Answer = Evidence, strings.Join(a.blocks, "\n")
		for _, id := range sorted(a.items) {
			a.r.Citations = append(a.r.Citations, a.items[id])
		}
	}
	a.note(Finalize, a.r.Outcome, nil, 0)
	a.log()
}

// evident reports whether the evidence can be the answer, given whether it fits.
func (a *machine) evident(ctx context.Context, fits bool) bool {
	if !fits && !compounded(ctx, a.question, a.found) {
		return false
	}
	why := doubted(ctx, a.question, a.found)
	if why != "" {
		a.note(Decide, why, nil, 0)
	}
	return why == ""
}

// bare is the text of an item without what says when it was and how it is called:
// the date of a claim is no number that it states.
func bare(it pack.Item) string {
	text := it.Text
	if at := strings.Index(text, it.ID); it.ID != "" && at >= 0 {
		if open := strings.LastIndex(text[:at], " ("); open >= 0 {
			if end := strings.Index(text[at:], ")"); end >= 0 {
				text = text[:open] + text[at+end+1:]
			}
		}
	}
	return text
}

func sorted(items map[string]Citation) []string {
	ids := make([]string, 0, len(items))
	for id := range items {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

func (a *machine) log() {
	var picked []string
	for _, c := range a.r.Citations {
		picked = append(picked, c.ID)
	}
	a.m.Note(answer.Record{
		At: a.began, Kind: "ask", Query: a.r.Question, Candidates: append([]answer.Candidate{}, a.asked...), Picked: append([]string{}, picked...),
		Recalls: a.r.Recalls, Outcome: a.r.Outcome, Refused: a.r.Outcome == Refused, Tokens: a.r.Tokens,
		TookMS: float64(a.m.Now().Sub(a.began).Microseconds()) / 1000, Trace: a.r.Trace,
	})
}
