package passes

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/prompt"
	"github.com/memsync/memsync/vault/tokens"
)

// A Writer asks one model.
type Writer struct {
	// Model answers; an *llm.Caller, so that limits hold.
	Model llm.Model
	// Prompts are what it is asked with; nil is prompt.Builtin.
	Prompts *prompt.Set
	// Secret reports whether a text holds something that must not be written;
	// nil knows no secrets.
	Secret func(text string) bool
	// Window is how many tokens of a conversation go into one request; 0 is
	// DefaultWindow. What is longer is asked for in parts.
	Window int
}

// DefaultWindow leaves room for prompt and reply in a context of 32k tokens, which
// small local models have.
const DefaultWindow = 24_000

func (w Writer) window() int {
	if w.Window > 0 {
		return w.Window
	}
	return DefaultWindow
}

func (w Writer) prompts() *prompt.Set {
	if w.Prompts != nil {
		return w.Prompts
	}
	return prompt.Builtin()
}

// Version names the model and the prompt of a pass, for trailers and for the hash
// of its inputs: another model or another prompt is another input.
func (w Writer) Version(name string) string { return w.Model.Name() + " " + w.prompts().Version(name) }

// request renders the prompt of a pass.
func (w Writer) request(name string, s *llm.Schema, maxTokens int, data any) (llm.Request, error) {
	system, user, err := w.prompts().Render(name, data)
	return llm.Request{Pass: name, System: system, Messages: []llm.Message{{Text: user}}, Schema: s, MaxTokens: maxTokens}, err
}

func ask[T any](ctx context.Context, w Writer, name string, s *llm.Schema, maxTokens int, data any, check func(*T) error) (T, error) {
	req, err := w.request(name, s, maxTokens, data)
	if err != nil {
		var zero T
		return zero, err
	}
	out, err := llm.Ask(ctx, w.Model, req, check)
	if err != nil {
		return out, fmt.Errorf("%s: %w", name, err)
	}
	return out, nil
}

// minText is the number of characters below which a sentence says nothing.
const minText = 8

// fault is why a text must not become memory, and empty where it may: what holds
// for every text of every pass.
func (w Writer) fault(text string) string {
	switch {
	case utf8.RuneCountInString(strings.TrimSpace(text)) < minText:
		return "it says nothing"
	case llm.Declines(text):
		return "it is an apology or an error"
	case strings.Contains(text, "<<<") || strings.Contains(text, ">>>") || strings.Contains(text, "<data") || strings.Contains(text, "```"):
		return "it repeats a marker of the prompt"
	case strings.Contains(text, "[[") || strings.Contains(text, "]]") || strings.Contains(text, "::"):
		return "it writes links or fields, which memory adds itself"
	case w.Secret != nil && w.Secret(text):
		return "it holds a secret"
	}
	return ""
}

// line is a text on one line, without the marks of a list.
func line(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.TrimSpace(strings.TrimLeft(text, "-*•#> "))
}

// A Dropped is something that the model said and that was not taken.
type Dropped struct {
	// Text is what it said, shortened.
	Text   string `json:"text"`
	Reason string `json:"reason"`
}

// drops collects what was not taken.
type drops []Dropped

func (d *drops) add(text, reason string) { *d = append(*d, Dropped{llm.Clip(text, 120), reason}) }

// sentence is the reason to give a model of which nothing could be taken.
func (d drops) sentence(what string) error {
	if len(d) == 0 {
		return fmt.Errorf("it holds no %s", what)
	}
	var reasons []string
	for _, x := range d {
		if !slices.Contains(reasons, x.Reason) {
			reasons = append(reasons, x.Reason)
		}
	}
	return fmt.Errorf("none of its %d %ss could be taken: %s", len(d), what, strings.Join(reasons, "; "))
}

// within keeps items while their tokens stay under a cap, the first first.
func within[T any](items []T, most int, text func(T) string, d *drops) []T {
	used := 0
	var out []T
	for _, it := range items {
		cost := tokens.Count(text(it)) + 2
		if used+cost > most {
			d.add(text(it), fmt.Sprintf("it passes the cap of %d tokens", most))
			continue
		}
		used += cost
		out = append(out, it)
	}
	return out
}
