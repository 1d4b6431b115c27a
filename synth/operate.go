package synth

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/synth/review"
	"github.com/memsync/memsync/vault"
)

// This file has the model propose memory operations for what was said, and the
// validator judge them. The model sees the claims that bear on the conversation.

// A proposer asks for operations a few conversations ahead, so that several are
// under way at once. Conversations of one round see the same ledgers; that two of
// them say the same is for the validator to find.
type proposer struct {
	r      *Runner
	books  *ledger.Books
	coming []vault.Path
	got    map[vault.Path]proposed
	asked  int
}

type proposed struct {
	ops ops.Operations
	end answer
}

func (r *Runner) newProposer(books *ledger.Books, coming []vault.Path) *proposer {
	return &proposer{r: r, books: books, coming: coming, got: map[vault.Path]proposed{}}
}

// full says that as much was asked as goes into one commit.
func (p *proposer) full() bool { return p.asked >= unitsPerCommit }

// next is what came of asking about a conversation. Conversations are asked about
// in the order of coming.
func (p *proposer) next(ctx context.Context, at vault.Path) (proposed, error) {
	if p.r.model.w == nil {
		return proposed{}, nil
	}
	if got, ok := p.got[at]; ok {
		return got, nil
	}
	i := slices.Index(p.coming, at)
	if i < 0 {
		return proposed{}, nil
	}
	round := p.coming[i:min(len(p.coming), i+cmp.Or(p.r.cfg.Parallel, defaultParallel))]
	out := make([]proposed, len(round))
	claims := p.books.InForce()
	err := p.r.each(ctx, len(round), func(ctx context.Context, i int) (err error) {
		out[i], err = p.r.operationsOf(ctx, round[i], claims)
		return err
	})
	for i, at := range round {
		p.got[at] = out[i]
	}
	p.asked += len(round)
	return p.got[at], err
}

func (r *Runner) operationsOf(ctx context.Context, at vault.Path, claims []vault.Claim) (proposed, error) {
	talk, err := r.talk(at)
	if err != nil || len(talk.Turns) == 0 {
		return proposed{}, nil
	}
	known := knownTo(talk, claims)
	o, end, err := ask(ctx, r, "operations", func(ctx context.Context, w passes.Writer) (ops.Operations, error) {
		o, drops, err := w.Operations(ctx, talk, known)
		r.model.dropped(len(drops))
		return o, err
	})
	return proposed{o, end}, err
}

// Claims that the model sees beside a conversation: those of which at least a
// third of the words occur in it, the best first.
const (
	knownShown = 40
	knownLeast = 0.34
)

func knownTo(talk passes.Conversation, claims []vault.Claim) []passes.Claim {
	said := map[string]bool{}
	for _, t := range talk.Turns {
		for w := range strings.FieldsSeq(extract.PhraseKey(t.Text)) {
			said[w] = true
		}
	}
	type near struct {
		claim vault.Claim
		share float64
	}
	var all []near
	for _, c := range claims {
		hits, words := 0, 0
		for w := range strings.FieldsSeq(extract.PhraseKey(c.Text)) {
			if extract.Weak(w) {
				continue
			}
			if words++; said[w] {
				hits++
			}
		}
		if share := float64(hits) / float64(max(1, words)); c.ID != "" && share >= knownLeast {
			all = append(all, near{c, share})
		}
	}
	slices.SortStableFunc(all, func(a, b near) int { return cmp.Compare(b.share, a.share) })
	var out []passes.Claim
	for _, n := range all[:min(len(all), knownShown)] {
		out = append(out, claimFor(n.claim))
	}
	return out
}

// claimFor is a claim as the model reads it.
func claimFor(c vault.Claim) passes.Claim {
	return passes.Claim{ID: c.ID, Kind: c.Kind, Text: c.Text, FirstSeen: c.FirstSeen, LastSeen: c.LastSeen}
}

// operate puts proposed operations through the validator and into the ledgers. It
// reports how many claims were added, and proposals: what a model wants forgotten
// is for the person to say, and what contradicts an older claim too.
func (r *Runner) operate(ctx context.Context, w *View, books *ledger.Books, s *vault.Note, o ops.Operations, made *Made) (added int, proposals []Page, err error) {
	about := sync.OnceValue(func() map[string]float64 { return subjectsOf([]string{Visible(string(s.Body()))}) })
	file := func(st *ops.Statement) { st.Domain, st.Topic = r.place(ctx, books, st.Kind, st.Text, about) }
	for i := range o.Create {
		file(&o.Create[i].Statement)
	}
	for i := range o.Supersede {
		file(&o.Supersede[i].By)
	}
	deletes := o.Delete
	o.Delete = nil
	res, err := ops.ApplyTo(ctx, books, w, o, ops.Config{
		Secret: r.cfg.Secret, Forgotten: r.cfg.Forgotten, Today: r.cfg.Now().UTC().Format("2006-01-02"),
	})
	if err != nil {
		return 0, nil, err
	}
	r.model.dropped(len(res.Rejected))
	for _, done := range res.Applied {
		if done.Op != "create" && done.Op != "supersede" || done.Note != "" {
			continue
		}
		added++
		if claim, _, ok := books.Find(done.ID); ok && done.Op == "create" {
			if p, ok := r.contradicts(ctx, w, books, claim); ok {
				proposals = append(proposals, p)
			}
		}
	}
	for _, d := range deletes {
		if p, ok := r.proposeForgetting(ctx, w, books, s, d); ok {
			proposals = append(proposals, p)
		}
	}
	return added, proposals, nil
}

// proposeForgetting makes a proposal of a model's delete: a wrong one would be
// learned never again.
func (r *Runner) proposeForgetting(ctx context.Context, w *View, books *ledger.Books, s *vault.Note, d ops.Delete) (Page, bool) {
	c, at, ok := books.Find(strings.TrimPrefix(d.ID, "^"))
	if !ok || len(d.Provenance) == 0 {
		return Page{}, false
	}
	from, err := ops.Prove(ctx, w, d.Provenance[0])
	if err != nil {
		r.model.dropped(1)
		return Page{}, false
	}
	day := s.Prop("end")
	return r.propose(ctx, w, review.Proposal{
		Title: "Forget: " + clipWords(strings.TrimRight(c.Text, "."), 8), Action: review.Notice, Target: at, Created: isoDay(day),
		Reason: fmt.Sprintf("You may have asked for %q to be forgotten. Run `memsync forget %s` to forget it for good.", c.Text, c.ID),
		From:   []vault.Evidence{from},
	})
}
