// Package openai asks models through any server that speaks OpenAI's chat
// protocol: OpenAI itself, llama.cpp, Ollama, vLLM, LM Studio, OpenRouter.
//
// Servers differ in how far they hold a model to a schema. The package asks for
// the strictest way first and steps down, once for all, when a server does not
// take it: a JSON schema, any JSON object, words only. The caller checks the reply
// in each case (package llm).
package openai

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	client "github.com/sashabaranov/go-openai"

	"github.com/memsync/memsync/synth/llm"
)

// BaseURL is OpenAI's own endpoint.
const BaseURL = "https://api.openai.com/v1"

// A Model is a model behind a server.
type Model struct {
	name   string
	own    bool // OpenAI's own server
	client *client.Client
	// form is how replies are asked for: an index of forms.
	form atomic.Int32
	// oldBound asks with max_tokens, which servers other than OpenAI's know.
	oldBound atomic.Bool
}

var _ llm.Model = (*Model)(nil)

// New returns the model of the server at url, which ends in its version:
// "http://localhost:11434/v1"; empty is OpenAI's own. The key is sent as a bearer
// token; local servers need none. It does not connect. A nil HTTP client is one
// of its own.
func New(url, model, key string, h *http.Client) (*Model, error) {
	if model == "" {
		return nil, errors.New("openai: a model is needed")
	}
	if url == "" {
		url = BaseURL
	}
	c := client.DefaultConfig(key)
	c.BaseURL = strings.TrimSuffix(url, "/")
	c.HTTPClient = llm.Doer{HTTP: h}
	m := &Model{name: model, own: c.BaseURL == BaseURL, client: client.NewClientWithConfig(c)}
	m.oldBound.Store(!m.own)
	return m, nil
}

// Name is the model's name.
func (m *Model) Name() string { return m.name }

// The ways to ask for JSON, the strictest first.
const (
	asSchema = iota
	asObject
	asText
)

// Complete makes one request, and again a step less strict where the server does
// not take the form.
func (m *Model) Complete(ctx context.Context, req llm.Request) (llm.Reply, error) {
	for {
		form, oldBound := m.form.Load(), m.oldBound.Load()
		res, err := m.client.CreateChatCompletion(ctx, m.body(req, form, oldBound))
		if err == nil {
			return read(res)
		}
		err = llm.Explain(ctx, err)
		s, ok := errors.AsType[*llm.StatusError](err)
		if !ok || s.Code != http.StatusBadRequest && s.Code != http.StatusUnprocessableEntity {
			return llm.Reply{}, err
		}
		switch {
		case strings.Contains(s.Text, "max_tokens") && oldBound:
			m.oldBound.CompareAndSwap(true, false)
		case strings.Contains(s.Text, "max_completion_tokens") && !oldBound:
			m.oldBound.CompareAndSwap(false, true)
		case req.Schema != nil && form < asText && aboutForm(s.Text):
			m.form.CompareAndSwap(form, form+1)
		default:
			return llm.Reply{}, err
		}
		if m.form.Load() == form && m.oldBound.Load() == oldBound {
			return llm.Reply{}, err
		}
	}
}

// aboutForm reports whether a refusal is about the form of the reply, rather than
// about a prompt that is too long, say.
func aboutForm(text string) bool {
	text = strings.ToLower(text)
	for _, word := range []string{"response_format", "json_schema", "json_object", "json schema", "schema", "grammar", "structured", "strict", "extra", "unknown field", "not permitted"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// body is the request as the protocol has it.
func (m *Model) body(req llm.Request, form int32, oldBound bool) client.ChatCompletionRequest {
	body := client.ChatCompletionRequest{Model: m.name}
	bound := req.MaxTokens
	if bound <= 0 {
		bound = llm.DefaultMaxTokens
	}
	if oldBound {
		body.MaxTokens = bound //lint:ignore SA1019 servers older than max_completion_tokens know this one only
	} else {
		body.MaxCompletionTokens = bound
	}
	if req.System != "" {
		body.Messages = append(body.Messages, client.ChatCompletionMessage{Role: client.ChatMessageRoleSystem, Content: req.System})
	}
	for _, msg := range req.Messages {
		role := client.ChatMessageRoleUser
		if msg.Assistant {
			role = client.ChatMessageRoleAssistant
		}
		body.Messages = append(body.Messages, client.ChatCompletionMessage{Role: role, Content: msg.Text})
	}
	if req.Schema == nil {
		return body
	}
	switch form {
	case asSchema:
		body.ResponseFormat = &client.ChatCompletionResponseFormat{
			Type:       client.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &client.ChatCompletionResponseFormatJSONSchema{Name: req.Schema.Name, Schema: req.Schema.JSON(!m.own), Strict: true},
		}
		return body
	case asObject:
		body.ResponseFormat = &client.ChatCompletionResponseFormat{Type: client.ChatCompletionResponseFormatTypeJSONObject}
	}
	// Where the server does not show the model the schema, the prompt does.
	last := &body.Messages[len(body.Messages)-1]
	last.Content += "\n\nAnswer with one JSON object of this JSON schema and nothing else:\n" + string(req.Schema.JSON(true))
	return body
}

func read(res client.ChatCompletionResponse) (llm.Reply, error) {
	if len(res.Choices) == 0 {
		return llm.Reply{}, fmt.Errorf("%w: the answer holds no message", llm.ErrDown)
	}
	c := res.Choices[0]
	r := llm.Reply{
		Text: c.Message.Content, Model: res.Model,
		Usage:    llm.Usage{In: res.Usage.PromptTokens, Out: res.Usage.CompletionTokens},
		Cut:      c.FinishReason == client.FinishReasonLength,
		Declined: c.Message.Refusal != "" || c.FinishReason == client.FinishReasonContentFilter,
	}
	if r.Declined && r.Text == "" {
		r.Text = c.Message.Refusal
	}
	return r, nil
}
