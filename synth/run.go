package synth

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/memsync/memsync/synth/dedup"
	"github.com/memsync/memsync/synth/llm/passes"
	"github.com/memsync/memsync/synth/salience"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/merge"
	"github.com/memsync/memsync/vault/pass"
)

// A Config says how passes run. Now must be given.
type Config struct {
	// Now dates what is written.
	Now func() time.Time
	// Secret reports whether a text holds something that must not be quoted.
	Secret func(text string) bool
	// Me are the names under which the person appears in chats between people;
	// empty means that they are concluded from the chats where that is certain.
	Me []string
	// Since, where given, leaves older conversations for a later run.
	Since time.Time
	// Window is how many transcripts are summed up in one commit; 0 means 400.
	Window int
	// Shares bound how many conversations go how deep.
	Shares salience.Shares
	// Forgotten is what the person removed; it is not learned again.
	Forgotten *vault.Forgotten
	// Chance is the source of the salt of what is forgotten; nil means the
	// system's.
	Chance io.Reader
	// DryRun makes pages and shows them as diffs, and writes nothing.
	DryRun bool
	// MaxSessions is how many summaries stay live; the oldest beyond it go to the
	// archive and their months get an epoch. 0 means 120.
	MaxSessions int
	// State is the vault's state folder, where the runner remembers what each
	// pass has read; empty means that it reads everything again.
	State string
	// History tells what memsync last made of a ledger, so that claims which the
	// person took out are not learned again; nil where there is none.
	History History
	// Gate says that passes propose and do not commit (`review: gate`).
	Gate bool
	// Follow has what the person changes carried at once into the pages that depend
	// on it, in the same commit; else the next run does it.
	Follow bool
	// Writer asks a language model; nil means that the rules write everything.
	Writer *passes.Writer
	// Parallel is how many units the Writer is asked for at once; 0 means 4.
	Parallel int
	// Bulk, where given, is the provider's interface for bulk work: many summaries
	// at once go through it.
	Bulk *Bulk
	// Rewrite has the Writer write anew what it has not written: sessions and facts
	// of the rules or of another model. Pages are written anew in any case.
	Rewrite bool
	// SummaryTokens caps a session's summary; 0 means 180.
	SummaryTokens int
	// Near tells how much summaries are alike; nil leaves each by itself.
	Near dedup.Embedder
	// Judge decides about summaries that overlap; nil means the rules.
	Judge dedup.Judge
	// Priority says how much claims matter, for the pass that folds those of little
	// priority; nil leaves all in force.
	Priority Priority
	// Begin starts the change of one pass.
	Begin func(name string, sources []string) (*pass.Pass, error)
}

// A History is the part of a repository that the runner needs.
type History interface {
	LastBy(ctx context.Context, p vault.Path, email string) ([]byte, history.Version, error)
}

// A Runner runs the passes over one vault.
type Runner struct {
	v    *vault.Vault
	cfg  Config
	seen progress
	// model is the Writer and how it does in this run.
	model *model
	// tried are the conversations that this run has looked at, held those of them
	// that wait for the model, depths how deep those go that are still to come.
	tried  map[string]bool
	held   []string
	depths *plan
	// versions are the transcripts that wait as this run has found them.
	versions map[vault.Path]string
	// heads are the transcripts as this run has found them, and who is the person
	// among those who speak in them.
	heads  []head
	unread []Skipped
	who    Who
	// read are the conversations that this run has read and is to file the facts of.
	read map[vault.Path]conversation
	// rendered are the conversations that this run has rendered, or tried to.
	rendered map[string]bool
	// joint is the change that all passes of Remember share, only are the
	// transcripts that it is about, and notes what came of them.
	joint *pass.Pass
	// forgot are the claims that Forget takes away.
	forgot []vault.Claim
	only   map[vault.Path]bool
	notes  []string
}

// NewRunner makes a runner. Nothing runs yet.
func NewRunner(v *vault.Vault, cfg Config) *Runner {
	return &Runner{v: v, cfg: cfg, seen: readProgress(cfg.State), model: &model{w: cfg.Writer}, tried: map[string]bool{}, depths: readPlan(cfg.State, cfg.Shares), versions: map[vault.Path]string{}}
}

// Names are the passes in the order in which they run.
var names = []string{"summaries", "english", "facts", "schema", "fold", "epochs", "topics", "profile", "user", "boot"}

// Names returns the names of the passes in the order in which they run.
func Names() []string { return append([]string(nil), names...) }

// Made is what a pass wants to be so.
type Made struct {
	Subject string
	// Notes say what came of single inputs, for the commit's body.
	Notes   []string
	Sources []string
	Pages   []Page
	Skipped []Skipped
	// More says that the pass is to run again at once: what it made is one part
	// of its work, committed by itself.
	More bool
	// Done are the inputs that the pass need not read again.
	Done []Input
	// Ledgers are the ledgers as the pass leaves them.
	Ledgers []Input
	// after is called once the pass is committed.
	after func() error
	// held are inputs that are done where their page waits in review/: a model would
	// be asked for it again and again.
	held map[vault.Path]Input
}

func (m *Made) whereHeld(p vault.Path, in Input) {
	if m.held == nil {
		m.held = map[vault.Path]Input{}
	}
	m.held[p] = in
}

// A Page is a note that a pass wants to write.
type Page struct {
	Path vault.Path
	Data []byte
	// Over is the hash of the note that Data is an edit of, for ledgers; empty
	// for generated pages, which are merged with what the person made of them.
	Over vault.Hash
	// Edit says that Data is an edit of the note, not a generated page; Theirs that it
	// is the person's, which memsync keeps when it makes the page anew.
	Edit, Theirs bool
	// Remove says that the note goes; Over is what it was.
	Remove bool
	// After is the id of the note whose writing the removal waits for: what it held
	// is in that one. Empty for none.
	After string
}

func (m *Made) page(p vault.Path, data []byte) { m.Pages = append(m.Pages, Page{Path: p, Data: data}) }

func (m *Made) edit(p vault.Path, over vault.Hash, data []byte) {
	m.Pages = append(m.Pages, Page{Path: p, Data: data, Over: over, Edit: true})
}

func (m *Made) skip(p vault.Path, err error) {
	m.Skipped = append(m.Skipped, Skipped{p, err.Error()})
}

// A Skipped is a note that a pass did not read or write, and why.
type Skipped struct {
	Path   vault.Path `json:"path"`
	Reason string     `json:"reason"`
}

// A Report says what one pass did.
type Report struct {
	Pass    string `json:"pass"`
	Commit  string `json:"commit,omitempty"`
	Subject string `json:"subject,omitempty"`
	// Notes say what came of single inputs: a summary that was merged, and why.
	Notes   []string     `json:"notes,omitempty"`
	Written []vault.Path `json:"written"`
	Skipped []Skipped    `json:"skipped"`
	// Model says what the pass had of a language model; nil where it asked none.
	Model *ModelUse `json:"model,omitempty"`
	Diff  string    `json:"diff,omitempty"`
	// Followed say what the passes did that ran in the same commit, as their pages
	// depend on what changed.
	Followed []Report `json:"followed,omitempty"`
	// inReview are the pages that became proposals.
	inReview []vault.Path
}

// Run runs the named passes, all of them where none is named. What the earlier
// passes wrote stays when a later one fails.
func (r *Runner) Run(ctx context.Context, only ...string) ([]Report, error) {
	if len(only) == 0 {
		only = names
	}
	w := NewView(r.v)
	var reports []Report
	if !r.cfg.DryRun {
		rep, err := r.Decide(ctx)
		if err != nil {
			return nil, fmt.Errorf("review: %w", err)
		}
		if len(rep.Written)+len(rep.Skipped) > 0 {
			reports = append(reports, rep)
			w = NewView(r.v)
		}
	}
	done, err := r.run(ctx, w, only)
	return append(reports, done...), err
}

// run runs passes over the vault as w shows it.
func (r *Runner) run(ctx context.Context, w *View, only []string) (reports []Report, err error) {
	r.read = map[vault.Path]conversation{}
	r.tried, r.versions, r.heads, r.rendered = map[string]bool{}, map[vault.Path]string{}, nil, map[string]bool{}
	r.model, r.held, r.depths = &model{w: r.cfg.Writer}, nil, readPlan(r.cfg.State, r.cfg.Shares)
	if _, err := r.transcripts(ctx, w); err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.Contains(only, name) || name == "boot" && r.model.down() && !anyWritten(reports) {
			continue // without a model's answer nothing came of the run that MEMORY.md could say
		}
		for more := true; more; {
			rep, again, err := r.runOne(ctx, name, w)
			if err != nil {
				return reports, fmt.Errorf("%s: %w", name, err)
			}
			reports = append(reports, rep)
			more = again
		}
		for _, key := range r.held { // they wait again, and count as waiting
			delete(r.tried, key)
		}
		r.held = nil
	}
	if slices.Contains(only, "summaries") && !slices.Contains(only, "boot") { // which counts what waits
		_, err = r.backlog(ctx, w)
	}
	return reports, err
}

func anyWritten(reports []Report) bool {
	return slices.ContainsFunc(reports, func(r Report) bool { return len(r.Written) > 0 })
}

func (r *Runner) runOne(ctx context.Context, name string, w *View) (rep Report, more bool, err error) {
	passes := map[string]func(context.Context, *View) (Made, error){
		"summaries": r.summaries, "english": r.english, "facts": r.facts, "schema": r.schema, "fold": r.fold, "epochs": r.epochs, "topics": r.topics, "profile": r.profile, "user": r.user, "boot": r.boot,
	}
	made, err := passes[name](ctx, w)
	if err != nil {
		return Report{}, false, err
	}
	if rep, err = r.commit(ctx, name, w, made); err == nil && made.after != nil && !r.cfg.DryRun {
		err = made.after()
	}
	return rep, made.More, err
}

// commit checks what a pass made, writes it and makes it one commit.
func (r *Runner) commit(ctx context.Context, name string, w *View, made Made) (Report, error) {
	rep := Report{Pass: name, Notes: made.Notes, Written: []vault.Path{}, Skipped: append([]Skipped{}, made.Skipped...), Model: r.model.took()}
	change := r.joint
	if change == nil {
		var err error
		if change, err = r.cfg.Begin(name, made.Sources); err != nil {
			return rep, err
		}
	}
	err := r.carry(ctx, change, name, w, made, &rep)
	for _, p := range rep.inReview {
		if in, ok := made.held[p]; ok {
			made.Done = append(made.Done, in)
		}
	}
	switch {
	case err == nil && r.joint != nil: // Remember commits it, with all else
		if len(rep.Written) > 0 {
			rep.Subject = subject(name, made, rep)
		}
		r.notes = append(r.notes, made.Notes...)
		return rep, r.remember(name, made)
	case r.joint != nil:
		return rep, err
	case err != nil || r.cfg.DryRun:
		return rep, errors.Join(err, change.Abandon())
	}
	if !change.Changed() {
		return rep, errors.Join(change.Abandon(), r.remember(name, made))
	}
	res, err := change.Commit(ctx, subject(name, made, rep), strings.Join(made.Notes, "\n"))
	if err != nil {
		return rep, err
	}
	if res.Made() {
		rep.Commit, rep.Subject = res.Commit.ID.String(), res.Commit.Subject
	}
	return rep, r.remember(name, made)
}

// carry writes what a pass made, as far as the gates let it through.
func (r *Runner) carry(ctx context.Context, change *pass.Pass, name string, w *View, made Made, rep *Report) error {
	if rep.Model != nil && rep.Model.Wrote > 0 {
		if err := change.By(rep.Model.Name); err != nil {
			return err
		}
	}
	plans, err := r.plan(ctx, change, made.Pages)
	if err != nil {
		return err
	}
	removals := slices.DeleteFunc(slices.Clone(made.Pages), func(p Page) bool { return !p.Remove })
	if plans, err = r.hold(ctx, change, w, name, made.Pages, plans, rep); err != nil {
		return err
	}
	if err := r.preserve(ctx, change, plans, removals); err != nil {
		return err
	}
	for _, p := range plans {
		if err := r.write(ctx, change, w, p, rep); err != nil {
			return err
		}
	}
	var written map[string]bool
	if len(removals) > 0 && !r.cfg.DryRun {
		written = idsOf(r.v, rep.Written)
	}
	for _, p := range removals {
		if p.After != "" && !r.cfg.DryRun && !written[p.After] {
			continue // what was to hold it waits in review/
		}
		if err := r.remove(ctx, change, w, p, rep); err != nil {
			return err
		}
	}
	return nil
}

// plan decides about every page before the first is written.
func (r *Runner) plan(ctx context.Context, change *pass.Pass, pages []Page) ([]pass.Plan, error) {
	var plans []pass.Plan
	for _, page := range pages {
		if page.Remove {
			plans = append(plans, pass.Plan{Path: page.Path})
			continue
		}
		var p pass.Plan
		var err error
		if page.Edit {
			p, err = change.PlanEdit(ctx, page.Path, page.Over, page.Data, page.Theirs)
		} else {
			p, err = change.Plan(ctx, page.Path, page.Data)
		}
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// preserve has the person's uncommitted edits of the pages that will be written
// committed as theirs, once.
func (r *Runner) preserve(ctx context.Context, change *pass.Pass, plans []pass.Plan, removals []Page) error {
	if r.cfg.DryRun {
		return nil
	}
	var over []vault.Path
	for _, p := range removals {
		over = append(over, p.Path)
	}
	for _, p := range plans {
		if p.Writes() {
			if over = append(over, p.Path); p.From != "" {
				over = append(over, p.From)
			}
		}
	}
	if err := change.Preserve(ctx, over...); err != nil && !errors.Is(err, pass.ErrUncommitted) {
		return err
	}
	return nil
}

// write puts one page into the vault, or into the report's diff in a dry run.
func (r *Runner) write(ctx context.Context, change *pass.Pass, w *View, p pass.Plan, rep *Report) error {
	skip := func(why string) error {
		rep.Skipped = append(rep.Skipped, Skipped{p.Path, why})
		return nil
	}
	switch p.Outcome {
	case pass.Foreign:
		return skip("a note of yours stands there; it is left alone")
	case pass.Removed:
		return skip("you deleted it; it is not made again")
	}
	if r.cfg.DryRun {
		if p.Writes() {
			before, _ := r.v.Read(p.Path)
			rep.Diff += string(merge.Unified(before, p.Next, "a/"+string(p.Path), "b/"+string(p.Path)))
		}
	} else if err := change.Carry(ctx, p); err != nil {
		switch {
		case errors.Is(err, vault.ErrChanged):
			return skip("it was saved while the pass ran; the next run looks at it again")
		case errors.Is(err, pass.ErrSecret):
			return skip(pass.ErrSecret.Error())
		case errors.Is(err, pass.ErrUncommitted):
			return skip(pass.ErrUncommitted.Error())
		}
		return err
	}
	if p.Writes() {
		w.put(p.Path, p.Next)
		rep.Written = append(rep.Written, p.Path)
	}
	return nil
}

// idsOf are the ids of the notes at some paths.
func idsOf(v *vault.Vault, paths []vault.Path) map[string]bool {
	ids := make(map[string]bool, len(paths))
	for _, p := range paths {
		if raw, err := v.Head(p); err == nil {
			ids[vault.Parse(p, raw).ID()] = true
		}
	}
	return ids
}

// remove takes a note away.
func (r *Runner) remove(ctx context.Context, change *pass.Pass, w *View, p Page, rep *Report) error {
	if r.cfg.DryRun {
		rep.Diff += string(merge.Unified(w.bytes(p.Path), nil, "a/"+string(p.Path), ""))
		return nil
	}
	if err := change.Remove(p.Path, p.Over); errors.Is(err, vault.ErrChanged) {
		rep.Skipped = append(rep.Skipped, Skipped{p.Path, "it was saved while the pass ran; the next run looks at it again"})
		return nil
	} else if err != nil {
		return err
	}
	w.drop(p.Path)
	rep.Written = append(rep.Written, p.Path)
	return nil
}

func subject(name string, made Made, rep Report) string {
	what := made.Subject
	if what == "" {
		what = count(len(rep.Written), "note")
	}
	return name + ": " + what
}
