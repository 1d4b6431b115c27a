package passes

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/llm"
)

// An Item is one sentence of a summary and the turn that proves it.
type Item struct {
	Text string `json:"text"`
	Turn string `json:"turn"`
	// Open says that it was left unresolved.
	Open bool `json:"open,omitempty"`
}

// A Summary is what a session came to.
type Summary struct {
	Items  []Item    `json:"items"`
	Topics []string  `json:"topics"`
	Drops  []Dropped `json:"dropped"`
}

// Text is the summary as prose, without its proofs.
func (s Summary) Text() string {
	var lines []string
	for _, it := range s.Items {
		lines = append(lines, it.Text)
	}
	return strings.Join(lines, " ")
}

var sessionSchema = &llm.Schema{Name: "session_summary", Fields: []llm.Field{
	{Name: "items", About: "the summary, a sentence each", Type: llm.Type{Kind: llm.List, Max: 12, Items: &llm.Type{Kind: llm.Object, Fields: []llm.Field{
		{Name: "turn", About: "id of the turn that proves it, such as t0012", Type: llm.Type{Kind: llm.String, Max: 40}},
		{Name: "kind", Type: llm.Type{Kind: llm.String, Enum: []string{"fact", "event", "decision", "opinion", "outcome", "open"}}},
		{Name: "text", About: "one sentence", Type: llm.Type{Kind: llm.String, Max: 600}},
	}}}},
	{Name: "key_topics", About: "short noun phrases", Type: llm.Type{Kind: llm.List, Max: 8, Items: &llm.Type{Kind: llm.String, Max: 80}}},
}}

type sessionReply struct {
	Items []struct {
		Turn string `json:"turn"`
		Kind string `json:"kind"`
		Text string `json:"text"`
	} `json:"items"`
	KeyTopics []string `json:"key_topics"`
}

type sessionData struct {
	Cap   int
	Title llm.Data
	Date  string
	Prior *llm.Data
	Turns llm.Data
}

// Summarise writes the summary of a session in at most most tokens, leaving out
// what the prior summaries say already. Each item names a turn of the conversation
// and rests on it. A conversation beyond the window is summarised in parts, and
// the parts' items once more.
func (w Writer) Summarise(ctx context.Context, c Conversation, prior []string, most int) (Summary, error) {
	parts := c.parts(w.window())
	if len(parts) == 1 {
		return w.summarise(ctx, c, c, prior, most)
	}
	items, drops := c, []Dropped{}
	items.Turns = nil
	var counted error
	for _, p := range parts {
		s, err := w.summarise(ctx, p, c, prior, most)
		if errors.Is(err, llm.ErrCounted) {
			counted = err
			continue
		}
		if err != nil {
			return Summary{}, err
		}
		drops = append(drops, s.Drops...)
		for _, it := range s.Items {
			sender := ""
			if t, ok := c.turn(it.Turn); ok {
				sender = t.Sender
			}
			items.Turns = append(items.Turns, Turn{ID: it.Turn, Sender: sender, Text: it.Text})
		}
	}
	if counted != nil {
		return Summary{}, counted
	}
	s, err := w.summarise(ctx, items, c, prior, most)
	s.Drops = append(drops, s.Drops...)
	return s, err
}

// summarise asks for the summary of c, whose items must rest on turns of whole.
func (w Writer) summarise(ctx context.Context, c, whole Conversation, prior []string, most int) (Summary, error) {
	req, err := w.summaryRequest(c, prior, most)
	if err != nil {
		return Summary{}, err
	}
	var out Summary
	_, err = llm.Ask(ctx, w.Model, req, func(r *sessionReply) (err error) {
		out, err = w.readSummary(r, whole, most)
		return err
	})
	if err != nil {
		return Summary{}, fmt.Errorf("session: %w", err)
	}
	return out, nil
}

// SummaryRequest is what Summarise asks first, for a batch. It reports false for a
// conversation beyond the window, which takes several requests.
func (w Writer) SummaryRequest(c Conversation, prior []string, most int) (llm.Request, bool, error) {
	if len(c.parts(w.window())) > 1 {
		return llm.Request{}, false, nil
	}
	req, err := w.summaryRequest(c, prior, most)
	return req, err == nil, err
}

// ReadSummary reads the reply to SummaryRequest as Summarise does.
func (w Writer) ReadSummary(reply llm.Reply, c Conversation, most int) (Summary, error) {
	var out Summary
	_, err := llm.Read(reply, sessionSchema, func(r *sessionReply) (err error) {
		out, err = w.readSummary(r, c, most)
		return err
	})
	return out, err
}

func (w Writer) summaryRequest(c Conversation, prior []string, most int) (llm.Request, error) {
	data := sessionData{Cap: most, Title: llm.NewData(c.Title), Date: day(c.Date), Turns: c.text()}
	if len(prior) > 0 {
		d := llm.NewData(strings.Join(prior, "\n\n"))
		data.Prior = &d
	}
	return w.request("session", sessionSchema, 4*most+400, data)
}

// readSummary keeps of a reply what rests on turns of a conversation.
func (w Writer) readSummary(r *sessionReply, whole Conversation, most int) (Summary, error) {
	var d drops
	var out Summary
	for _, it := range r.Items {
		text := line(it.Text)
		turn, ok := whole.turn(it.Turn)
		if !ok {
			d.add(text, "it names a turn that is not there")
			continue
		}
		near := append(whole.near(turn.ID), whole.Title, whole.Date)
		switch why := w.fault(text); {
		case why != "":
			d.add(text, why)
		case ungrounded(text, near...) != "":
			d.add(text, "a name or a number in it does not stand in the turn that it names")
		case unrelated(text, near...):
			d.add(text, "it has hardly a word of the turn that it names")
		case repeats(text, out.Items):
			d.add(text, "it repeats another item")
		default:
			out.Items = append(out.Items, Item{Text: text, Turn: turn.ID, Open: it.Kind == "open"})
		}
	}
	out.Items = within(out.Items, most, func(it Item) string { return it.Text }, &d)
	out.Topics, out.Drops = w.topics(r.KeyTopics, whole, out.Items), d
	if len(out.Items) == 0 {
		return out, d.sentence("item")
	}
	return out, nil
}

func repeats(text string, items []Item) bool {
	for _, it := range items {
		if same(text, it.Text) {
			return true
		}
	}
	return false
}

// topics keeps the noun phrases that the conversation is about: words of an item that
// was taken, of the title, or of two turns. A word of one pasted page is not enough.
func (w Writer) topics(names []string, c Conversation, items []Item) []string {
	said := c.Title
	for _, it := range items {
		said += "\n" + it.Text
	}
	var all []string
	for _, t := range c.Turns {
		all = append(all, t.Text)
	}
	all = append(all, c.Title)
	out := []string{}
	for _, n := range names {
		n = line(n)
		if n == "" || len(n) > 60 || len(strings.Fields(n)) > 6 || ungrounded("A "+n, all...) != "" || unrelated(n, all...) || w.Secret != nil && w.Secret(n) || strings.ContainsAny(n, "[]<>{}|#") {
			continue
		}
		holders := 0
		for _, t := range all {
			if sharesWord(n, t) {
				holders++
			}
		}
		if len(out) < 5 && (holders > 1 || sharesWord(n, said)) {
			out = append(out, n)
		}
	}
	return out
}

// sharesWord reports whether a text has a word of a phrase.
func sharesWord(phrase, text string) bool {
	text = " " + extract.PhraseKey(text) + " "
	for w := range strings.FieldsSeq(extract.PhraseKey(phrase)) {
		if !extract.StopWord(w) && strings.Contains(text, " "+w+" ") {
			return true
		}
	}
	return false
}
