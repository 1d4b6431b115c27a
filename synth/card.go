package synth

import (
	"context"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// cardClaims is how many claims the model chooses from for the card, the rules'
// first choices.
const cardClaims = 60

// cardDraft is the profile card: the rules', or the model's from the same claims.
func (r *Runner) cardDraft(w *View, claims []vault.Claim, sessions []session, rules func() []byte) draft {
	at := w.Layout().Profile()
	byID := map[string]vault.Claim{}
	var shown []passes.Claim
	inputs := []string{"profile"}
	ranked := slices.DeleteFunc(rankForProfile(claims), func(c vault.Claim) bool { return len(c.From) == 0 || c.ID == "" })
	for _, c := range ranked[:min(len(ranked), cardClaims)] {
		byID[c.ID] = c
		shown = append(shown, claimFor(c))
		inputs = append(inputs, c.ID, c.Kind, c.Text, c.LastSeen)
	}
	last := sessions[max(0, len(sessions)-profileSessions):]
	var summaries []string
	for _, s := range last {
		summaries = append(summaries, strings.TrimSpace(Visible(string(s.note.Body()))))
	}
	d := draft{path: at, prompt: "profile", inputs: hashOf(append(inputs, madeFrom(last)...)...), rules: rules}
	d.model = func(ctx context.Context, wr passes.Writer) (string, error) {
		if len(shown) == 0 {
			return "", errNothing
		}
		card := ""
		if n, err := w.Note(at); err == nil {
			card = strings.TrimSpace(Visible(string(n.Body())))
		}
		out, err := wr.Profile(ctx, card, shown, summaries)
		if err != nil {
			return "", err
		}
		r.model.dropped(len(out.Drops))
		var body strings.Builder
		if out.One.Text != "" {
			body.WriteString(out.One.Text + citeClaims(out.One.From, byID) + "\n\n")
		}
		for _, l := range out.Bullets {
			body.WriteString("- " + l.Text + citeClaims(l.From, byID) + "\n")
		}
		return body.String(), nil
	}
	return d
}

// citeClaims links the turns that prove the claims on which a line rests.
func citeClaims(ids []string, byID map[string]vault.Claim) string {
	var out strings.Builder
	for _, id := range ids[:min(len(ids), citedAtOnce)] {
		if p := proof(byID[id]); !strings.Contains(out.String(), p) {
			out.WriteString(p)
		}
	}
	return out.String()
}

// citedAtOnce is how many sources a line links; more are not read.
const citedAtOnce = 3
