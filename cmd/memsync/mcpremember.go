package main

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/memsync/memsync/cmd/internal/mcpserver"
	"github.com/memsync/memsync/synth/ops"
)

// Remember is mcpserver.Rememberer's: it gives the session to the command as a
// file in the form of package chat.
func (m *memory) Remember(ctx context.Context, s mcpserver.Session) (mcpserver.Remembered, error) {
	type message struct {
		Role string `json:"role"`
		Text string `json:"text"`
		Time string `json:"time,omitempty"`
	}
	file := struct {
		ID       string       `json:"id,omitempty"`
		Title    string       `json:"title,omitempty"`
		Messages []message    `json:"messages"`
		Remember []ops.Create `json:"remember,omitempty"`
	}{ID: s.ID, Title: s.Title}
	for _, said := range s.Messages {
		file.Messages = append(file.Messages, message(said))
	}
	for _, t := range s.Remember {
		file.Remember = append(file.Remember, ops.Create{
			Statement:  ops.Statement{Text: t.Text, Kind: t.Kind, Domain: t.Domain, Topic: t.Topic},
			Supersedes: t.Supersedes,
			Provenance: []ops.Proof{{Quote: t.Quote}},
		})
	}
	raw, err := json.Marshal(file)
	if err != nil {
		return mcpserver.Remembered{}, err
	}
	var r struct {
		mcpserver.Remembered
		Passes []struct{ Notes []string }
	}
	err = m.callWith(ctx, string(raw), &r, "remember", "--session=-", "--source=chat")
	for _, p := range r.Passes {
		r.Notes = append(r.Notes, p.Notes...)
	}
	if failed, ok := errors.AsType[*callError](err); ok && failed.status == exitPartly {
		return r.Remembered, nil
	}
	return r.Remembered, err
}
