package synth

import (
	"context"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// This file has the model summarise conversations. Each item of a summary names
// the turn that proves it, and becomes a line that links the turn.

// unitsPerCommit is how many answers of a model go into one commit: a minute's
// work or two, which is what a run that is stopped may lose.
const unitsPerCommit = 40

// prior summaries are shown to the model so that it repeats nothing: the last few
// on the same matter, and not many tokens of them.
const (
	priorShown  = 3
	priorTokens = 600
)

// summarise has the model sum up the conversations that need it. Those that are
// not in the answer are the rules'; what goes beyond one commit is left for the
// next round of the run.
func (r *Runner) summarise(ctx context.Context, fresh []conversation, old map[string]*vault.Note, sessions []*vault.Note, made *Made) (map[vault.Path]summary, error) {
	if r.model.w == nil {
		return nil, nil
	}
	var units []*conversation
	for i := range fresh {
		c := &fresh[i]
		if c.summary == "" && (c.tier != salience.Stored || old[c.id] != nil) {
			units = append(units, c)
		}
	}
	texts := map[vault.Path]summary{}
	if r.cfg.Bulk.takes(len(units)) {
		rest, err := r.summariseInBulk(ctx, units, texts, made)
		if err != nil {
			return nil, err
		}
		units = rest
	}
	for len(units) > unitsPerCommit { // the oldest come last
		c := units[0]
		delete(r.tried, c.source+"\x00"+c.id)
		texts[c.path] = summary{end: later}
		made.More = true
		units = units[1:]
	}
	out := make([]summary, len(units))
	err := r.each(ctx, len(units), func(ctx context.Context, i int) (err error) {
		out[i], err = r.summaryOf(ctx, units[i], sessions)
		return err
	})
	for i, c := range units {
		texts[c.path] = out[i]
		r.holds(c, out[i].end)
	}
	return texts, err
}

// holds notes a conversation that waits for the model.
func (r *Runner) holds(c *conversation, end answer) {
	if end == later {
		r.held = append(r.held, c.source+"\x00"+c.id)
	}
}

// writtenAnew reports whether a session is to be summed up again though nothing was
// said since: the run is to, and another than its model wrote it.
func (r *Runner) writtenAnew(session *vault.Note) bool {
	by := r.modelVersion("session")
	return r.cfg.Rewrite && by != "" && session.Prop("provider") == "" && session.Prop("model") != by &&
		salience.Tier(session.Prop("tier")) != salience.Stored
}

// summaryOf has the model sum up one conversation. The topics that it names become
// the conversation's phrases.
func (r *Runner) summaryOf(ctx context.Context, c *conversation, sessions []*vault.Note) (summary, error) {
	talk, err := r.talk(c.path)
	if err != nil || len(talk.Turns) == 0 {
		return summary{}, nil // the rules have read it already
	}
	limit := r.limitOf(*c)
	s, end, err := ask(ctx, r, "session", func(ctx context.Context, w passes.Writer) (passes.Summary, error) {
		return w.Summarise(ctx, talk, priorOf(*c, sessions), limit)
	})
	if err != nil || end != byModel {
		return summary{end: end}, err
	}
	return r.written(c, s, limit), nil
}

// limitOf is the cap of a conversation's summary in tokens.
func (r *Runner) limitOf(c conversation) int {
	if c.tier == salience.Brief {
		return min(briefTokens, r.summaryTokens())
	}
	return r.summaryTokens()
}

// written is the note's body of what the model wrote.
func (r *Runner) written(c *conversation, s passes.Summary, limit int) summary {
	r.model.dropped(len(s.Drops))
	told := " " + extract.PhraseKey(s.Text()+" "+c.title) + " "
	c.phrases = slices.DeleteFunc(c.phrases, func(p extract.Phrase) bool { return !strings.Contains(told, " "+p.Key+" ") })
	if len(s.Topics) > 0 {
		c.phrases = nil
		for i, name := range s.Topics {
			c.phrases = append(c.phrases, extract.Phrase{Text: name, Key: extract.PhraseKey(name), Score: float64(len(s.Topics) - i)})
		}
	}
	var parts, lines, open []string
	if len(c.people) > 0 {
		parts = append(parts, about(*c))
	}
	used := Tokens(strings.Join(parts, ""))
	for _, it := range s.Items {
		line := it.Text + " " + cite(c.path, it.Turn)
		cost := Tokens(line) + 2
		if used+cost > limit {
			r.model.dropped(1)
			continue
		}
		used += cost
		if it.Open {
			open = append(open, strings.TrimRight(it.Text, ".!")+" "+cite(c.path, it.Turn))
		} else {
			lines = append(lines, "- "+line)
		}
	}
	if len(lines) > 0 {
		parts = append(parts, strings.Join(lines, "\n"))
	}
	if len(open) > 0 {
		parts = append(parts, "Open: "+strings.Join(open, "; ")+".")
	}
	return summary{body: strings.Join(parts, "\n\n") + "\n", model: r.modelVersion("session"), end: byModel}
}

// talk is a conversation as a model reads it: what its people and its assistant
// said on the active path. Turns that hold a secret are not sent anywhere.
func (r *Runner) talk(p vault.Path) (passes.Conversation, error) {
	raw, err := r.v.Read(p)
	if err != nil {
		return passes.Conversation{}, err
	}
	n := vault.Parse(p, raw)
	c := passes.Conversation{Transcript: p.Stem(), Title: n.Title(), Date: n.Prop("created")}
	c.Date = isoDay(c.Date)
	for _, turn := range vault.ParseTranscript(n).Active() {
		if turn.Sender == "tool" || turn.Sender == "system" {
			continue
		}
		text := ownWords(turn.Turn)
		switch {
		case text == "":
			continue
		case r.cfg.Secret != nil && r.cfg.Secret(text):
			text = "(left out: it holds a secret)"
		}
		c.Turns = append(c.Turns, passes.Turn{ID: turn.ID, Sender: turn.Sender, Text: text})
	}
	if r.cfg.Secret != nil && r.cfg.Secret(c.Title) {
		c.Title = ""
	}
	return c, nil
}

// priorOf are the last summaries that share a topic with a conversation.
func priorOf(c conversation, sessions []*vault.Note) []string {
	keys := keysOf(topicsOf(c))
	var about []*vault.Note
	for _, s := range sessions {
		if s.Prop("conversation") == c.id || s.Prop("start") > c.start.Property() {
			continue
		}
		if slices.ContainsFunc(s.List("topics"), func(name string) bool { return keys[extract.PhraseKey(name)] }) {
			about = append(about, s)
		}
	}
	sortByStart(about)
	var out []string
	used := 0
	for _, s := range slices.Backward(about) {
		text := strings.TrimSpace(Visible(string(s.Body())))
		if used += Tokens(text); len(out) == priorShown || used > priorTokens {
			break
		}
		out = append(out, text)
	}
	return out
}
