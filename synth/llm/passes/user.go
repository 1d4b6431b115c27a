package passes

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/vault/tokens"
)

// UserSections are what USER.md tells of a person, in its order.
var UserSections = []string{"style", "decisions", "taste", "humour", "expertise", "frustrations", "delights"}

// A Portrait is what a sample of conversations shows of a person, by section. From
// of each line are "transcript#turn".
type Portrait struct {
	Sections map[string][]Line `json:"sections"`
	Drops    []Dropped         `json:"dropped"`
}

var userSchema = func() *llm.Schema {
	s := &llm.Schema{Name: "portrait"}
	for _, name := range UserSections {
		s.Fields = append(s.Fields, llm.Field{Name: name, Type: llm.Type{Kind: llm.List, Max: 8, Items: &lineType}})
	}
	return s
}()

type userData struct {
	Person        string
	Conversations llm.Data
}

// User says how a person thinks, decides, writes and jokes, from a sample of raw
// conversations, part by part as the window takes them. me are the senders whose
// turns are the person's; a line must rest on a turn of theirs.
func (w Writer) User(ctx context.Context, me []string, sample []Conversation) (Portrait, error) {
	out := Portrait{Sections: map[string][]Line{}}
	person := "user"
	var counted error
	if len(me) > 0 {
		person = me[0]
	}
	for len(sample) > 0 {
		n, used := 0, 0
		var parts []string
		texts, refs := map[string]string{}, map[string]string{}
		for n < len(sample) {
			c, key := sample[n], "c"+strconv.Itoa(n+1)
			text, cost := w.shown(c, key, w.window()/4)
			if used+cost > w.window() && n > 0 {
				break
			}
			for _, t := range c.Turns {
				if slices.Contains(me, t.Sender) || len(me) == 0 && t.Sender == "user" {
					texts[key+"/"+t.ID], refs[key+"/"+t.ID] = t.Text, c.Transcript+"#"+t.ID
				}
			}
			parts, used, n = append(parts, text), used+cost, n+1
		}
		data := userData{llm.Clip(person, 60), llm.NewData(strings.Join(parts, "\n\n"))}
		var found map[string][]Line
		var d drops
		_, err := ask(ctx, w, "user", userSchema, llm.DefaultMaxTokens, data, func(r *map[string][]Line) error {
			d, found = nil, map[string][]Line{}
			for _, name := range UserSections {
				found[name] = w.linesWith((*r)[name], texts, false, &d)
			}
			return nil
		})
		if errors.Is(err, llm.ErrCounted) {
			counted, sample = err, sample[n:]
			continue
		}
		if err != nil {
			return Portrait{}, err
		}
		out.Drops = append(out.Drops, d...)
		for name, lines := range found {
			for _, l := range lines {
				for i, id := range l.From {
					l.From[i] = refs[id]
				}
				if !slices.ContainsFunc(out.Sections[name], func(have Line) bool { return same(have.Text, l.Text) }) {
					out.Sections[name] = append(out.Sections[name], l)
				}
			}
		}
		sample = sample[n:]
	}
	return out, counted
}

// shown is a conversation in a prompt, its turns named key/id, at most n tokens.
func (w Writer) shown(c Conversation, key string, n int) (string, int) {
	var b strings.Builder
	used := 0
	for _, t := range c.Turns {
		t.ID = key + "/" + t.ID
		p := t.paragraph()
		cost := tokens.Count(p) + 2
		if used+cost > n {
			break
		}
		b.WriteString(p + "\n\n")
		used += cost
	}
	return b.String(), used
}
