// Package recall answers a question from memory, or says that it is not there.
//
// It is a small machine with explicit states: load what is known of the person,
// retrieve, compose, and then either answer or ask for one more recall, at most
// MaxRecalls times, and finish. Each recall carries a structured intent: what to
// look for and why, never free text that steers. Every step goes into a trace.
//
// What a model answers is not believed: an answer must cite items that were put
// before it, or it is taken for "not in memory". Without a model the machine
// returns the evidence and says so. A question for a secret is refused before
// anything is looked up.
package recall

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/memsync/memsync/cmd/internal/answer"
	"github.com/memsync/memsync/index/pack"
)

// MaxRecalls bounds the recalls of one question.
const MaxRecalls = 3

// A State is a step of the machine.
type State string

// The states, in the order in which a question goes through them.
const (
	Load     State = "load_profile"
	Retrieve State = "retrieve"
	Compose  State = "compose_context"
	Decide   State = "answer_or_request_recall"
	Recall   State = "recall_retrieve"
	Finalize State = "finalize"
)

// A Step is one entry of the trace.
type Step struct {
	State State `json:"state"`
	// What says what the step did, in a few words.
	What string `json:"what"`
	// IDs are the items it found or used.
	IDs    []string `json:"ids"`
	Tokens int      `json:"tokens,omitempty"`
}

// An Intent is what one more recall is for.
type Intent struct {
	// Query is what to look for; Types narrow it to kinds of notes.
	Query string   `json:"query"`
	Types []string `json:"types"`
	Since string   `json:"since"`
	Until string   `json:"until"`
	Why   string   `json:"why"`
}

// A Turn is what a model makes of the context: an answer with citations, or one
// more recall.
type Turn struct {
	Answer string   `json:"answer"`
	Cites  []string `json:"cites"`
	Recall *Intent  `json:"recall"`
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
	Recalls   int        `json:"recalls"`
	Fresh     bool       `json:"fresh"`
	Notice    string     `json:"notice"`
	Trace     []Step     `json:"trace"`
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

	blocks []string // of the context
	items  map[string]Citation
	about  bool // something that was found is about the question
}

// Ask answers a question.
func Ask(ctx context.Context, m *answer.Memory, question string, cfg Config) (Result, error) {
	a := &machine{m: m, cfg: cfg, question: question, items: map[string]Citation{}}
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
		case Load, Retrieve, Compose:
			// One pack does all three, within the budgets of its sections.
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
			a.finish()
			return a.r, nil
		}
		if err != nil {
			return a.r, fmt.Errorf("ask: %w", err)
		}
	}
}

func (a *machine) note(s State, what string, ids []string, tokens int) {
	a.r.Trace = append(a.r.Trace, Step{State: s, What: what, IDs: append([]string{}, ids...), Tokens: tokens})
}

// pack loads the profile, retrieves summaries and words, and composes them.
func (a *machine) pack(ctx context.Context) error {
	p, err := a.m.Context(ctx, answer.ContextRequest{Message: a.question, Intent: string(pack.Recall), Preset: a.cfg.Preset})
	if err != nil {
		return err
	}
	a.r.Fresh, a.r.Notice = p.Fresh, p.Notice
	for _, s := range p.Sections {
		var ids []string
		for _, it := range s.Items {
			ids = append(ids, it.ID)
			a.items[it.ID] = Citation{ID: it.ID, Path: string(it.Path), Line: it.Line, Text: strings.TrimSpace(it.Text)}
			if it.Relevance > 0 {
				a.about = true
			}
		}
		state := Retrieve
		if s.Name == "profile" || s.Name == "pinned" {
			state = Load
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
		a.note(Decide, "no language model is set: the evidence is the answer", nil, 0)
		return nil, nil
	}
	last := a.r.Recalls >= MaxRecalls
	turn, err := a.cfg.Model.Answer(ctx, a.question, strings.Join(a.blocks, "\n"), last)
	if err != nil {
		// The evidence is still an answer.
		a.note(Decide, "the language model did not answer: "+a.m.Clean(err.Error()), nil, 0)
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

// bracketed are citations within an answer's text: ids in brackets.
var bracketed = regexp.MustCompile(`[\[(]([A-Za-z0-9][^\s\[\]()]*)[\])]`)

// cite keeps the citations of an answer that name what was found, and drops the
// answer where none does.
func (a *machine) cite(t Turn) {
	cites := slices.Clone(t.Cites)
	for _, m := range bracketed.FindAllStringSubmatch(t.Answer, -1) {
		cites = append(cites, m[1])
	}
	seen := map[string]bool{}
	var unknown []string
	for _, id := range cites {
		c, ok := a.items[id]
		if !ok && !seen[id] && slices.Contains(t.Cites, id) {
			unknown = append(unknown, id)
		}
		if ok && !seen[id] {
			a.r.Citations = append(a.r.Citations, c)
		}
		seen[id] = true
	}
	if len(unknown) > 0 {
		a.note(Decide, "citations of nothing that was found are dropped", unknown, 0)
	}
	if text := strings.TrimSpace(a.m.Clean(t.Answer)); text != "" && len(a.r.Citations) > 0 {
		a.r.Outcome, a.r.Answer = Answered, text
		return
	}
	a.r.Citations = []Citation{}
	a.r.Outcome = NotInMemory
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
		a.about = true
	}
	a.blocks = append(a.blocks, b.String())
	a.note(Recall, a.m.Clean(in.Query), ids, 0)
	return nil
}

// finish says what became of the question, counts what was cited and logs it.
func (a *machine) finish() {
	switch {
	case a.r.Outcome == Answered:
		var ids []string
		for _, c := range a.r.Citations {
			ids = append(ids, c.ID)
		}
		_ = a.m.Touch(ids...) // an answer that cannot be counted is one
	case a.r.Outcome == NotInMemory || !a.about:
		a.r.Outcome, a.r.Answer = NotInMemory, "This is not in memory."
	default:
		a.r.Outcome, a.r.Answer = Evidence, strings.Join(a.blocks, "\n")
		for _, id := range sorted(a.items) {
			a.r.Citations = append(a.r.Citations, a.items[id])
		}
	}
	a.note(Finalize, a.r.Outcome, nil, 0)
	a.log()
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
		At: a.m.Now(), Kind: "ask", Query: a.r.Question, Candidates: []answer.Candidate{}, Picked: append([]string{}, picked...),
		Recalls: a.r.Recalls, Outcome: a.r.Outcome, Refused: a.r.Outcome == Refused,
	})
}
