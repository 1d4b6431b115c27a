package ops

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/memsync/memsync/synth/extract"
	"github.com/memsync/memsync/synth/ledger"
	"github.com/memsync/memsync/vault"
)

// A Done is an operation that was applied.
type Done struct {
	Op    string `json:"op"`
	Index int    `json:"index"`
	// ID is the claim that the operation made or changed.
	ID   string     `json:"id"`
	Path vault.Path `json:"path"`
	// Note says what came of it where that is not what was asked for: the claim
	// was known and got more proof.
	Note string `json:"note,omitempty"`
}

// A Rejection is an operation that was refused.
type Rejection struct {
	Op     string `json:"op"`
	Index  int    `json:"index"`
	Reason Reason `json:"reason"`
	// Message is one sentence for a person.
	Message string `json:"message"`
}

// A Result is what came of operations. Edits are the ledgers to write; where
// Forget is set, Forgotten of the Config got more in it and is to be written too.
type Result struct {
	Applied  []Done        `json:"applied"`
	Rejected []Rejection   `json:"rejected"`
	Edits    []ledger.Edit `json:"-"`
	Forget   bool          `json:"-"`
	// Sources are the transcripts that prove what was applied.
	Sources []string `json:"-"`
}

// batch is one run of Apply.
type batch struct {
	r           Reader
	cfg         Config
	books       *ledger.Books
	transcripts map[string]*vault.Transcript
	names       map[string]vault.Path
	res         *Result
}

// Apply checks operations against a vault and changes its ledgers in memory. What
// is refused is in Result.Rejected and stops nothing; an error means that the
// vault could not be read, and then nothing is to be written.
func Apply(ctx context.Context, r Reader, o Operations, cfg Config) (Result, error) {
	books, err := ledger.Open(ctx, r)
	if err != nil {
		return Result{Applied: []Done{}, Rejected: []Rejection{}}, err
	}
	return ApplyTo(ctx, books, r, o, cfg)
}

// Prove finds the words of a proof in the turn that it names.
func Prove(ctx context.Context, r Reader, p Proof) (vault.Evidence, error) {
	b := &batch{r: r, transcripts: map[string]*vault.Transcript{}}
	from, _, err := b.prove(ctx, []Proof{p}, "preference")
	if err != nil {
		return vault.Evidence{}, err
	}
	return from[0], nil
}

// ApplyTo is Apply to ledgers that are open already. After an error they are not
// to be written.
func ApplyTo(ctx context.Context, books *ledger.Books, r Reader, o Operations, cfg Config) (Result, error) {
	res := Result{Applied: []Done{}, Rejected: []Rejection{}}
	var err error
	b := &batch{r: r, cfg: cfg, books: books, transcripts: map[string]*vault.Transcript{}, res: &res}
	run := func(op string, i int, do func() (Done, error)) error {
		done, err := do()
		if no, ok := errors.AsType[*refusal](err); ok {
			res.Rejected = append(res.Rejected, Rejection{op, i, no.reason, no.text})
			return nil
		}
		if err != nil {
			return err
		}
		done.Op, done.Index = op, i
		res.Applied = append(res.Applied, done)
		return ctx.Err()
	}
	for i, op := range o.Create {
		err = errors.Join(err, run("create", i, func() (Done, error) { return b.create(ctx, op) }))
	}
	for i, op := range o.Update {
		err = errors.Join(err, run("update", i, func() (Done, error) { return b.update(ctx, op) }))
	}
	for i, op := range o.Supersede {
		err = errors.Join(err, run("supersede", i, func() (Done, error) { return b.supersede(ctx, op.ID, op.By, op.Provenance) }))
	}
	for i, op := range o.Delete {
		err = errors.Join(err, run("delete", i, func() (Done, error) { return b.delete(ctx, op) }))
	}
	for i, op := range o.Pin {
		err = errors.Join(err, run("pin", i, func() (Done, error) { return b.pin(ctx, op) }))
	}
	if err != nil {
		return Result{Applied: []Done{}, Rejected: []Rejection{}}, err
	}
	res.Edits = books.Changed()
	return res, nil
}

// claim makes the claim of a statement that was checked and proved.
func claim(s Statement, from []vault.Evidence, day string) vault.Claim {
	c := vault.Claim{
		ID: vault.ContentID("f", 6, strings.ToLower(vault.Fold(s.Text))), Text: vault.Fold(s.Text), Kind: s.Kind,
		Confidence: -1, Importance: -1, Predicate: s.P, Object: s.O, FirstSeen: day, LastSeen: day, From: from,
	}
	if s.Confidence != nil {
		c.Confidence = *s.Confidence
	}
	if s.Importance != nil {
		c.Importance = *s.Importance
	}
	return c
}

func (b *batch) create(ctx context.Context, op Create) (Done, error) {
	if op.Supersedes != "" {
		return b.supersede(ctx, op.Supersedes, op.Statement, op.Provenance)
	}
	if err := b.statement(op.Statement); err != nil {
		return Done{}, err
	}
	if op.Kind == "correction" {
		return Done{}, refuse(SupersedesNothing, "a correction must say which claim it supersedes")
	}
	from, day, err := b.prove(ctx, op.Provenance, op.Kind)
	if err != nil {
		return Done{}, err
	}
	c := claim(op.Statement, from, day)
	if old, _, ok := b.books.Find(c.ID); ok && !old.InForce() {
		return Done{}, refuse(NotInForce, "claim %s said this and was superseded", c.ID)
	}
	domain, topic := op.Domain, op.Topic
	if domain == "" {
		domain = "general"
	}
	if topic == "" {
		topic = "general"
	}
	old, ok := b.known(c)
	id, added := b.books.Learn(domain, topic, c)
	done := b.done(id, from)
	if now, _, _ := b.books.Find(id); ok && !added {
		if done.Note = "known already; nothing was added"; len(now.From) > len(old.From) {
			done.Note = "known already; the proof was added"
		}
	}
	return done, nil
}

// known is the claim that says what c says.
func (b *batch) known(c vault.Claim) (vault.Claim, bool) {
	if old, _, ok := b.books.Find(c.ID); ok {
		return old, true
	}
	return b.books.Same(c.Text)
}

func (b *batch) done(id string, from []vault.Evidence) Done {
	_, p, _ := b.books.Find(id)
	for _, e := range from {
		if !slices.Contains(b.res.Sources, e.Link.Target) {
			b.res.Sources = append(b.res.Sources, e.Link.Target)
		}
	}
	return Done{ID: id, Path: p}
}

// target finds the claim that an operation changes, and refuses claims that are
// the person's to change.
func (b *batch) target(id string) (vault.Claim, vault.Path, error) {
	id = strings.TrimPrefix(strings.TrimSpace(id), "^")
	c, p, ok := b.books.Find(id)
	switch {
	case !ok:
		return c, p, refuse(UnknownID, "there is no claim %q", clip(id))
	case !c.InForce():
		return c, p, refuse(NotInForce, "claim %s was superseded before", id)
	case !b.cfg.Person && (c.Pin == "user" || c.Status == "confirmed" || p.Under(b.r.Layout().Folder("schema"))):
		return c, p, refuse(Pinned, "claim %s is the person's to change", id)
	}
	return c, p, nil
}

func (b *batch) update(ctx context.Context, op Update) (Done, error) {
	old, _, err := b.target(op.ID)
	if err != nil {
		return Done{}, err
	}
	next := old
	if op.Text != "" {
		next.Text = vault.Fold(op.Text)
	}
	if op.Kind != "" {
		next.Kind = op.Kind
	}
	s := Statement{Text: next.Text, Kind: next.Kind, Confidence: op.Confidence, Importance: op.Importance}
	if err := b.statement(s); err != nil {
		return Done{}, err
	}
	if !extract.SameNumbers(old.Text, next.Text) {
		return Done{}, refuse(SupersedesNothing, "another number is another claim: supersede %s instead", old.ID)
	}
	from, day, err := b.prove(ctx, op.Provenance, next.Kind)
	if err != nil {
		return Done{}, err
	}
	if op.Confidence != nil {
		next.Confidence = *op.Confidence
	}
	if op.Importance != nil {
		next.Importance = *op.Importance
	}
	for _, e := range from {
		if !slices.ContainsFunc(next.From, func(have vault.Evidence) bool { return have.Link.String() == e.Link.String() && have.Quote == e.Quote }) {
			next.From = append(slices.Clone(next.From), e)
		}
	}
	if day != "" {
		if next.FirstSeen == "" || day < next.FirstSeen {
			next.FirstSeen = day
		}
		next.LastSeen = max(next.LastSeen, day)
	}
	if next.Version > 0 && next.Text != old.Text {
		next.Version++
	}
	if err := b.books.Edit(old.ID, func(n *vault.Note) error { return n.ReplaceClaim(old.ID, next) }); err != nil {
		return Done{}, err
	}
	return b.done(old.ID, from), nil
}

// supersede moves a claim below "Superseded" and puts another in its place.
func (b *batch) supersede(ctx context.Context, id string, by Statement, proofs []Proof) (Done, error) {
	old, p, err := b.target(id)
	if err != nil {
		return Done{}, err
	}
	if err := b.statement(by); err != nil {
		return Done{}, err
	}
	from, day, err := b.prove(ctx, proofs, by.Kind)
	if err != nil {
		return Done{}, err
	}
	if day != "" && old.FirstSeen != "" && day < old.FirstSeen {
		return Done{}, refuse(Malformed, "what was said on %s cannot supersede what was first said on %s", day, old.FirstSeen)
	}
	c := claim(by, from, day)
	if b.books.Holds(c) {
		return Done{}, refuse(Malformed, "the ledgers say this already")
	}
	c.Supersedes = []string{old.ID}
	if by.Kind == "correction" && slices.Contains(aboutPerson, old.Kind) {
		c.Kind = old.Kind // what corrects a preference is a preference
	}
	until := day
	if until == "" {
		until = b.cfg.Today
	}
	if err := b.books.Edit(old.ID, func(n *vault.Note) error { return n.Supersede(old.ID, until) }); err != nil {
		return Done{}, err
	}
	b.books.Add(p, "", "", c)
	return b.done(c.ID, from), nil
}

func (b *batch) delete(ctx context.Context, op Delete) (Done, error) {
	old, p, err := b.target(op.ID)
	if err != nil {
		return Done{}, err
	}
	from, _, err := b.prove(ctx, op.Provenance, "preference") // that it is to go, the person must say
	if err != nil {
		return Done{}, err
	}
	done := b.done(old.ID, from)
	done.Path = p
	if err := b.books.Edit(old.ID, func(n *vault.Note) error { return n.RemoveClaim(old.ID) }); err != nil {
		return Done{}, err
	}
	if b.cfg.Forgotten != nil {
		texts := []string{old.Text}
		for _, e := range old.From {
			if e.Quote != "" {
				texts = append(texts, e.Quote)
			}
		}
		b.res.Forget = b.cfg.Forgotten.Add(texts...) || b.res.Forget
	}
	return done, nil
}

func (b *batch) pin(ctx context.Context, op Pin) (Done, error) {
	old, _, err := b.target(op.ID)
	if err != nil {
		return Done{}, err
	}
	value := op.Pin
	switch {
	case value == "none":
		value = ""
	case value != "system" && !(value == "user" && b.cfg.Person):
		return Done{}, refuse(Malformed, "%q is no pin; there are system and none", clip(value))
	}
	from, _, err := b.prove(ctx, op.Provenance, "preference")
	if err != nil {
		return Done{}, err
	}
	if err := b.books.Edit(old.ID, func(n *vault.Note) error { return n.SetClaimField(old.ID, "pin", value) }); err != nil {
		return Done{}, err
	}
	return b.done(old.ID, from), nil
}
