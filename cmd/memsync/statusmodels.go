package main

import (
	"context"
	"time"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index/embed/builtin"
	"github.com/memsync/memsync/synth/llm"
)

// A modelHealth is a model that the settings name, and how it did when it was last
// asked. The times are in RFC 3339, empty for never; the built-in model has none.
type modelHealth struct {
	Provider string `json:"provider"`
	Model    string `json:"model"`
	// OK says that nothing is missing to ask it, and that it answered the last
	// call, if there was one.
	OK bool `json:"ok"`
	// Text says what is wrong, empty for nothing.
	Text       string `json:"text"`
	LastCall   string `json:"last_call"`
	LastAnswer string `json:"last_answer"`
	// LastError is what became of the newest call that was not answered, also
	// where later ones were.
	LastError string `json:"last_error"`
	// FailingSince is the first of the calls in a row that were not answered, empty
	// where the last was.
	FailingSince string `json:"failing_since"`
}

// of takes over what is known of the calls.
func (m *modelHealth) of(h llm.Health) {
	m.LastCall, m.LastAnswer, m.FailingSince = rfc3339(h.LastCall), rfc3339(h.LastAnswer), rfc3339(h.FailingSince)
	m.LastError = h.LastError
	if m.Text == "" && !h.FailingSince.IsZero() {
		m.Text = h.LastError
	}
	m.OK = m.Text == ""
}

// health says how the models did, from what is on record. Asking them would send
// something over a network, and cost money.
func (r *statusResult) health(_ context.Context, a *app, s *session) error {
	e, l := s.settings.Embedding, s.settings.LLM
	r.EmbeddingHealth = modelHealth{Provider: e.Provider, Model: e.Model, Text: a.missingKey(e.APIKeyEnv), OK: true}
	if e.Provider == "builtin" {
		b, err := builtin.Open()
		if err != nil {
			return err
		}
		r.EmbeddingHealth.Model = b.Model().ID
	} else {
		r.EmbeddingHealth.of(readEmbedderHealth(s.places.State, e.Model))
	}
	r.LLMHealth = modelHealth{Provider: l.Provider, Model: l.Model, OK: true}
	if l.Provider == "none" {
		return nil
	}
	calls, err := llm.NewLedger(s.places.State).Calls()
	if err != nil {
		return err
	}
	if r.LLMHealth.Text = a.missingKey(l.APIKeyEnv); l.Model == "" {
		r.LLMHealth.Text = "llm.model is not set"
	}
	r.LLMHealth.of(llm.HealthOf(calls, l.Model))
	return nil
}

// missingKey says that a variable with a key is not set; "" where it is, or none is
// named.
func (a *app) missingKey(name string) string {
	if name == "" {
		return ""
	}
	if key, _ := a.env(name); key != "" {
		return ""
	}
	return "the variable " + name + " is not set"
}

// text writes the lines about a model that has something to say.
func (m modelHealth) text(name string, p *output.Page, now time.Time, row func(name, format string, args ...any)) {
	switch {
	case m.FailingSince != "":
		row("", "%s", p.Warn(name+": no answer since "+parsed(m.FailingSince).Local().Format(time.DateTime)+": "+output.Plain(m.Text)))
	case !m.OK:
		row("", "%s", p.Warn(name+": "+output.Plain(m.Text)))
	case m.LastAnswer != "":
		row("", "%s %s answered %s", name, output.Plain(m.Model), ago(now, parsed(m.LastAnswer)))
	}
}
