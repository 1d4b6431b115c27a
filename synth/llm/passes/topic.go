package passes

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/llm"
)

// A Session is a session's summary as a model reads it.
type Session struct {
	// ID is what the pass cites it by.
	ID string
	// Date is YYYY-MM-DD.
	Date        string
	Title, Text string
}

// A Narrative is a topic in time order.
type Narrative struct {
	// Entries are in the order of their sessions; each rests on one.
	Entries []Line    `json:"entries"`
	Shifts  []Shift   `json:"shifts"`
	Drops   []Dropped `json:"dropped"`
}

// A Shift is how something moved between two sessions, the earlier first. The
// dates are the sessions'.
type Shift struct {
	Before, After    string
	From, To         string // the sessions' ids
	FromDate, ToDate string
}

// MaxSessions is how many sessions a narrative is made of at once (source 3:
// 20 to 50 summaries a cluster).
const MaxSessions = 50

var topicSchema = &llm.Schema{Name: "topic", Fields: []llm.Field{
	{Name: "entries", Type: llm.Type{Kind: llm.List, Max: MaxSessions, Items: &llm.Type{Kind: llm.Object, Fields: []llm.Field{
		{Name: "session", About: "id of the session", Type: llm.Type{Kind: llm.String, Max: 80}},
		{Name: "text", About: "one or two sentences", Type: llm.Type{Kind: llm.String, Max: 600}},
	}}}},
	{Name: "shifts", Type: llm.Type{Kind: llm.List, Max: 12, Items: &llm.Type{Kind: llm.Object, Fields: []llm.Field{
		{Name: "from", About: "id of the earlier session", Type: llm.Type{Kind: llm.String, Max: 80}},
		{Name: "to", About: "id of the later session", Type: llm.Type{Kind: llm.String, Max: 80}},
		{Name: "before", Type: llm.Type{Kind: llm.String, Max: 160}},
		{Name: "after", Type: llm.Type{Kind: llm.String, Max: 160}},
	}}}},
}}

type topicReply struct {
	Entries []struct {
		Session string `json:"session"`
		Text    string `json:"text"`
	} `json:"entries"`
	Shifts []struct {
		From   string `json:"from"`
		To     string `json:"to"`
		Before string `json:"before"`
		After  string `json:"after"`
	} `json:"shifts"`
}

type topicData struct{ Topic, Sessions llm.Data }

// Topic writes the narrative of a topic from at most MaxSessions sessions.
func (w Writer) Topic(ctx context.Context, name string, sessions []Session) (Narrative, error) {
	if len(sessions) == 0 || len(sessions) > MaxSessions {
		return Narrative{}, errors.New("topic: a narrative is made of 1 to 50 sessions")
	}
	sessions = slices.Clone(sessions)
	slices.SortStableFunc(sessions, func(a, b Session) int { return cmp.Compare(a.Date, b.Date) })
	texts, place := map[string]string{}, map[string]int{}
	for i, s := range sessions {
		texts[s.ID], place[s.ID] = s.Title+"\n"+s.Text+"\n"+s.Date, i
	}
	var out Narrative
	data := topicData{llm.NewData(name), sessionsText(sessions)}
	_, err := ask(ctx, w, "topic", topicSchema, llm.DefaultMaxTokens, data, func(r *topicReply) error {
		var d drops
		out = Narrative{}
		var said []Line
		for _, e := range r.Entries {
			said = append(said, Line{e.Text, []string{e.Session}})
		}
		out.Entries = w.lines(said, texts, &d)
		slices.SortStableFunc(out.Entries, func(a, b Line) int { return place[a.From[0]] - place[b.From[0]] })
		for _, s := range r.Shifts {
			before, after := w.lines([]Line{{s.Before, []string{s.From}}}, texts, &d), w.lines([]Line{{s.After, []string{s.To}}}, texts, &d)
			if len(before) == 0 || len(after) == 0 {
				continue
			}
			from, to := place[before[0].From[0]], place[after[0].From[0]]
			if sessions[from].Date >= sessions[to].Date {
				d.add(s.Before+" → "+s.After, "a shift goes from an earlier day to a later one")
				continue
			}
			out.Shifts = append(out.Shifts, Shift{before[0].Text, after[0].Text, sessions[from].ID, sessions[to].ID, sessions[from].Date, sessions[to].Date})
		}
		out.Drops = d
		if len(out.Entries) == 0 {
			return d.sentence("entry")
		}
		return nil
	})
	if err != nil {
		return Narrative{}, err
	}
	return out, nil
}

func sessionsText(sessions []Session) llm.Data {
	var parts []string
	for _, s := range sessions {
		parts = append(parts, "["+s.ID+"] "+s.Date+", "+s.Title+"\n"+s.Text)
	}
	return llm.NewData(strings.Join(parts, "\n\n"))
}

var epochSchema = &llm.Schema{Name: "epoch", Fields: []llm.Field{
	{Name: "bullets", Type: llm.Type{Kind: llm.List, Max: 12, Items: &lineType}},
}}

type epochReply struct {
	Bullets []Line `json:"bullets"`
}

type epochData struct {
	Month    string
	Sessions llm.Data
}

// EpochBullets is how many bullets a month comes to at most.
const EpochBullets = 10

// Epoch says what a month came to; each bullet rests on sessions of it.
func (w Writer) Epoch(ctx context.Context, month string, sessions []Session) ([]Line, []Dropped, error) {
	texts := map[string]string{}
	for _, s := range sessions {
		texts[s.ID] = s.Title + "\n" + s.Text + "\n" + s.Date
	}
	var out []Line
	var d drops
	_, err := ask(ctx, w, "epoch", epochSchema, 1600, epochData{llm.Clip(month, 30), sessionsText(sessions)}, func(r *epochReply) error {
		d = nil
		out = w.lines(r.Bullets, texts, &d)
		out = out[:min(len(out), EpochBullets)]
		if len(out) == 0 {
			return d.sentence("bullet")
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return out, d, nil
}
