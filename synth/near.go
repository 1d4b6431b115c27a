package synth

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/synth/dedup"
	"github.com/memsync/memsync/synth/gate"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
)

// This file compares each new summary with those in memory (source 1's write
// path): what says nothing new is dropped, what overlaps becomes one summary. It is
// that of the earlier session, in whatever order the two were imported, and it
// names in merged_from the transcripts whose summaries went into it; they are not
// summed up by themselves again until they grow.

// A folder folds new summaries into older ones, within one pass.
type folder struct {
	r     *Runner
	w     *View
	made  *Made
	older []*older
	// off says that the embedder does not answer: new summaries stand beside the
	// old ones.
	off             bool
	merged, dropped int
	// linked are the names of the notes that the person's notes link to, once asked.
	linked map[string]bool
}

// An older summary is one that a new one is compared with: it stands in
// sessions/, or was made by this pass.
type older struct {
	note *vault.Note
	page int // its place in Made.Pages, -1 for none
	traits
	dedup.Summary
}

// The traits of a session tell with which others it is compared: never with an
// earlier state of its own conversation, nor with one held with other people.
type traits struct {
	key    string // of its conversation
	people string
	brief  bool
}

func traitsOf(n *vault.Note) traits {
	return traits{conversationKey(n), peopleOf(n), salience.Tier(n.Prop("tier")) == salience.Brief}
}

func (r *Runner) newFolder(w *View, made *Made, sessions []*vault.Note) *folder {
	f := &folder{r: r, w: w, made: made, off: r.cfg.Near == nil}
	for _, n := range sessions {
		f.add(n, -1)
	}
	return f
}

// add makes a summary one that later ones are compared with.
func (f *folder) add(n *vault.Note, page int) {
	if f.off || !n.Generated() || native(n) {
		return
	}
	f.older = append(f.older, &older{n, page, traitsOf(n), summaryOf(n)})
}

// summaryOf is a session's note as it is compared: each line with a source, so that
// it has one wherever it is merged.
func summaryOf(n *vault.Note) dedup.Summary {
	merged, _ := vault.ParseStamp(n.Prop("merged_at"))
	start, _ := vault.ParseStamp(cmp.Or(n.Prop("start"), n.Prop("end")))
	own := vault.ParseLink(strings.Trim(n.Prop("transcript"), "[]"))
	return dedup.Summary{
		ID: n.ID(), Text: sourced(bodyOf(n), own), MergedAt: merged.Time, When: start.Time, Transcript: own.Target,
	}
}

// sourced gives each line of a summary that cites nothing the whole transcript as
// its source.
func sourced(body string, transcript vault.Link) string {
	if transcript.Target == "" {
		return body
	}
	var out strings.Builder
	for line := range strings.Lines(body) {
		text := strings.TrimRight(line, "\r\n")
		if text != "" && !strings.Contains(text, "[[") && !dedup.Heading(text) {
			text += " (" + vault.LinkTo(vault.Path(transcript.Target+".md"), "").String() + ")"
		}
		out.WriteString(text + "\n")
	}
	return out.String()
}

// peopleOf are those with whom a session was held, the same text for the same people:
// what was said to one person is not merged with what was said to another, or to an
// assistant.
func peopleOf(n *vault.Note) string {
	all := slices.Clone(n.List("participants"))
	for i := range all {
		all[i] = strings.ToLower(all[i])
	}
	slices.Sort(all)
	return strings.Join(all, "\x00")
}

// native reports whether a summary is its provider's own, which is used as it is.
func native(n *vault.Note) bool {
	return n.Prop("provider") != "" && n.Prop("provider") == n.Prop("source")
}

func bodyOf(n *vault.Note) string { return strings.TrimPrefix(string(n.Body()), "\n") }

// fold compares the summary of c with the older ones. It reports whether one of
// them took it in, so that the page is not to be written; else it returns the page,
// into which an older one may have gone. An error leaves the conversation for a
// later run.
func (f *folder) fold(ctx context.Context, c conversation, page []byte) (next []byte, folded bool, err error) {
	n := vault.Parse("new.md", page)
	if f.off || native(n) || len(f.older) == 0 {
		return page, false, nil
	}
	var texts []dedup.Summary
	var all []*older
	own, fresh := traitsOf(n), summaryOf(n)
	for _, o := range f.older {
		if o.key == own.key || c.tier != salience.Brief && o.brief || o.people != own.people || f.tookBack(o, n.ID(), fresh.Transcript) {
			continue
		}
		o.Summary = o.Read()
		all, texts = append(all, o), append(texts, o.Summary)
	}
	d, err := dedup.Decide(ctx, f.r.cfg.Near, f.r.judge(), fresh, texts, f.r.cfg.Now())
	switch {
	case errors.Is(err, dedup.ErrSimilar) && ctx.Err() == nil:
		f.off = true
		f.made.skip(c.path, fmt.Errorf("summaries were not compared with older ones: %w", err))
		return page, false, nil
	case err != nil:
		return nil, false, err
	case d.Action == dedup.KeepBoth:
		return page, false, nil
	}
	o := all[slices.IndexFunc(all, func(o *older) bool { return o.ID == d.Old.ID })]
	if d.NewFirst && o.page < 0 {
		next, err = f.replace(ctx, o, c, n, d)
		return next, false, err
	}
	folded, err = f.into(ctx, o, c, n, d)
	return page, folded, err
}

// tookBack reports whether the person took a merge of the two back: of one with the
// session of an id, of a transcript.
func (f *folder) tookBack(o *older, id, transcript string) bool {
	forgotten := f.r.cfg.Forgotten
	return forgotten != nil && (forgotten.Has(vault.FoldKey(o.ID, transcript)) || forgotten.Has(vault.FoldKey(id, o.Transcript)))
}

// replace makes the summary of the session that began earlier, and was imported
// later, the one that is kept: the page of the other goes into it. One that the
// person edited, pinned or links to stays, and both are kept.
func (f *folder) replace(ctx context.Context, o *older, c conversation, n *vault.Note, d dedup.Decision) ([]byte, error) {
	was, err := f.r.lastMade(ctx, o.note)
	if err != nil {
		return nil, err
	}
	if string(was.Bytes()) != string(o.note.Bytes()) {
		return n.Bytes(), nil
	}
	if linked, err := f.isLinked(ctx, o.note.Path); err != nil || linked {
		return n.Bytes(), err
	}
	body := bodyOf(n)
	if d.Action != dedup.DiscardNew {
		body = strings.TrimRight(d.Summary, "\n") + "\n"
		if Tokens(body) > gate.SessionTokens {
			return n.Bytes(), nil
		}
	}
	own := f.w.transcriptOf(o.note)
	own.Alias = o.note.Prop("end")
	next := n
	for _, from := range append([]vault.Link{own}, o.note.MergedFrom()...) {
		if next, err = folded(next, body, from, o.note.List("topics")); err != nil {
			return n.Bytes(), nil
		}
	}
	if body != bodyOf(n) {
		if err := next.Set("merged_at", f.mergedNow()); err != nil {
			return n.Bytes(), nil
		}
	}
	path := f.w.Layout().Session(c.start.Date(), c.title)
	f.made.Pages = append(f.made.Pages, Page{Path: o.note.Path, Over: vault.HashOf(o.note.Bytes()), Edit: true, Remove: true, After: next.ID()})
	f.made.Sources = append(f.made.Sources, string(o.note.Path))
	if err := f.dropTopics(ctx, o.note.Path, next.ID()); err != nil {
		return nil, err
	}
	f.older = slices.DeleteFunc(f.older, func(x *older) bool { return x == o })
	f.count(d, o.note.Path.Name(), path.Name())
	return next.Bytes(), nil
}

// takeAway takes the pages of sessions away that another one has taken in, where they
// are memsync's alone.
func (r *Runner) takeAway(ctx context.Context, sessions []*vault.Note, made *Made) error {
	for _, n := range sessions {
		was, err := r.lastMade(ctx, n)
		if err != nil {
			return err
		}
		if string(was.Bytes()) == string(n.Bytes()) && n.Generated() {
			made.Pages = append(made.Pages, Page{Path: n.Path, Over: vault.HashOf(n.Bytes()), Edit: true, Remove: true})
			made.Sources = append(made.Sources, string(n.Path))
		}
	}
	return nil
}

// dropTopics takes away the topic pages that tell of no other session than the one
// whose page goes; the pass of topics writes those of the session that is kept. A
// page that the person edited stays.
func (f *folder) dropTopics(ctx context.Context, gone vault.Path, kept string) error {
	pages, err := f.w.Notes(ctx, "memory")
	if err != nil {
		return err
	}
	from := vault.Path(gone.Stem())
	for _, n := range pages {
		tells, alone := false, true
		for _, l := range n.Links() {
			p := vault.Path(l.Target)
			if tells = tells || p == from; p != from && (p.Under(f.w.Layout().Folder("sessions")) || p.Under(f.w.Layout().Folder("archive"))) {
				alone = false
			}
		}
		if !tells || !alone || !n.Generated() {
			continue
		}
		was, err := f.r.lastMade(ctx, n)
		if err != nil {
			return err
		}
		if string(was.Bytes()) == string(n.Bytes()) {
			f.made.Pages = append(f.made.Pages, Page{Path: n.Path, Over: vault.HashOf(n.Bytes()), Edit: true, Remove: true, After: kept})
		}
	}
	return nil
}

// isLinked reports whether a note of the person's links to a page.
func (f *folder) isLinked(ctx context.Context, p vault.Path) (bool, error) {
	if f.linked == nil {
		f.linked = map[string]bool{}
		notes, _, err := f.w.v.Walk(ctx)
		if err != nil {
			return false, err
		}
		for _, e := range notes {
			if f.w.Layout().Owns(e.Path) {
				continue
			}
			raw, err := f.w.v.Read(e.Path)
			if err != nil {
				continue
			}
			for _, l := range vault.Parse(e.Path, raw).Links() {
				f.linked[vault.Path(strings.TrimSuffix(l.Target, ".md")).Base()] = true
			}
		}
	}
	return f.linked[p.Name()], nil
}

func (f *folder) mergedNow() vault.Value {
	return vault.Plain(vault.Stamp{Time: f.r.cfg.Now().UTC().Truncate(time.Second)}.Property())
}

// count notes what came of a comparison.
func (f *folder) count(d dedup.Decision, gone, kept string) {
	word := "merged into"
	if d.Action == dedup.DiscardNew {
		word = "adds nothing to"
		f.dropped++
	} else {
		f.merged++
	}
	f.made.Notes = append(f.made.Notes, fmt.Sprintf("%s %s %s (%.2f, %s)", gone, word, kept, d.Similarity, d.Why))
}

// into carries a decision out on the summary that is kept. Where that one is the
// person's by now, or the two are too long together, both are kept.
func (f *folder) into(ctx context.Context, o *older, c conversation, n *vault.Note, d dedup.Decision) (bool, error) {
	base := o.note
	if o.page < 0 {
		was, err := f.r.lastMade(ctx, o.note)
		if err != nil {
			return false, err
		}
		if string(was.Bytes()) != string(o.note.Bytes()) && d.Action != dedup.DiscardNew {
			return false, nil
		}
		base = was
	}
	body := bodyOf(base)
	if d.Action != dedup.DiscardNew {
		body = strings.TrimRight(d.Summary, "\n") + "\n"
		if Tokens(body) > gate.SessionTokens {
			return false, nil
		}
	}
	next, err := folded(base, body, foldedSource(f.w, c), n.List("topics"))
	if err == nil && body != bodyOf(base) {
		err = next.Set("merged_at", f.mergedNow())
	}
	if err != nil {
		return false, nil // front matter that cannot be edited is the person's
	}
	if o.page < 0 {
		o.page = len(f.made.Pages)
		f.made.page(o.note.Path, nil)
	}
	f.made.Pages[o.page].Data = next.Bytes()
	f.made.Sources = append(f.made.Sources, string(c.path))
	o.note = vault.Parse(o.note.Path, next.Bytes())
	o.traits, o.Summary = traitsOf(o.note), summaryOf(o.note)
	f.count(d, c.path.Name(), o.note.Path.Name())
	return true, nil
}

// subject says what came of the comparisons, for a commit's first line.
func (f *folder) subject() string {
	s := ""
	if f.merged > 0 {
		s += fmt.Sprintf(", %d merged", f.merged)
	}
	if f.dropped > 0 {
		s += fmt.Sprintf(", %d known already", f.dropped)
	}
	return s
}
