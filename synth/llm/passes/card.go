package passes

import (
	"context"
	"errors"
	"strings"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/vault/tokens"
)

// A Claim is a line of a ledger as a model reads it. Only claims that may stand
// on the card belong here: seen on two days, said outright, pinned or confirmed.
type Claim struct{ ID, Kind, Text, FirstSeen, LastSeen string }

// A Line is a line of a page and the ids of what it rests on.
type Line struct {
	Text string   `json:"text"`
	From []string `json:"from"`
}

// A Card is the profile card.
type Card struct {
	One     Line      `json:"one"`
	Bullets []Line    `json:"bullets"`
	Drops   []Dropped `json:"dropped"`
}

// Bounds of the card (source 1).
const (
	CardTokens  = 200
	CardBullets = 10
)

var lineType = llm.Type{Kind: llm.Object, Fields: []llm.Field{
	{Name: "from", About: "ids of what it rests on", Type: llm.Type{Kind: llm.List, Max: 12, Items: &llm.Type{Kind: llm.String, Max: 80}}},
	{Name: "text", About: "one sentence", Type: llm.Type{Kind: llm.String, Max: 400}},
}}

var cardSchema = &llm.Schema{Name: "profile_card", Fields: []llm.Field{
	{Name: "one", About: "who the person is, one line", Type: lineType},
	{Name: "bullets", Type: llm.Type{Kind: llm.List, Max: 15, Items: &lineType}},
}}

type cardReply struct {
	One     Line   `json:"one"`
	Bullets []Line `json:"bullets"`
}

type cardData struct {
	Cap       int
	Card      *llm.Data
	Claims    llm.Data
	Summaries *llm.Data
}

// Profile writes the card from claims, the last summaries and the card as it is.
// Each line rests on claims that were handed in; summaries only help to choose.
func (w Writer) Profile(ctx context.Context, card string, claims []Claim, summaries []string) (Card, error) {
	if len(claims) == 0 {
		return Card{}, errors.New("profile: a card needs a claim")
	}
	texts := map[string]string{}
	var lines []string
	for _, c := range claims {
		texts[c.ID] = c.Text
		lines = append(lines, "["+c.ID+"] "+c.Kind+", "+c.FirstSeen+" to "+c.LastSeen+": "+c.Text)
	}
	data := cardData{Cap: CardTokens, Claims: llm.NewData(strings.Join(lines, "\n"))}
	if card != "" {
		d := llm.NewData(card)
		data.Card = &d
	}
	if len(summaries) > 0 {
		d := llm.NewData(strings.Join(summaries, "\n\n"))
		data.Summaries = &d
	}
	var out Card
	_, err := ask(ctx, w, "profile", cardSchema, 1600, data, func(r *cardReply) error {
		var d drops
		out = Card{}
		if one := w.lines([]Line{r.One}, texts, &d); len(one) == 1 {
			out.One = one[0]
		}
		out.Bullets = within(w.lines(r.Bullets, texts, &d), CardTokens-tokens.Count(out.One.Text), func(l Line) string { return l.Text }, &d)
		out.Bullets = out.Bullets[:min(len(out.Bullets), CardBullets)]
		out.Drops = d
		if len(out.Bullets) == 0 {
			return d.sentence("bullet")
		}
		return nil
	})
	if err != nil {
		return Card{}, err
	}
	return out, nil
}

// lines keeps the lines that rest on what they name.
func (w Writer) lines(said []Line, texts map[string]string, d *drops) []Line {
	return w.linesWith(said, texts, true, d)
}

// linesWith does so; related asks for words of what a line names too, which what is
// said of somebody's manner has not.
func (w Writer) linesWith(said []Line, texts map[string]string, related bool, d *drops) []Line {
	var out []Line
	for _, l := range said {
		l.Text = line(l.Text)
		var from, sources []string
		for _, id := range l.From {
			id = strings.Trim(strings.TrimSpace(id), "^[]")
			if text, ok := texts[id]; ok {
				from, sources = append(from, id), append(sources, text)
			}
		}
		why := w.fault(l.Text)
		switch {
		case why != "":
		case len(from) == 0:
			why = "it names nothing that it rests on"
		case ungrounded(l.Text, sources...) != "":
			why = "a name or a number in it does not stand in what it names"
		case related && unrelated(l.Text, sources...):
			why = "it has hardly a word of what it names"
		}
		for _, have := range out {
			if why == "" && same(have.Text, l.Text) {
				why = "it repeats another"
			}
		}
		if why != "" {
			d.add(l.Text, why)
			continue
		}
		out = append(out, Line{l.Text, from})
	}
	return out
}
