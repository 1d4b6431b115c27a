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
// path): what says nothing new is dropped, what overlaps becomes one summary. The
// summary that is kept names in merged_from the transcripts whose summaries went
// into it; they are not summed up by themselves again until they grow.

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
}

// An older summary is one that a new one is compared with: it stands in
// sessions/, or was made by this pass.
type older struct {
	note *vault.Note
	page int // its place in Made.Pages, -1 for none
	dedup.Summary
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
	merged, _ := vault.ParseStamp(n.Prop("merged_at"))
	start, _ := vault.ParseStamp(cmp.Or(n.Prop("start"), n.Prop("end")))
	f.older = append(f.older, &older{n, page, dedup.Summary{
		ID: n.ID(), Text: bodyOf(n), MergedAt: merged.Time, When: start.Time,
	}})
}

// native reports whether a summary is its provider's own, which is used as it is.
func native(n *vault.Note) bool {
	return n.Prop("provider") != "" && n.Prop("provider") == n.Prop("source")
}

func bodyOf(n *vault.Note) string { return strings.TrimPrefix(string(n.Body()), "\n") }

// fold compares the summary of c with the older ones and reports whether one of
// them took it in, so that the page is not to be written. An error leaves the
// conversation for a later run.
func (f *folder) fold(ctx context.Context, c conversation, page []byte) (bool, error) {
	n := vault.Parse("new.md", page)
	if f.off || native(n) || len(f.older) == 0 {
		return false, nil
	}
	var texts []dedup.Summary
	var all []*older
	for _, o := range f.older {
		if conversationKey(o.note) == conversationKey(n) || c.tier != salience.Brief && salience.Tier(o.note.Prop("tier")) == salience.Brief ||
			f.r.cfg.Forgotten != nil && f.r.cfg.Forgotten.Has(vault.FoldKey(o.note.ID(), string(c.path))) {
			continue
		}
		all, texts = append(all, o), append(texts, o.Summary)
	}
	fresh := dedup.Summary{Text: bodyOf(n), When: c.start.Time}
	d, err := dedup.Decide(ctx, f.r.cfg.Near, f.r.judge(), fresh, texts, f.r.cfg.Now())
	switch {
	case errors.Is(err, dedup.ErrSimilar) && ctx.Err() == nil:
		f.off = true
		f.made.skip(c.path, fmt.Errorf("summaries were not compared with older ones: %w", err))
		return false, nil
	case err != nil:
		return false, err
	case d.Action == dedup.KeepBoth:
		return false, nil
	}
	into := all[slices.IndexFunc(all, func(o *older) bool { return o.ID == d.Old.ID })]
	return f.into(ctx, into, c, n, d)
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
		err = next.Set("merged_at", vault.Plain(vault.Stamp{Time: f.r.cfg.Now().UTC().Truncate(time.Second)}.Property()))
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
	merged, _ := vault.ParseStamp(next.Prop("merged_at"))
	o.note, o.Text, o.MergedAt = vault.Parse(o.note.Path, next.Bytes()), bodyOf(next), merged.Time
	word := "merged into"
	if d.Action == dedup.DiscardNew {
		word = "adds nothing to"
		f.dropped++
	} else {
		f.merged++
	}
	f.made.Notes = append(f.made.Notes, fmt.Sprintf("%s %s %s (%.2f, %s)", c.path.Name(), word, o.note.Path.Name(), d.Similarity, d.Why))
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
