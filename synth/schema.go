package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// Bounds of what is proposed: a pattern is seen at least twice on two days
// (DESIGN, source 1); sameRule is the share of content words from which two
// claims are one pattern; more than a few proposals at once are not read.
const (
	sameRule     = 0.6
	maxProposals = 10
)

// schemaNames are what proposals call the kinds of the person's self-model.
var schemaNames = map[string]string{"value": "value", "preference": "preference", "policy": "policy", "goal": "goal"}

// schema proposes what the person lives by: values, preferences, policies and
// goals that were said on two days. It never writes to schema/ itself.
func (r *Runner) schema(ctx context.Context, w *View) (Made, error) {
	claims, err := claimsInForce(ctx, w)
	if err != nil {
		return Made{}, err
	}
	known, err := w.Notes(ctx, "schema")
	if err != nil {
		return Made{}, err
	}
	var have []vault.Claim
	for _, n := range known {
		have = append(have, n.Claims()...)
	}
	var made Made
	for _, p := range patterns(claims, have) {
		if len(made.Pages) == maxProposals {
			break
		}
		target, _ := w.Layout().Schema(p.claim.Kind)
		line := p.claim
		line.From, line.Status, line.Confidence, line.Importance, line.ID = nil, "proposed", -1, -1, ""
		page, ok := r.propose(ctx, w, review.Proposal{
			Title:  "New " + schemaNames[p.claim.Kind] + ": " + clipWords(strings.TrimRight(p.claim.Text, "."), 8),
			Action: review.Create, Target: target, Created: p.claim.LastSeen,
			Reason: fmt.Sprintf("Said %d times, from %s to %s.", len(p.claim.From), p.claim.FirstSeen, p.claim.LastSeen),
			Diff:   "+" + line.Format() + "\n", From: p.claim.From,
		})
		if ok && !slices.ContainsFunc(made.Pages, func(o Page) bool { return o.Path == page.Path }) {
			made.Pages = append(made.Pages, page)
		}
	}
	made.Subject = count(len(made.Pages), "proposal")
	return made, nil
}

// rules are the kinds that say the same of how the person wants things: "always in
// grams" and "I prefer grams".
var rules = map[string]bool{"policy": true, "preference": true}

func ofOneKind(a, b vault.Claim) bool { return a.Kind == b.Kind || rules[a.Kind] && rules[b.Kind] }

// A pattern is a claim that stands for several which say nearly the same, with
// the evidence of all.
type pattern struct{ claim vault.Claim }

// patterns groups the claims of the kinds of the self-model and keeps the groups
// that were seen on two days and are not in the schema yet.
func patterns(claims, have []vault.Claim) []pattern {
	var groups []pattern
	for _, c := range claims {
		if schemaNames[c.Kind] == "" || len(c.From) == 0 || len(c.Text) > 180 {
			continue
		}
		if c.Kind == "goal" && !extract.LifeGoal(c.Text) {
			continue
		}
		if slices.ContainsFunc(have, func(h vault.Claim) bool { return ofOneKind(h, c) && extract.Overlap(h.Text, c.Text) >= sameRule }) {
			continue
		}
		i := slices.IndexFunc(groups, func(g pattern) bool {
			return ofOneKind(g.claim, c) && extract.SameNumbers(g.claim.Text, c.Text) && !extract.Denies(g.claim.Text, c.Text) && extract.Overlap(g.claim.Text, c.Text) >= sameRule
		})
		if i < 0 {
			groups = append(groups, pattern{c})
			continue
		}
		g := &groups[i].claim
		from := append(slices.Clone(g.From), c.From...)
		first, last := min(g.FirstSeen, c.FirstSeen), max(g.LastSeen, c.LastSeen)
		if c.LastSeen > g.LastSeen {
			*g = c // the latest wording stands
		}
		g.From, g.FirstSeen, g.LastSeen = from[:min(len(from), 5)], first, last
	}
	groups = slices.DeleteFunc(groups, func(g pattern) bool { return g.claim.FirstSeen == "" || g.claim.FirstSeen == g.claim.LastSeen })
	slices.SortStableFunc(groups, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(len(b.claim.From), len(a.claim.From)), strings.Compare(b.claim.LastSeen, a.claim.LastSeen))
	})
	return groups
}

// clipWords is the first words of a text.
func clipWords(text string, n int) string {
	words := strings.Fields(text)
	if len(words) <= n {
		return strings.Join(words, " ")
	}
	return strings.Join(words[:n], " ") + "…"
}
