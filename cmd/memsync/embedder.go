package main

import (
	"errors"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/index/embed"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/index/embed/openai"
)

// openaiURL is the endpoint of the provider openai where the settings name none.
const openaiURL = "https://api.openai.com/v1"

// embedder is the model that the settings name, nil for one whose key is missing:
// keywords need none. It connects to nothing yet.
func (a *app) embedder(s *config.Settings) (embed.Embedder, error) {
	e := s.Embedding
	if e.Provider == "builtin" {
		return builtin.Open()
	}
	if e.Model == "" {
		return nil, &config.Error{Name: "embedding.model", Text: "must be set for the provider " + e.Provider}
	}
	m, err := a.endpointModel(e)
	var missing *missingKeyError
	if errors.As(err, &missing) {
		a.notice("%v; notes are found by keywords only", missing)
		return nil, nil
	}
	return m, err
}

// missingKeyError says that the variable of an endpoint's key is not set.
type missingKeyError struct{ variable string }

func (m *missingKeyError) Error() string {
	return "embedding.api_key_env: the variable " + m.variable + " is not set"
}

// endpointModel is a model of an endpoint.
func (a *app) endpointModel(e config.Embedding) (embed.Embedder, error) {
	key := ""
	if e.APIKeyEnv != "" {
		var set bool
		if key, set = a.env(e.APIKeyEnv); !set || key == "" {
			return nil, &missingKeyError{e.APIKeyEnv}
		}
	}
	url := e.BaseURL
	if url == "" {
		url = openaiURL
	}
	return openai.New(url, e.Model, openai.Config{
		Key: key, Dim: e.Dimensions, QueryPrefix: e.QueryPrefix, DocumentPrefix: e.DocumentPrefix,
		Batch: e.Batch, Parallel: e.Concurrency,
	})
}

// otherEmbedder returns the model of vectors that an index still holds from other
// settings, so that searches by meaning go on while new ones are made.
func otherEmbedder(m embed.Model) embed.Embedder {
	b, err := builtin.Open()
	if err != nil || b.Model() != m {
		return nil
	}
	return b
}
