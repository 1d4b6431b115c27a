package synth

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// This file writes pages that a model may write: the card, topics, epochs and
// USER.md. A page that a model wrote says by whom it is (model) and what it was made
// from (inputs, a hash), so that it is written once for what it is made from, on
// every machine that has the vault.

// A draft is a page that is to be written.
type draft struct {
	path vault.Path
	// prompt names the prompt, inputs what the page is made from.
	prompt string
	inputs string
	// rules writes the page, and model its body for the rules' front matter.
	rules func() []byte
	model func(ctx context.Context, w passes.Writer) (body string, err error)
}

// hashOf names what a page is made from.
func hashOf(parts ...string) string {
	sum := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(sum, "%d\n%s", len(p), p)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
}

// writeDrafts makes the pages of drafts, by the model where there is one, several at a
// time. A page that the model wrote from the same before is left as it stands, with
// a model and without. waits says that some page is not written, as the model cannot
// be asked now.
func (r *Runner) writeDrafts(ctx context.Context, w *View, name string, drafts []draft, made *Made) (waits bool, err error) {
	var todo []draft
	for _, d := range drafts {
		by := r.modelVersion(d.prompt)
		was, err := w.Note(d.path)
		mine := err == nil && was.Prop("model") != "" && was.Prop("inputs") == d.inputs && (by == "" || was.Prop("model") == by)
		if mine || by != "" && r.done(name, string(d.path), d.inputs+" "+by) {
			continue
		}
		todo = append(todo, d)
	}
	out := make([]string, len(todo))
	ends := make([]answer, len(todo))
	err = r.each(ctx, len(todo), func(ctx context.Context, i int) (err error) {
		out[i], ends[i], err = ask(ctx, r, todo[i].prompt, todo[i].model)
		return err
	})
	if err != nil {
		return false, err
	}
	for i, d := range todo {
		if ends[i] == later {
			waits = true
			continue
		}
		page := d.rules()
		if ends[i] == byModel {
			if page, err = withBody(page, out[i], r.modelVersion(d.prompt), d.inputs); err != nil {
				return false, err
			}
		}
		made.page(d.path, page)
		if r.model.w != nil {
			made.Done = append(made.Done, Input{string(d.path), d.inputs + " " + r.modelVersion(d.prompt)})
		}
	}
	return waits, nil
}

// withBody is a page with another body, by a model.
func withBody(page []byte, body, by, inputs string) ([]byte, error) {
	was := vault.Parse("page.md", page)
	head := page[:len(page)-len(was.Body())]
	n := vault.Parse("page.md", append(slices.Clone(head), "\n"+body...))
	props := []vault.NewProperty{{Key: "model", Value: vault.Text(by)}, {Key: "inputs", Value: vault.Text(inputs)}}
	if n.Prop("tokens") != "" {
		props = append(props, vault.NewProperty{Key: "tokens", Value: vault.Number(Tokens(body))})
	}
	for _, p := range props {
		if err := n.Set(p.Key, p.Value); err != nil {
			return nil, err
		}
	}
	return n.Bytes(), nil
}

// sessionFor is a session as the model reads it. Its id is short, as models copy
// short ids right.
func sessionFor(i int, s session) passes.Session {
	return passes.Session{
		ID: fmt.Sprintf("s%d", i+1), Date: isoDay(s.start), Title: s.title,
		Text: strings.TrimSpace(Visible(string(s.note.Body()))),
	}
}

// sessionsFor are sessions as the model reads them, and which of them each id is.
func sessionsFor(sessions []session) ([]passes.Session, map[string]session) {
	var out []passes.Session
	byID := map[string]session{}
	for i, s := range sessions {
		p := sessionFor(i, s)
		out = append(out, p)
		byID[p.ID] = s
	}
	return out, byID
}

// madeFrom names sessions and what they say, for the hash of inputs.
func madeFrom(sessions []session) []string {
	var parts []string
	for _, s := range sessions {
		parts = append(parts, s.note.ID(), s.start, s.title, string(s.note.Body()))
	}
	return parts
}
