// Package anthropic asks Anthropic's models through its own SDK.
//
// The SDK's retries are off, as package llm repeats requests itself, and so is
// what it would read from the environment: the key is the one that it is given.
package anthropic

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"

	sdk "github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"github.com/memsync/memsync/synth/llm"
)

// A Model is one of Anthropic's models.
type Model struct {
	name   string
	client sdk.Client
	// words asks for JSON in words alone, since the model has no structured output.
	words atomic.Bool
}

var _ llm.Model = (*Model)(nil)

// New returns a model. An empty url is Anthropic's own endpoint. It does not
// connect. A nil HTTP client is one of its own.
func New(url, model, key string, h *http.Client) (*Model, error) {
	if model == "" {
		return nil, errors.New("anthropic: a model is needed")
	}
	opts := []option.RequestOption{
		option.WithoutEnvironmentDefaults(),
		option.WithAPIKey(key),
		option.WithMaxRetries(0),
		option.WithHTTPClient(llm.Doer{HTTP: h}),
	}
	if url != "" {
		// The SDK's paths begin with the version; people write it in the address too.
		url = strings.TrimSuffix(strings.TrimSuffix(url, "/"), "/v1")
		opts = append(opts, option.WithBaseURL(url))
	}
	return &Model{name: model, client: sdk.NewClient(opts...)}, nil
}

// Name is the model's name.
func (m *Model) Name() string { return m.name }

// Complete makes one request, and again without structured output where the model
// has none.
func (m *Model) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	words := m.words.Load()
	res, err := m.client.Messages.New(ctx, m.params(req, words))
	if err == nil {
		return read(*res), nil
	}
	err = llm.Explain(ctx, err)
	s, ok := errors.AsType[*llm.StatusError](err)
	if ok && s.Code == http.StatusBadRequest && req.Schema != nil && !words && aboutForm(s.Text) {
		m.words.Store(true)
		return m.Complete(ctx, req)
	}
	return llm.Reply{}, err
}

func aboutForm(text string) bool {
	text = strings.ToLower(text)
	return strings.Contains(text, "output_config") || strings.Contains(text, "output_format") || strings.Contains(text, "schema") || strings.Contains(text, "structured output")
}

func (m *Model) params(req llm.Request, words bool) sdk.MessageNewParams {
	p := sdk.MessageNewParams{Model: sdk.Model(m.name), MaxTokens: int64(req.MaxTokens)}
	if p.MaxTokens <= 0 {
		p.MaxTokens = llm.DefaultMaxTokens
	}
	p.System, p.Messages, p.OutputConfig = m.parts(req, words)
	return p
}

// parts are what a request and one of a batch have in common.
func (m *Model) parts(req llm.Request, words bool) ([]sdk.TextBlockParam, []sdk.MessageParam, sdk.OutputConfigParam) {
	var system []sdk.TextBlockParam
	if req.System != "" {
		system = []sdk.TextBlockParam{{Text: req.System}}
	}
	var messages []sdk.MessageParam
	var out sdk.OutputConfigParam
	for i, msg := range req.Messages {
		text := msg.Text
		if req.Schema != nil && words && i == len(req.Messages)-1 {
			text += "\n\nAnswer with one JSON object of this JSON schema and nothing else:\n" + string(req.Schema.JSON(true))
		}
		if msg.Assistant {
			messages = append(messages, sdk.NewAssistantMessage(sdk.NewTextBlock(text)))
		} else {
			messages = append(messages, sdk.NewUserMessage(sdk.NewTextBlock(text)))
		}
	}
	if req.Schema != nil && !words {
		var schema map[string]any
		if err := json.Unmarshal(req.Schema.JSON(false), &schema); err != nil {
			panic(err) // our own JSON
		}
		out.Format = sdk.JSONOutputFormatParam{Schema: schema}
	}
	return system, messages, out
}

func read(res sdk.Message) llm.Reply {
	var text strings.Builder
	for _, block := range res.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	u := res.Usage
	return llm.Reply{
		Text: text.String(), Model: string(res.Model),
		Usage:    llm.Usage{In: int(u.InputTokens + u.CacheCreationInputTokens + u.CacheReadInputTokens), Out: int(u.OutputTokens)},
		Cut:      res.StopReason == sdk.StopReasonMaxTokens,
		Declined: res.StopReason == sdk.StopReasonRefusal,
	}
}
