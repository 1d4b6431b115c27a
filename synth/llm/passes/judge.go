package passes

import (
	"context"
	"errors"
	"fmt"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/vault/tokens"
)

// An Action is what becomes of two summaries that are alike.
type Action string

// The actions, as source and prompt name them.
const (
	Merge      Action = "MERGE"
	UpdateOld  Action = "UPDATE_OLD"
	KeepBoth   Action = "KEEP_BOTH"
	DiscardNew Action = "DISCARD_NEW"
)

// A Verdict is the judge's. Text is the single summary of MERGE and UPDATE_OLD.
type Verdict struct {
	Action Action `json:"action"`
	Text   string `json:"summary,omitempty"`
}

var judgeSchema = &llm.Schema{Name: "verdict", Fields: []llm.Field{
	{Name: "action", Type: llm.Type{Kind: llm.String, Enum: []string{string(Merge), string(UpdateOld), string(KeepBoth), string(DiscardNew)}}},
	{Name: "summary", About: "the single summary of MERGE or UPDATE_OLD, else null", Type: llm.Type{Kind: llm.String, Optional: true, Max: 2000}},
}}

type judgeReply struct {
	Action  Action  `json:"action"`
	Summary *string `json:"summary"`
}

type judgeData struct {
	Cap              int
	Old, New         llm.Data
	OldDate, NewDate string
}

// A Side is one of the two summaries.
type Side struct{ Text, Date string }

// VerdictTokens caps the summary of a verdict (source 1).
const VerdictTokens = 200

// Judge decides about two summaries. The single summary is held to both: every
// name and number in it stands in one of them, and it keeps the numbers of NEW.
func (w Writer) Judge(ctx context.Context, old, next Side) (Verdict, error) {
	data := judgeData{Cap: VerdictTokens, Old: llm.NewData(old.Text), New: llm.NewData(next.Text), OldDate: day(old.Date), NewDate: day(next.Date)}
	var out Verdict
	_, err := ask(ctx, w, "judge", judgeSchema, 4*VerdictTokens, data, func(r *judgeReply) error {
		out = Verdict{Action: r.Action}
		if r.Action == KeepBoth || r.Action == DiscardNew {
			return nil
		}
		if r.Summary == nil {
			return errors.New("MERGE and UPDATE_OLD need the summary")
		}
		out.Text = line(*r.Summary)
		if why := w.fault(out.Text); why != "" {
			return fmt.Errorf("the summary cannot be taken: %s", why)
		}
		if word := ungrounded(out.Text, old.Text, next.Text, old.Date, next.Date); word != "" {
			return fmt.Errorf("%q in the summary stands in neither OLD nor NEW", llm.Clip(word, 40))
		}
		if unrelated(out.Text, old.Text, next.Text) {
			return errors.New("the summary has hardly a word of OLD or NEW")
		}
		if word := missingNumber(next.Text, out.Text); word != "" {
			return fmt.Errorf("the summary leaves out %q of NEW", word)
		}
		if n := tokens.Count(out.Text); n > VerdictTokens {
			return fmt.Errorf("the summary has %d tokens, at most %d are allowed", n, VerdictTokens)
		}
		return nil
	})
	if err != nil {
		return Verdict{}, err
	}
	return out, nil
}

// missingNumber is a number of a that b lacks.
func missingNumber(a, b string) string {
	have := map[string]bool{}
	for _, w := range wordsOf(b) {
		have[fold(w)] = true
	}
	for _, w := range wordsOf(a) {
		if w[0] >= '0' && w[0] <= '9' && !have[fold(w)] {
			return w
		}
	}
	return ""
}
