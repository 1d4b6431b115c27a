package passes

import (
	"context"
	"errors"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/vault/tokens"
)

var englishSchema = &llm.Schema{Name: "renderings", Fields: []llm.Field{
	{Name: "turns", Type: llm.Type{Kind: llm.List, Items: &llm.Type{Kind: llm.Object, Fields: []llm.Field{
		{Name: "turn", About: "the turn's id", Type: llm.Type{Kind: llm.String, Max: 40}},
		{Name: "english", Type: llm.Type{Kind: llm.String}},
	}}}},
}}

type englishReply struct {
	Turns []struct {
		Turn    string `json:"turn"`
		English string `json:"english"`
	} `json:"turns"`
}

type englishData struct{ Turns llm.Data }

// englishParts is how many tokens of turns go into one request: their renderings
// must fit into one reply.
const englishParts = 2000

// English renders turns that are not English for the search index, by turn id.
// Numbers must be the turn's, and a rendering is at most twice as long as its
// turn. It is for ranking alone and never shown as anybody's words.
func (w Writer) English(ctx context.Context, c Conversation) (map[string]string, error) {
	all := map[string]string{}
	var counted error
	for _, part := range c.parts(min(englishParts, w.window())) {
		_, err := ask(ctx, w, "english", englishSchema, llm.DefaultMaxTokens, englishData{part.text()}, func(r *englishReply) error {
			var d drops
			n := 0
			for _, e := range r.Turns {
				text := line(e.English)
				turn, ok := part.turn(e.Turn)
				switch {
				case !ok:
					d.add(text, "it names a turn that is not there")
				case w.fault(text) != "":
					d.add(text, w.fault(text))
				case strangeNumber(text, turn.Text):
					d.add(text, "a number in it does not stand in the turn")
				case tokens.Count(text) > 2*tokens.Count(turn.Text)+20:
					d.add(text, "it is much longer than the turn")
				default:
					all[turn.ID], n = text, n+1
				}
			}
			if n == 0 && len(d) > 0 {
				return d.sentence("rendering")
			}
			return nil
		})
		if errors.Is(err, llm.ErrCounted) {
			counted = err
			continue
		}
		if err != nil {
			return nil, err
		}
	}
	return all, counted
}

func strangeNumber(text, source string) bool { return missingNumber(text, source) != "" }
