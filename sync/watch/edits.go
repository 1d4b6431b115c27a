package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

// Edits commits what the person edited, as them.
type Edits struct {
	v    *vault.Vault
	repo *history.Repo
	cfg  EditsConfig
}

// An EditsConfig says how edits become commits. State and Now are needed.
type EditsConfig struct {
	// State is the vault's state folder.
	State string
	Now   func() time.Time
	// Secret names the kind of secret that a text holds, "" for none.
	Secret func(text string) string
	// Run names the run in the trailers of commits of memsync's own.
	Run string
	// Asked says that the person asks for the commit now: then what they took
	// back once, or deleted by the dozen, is theirs to commit.
	Asked bool
}

// NewEdits makes a committer of edits. Whoever calls its methods holds the
// vault's lock and has recovered what an interrupted pass left.
func NewEdits(v *vault.Vault, repo *history.Repo, cfg EditsConfig) *Edits {
	if cfg.Secret == nil {
		cfg.Secret = func(string) string { return "" }
	}
	return &Edits{v, repo, cfg}
}

// A Held edit is one that is not committed, and why.
type Held struct {
	Path   vault.Path `json:"path"`
	Reason string     `json:"reason"`
}

// An Outcome is what came of a look at the person's edits.
type Outcome struct {
	// Commit is the new commit's id, empty where there is none.
	Commit string `json:"commit"`
	// Files are in it; Held are not.
	Files []vault.Path `json:"files"`
	Held  []Held       `json:"held"`
	// Waits says why nothing could be committed at all, empty where it could.
	Waits string `json:"waits"`
	// Soon says that some of Held are held for seconds only.
	Soon bool `json:"-"`
	// Forgotten counts what is remembered as removed since.
	Forgotten int `json:"forgotten"`
	// Withdrawn counts what stands again, and is forgotten no longer.
	Withdrawn int `json:"withdrawn"`
}

// maxFile is the largest file that is committed by itself: a person who wants a
// film in their history says so with git.
const maxFile = 20 << 20

// Follow learns from what the person did with git since the last look, and
// commits no edit.
func (e *Edits) Follow(ctx context.Context) (Outcome, error) {
	var o Outcome
	_, err := e.ready(ctx, &o)
	return o, err
}

// ready waits for the person's git, and says why, or learns from it.
func (e *Edits) ready(ctx context.Context, o *Outcome) (takenBack, error) {
	if busy := e.repo.Busy(); busy != nil {
		o.Waits = busy.Error()
		return nil, nil
	}
	if branch, at, err := e.repo.Head(); err != nil {
		return nil, err
	} else if branch == "" && !at.IsZero() {
		o.Waits = "no branch is checked out: a commit would belong to none"
		return nil, nil
	}
	// A commit that broke off would look as if the person had staged its files.
	if err := e.repo.Recover(ctx); err != nil {
		*o, err = e.committed(ctx, *o, history.Result{}, err)
		return nil, err
	}
	return e.followHead(ctx, o)
}

// maxLooks is how often edits are looked at anew because git was at work meanwhile,
// or something had to be remembered as removed first.
const maxLooks = 5

// Commit commits the person's edits, each file with the bytes that were looked
// at. It waits, and says why, rather than come between the person and their git.
func (e *Edits) Commit(ctx context.Context) (Outcome, error) {
	var before Outcome
	for range maxLooks {
		o, again, err := e.look(ctx)
		o.Forgotten += before.Forgotten
		o.Withdrawn += before.Withdrawn
		if err != nil || !again {
			return o, err
		}
		before = o
	}
	before.Waits = "git is changing the vault again and again"
	return before, nil
}

// look compares the vault with HEAD once and commits what differs. It reports
// that it is to be called again where git did anything meanwhile, which makes its
// files look like edits, and after it remembered something as removed.
func (e *Edits) look(ctx context.Context) (o Outcome, again bool, err error) {
	taken, err := e.ready(ctx, &o)
	if err != nil || o.Waits != "" {
		return o, false, err
	}
	since, err := e.repo.State(ctx)
	if err != nil {
		o, err = e.committed(ctx, o, history.Result{}, err)
		return o, false, err
	}
	dirty, err := e.repo.Dirty(ctx)
	if err != nil {
		return o, false, err
	}
	if slices.ContainsFunc(dirty, func(d history.DirtyFile) bool { return d.Staged }) {
		o.Waits = "you have staged changes: committing is left to you until they are committed"
		return o, false, nil
	}
	c, changed, err := e.gather(dirty, taken, &o)
	if err != nil {
		return o, false, err
	}
	if len(c.Files) == 0 {
		return o, false, e.released(taken)
	}
	head, err := e.head(ctx)
	if err != nil {
		return o, false, err
	}
	if err := e.readBefore(head, changed); err != nil {
		return o, false, err
	}
	if !e.cfg.Asked {
		if changed = e.leaveTorn(changed, &c, &o); len(changed) == 0 {
			return o, false, e.released(taken)
		}
		if why, err := e.tooMuchGone(ctx, head, c.Files); err != nil || why != "" {
			o.Waits = why
			return o, false, err
		}
	}
	if now, err := e.repo.State(ctx); err != nil || now != since {
		return Outcome{}, true, ignoreLocked(err)
	}
	if err := e.released(taken); err != nil {
		return o, false, err
	}
	// What was removed is remembered before its removal is history: dying in
	// between, the next look finds both to do.
	if err := e.forget(ctx, lost(changed), standing(changed), &o); err != nil || o.Forgotten+o.Withdrawn > 0 {
		return o, true, err
	}
	who, ok := e.repo.Person(e.cfg.Now())
	if !ok {
		who = history.Signature{Name: "vault owner", Email: "owner@localhost", When: e.cfg.Now()}
	}
	c.Author, c.Committer, c.Subject, c.Since = who, who, subject(c.Files), since
	res, err := e.repo.Commit(ctx, c)
	if errors.Is(err, history.ErrMoved) && !res.Made() {
		return Outcome{}, true, nil
	}
	o, err = e.committed(ctx, o, res, err)
	return o, false, err
}

// ignoreLocked passes over a lock of git's that the next look waits for.
func ignoreLocked(err error) error {
	if _, locked := errors.AsType[*history.LockedError](err); locked {
		return nil
	}
	return err
}

// gather examines files that differ from HEAD: what may be committed goes into the
// change, what may not is held.
func (e *Edits) gather(dirty []history.DirtyFile, taken takenBack, o *Outcome) (c history.Change, changed []change, err error) {
	for _, d := range dirty {
		if !e.wanted(d.Path) {
			continue
		}
		ch, file, why, err := e.examine(d, taken)
		switch {
		case err != nil:
			return c, nil, err
		case why != "":
			o.Held = append(o.Held, Held{d.Path, why})
		default:
			c.Files, changed = append(c.Files, file), append(changed, ch)
		}
	}
	return c, changed, nil
}

// committed makes an outcome of a commit.
func (e *Edits) committed(ctx context.Context, o Outcome, res history.Result, err error) (Outcome, error) {
	var locked *history.LockedError
	var busy *history.BusyError
	switch {
	case errors.As(err, &locked), errors.As(err, &busy):
		o.Waits = err.Error()
		return o, nil
	case err != nil && !res.Made():
		return o, err
	}
	for _, l := range res.LeftOut {
		o.Held = append(o.Held, Held{l.Path, string(l.Why)})
	}
	if res.Made() {
		o.Commit, o.Files = res.Commit.ID.String(), res.Files
		err = errors.Join(err, e.rememberHead(ctx))
	}
	return o, err
}

// wanted reports whether a file is one whose edits are committed: anything in
// memsync's folder that is not left alone, and the vault's own settings.
func (e *Edits) wanted(p vault.Path) bool {
	if settingsFiles[string(p)] {
		return true
	}
	root := e.v.Layout().Root
	if !p.Under(root) {
		return false
	}
	if p == e.v.Layout().Forgotten() || p.Base() == ".gitignore" || p.Base() == ".gitattributes" {
		return true
	}
	for at := p; at != ""; at = at.Dir() {
		if e.v.Ignored(at, at != p) {
			return false
		}
	}
	return true
}

// examine reads a file and decides whether it may be committed.
func (e *Edits) examine(d history.DirtyFile, taken takenBack) (change, history.File, string, error) {
	ch := change{path: d.Path}
	if d.Status == history.Deleted {
		if taken.has(d.Path, nil) && !e.cfg.Asked {
			return ch, history.File{}, wasTakenBack, nil
		}
		if e.v.Exists(evicted(d.Path)) {
			return ch, history.File{}, "iCloud has taken it off this disk; it is not deleted", nil
		}
		return ch, history.File{Path: d.Path, Hash: vault.NoFile}, "", nil
	}
	info, err := e.v.Stat(d.Path)
	if err != nil {
		return ch, history.File{}, vanished(err), nil
	}
	if info.Size() > maxFile {
		return ch, history.File{}, fmt.Sprintf("it is larger than %d MB", maxFile>>20), nil
	}
	raw, err := e.v.Read(d.Path)
	if err != nil {
		return ch, history.File{}, vanished(err), nil
	}
	ch.after = raw
	if info, err := e.v.Stat(d.Path); err == nil { // anew: what was read may be younger
		ch.saved = info.ModTime()
	}
	if utf8.Valid(raw) {
		if kind := e.cfg.Secret(string(raw)); kind != "" {
			return ch, history.File{}, "it seems to hold a secret (" + kind + "); history would keep it", nil
		}
	}
	if taken.has(d.Path, raw) && !e.cfg.Asked {
		return ch, history.File{}, wasTakenBack, nil
	}
	return ch, history.File{Path: d.Path, Hash: vault.HashOf(raw)}, "", nil
}

// evicted is what iCloud leaves in the place of a file that it takes off the disk.
func evicted(p vault.Path) vault.Path { return p.Dir().Join("." + p.Base() + ".icloud") }

const wasTakenBack = "you took it back with git: committing it again is left to you (memsync commit)"

func vanished(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it went away while it was looked at"
	}
	return err.Error()
}

// leaveTorn takes out of a change the files whose save seems to have broken off, or
// to be under way: what they lack was not deleted by anybody.
func (e *Edits) leaveTorn(changed []change, c *history.Change, o *Outcome) (whole []change) {
	var files []history.File
	for i, ch := range changed {
		why := ""
		if c.Files[i].Hash != vault.NoFile {
			why = e.torn(ch, o)
		}
		if why != "" {
			o.Held = append(o.Held, Held{ch.path, why})
			continue
		}
		whole, files = append(whole, ch), append(files, c.Files[i])
	}
	c.Files = files
	return whole
}

// unsettled is how long a file that was cut short must stand before its last lines
// count as deleted: a save writes the rest within milliseconds, and the clock of a
// network disk is seldom further off.
const unsettled = 2 * time.Second

func (e *Edits) torn(ch change, o *Outcome) string {
	if why := vault.Torn(ch.before, ch.after); why != "" {
		return why + ", as after a save that broke off: where you want it so, memsync commit commits it"
	}
	if age := e.cfg.Now().Sub(ch.saved); age.Abs() < unsettled && vault.CutShort(ch.before, ch.after) {
		o.Soon = true
		return "its last lines went a moment ago, as in the middle of a save: it is looked at again"
	}
	return ""
}

// suspiciousLoss is from how many deleted files on it is asked whether that is
// the person's doing or a folder that did not sync.
const suspiciousLoss = 20

// tooMuchGone says why a deletion is not recorded: more than half of all files at
// once looks like a disk that is not mounted or a sync that went wrong.
func (e *Edits) tooMuchGone(ctx context.Context, head *history.View, changed []history.File) (string, error) {
	gone := 0
	for _, f := range changed {
		if f.Hash == vault.NoFile {
			gone++
		}
	}
	if head == nil || gone < suspiciousLoss {
		return "", nil
	}
	files, err := head.Files(ctx)
	if err != nil || 2*gone <= len(files) {
		return "", err
	}
	return fmt.Sprintf("%d of %d files are gone at once: where that is what you want, commit it with git", gone, len(files)), nil
}

// head is the vault at HEAD, nil before the first commit.
func (e *Edits) head(ctx context.Context) (*history.View, error) {
	_, at, err := e.repo.Head()
	if err != nil || at.IsZero() {
		return nil, err
	}
	return e.repo.At(ctx, "HEAD")
}

// shownNotes is how many notes a subject names.
const shownNotes = 2

// subject says which notes a commit changes.
func subject(files []history.File) string {
	var names []string
	for _, f := range files[:min(len(files), shownNotes)] {
		names = append(names, f.Path.Stem())
	}
	rest := len(files) - len(names)
	switch {
	case rest > 0:
		return fmt.Sprintf("edit: %s and %d more", strings.Join(names, ", "), rest)
	default:
		return "edit: " + strings.Join(names, " and ")
	}
}

// begin starts a change of memsync's own.
func (e *Edits) begin(name string) (*pass.Pass, error) {
	return pass.Begin(e.v, e.repo, e.cfg.State, e.cfg.Now, history.Trailers{Run: e.cfg.Run, Pass: name})
}
