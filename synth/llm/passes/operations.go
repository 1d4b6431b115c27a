package passes

import (
	"context"
	"errors"
	"strings"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault/tokens"
)

// Actions on memory, as the model names them.
var opNames = []string{"create", "update", "supersede", "delete", "pin"}

// The model's operations are one flat list, which weak models get right more
// often than five nested ones, and name no transcript: that is known.
var opsSchema = &llm.Schema{Name: "operations", Fields: []llm.Field{
	{Name: "operations", Type: llm.Type{Kind: llm.List, Max: 40, Items: &llm.Type{Kind: llm.Object, Fields: []llm.Field{
		{Name: "turn", About: "id of the turn that proves it, such as t0012", Type: llm.Type{Kind: llm.String, Max: 40}},
		{Name: "quote", About: "words of that turn, copied exactly", Type: llm.Type{Kind: llm.String, Max: 600}},
		{Name: "op", Type: llm.Type{Kind: llm.String, Enum: opNames}},
		{Name: "id", About: "the known claim, for all but create", Type: llm.Type{Kind: llm.String, Optional: true, Max: 80}},
		{Name: "kind", Type: llm.Type{Kind: llm.String, Optional: true, Enum: ops.Kinds}},
		{Name: "text", About: "the claim, one sentence", Type: llm.Type{Kind: llm.String, Optional: true, Max: 400}},
		{Name: "domain", About: "work, health, relationships, finance, learning, travel, home, leisure or general", Type: llm.Type{Kind: llm.String, Optional: true, Max: 60}},
		{Name: "topic", Type: llm.Type{Kind: llm.String, Optional: true, Max: 60}},
		{Name: "confidence", About: "0 to 1", Type: llm.Type{Kind: llm.Number, Optional: true, Share: true}},
	}}}},
}}

type opsReply struct {
	Operations []struct {
		Turn       string   `json:"turn"`
		Quote      string   `json:"quote"`
		Op         string   `json:"op"`
		ID         *string  `json:"id"`
		Kind       *string  `json:"kind"`
		Text       *string  `json:"text"`
		Domain     *string  `json:"domain"`
		Topic      *string  `json:"topic"`
		Confidence *float64 `json:"confidence"`
	} `json:"operations"`
}

type opsData struct {
	Known        *llm.Data
	Title, Turns llm.Data
	Date         string
}

// Operations proposes memory operations from a conversation. They are for
// ops.Apply, which proves each of them; here only what cannot be an operation at
// all is dropped: one that lacks its text or its claim, or whose text has a name
// or a number that its turn and the turns beside it lack. An empty answer is a
// good one.
func (w Writer) Operations(ctx context.Context, c Conversation, known []Claim) (ops.Operations, []Dropped, error) {
	var all ops.Operations
	var dropped []Dropped
	var counted error
	for _, part := range c.parts(w.window()) {
		o, d, err := w.operations(ctx, part, known)
		if errors.Is(err, llm.ErrCounted) {
			counted = err
			continue
		}
		if err != nil {
			return ops.Operations{}, nil, err
		}
		dropped = append(dropped, d...)
		all.Create, all.Update = append(all.Create, o.Create...), append(all.Update, o.Update...)
		all.Supersede = append(all.Supersede, o.Supersede...)
		all.Delete, all.Pin = append(all.Delete, o.Delete...), append(all.Pin, o.Pin...)
	}
	return all, dropped, counted
}

func (w Writer) operations(ctx context.Context, c Conversation, known []Claim) (ops.Operations, []Dropped, error) {
	data := opsData{Title: llm.NewData(c.Title), Date: day(c.Date), Turns: c.text()}
	texts := map[string]string{}
	if len(known) > 0 {
		var lines []string
		for _, k := range known {
			texts[k.ID] = k.Text
			lines = append(lines, "["+k.ID+"] "+k.Kind+": "+k.Text)
		}
		d := llm.NewData(strings.Join(lines, "\n"))
		data.Known = &d
	}
	var out ops.Operations
	var d drops
	_, err := ask(ctx, w, "operations", opsSchema, w.opsTokens(c), data, func(r *opsReply) error {
		out, d = ops.Operations{SchemaVersion: ops.Version}, nil
		for _, o := range r.Operations {
			text, id := line(value(o.Text)), strings.Trim(strings.TrimSpace(value(o.ID)), "^[]")
			turn, ok := c.turn(o.Turn)
			why := ""
			switch {
			case !ok:
				why = "it names a turn that is not there"
			case o.Op != "create" && texts[id] == "":
				why = "it names a claim that is not there"
			case (o.Op == "create" || o.Op == "supersede") && (text == "" || value(o.Kind) == ""):
				why = "it lacks its text or its kind"
			case text != "" && (o.Op == "create" || o.Op == "supersede" || o.Op == "update"):
				if why = w.fault(text); why == "" && ungrounded(text, append(c.near(turn.ID), texts[id], c.Date)...) != "" {
					why = "a name or a number in it does not stand in the turn that it names"
				}
			}
			if why != "" {
				d.add(o.Op+" "+text, why)
				continue
			}
			from := []ops.Proof{{Transcript: c.Transcript, Turn: turn.ID, Quote: strings.TrimSpace(o.Quote)}}
			s := ops.Statement{Text: text, Kind: value(o.Kind), Domain: value(o.Domain), Topic: value(o.Topic), Confidence: o.Confidence}
			switch o.Op {
			case "create":
				out.Create = append(out.Create, ops.Create{Statement: s, Provenance: from})
			case "update":
				out.Update = append(out.Update, ops.Update{ID: id, Text: text, Kind: s.Kind, Confidence: o.Confidence, Provenance: from})
			case "supersede":
				out.Supersede = append(out.Supersede, ops.Supersede{ID: id, By: s, Provenance: from})
			case "delete":
				out.Delete = append(out.Delete, ops.Delete{ID: id, Provenance: from})
			case "pin":
				out.Pin = append(out.Pin, ops.Pin{ID: id, Pin: "system", Provenance: from})
			}
		}
		return nil
	})
	if err != nil {
		return ops.Operations{}, nil, err
	}
	return out, d, nil
}

// opsTokens bounds the reply by what there is to tell: an operation is some 80
// tokens, and a weak model that finds no end is cut off early.
func (w Writer) opsTokens(c Conversation) int {
	n := 800
	for _, t := range c.Turns {
		n += tokens.Count(t.Text)
	}
	return min(n, llm.DefaultMaxTokens)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return strings.TrimSpace(*s)
}
