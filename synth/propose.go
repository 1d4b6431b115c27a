package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/gate"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
	"github.com/memsync/memsync/vault/pass"
)

// propose makes a page of a proposal, unless the person declined it before. A
// proposal for a page takes the place of one that is still open.
func (r *Runner) propose(ctx context.Context, w *View, p review.Proposal) (Page, bool) {
	p = review.New(w.Layout(), p)
	if f := r.cfg.Forgotten; f != nil && f.Has(p.Key()) {
		return Page{}, false
	}
	open, _ := w.Notes(ctx, "review")
	for _, n := range open {
		was, err := review.Parse(n)
		if err != nil || was.Target != p.Target || was.Action != p.Action {
			continue
		}
		if was.ID == p.ID || was.Key() == p.Key() {
			return Page{}, false // it waits already, perhaps edited
		}
		if p.Action == review.Replace && was.Title == p.Title && was.Undecided() {
			p.Path = was.Path
		}
	}
	for i := 2; w.Exists(p.Path) && p.Action != review.Replace; i++ {
		p.Path = w.Layout().Review(p.Created, fmt.Sprintf("%s %d", p.Title, i))
	}
	return Page{Path: p.Path, Data: p.Format()}, true
}

// instead makes a proposal of a page that is not written: it contradicts the
// person's edits, or a gate holds it back.
func (r *Runner) instead(ctx context.Context, w *View, page Page, before []byte, title, reason string, show bool) (Page, bool) {
	n := vault.Parse(page.Path, page.Data)
	day := cmp.Or(n.Prop("updated"), n.Prop("end"), r.cfg.Now().UTC().Format("2006-01-02"))
	diff := "" // where the diff itself must not be written
	action := review.Notice
	if show {
		diff = string(merge.Unified(before, page.Data, "a/"+string(page.Path), "b/"+string(page.Path)))
		action = review.Replace
	}
	return r.propose(ctx, w, review.Proposal{
		Title: title, Action: action, Target: page.Path, Created: isoDay(day), Reason: reason, Diff: diff,
	})
}

// held makes proposals of the plans that must not be carried out as they are, and
// returns the plans that may. What is held back is named in the report.
func (r *Runner) hold(ctx context.Context, change *pass.Pass, w *View, name string, pages []Page, plans []pass.Plan, rep *Report) ([]pass.Plan, error) {
	c := newChecker(ctx, w, pages, r.cfg.Secret)
	c.forgotten = r.cfg.Forgotten
	asked := slices.Contains(theirs, name)
	var keep []pass.Plan
	var proposals []Page
	var gated []string
	add := func(p Page, ok bool) {
		if ok {
			proposals = append(proposals, p)
		}
	}
	for i, plan := range plans {
		page := pages[i]
		if plan.Outcome != pass.Conflicted && !plan.Writes() {
			keep = append(keep, plan)
			continue
		}
		before, _ := r.v.Read(page.Path)
		if plan.Outcome == pass.Conflicted {
			rep.Skipped = append(rep.Skipped, Skipped{page.Path, "your edits and the new text contradict each other; yours stays, and review/ has the new one"})
			add(r.instead(ctx, w, page, before, vault.Parse(page.Path, page.Data).Title()+": your edits and the new text contradict each other",
				"You edited this page, and what memsync now makes of it changes the same lines. Yours stand; accepting takes the new text instead.", true))
			continue
		}
		if failures := c.check(page, before, plan.Next); len(failures) > 0 && !asked && !bookkeeping(w, page.Path) {
			var why []string
			show := true
			for _, f := range failures {
				why = append(why, f.Gate+": "+f.Message)
				show = show && f.Gate != gate.Secrets
			}
			reason := strings.Join(why, "; ")
			rep.Skipped = append(rep.Skipped, Skipped{page.Path, "held back for review, " + reason})
			rep.inReview = append(rep.inReview, page.Path)
			add(r.instead(ctx, w, page, before, vault.Parse(page.Path, page.Data).Title()+": held back", "Held back by a check: "+reason+".", show))
			continue
		}
		if r.cfg.Gate && !asked && !bookkeeping(w, page.Path) {
			rep.inReview = append(rep.inReview, page.Path)
			gated = append(gated, string(merge.Unified(before, plan.Next, "a/"+string(page.Path), "b/"+string(page.Path))))
			continue
		}
		keep = append(keep, plan)
	}
	if len(gated) > 0 {
		day := r.cfg.Now().UTC().Format("2006-01-02")
		add(r.propose(ctx, w, review.Proposal{
			Title: name + ": " + count(len(gated), "page"), Action: review.Replace, Target: w.Layout().Folder(name).Join("pages.md"), Created: day,
			Reason: "The vault is set to propose (review: gate). Accepting writes these pages.", Diff: review.JoinDiffs(gated),
		}))
	}
	for _, p := range proposals {
		plan, err := change.Plan(ctx, p.Path, p.Data)
		if err != nil {
			return nil, err
		}
		keep = append(keep, plan)
	}
	return keep, nil
}

// bookkeeping are files that no gate looks at: proposals, which may show what is
// wrong, and the hashes of what was removed.
func bookkeeping(w *View, p vault.Path) bool {
	return p.Under(w.Layout().Folder("review")) || p == w.Layout().Forgotten()
}
