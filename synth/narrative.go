package synth

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/synth/llm"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/vault"
)

// topicDraft is the page of a topic: the rules', or the model's narrative of the
// same sessions, fifty at a time.
func (r *Runner) topicDraft(at vault.Path, name, title string, sessions []session, rules func() []byte) draft {
	d := draft{path: at, prompt: "topic", inputs: hashOf(append([]string{"topic", name, title}, madeFrom(sessions)...)...), rules: rules}
	d.model = func(ctx context.Context, w passes.Writer) (string, error) {
		shown, byID := sessionsFor(sessions)
		var all passes.Narrative
		var counted error
		for part := range slices.Chunk(shown, passes.MaxSessions) {
			n, err := w.Topic(ctx, name, part)
			if errors.Is(err, llm.ErrCounted) {
				counted = err
				continue
			}
			if err != nil {
				return "", err
			}
			all.Entries, all.Shifts = append(all.Entries, n.Entries...), append(all.Shifts, n.Shifts...)
			r.model.dropped(len(n.Drops))
		}
		if counted != nil {
			return "", counted
		}
		return narrative(title, sessions, all, byID), nil
	}
	return d
}

// narrative is the body of a topic's page: a heading a month, what the model says
// of each session, and behind it the sessions of the month of which it says
// nothing; then how opinions moved.
func narrative(title string, sessions []session, n passes.Narrative, byID map[string]session) string {
	said := map[vault.Path][]string{}
	for _, e := range n.Entries {
		p := byID[e.From[0]].note.Path
		said[p] = append(said[p], e.Text)
	}
	var body strings.Builder
	body.WriteString("# " + title + "\n")
	month := ""
	var silent []string
	flush := func() {
		if len(silent) > 0 {
			body.WriteString("\nAlso: " + strings.Join(silent, "; ") + ".\n")
		}
		silent = nil
	}
	for _, s := range sessions {
		if m := monthOf(s.start); m != month {
			flush()
			month = m
			body.WriteString("\n## " + m + "\n")
		}
		link := vault.LinkTo(s.note.Path, s.title).String()
		if texts := said[s.note.Path]; len(texts) > 0 {
			body.WriteString("\n" + strings.Join(texts, " ") + " (" + link + dayOf(s.start) + ")\n")
		} else {
			silent = append(silent, link+dayOf(s.start))
		}
	}
	flush()
	if len(n.Shifts) > 0 {
		body.WriteString("\n## How opinions moved\n\n")
		for _, s := range n.Shifts {
			from, to := byID[s.From], byID[s.To]
			body.WriteString("- In " + monthOf(from.start) + ": " + strings.TrimRight(s.Before, ".") + "; by " + monthOf(to.start) + ": " + strings.TrimRight(s.After, ".") +
				" (" + vault.LinkTo(from.note.Path, s.FromDate).String() + ", " + vault.LinkTo(to.note.Path, s.ToDate).String() + ").\n")
		}
	}
	return body.String()
}

// epochDraft is the page of a month: the rules', or the model's bullets. The
// weightiest fifty sessions of the month are what the model sees.
func (r *Runner) epochDraft(at vault.Path, month string, sessions []session, rules func() []byte) draft {
	d := draft{path: at, prompt: "epoch", inputs: hashOf(append([]string{"epoch", month}, madeFrom(sessions)...)...), rules: rules}
	d.model = func(ctx context.Context, w passes.Writer) (string, error) {
		shown, byID := sessionsFor(weightiest(sessions, passes.MaxSessions))
		bullets, drops, err := w.Epoch(ctx, monthOf(month+"-01"), shown)
		if err != nil {
			return "", err
		}
		r.model.dropped(len(drops))
		var body strings.Builder
		for _, b := range bullets {
			var links []string
			for _, id := range b.From[:min(len(b.From), citedAtOnce)] {
				s := byID[id]
				links = append(links, vault.LinkTo(s.note.Path, s.title).String())
			}
			body.WriteString("- " + b.Text + " (" + strings.Join(links, ", ") + ")\n")
		}
		// Every session of the month stays within reach of its page.
		var rest []string
		for _, s := range sessions {
			if !strings.Contains(body.String(), s.note.Path.Name()) {
				rest = append(rest, vault.LinkTo(s.note.Path, s.title).String())
			}
		}
		if len(rest) > 0 {
			body.WriteString("\nAlso: " + strings.Join(rest, "; ") + ".\n")
		}
		return body.String(), nil
	}
	return d
}

// weightiest are the n most salient sessions, in the order of time.
func weightiest(sessions []session, n int) []session {
	ranked := slices.Clone(sessions)
	weight := func(s session) float64 {
		v, _ := strconv.ParseFloat(s.note.Prop("salience"), 64)
		return v
	}
	slices.SortStableFunc(ranked, func(a, b session) int { return cmp.Compare(weight(b), weight(a)) })
	ranked = ranked[:min(len(ranked), n)]
	slices.SortStableFunc(ranked, func(a, b session) int { return strings.Compare(a.start, b.start) })
	return ranked
}
