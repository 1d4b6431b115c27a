package synth

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/memsync/memsync/vault"
)

// Bounds of what stays live and of what a month comes to (source 1: 60 to 120
// summaries; DESIGN: 5 to 10 bullets).
const (
	maxLive      = 120
	epochBullets = 10
)

// epochs moves the oldest sessions beyond the cap to archive/, whole months at a
// time where it can, and writes for each month that has some what it came to.
// Sessions that the person pinned stay.
func (r *Runner) epochs(ctx context.Context, w *View) (Made, error) {
	all, err := readSessions(ctx, w)
	if err != nil {
		return Made{}, err
	}
	live := w.Layout().Folder("sessions")
	var made Made
	moved := map[vault.Path]vault.Path{}
	for _, s := range coldSessions(all, live, cmp.Or(r.cfg.MaxSessions, maxLive)) {
		raw := s.note.Bytes()
		to := w.Layout().Folder("archive").Join(strings.TrimPrefix(string(s.note.Path), string(live)+"/"))
		if w.Exists(to) {
			made.skip(s.note.Path, fmt.Errorf("%s stands there already", to))
			continue
		}
		moved[s.note.Path] = to
		made.Pages = append(made.Pages,
			Page{Path: to, Data: raw, Over: vault.NoFile, Edit: true},
			Page{Path: s.note.Path, Over: vault.HashOf(raw), Edit: true, Remove: true, After: s.note.ID()})
		made.Sources = append(made.Sources, string(s.note.Path))
	}
	if len(moved) == 0 {
		return made, nil
	}
	months := map[string][]session{}
	for _, s := range all {
		if to, cold := moved[s.note.Path]; cold {
			s.note = vault.Parse(to, s.note.Bytes())
		} else if s.note.Path.Under(live) {
			continue
		}
		if len(s.start) >= 7 {
			months[s.start[:7]] = append(months[s.start[:7]], s)
		}
	}
	fresh := map[string]bool{}
	for _, to := range moved {
		if name := to.Base(); len(name) >= 7 {
			fresh[name[:7]] = true
		}
	}
	var drafts []draft
	for _, month := range slices.Sorted(maps.Keys(months)) {
		if sessions := months[month]; fresh[month] {
			drafts = append(drafts, r.epochDraft(w.Layout().Epoch(month), month, sessions, func() []byte { return epochPage(month, sessions) }))
		}
	}
	if waits, err := r.writeDrafts(ctx, w, "epochs", drafts, &made); err != nil || waits {
		return Made{}, err // a month is archived with its page or not at all
	}
	slices.SortStableFunc(made.Pages, func(a, b Page) int { return strings.Compare(string(a.Path), string(b.Path)) })
	made.Subject = count(len(moved), "session") + " archived"
	return made, nil
}

// coldSessions are the oldest live sessions beyond the cap, and the rest of their
// month unless it is the newest month.
func coldSessions(all []session, live vault.Path, limit int) []session {
	var candidates []session
	for _, s := range all {
		if s.note.Path.Under(live) && s.start != "" {
			candidates = append(candidates, s)
		}
	}
	over := len(candidates) - limit
	if over <= 0 {
		return nil
	}
	monthOf := func(s session) string { return s.start[:min(7, len(s.start))] }
	newest := monthOf(candidates[len(candidates)-1])
	for over < len(candidates) && monthOf(candidates[over]) == monthOf(candidates[over-1]) && monthOf(candidates[over]) != newest {
		over++
	}
	return slices.DeleteFunc(candidates[:over], func(s session) bool { return s.note.Prop("pin") != "" })
}

// epochPage says what a month came to: the first thing that its weightiest
// sessions say, in the order of time, each with its session.
func epochPage(month string, sessions []session) []byte {
	ranked := slices.Clone(sessions)
	salience := func(s session) float64 {
		v, _ := strconv.ParseFloat(s.note.Prop("salience"), 64)
		return v
	}
	slices.SortStableFunc(ranked, func(a, b session) int { return cmp.Compare(salience(b), salience(a)) })
	type bullet struct{ start, line string }
	var bullets []bullet
	for round := 0; round < 3 && len(bullets) < epochBullets; round++ {
		for _, s := range ranked {
			if len(bullets) == epochBullets || round >= len(s.items) || round > 0 && len(ranked) >= epochBullets/2 {
				continue
			}
			text := Visible(s.items[round].text)
			bullets = append(bullets, bullet{s.start, "- " + text + " (" + vault.LinkTo(s.note.Path, s.title).String() + ")\n"})
		}
	}
	slices.SortStableFunc(bullets, func(a, b bullet) int { return strings.Compare(a.start, b.start) })
	var body strings.Builder
	for _, b := range bullets {
		body.WriteString(b.line)
	}
	return []byte(vault.FormatFrontMatter(
		vault.NewProperty{Key: "id", Value: vault.Text("ep-" + month)},
		vault.NewProperty{Key: "type", Value: vault.Text(string(vault.TypeEpoch))},
		vault.NewProperty{Key: "title", Value: vault.Text(monthOf(month + "-01"))},
		vault.NewProperty{Key: "sessions", Value: vault.Number(len(sessions))},
		vault.NewProperty{Key: "generated", Value: vault.Plain("true")},
		vault.NewProperty{Key: "tags", Value: vault.List("epoch")},
	) + "\n" + body.String())
}
