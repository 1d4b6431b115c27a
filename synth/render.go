package synth

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// This file has the model render in English what was said in other languages, or in
// two at once. The renderings rank in search, where an English word then finds a
// Hindi message; what is shown, cited and distilled is the message. Each is a line of
// a note beside the transcript (vault.Rendering), so that it is read, argued with and
// taken back like anything else, and is paid for once.
//
// Rules cannot do this: without a model nothing is rendered, and such messages are
// found in their own words.

// english renders the conversations that have a summary and hold words in another
// language, the newest first, and those that have grown. Conversations that are
// only stored are left as they are: depth goes where it pays.
func (r *Runner) english(ctx context.Context, w *View) (Made, error) {
	heads, err := r.transcripts(ctx, w)
	if err != nil {
		return Made{}, err
	}
	have, err := w.Notes(ctx, "english")
	if err != nil {
		return Made{}, err
	}
	rendered := map[string]*vault.Note{}
	for _, n := range have {
		if n.Type() == vault.TypeRendering {
			rendered[conversationKey(n)] = n
		}
	}
	var made Made
	deep, err := r.summed(ctx, w)
	if err != nil {
		return Made{}, err
	}
	var units []unrendered
	for _, h := range heads {
		was := rendered[h.key]
		delete(rendered, h.key)
		if r.model.w == nil || !deep[h.key] || !foreign(h.languages) || r.rendered[h.key] || r.only != nil && !r.only[h.path] {
			continue
		}
		version := h.ended + " " + r.modelVersion("english")
		if was != nil && was.Prop("updated") == h.ended && !r.renderAnew(was) || r.done("english", h.key, version) {
			continue
		}
		units = append(units, unrendered{head: h, was: was, version: version})
	}
	slices.SortStableFunc(units, func(a, b unrendered) int { return strings.Compare(b.ended, a.ended) })
	if len(units) > unitsPerCommit {
		units, made.More = units[:unitsPerCommit], true
	}
	pages := make([][]byte, len(units))
	ends := make([]answer, len(units))
	err = r.each(ctx, len(units), func(ctx context.Context, i int) (err error) {
		pages[i], ends[i], err = r.render(ctx, units[i])
		return err
	})
	if err != nil {
		return Made{}, err
	}
	for i, u := range units {
		r.rendered[u.key] = true
		if pages[i] != nil {
			made.page(w.Layout().Rendering(u.path), pages[i])
			made.Sources = append(made.Sources, string(u.path))
		}
		if ends[i] != later {
			made.Done = append(made.Done, Input{u.key, u.version})
		}
	}
	if r.only == nil {
		for _, n := range rendered { // their transcripts are gone
			made.Pages = append(made.Pages, Page{Path: n.Path, Over: vault.HashOf(n.Bytes()), Remove: true})
		}
	}
	slices.SortFunc(made.Pages, func(a, b Page) int { return strings.Compare(string(a.Path), string(b.Path)) })
	made.Subject = "renderings of " + count(len(made.Pages), "conversation")
	return made, nil
}

// An unrendered transcript is one that waits to be rendered, in part where it was
// before it grew.
type unrendered struct {
	head
	was     *vault.Note
	version string
}

// summed are the conversations that have a summary.
func (r *Runner) summed(ctx context.Context, w *View) (map[string]bool, error) {
	out := map[string]bool{}
	for _, folder := range []string{"sessions", "archive"} {
		sessions, err := w.Notes(ctx, folder)
		if err != nil {
			return nil, err
		}
		for _, n := range sessions {
			out[conversationKey(n)] = salience.Tier(n.Prop("tier")) != salience.Stored
		}
	}
	return out, nil
}

// renderAnew reports whether a rendering of another model is to be made anew.
func (r *Runner) renderAnew(was *vault.Note) bool {
	return r.cfg.Rewrite && was.Prop("model") != r.modelVersion("english")
}

// foreign reports whether a transcript holds words in a language that is not English.
func foreign(languages []string) bool {
	return slices.ContainsFunc(languages, func(tag string) bool { return tag != "en" })
}

// render makes the note of a transcript's renderings: those that it has, and those
// of the turns that are new.
func (r *Runner) render(ctx context.Context, u unrendered) ([]byte, answer, error) {
	raw, err := r.v.Read(u.path)
	if err != nil {
		return nil, later, nil // it is gone; the next run sees that
	}
	t := vault.ParseTranscript(vault.Parse(u.path, raw))
	talk, err := r.talk(u.path)
	if err != nil {
		return nil, later, nil
	}
	var lines []vault.Rendering
	from := 0
	if u.was != nil && !r.renderAnew(u.was) {
		lines = u.was.Renderings()
		from, _ = strconv.Atoi(u.was.Prop("turns"))
	}
	turns := map[string]vault.PlacedTurn{}
	for i, p := range t.Turns {
		if i >= from && inOtherWords(p.Turn, u.languages[0]) {
			turns[p.ID] = p
		}
	}
	talk.Turns = slices.DeleteFunc(talk.Turns, func(p passes.Turn) bool { _, ok := turns[p.ID]; return !ok })
	if len(talk.Turns) == 0 {
		return nil, byRules, nil
	}
	english, end, err := ask(ctx, r, "english", func(ctx context.Context, w passes.Writer) (map[string]string, error) { return w.English(ctx, talk) })
	if err != nil || end != byModel {
		return nil, end, err
	}
	for _, p := range talk.Turns {
		if text := english[p.ID]; text != "" {
			lines = append(lines, vault.Rendering{Sender: p.Sender, Time: turns[p.ID].Time, Text: text, Of: vault.Link{Block: p.ID}})
		}
	}
	if len(lines) == 0 {
		return nil, end, nil
	}
	return r.renderingPage(u, len(t.Turns), lines), end, nil
}

// leastLetters is how many letters a turn must have to be worth a rendering: "ok",
// "haan ji" and laughter say nothing to search for.
const leastLetters = 8

// inOtherWords reports whether a turn is to be rendered. main is the conversation's
// language, which turns without tags are in.
func inOtherWords(t vault.Turn, main string) bool {
	tags := t.Languages
	if len(tags) == 0 {
		tags = []string{main}
	}
	letters := 0
	for _, c := range t.Text {
		if unicode.IsLetter(c) {
			letters++
			if c > unicode.MaxLatin1 {
				letters++ // other scripts say more with a letter
			}
		}
	}
	return foreign(tags) && letters >= leastLetters
}

func (r *Runner) renderingPage(u unrendered, turns int, lines []vault.Rendering) []byte {
	props := []vault.NewProperty{
		{Key: "id", Value: vault.Plain(vault.ContentID("en", 8, u.key))},
		{Key: "type", Value: vault.Text(string(vault.TypeRendering))},
		{Key: "title", Value: vault.Text(u.title)},
		{Key: "source", Value: vault.Text(strings.Split(u.key, "\x00")[0])},
		{Key: "conversation", Value: vault.Text(u.conversation)},
		{Key: "transcript", Value: vault.Text(vault.LinkTo(u.path, "").String())},
		{Key: "created", Value: vault.Plain(cmp.Or(u.created, u.ended))},
		{Key: "updated", Value: vault.Plain(u.ended)},
		{Key: "languages", Value: vault.List(u.languages...)},
		{Key: "turns", Value: vault.Number(turns)},
		{Key: "model", Value: vault.Text(r.modelVersion("english"))},
		{Key: "generated", Value: vault.Plain("true")},
		{Key: "tags", Value: vault.List("rendering")},
	}
	var b strings.Builder
	b.WriteString(vault.FormatFrontMatter(props...))
	b.WriteString("\nA model's rendering in English, for search. The words are in the transcript.\n\n")
	for _, l := range lines {
		b.WriteString(vault.FormatRendering(u.path, l))
	}
	return []byte(b.String())
}
