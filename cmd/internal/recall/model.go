package recall

import (
	"context"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/prompt"
	"github.com/memsync/memsync/vault"
)

// An LLM is a language model that answers from memory.
type LLM struct {
	// Model answers; an *llm.Caller, so that limits hold.
	Model llm.Model
	// Prompts are what it is asked with; nil is prompt.Builtin.
	Prompts *prompt.Set
}

// answerTokens bounds a reply: an answer is a few sentences.
const answerTokens = 1500

// recallTypes are the kinds of notes that a recall can be narrowed to.
var recallTypes = []string{
	string(vault.TypeSession), string(vault.TypeFacts), string(vault.TypeSchema), string(vault.TypeTopic),
	string(vault.TypeTranscript), string(vault.TypeEpoch), string(vault.TypeNote),
}

var answerSchema = &llm.Schema{Name: "answer", Fields: []llm.Field{
	{Name: "sentences", About: "the answer; none where the memory does not hold it", Type: llm.Type{Kind: llm.List, Max: 20, Items: &llm.Type{Kind: llm.Object, Fields: []llm.Field{
		{Name: "text", About: "one sentence, without the ids", Type: llm.Type{Kind: llm.String, Max: 1000}},
		{Name: "cites", About: "the ids of the items that it rests on", Type: llm.Type{Kind: llm.List, Max: 10, Items: &llm.Type{Kind: llm.String, Max: 200}}},
	}}}},
	{Name: "recall", About: "what to look for before an answer is given, else null", Type: llm.Type{Kind: llm.Object, Optional: true, Fields: []llm.Field{
		{Name: "query", About: "what to look for, in a few words", Type: llm.Type{Kind: llm.String, Max: 300}},
		{Name: "types", About: "only notes of these types; none for all", Type: llm.Type{Kind: llm.List, Max: len(recallTypes), Items: &llm.Type{Kind: llm.String, Enum: recallTypes}}},
		{Name: "since", About: "only what is dated on or after this day, YYYY-MM-DD, or null", Type: llm.Type{Kind: llm.String, Optional: true, Max: 10}},
		{Name: "until", About: "only what is dated on or before this day, YYYY-MM-DD, or null", Type: llm.Type{Kind: llm.String, Optional: true, Max: 10}},
		{Name: "why", About: "what it is to settle, in a few words", Type: llm.Type{Kind: llm.String, Max: 300}},
	}}},
}}

// Answer is Model's.
func (l LLM) Answer(ctx context.Context, question, memory string, last bool) (Turn, error) {
	prompts := l.Prompts
	if prompts == nil {
		prompts = prompt.Builtin()
	}
	system, user, err := prompts.Render("answer", struct {
		Question, Memory llm.Data
		Last             bool
	}{llm.NewData(question), llm.NewData(memory), last})
	if err != nil {
		return Turn{}, err
	}
	return llm.Ask[Turn](ctx, l.Model, llm.Request{
		Pass: "answer", System: system, Messages: []llm.Message{{Text: user}}, Schema: answerSchema, MaxTokens: answerTokens,
	}, nil)
}
