package synth

import (
	"context"
	"strings"

	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// portraitSections are the headings of USER.md by the names of passes.UserSections.
var portraitSections = map[string]string{
	"style": "How they write", "decisions": "How they decide", "taste": "Taste", "humour": "Humour", "expertise": "Knows and does",
	"frustrations": "Frustrations", "delights": "Delights",
}

// portrayed says that the model has read a conversation for USER.md.
func (r *Runner) portrayed(h head) Input {
	return Input{"talk " + h.key, h.ended + " " + r.modelVersion("user")}
}

// portrait is USER.md: the rules' page, or the model's from the same sample of raw
// conversations. Reading a sample takes tens of requests, so the model's page stands
// until a tenth of the sample is new.
func (r *Runner) portrait(ctx context.Context, w *View, picked []head, rules []byte, made *Made) (waits bool, err error) {
	at := w.Layout().User()
	fresh := 0
	inputs := []string{"user"}
	for _, h := range picked {
		in := r.portrayed(h)
		inputs = append(inputs, in.ID, h.ended)
		if !r.done("user", in.ID, in.Version) {
			fresh++
		}
	}
	d := draft{path: at, prompt: "user", inputs: hashOf(inputs...), rules: func() []byte { return rules }}
	if was, err := w.Note(at); err == nil && r.model.w != nil && was.Prop("model") == r.modelVersion("user") && fresh*10 < len(picked) {
		return false, nil
	}
	d.model = func(ctx context.Context, wr passes.Writer) (string, error) {
		var talks []passes.Conversation
		for _, h := range picked {
			talk, err := r.talk(h.path)
			if err != nil {
				continue // it went away
			}
			for i, t := range talk.Turns {
				if r.isMe(t.Sender) {
					talk.Turns[i].Sender = "user"
				}
			}
			talks = append(talks, talk)
		}
		if len(talks) == 0 {
			return "", errNothing
		}
		p, err := wr.User(ctx, nil, talks)
		if err != nil {
			return "", err
		}
		r.model.dropped(len(p.Drops))
		return portraitBody(rules, p)
	}
	if waits, err = r.writeDrafts(ctx, w, "user", []draft{d}, made); waits || err != nil || r.model.w == nil {
		return waits, err
	}
	for _, h := range picked {
		made.Done = append(made.Done, r.portrayed(h))
	}
	return false, nil
}

// portraitBody is the page's text: the heading and the line on the sample that the
// rules write, then what the model saw, a section each.
func portraitBody(rules []byte, p passes.Portrait) (string, error) {
	head, _, _ := strings.Cut(strings.TrimLeft(string(vault.Parse("user.md", rules).Body()), "\n"), "\n## ")
	used := Tokens(head)
	var body strings.Builder
	body.WriteString(strings.TrimRight(head, "\n") + "\n")
	any := false
	for _, name := range passes.UserSections {
		var lines []string
		for _, l := range p.Sections[name] {
			line := "- " + l.Text
			for _, from := range l.From[:min(len(l.From), citedAtOnce)] {
				at, turn, _ := strings.Cut(from, "#")
				line += " " + cite(vault.Path(at+".md"), turn)
			}
			if cost := Tokens(line) + 1; used+cost <= userTokens {
				used += cost
				lines = append(lines, line)
			}
		}
		if len(lines) > 0 {
			any = true
			body.WriteString("\n## " + portraitSections[name] + "\n\n" + strings.Join(lines, "\n") + "\n")
		}
	}
	if !any {
		return "", errNothing
	}
	return body.String(), nil
}
