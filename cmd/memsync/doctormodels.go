package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/index/embed"
	embedopenai "github.com/memsync/memsync/index/embed/openai"
	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/openai"
)

// probeTimeout bounds how long a doctor waits for an endpoint.
const probeTimeout = 3 * time.Second

// anthropicURL is Anthropic's own endpoint.
const anthropicURL = "https://api.anthropic.com/v1"

// models asks the endpoints that the settings name, the embedding model for one
// word and the language model's server for the names of its models, which costs
// nothing.
func (e *examination) models(ctx context.Context) error {
	if err := e.embedding(ctx); err != nil {
		return err
	}
	set := e.s.settings.LLM
	if set.Provider == "none" {
		e.fine("llm", "none; summaries and answers are made by rules")
		return nil
	}
	if e.a.missingKey(set.APIKeyEnv) != "" {
		return nil // the check of the settings says so
	}
	if set.Model == "" {
		e.found("llm", stateBroken, "memsync config llm.model", "llm.model is not set for the provider %s", set.Provider)
		return nil
	}
	key, _ := e.a.env(set.APIKeyEnv)
	url, listed, err := listModels(ctx, set, key)
	var status *llm.StatusError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &status) && (status.Code == http.StatusUnauthorized || status.Code == http.StatusForbidden):
		e.found("llm", stateBroken, "a key that is valid, in the variable that llm.api_key_env names", "%s refuses the key: %v", url, err)
	case errors.As(err, &status) && status.Code < 500:
		e.fine("llm", "%s answers; it does not list its models", url)
	case err != nil:
		e.found("llm", stateBroken, "start that server, or memsync config llm.base_url to see who named it", "%s does not answer (%s); what needs it waits", url, oneLine(err))
	case len(listed) > 0 && !slices.ContainsFunc(listed, func(id string) bool { return sameModel(id, set.Model) }):
		e.found("llm", stateBroken, "llm.model: "+listed[0], "%s answers and has no model %s", url, set.Model)
	default:
		e.fine("llm", "%s answers, model %s", url, set.Model)
	}
	return nil
}

// embedding asks the embedding model for one word, once.
func (e *examination) embedding(ctx context.Context) error {
	set := e.s.settings.Embedding
	if set.Provider == "builtin" {
		e.fine("embedding", "the built-in model")
		return nil
	}
	if e.a.missingKey(set.APIKeyEnv) != "" {
		return nil // the check of the settings says so
	}
	key, _ := e.a.env(set.APIKeyEnv)
	url := orOwn(set.BaseURL, openaiURL)
	m, err := embedopenai.New(url, set.Model, embedopenai.Config{
		Key: key, Dim: set.Dimensions, QueryPrefix: set.QueryPrefix, Timeout: probeTimeout, Retries: -1,
	})
	if err != nil {
		e.found("embedding", stateBroken, "memsync config embedding.model", "%v", err)
		return nil
	}
	_, err = m.Embed(ctx, []string{"memory"}, embed.Query)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, embed.ErrDown):
		e.found("embedding", stateBroken, "start that server, or embedding.provider: builtin", "%s does not answer (%s); notes are found by keywords only", url, oneLine(err))
	case err != nil:
		e.found("embedding", stateBroken, "memsync config, to see model, key and address", "%s; notes are found by keywords only", oneLine(err))
	default:
		e.fine("embedding", "%s answers, model %s", url, m.Model())
	}
	return nil
}

// listModels asks a server for the names of its models. url is where it was asked.
func listModels(ctx context.Context, set config.LLM, key string) (url string, ids []string, err error) {
	header := map[string]string{}
	switch {
	case set.Provider == "anthropic":
		url = strings.TrimSuffix(strings.TrimSuffix(orOwn(set.BaseURL, anthropicURL), "/"), "/v1") + "/v1"
		header["x-api-key"], header["anthropic-version"] = key, "2023-06-01"
	default:
		url = strings.TrimSuffix(orOwn(set.BaseURL, openai.BaseURL), "/")
		if key != "" {
			header["Authorization"] = "Bearer " + key
		}
	}
	ctx, stop := context.WithTimeout(ctx, probeTimeout)
	defer stop()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url+"/models?limit=1000", nil)
	if err != nil {
		return url, nil, err
	}
	for name, value := range header {
		req.Header.Set(name, value)
	}
	res, err := llm.Doer{}.Do(req)
	if err != nil {
		return url, nil, err
	}
	defer res.Body.Close()
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(res.Body, 4<<20)).Decode(&list); err != nil {
		return url, nil, nil // it answers; not every server has this list
	}
	for _, m := range list.Data {
		ids = append(ids, m.ID)
	}
	return url, ids, nil
}

// sameModel reports whether a server's name is the one of the settings: Ollama adds
// ":latest", llama.cpp names a file.
func sameModel(id, name string) bool {
	id, _, _ = strings.Cut(id, ":latest")
	return id == name || strings.HasSuffix(id, "/"+name) || strings.Contains(id, name+".gguf")
}

// orOwn is the address of the settings, or the provider's own.
func orOwn(url, own string) string {
	if url == "" {
		return own
	}
	return url
}

// oneLine is the part of an error that says what happened, on one line.
func oneLine(err error) string {
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		return "no answer within " + probeTimeout.String()
	}
	if op, ok := errors.AsType[*net.OpError](err); ok {
		return op.Error()
	}
	return llm.Clip(err.Error(), maxRecorded)
}
