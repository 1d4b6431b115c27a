package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/synth/gate"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/merge"
)

// This file forgets, in the way of source 5: facts of little priority fold into
// the summary of the session that they come from. Nothing is lost. The summary
// holds the line, the ledger keeps it as outdated under its id, with where it went,
// and the change is one commit that can be taken back. What is said again later is
// in force again.

// The bounds of folding. A fact of no access and middling importance comes to 0.12
// to 0.15 once its recency is gone (half a year is e^-6); a decision to 0.21. Small
// ledgers keep what they have: there is nothing to gain.
const (
	foldBelow  = 0.16
	foldAge    = 180 * 24 * time.Hour
	keptClaims = 20
	foldAtOnce = 50
	// Schema is what the person lives by: only a year without a word, and without
	// anybody asking for it, makes it stale, and then it is proposed.
	staleBelow = 0.3
	staleAge   = 365 * 24 * time.Hour
)

// A Priority says how much a claim matters on a day, from 0 to 1.
type Priority func(c vault.Claim, now time.Time) float64

// fold folds facts of little priority into their sessions, takes back into force
// what was said again, and proposes that stale schema is outdated. The day is the
// newest one in the vault, so that the same vault gives the same pages.
func (r *Runner) fold(ctx context.Context, w *View) (Made, error) {
	if r.cfg.Priority == nil {
		return Made{}, nil
	}
	sessions, err := readSessions(ctx, w)
	if err != nil {
		return Made{}, err
	}
	books, err := ledger.Open(ctx, w)
	if err != nil {
		return Made{}, err
	}
	claims, err := placedClaims(ctx, w)
	if err != nil {
		return Made{}, err
	}
	now, err := time.Parse(time.DateOnly, newestDay(sessions, nil))
	if err != nil {
		return Made{}, nil // nothing is dated, so nothing is old
	}
	var made Made
	revived, err := r.revive(ctx, w, books)
	if err != nil {
		return Made{}, err
	}
	pages := map[vault.Path]*vault.Note{}
	byTranscript := map[string]session{}
	for _, s := range sessions {
		byTranscript[s.from] = s
	}
	folded := 0
	for _, c := range r.fading(claims, w.Layout().Folder("facts"), now) {
		s, ok := byTranscript[c.From[0].Link.Target]
		if !ok || folded == foldAtOnce {
			continue
		}
		n := pages[s.note.Path]
		if n == nil {
			// The line is memsync's, so it goes into what memsync made of the page.
			if n, err = r.lastMade(ctx, s.note); err != nil {
				return Made{}, err
			}
		}
		next, ok := withLine(n, c)
		if !ok {
			continue // the summary is full: the fact stays as it is
		}
		err = books.Edit(c.ID, func(l *vault.Note) error { return outdate(l, c.Claim, s.note.Path, now) })
		if err != nil {
			return Made{}, err
		}
		if next != n {
			pages[s.note.Path] = next
		}
		folded++
		made.Done = append(made.Done, Input{c.ID, c.LastSeen})
		if link := string(s.note.Path); !slices.Contains(made.Sources, link) {
			made.Sources = append(made.Sources, link)
		}
	}
	for _, e := range books.Changed() {
		made.edit(e.Path, e.Over, e.Data)
	}
	for _, s := range sessions {
		if n := pages[s.note.Path]; n != nil {
			made.page(s.note.Path, n.Bytes())
		}
	}
	for p, hash := range books.Left() {
		made.Ledgers = append(made.Ledgers, Input{string(p), string(hash)})
	}
	made.Pages = append(made.Pages, r.staleSchema(ctx, w, claims, now)...)
	made.Subject = count(folded, "fact") + " into " + count(len(made.Sources), "session")
	if revived > 0 {
		made.Subject += ", " + count(revived, "fact") + " in force again"
	}
	return made, nil
}

// fading are the facts to fold, those that matter least first: old, of little
// priority, said on one day, and neither pinned, rated nor confirmed. Each ledger
// keeps its best.
func (r *Runner) fading(claims []placedClaim, facts vault.Path, now time.Time) []placedClaim {
	left := map[vault.Path]int{}
	worth := map[string]float64{}
	var out []placedClaim
	for _, c := range claims {
		if !c.at.Under(facts) {
			continue
		}
		left[c.at]++
		if c.ID == "" || len(c.From) == 0 || c.Pin != "" || c.Importance >= 0 || c.Status == "confirmed" || c.FirstSeen != c.LastSeen || len(c.Rel) > 0 {
			continue
		}
		if seen, err := time.Parse(time.DateOnly, c.LastSeen); err != nil || now.Sub(seen) < foldAge {
			continue
		}
		if r.done("fold", c.ID, c.LastSeen) {
			continue // it was folded, and the person took that back
		}
		if worth[c.ID] = r.cfg.Priority(c.Claim, now); worth[c.ID] < foldBelow {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b placedClaim) int {
		return cmp.Or(cmp.Compare(worth[a.ID], worth[b.ID]), strings.Compare(a.LastSeen, b.LastSeen), strings.Compare(a.ID, b.ID))
	})
	return slices.DeleteFunc(out, func(c placedClaim) bool {
		if left[c.at] <= keptClaims {
			return true
		}
		left[c.at]--
		return false
	})
}

// outdate marks a claim as folded into a session on a day. The line stays.
func outdate(l *vault.Note, c vault.Claim, into vault.Path, day time.Time) error {
	for _, f := range []vault.Field{
		{Key: "status", Value: "outdated"}, {Key: "until", Value: day.Format(time.DateOnly)}, {Key: "rel", Value: foldedInto + " " + vault.LinkTo(into, "").String()},
	} {
		if err := l.SetClaimField(c.ID, f.Key, f.Value); err != nil {
			return err
		}
	}
	return nil
}

// foldedInto is how an outdated claim names the session that has it now.
const foldedInto = "folded"

// revive takes back into force the folded claims that were said again since.
func (r *Runner) revive(ctx context.Context, w *View, books *ledger.Books) (int, error) {
	notes, err := w.Notes(ctx, "facts")
	if err != nil {
		return 0, err
	}
	revived := 0
	for _, n := range notes {
		if !n.IsLedger() {
			continue
		}
		for _, c := range n.Claims() {
			if c.Status != "outdated" || c.LastSeen <= c.Until || len(c.Rel) == 0 || !strings.HasPrefix(c.Rel[0], foldedInto+" ") {
				continue
			}
			err = books.Edit(c.ID, func(l *vault.Note) error {
				for _, key := range []string{"status", "until", "rel"} {
					if err := l.SetClaimField(c.ID, key, ""); err != nil {
						return err
					}
				}
				return nil
			})
			if err != nil {
				return 0, err
			}
			revived++
		}
	}
	return revived, nil
}

// foldedClaims are the claims that were folded into sessions, by the session's path
// without its ending.
func foldedClaims(ctx context.Context, w *View) (map[string][]placedClaim, error) {
	notes, err := w.Notes(ctx, "facts")
	if err != nil {
		return nil, err
	}
	out := map[string][]placedClaim{}
	for _, n := range notes {
		if !n.IsLedger() {
			continue
		}
		for _, c := range n.Claims() {
			if c.Status != "outdated" || len(c.Rel) == 0 || len(c.From) == 0 || !strings.HasPrefix(c.Rel[0], foldedInto+" ") {
				continue
			}
			for _, l := range vault.Parse("rel.md", []byte(c.Rel[0])).Links() {
				out[l.Target] = append(out[l.Target], placedClaim{c, n.Path})
			}
		}
	}
	return out, nil
}

// withFolded is the page of a session that is summed up anew, with the lines of the
// claims that were folded into it: the ledger says that they are there. Where there is
// no room, the last lines of the new summary make some.
func withFolded(page *vault.Note, claims []placedClaim) *vault.Note {
	for _, c := range claims {
		next, ok := withLine(page, c)
		for shorter := page; !ok; {
			if shorter, ok = withoutLast(shorter, claims); !ok {
				break
			}
			next, ok = withLine(shorter, c)
		}
		if ok {
			page = next
		}
	}
	return page
}

// withoutLast is a session's page without its last line that is none of the claims.
func withoutLast(n *vault.Note, claims []placedClaim) (*vault.Note, bool) {
	lines := strings.SplitAfter(string(n.Body()), "\n")
	for i, line := range slices.Backward(lines) {
		if strings.HasPrefix(line, "- ") && !slices.ContainsFunc(claims, func(c placedClaim) bool { return strings.Contains(line, c.Text) }) {
			body := strings.Join(slices.Delete(lines, i, i+1), "")
			return vault.Parse(n.Path, append(slices.Clone(n.Bytes()[:n.BodyStart()]), body...)), true
		}
	}
	return n, false
}

// withLine is a session's page with a line for a claim, the page itself where it
// says it already. It reports false where there is no room.
func withLine(n *vault.Note, c placedClaim) (*vault.Note, bool) {
	said := c.From[0].Link.Target + "#" + c.From[0].Link.Block
	body := string(n.Body())
	for line := range strings.Lines(body) {
		if strings.Contains(line, c.Text) || strings.Contains(line, said+"|") && strings.Contains(line, strings.TrimRight(c.Text, ".!")) {
			return n, true
		}
	}
	line := "- " + c.Text + proof(c.Claim) + "\n"
	at := len(body)
	if i := strings.LastIndex("\n"+body, "\n- "); i >= 0 {
		at = i
		if end := strings.IndexByte(body[i:], '\n'); end >= 0 {
			at += end + 1
		} else {
			at, line = len(body), "\n"+line
		}
	} else if strings.TrimSpace(body) != "" {
		line = "\n" + line
		if !strings.HasSuffix(body, "\n") {
			line = "\n" + line
		}
	}
	next := body[:at] + line + body[at:]
	if Tokens(next) > gate.SessionTokens {
		return nil, false
	}
	out := vault.Parse(n.Path, append(slices.Clone(n.Bytes()[:n.BodyStart()]), next...))
	if out.Prop("tokens") != "" {
		if err := out.Set("tokens", vault.Number(Tokens(next))); err != nil {
			return nil, false
		}
	}
	return out, true
}

// staleSchema proposes that what the person lived by is outdated: goals whose day
// has passed, and items that nobody mentioned or asked for in a year.
func (r *Runner) staleSchema(ctx context.Context, w *View, claims []placedClaim, now time.Time) []Page {
	var pages []Page
	for _, c := range claims {
		if !c.at.Under(w.Layout().Folder("schema")) || c.ID == "" || c.Pin != "" || len(pages) == maxProposals {
			continue
		}
		seen, err := time.Parse(time.DateOnly, c.LastSeen)
		if err != nil {
			continue
		}
		why := ""
		switch {
		case over(c.Claim, now.Format(time.DateOnly)):
			why = "Its day has passed."
		case now.Sub(seen) >= staleAge && r.cfg.Priority(c.Claim, now) < staleBelow:
			why = fmt.Sprintf("Nobody mentioned it or asked for it since %s.", c.LastSeen)
		default:
			continue
		}
		n, err := w.Note(c.at)
		if err != nil {
			continue
		}
		next := vault.Parse(c.at, slices.Clone(n.Bytes()))
		if next.SetClaimField(c.ID, "status", "outdated") != nil {
			continue
		}
		page, ok := r.propose(ctx, w, review.Proposal{
			Title: "Outdated: " + clipWords(strings.TrimRight(c.Text, "."), 8), Action: review.Replace, Target: c.at, Created: now.Format(time.DateOnly),
			Reason: why + " Accepting marks it as outdated; the line stays.",
			Diff:   string(merge.Unified(n.Bytes(), next.Bytes(), "a/"+string(c.at), "b/"+string(c.at))), From: c.From,
		})
		if ok {
			pages = append(pages, page)
		}
	}
	return pages
}
