// Package pass makes one change of a vault: notes are written, then they become
// one commit.
//
// Every note is written down in a journal before it is written to the vault, so
// that a process which dies in between leaves no work of its own behind that
// looks like the person's: the next one commits it (Recover). A page that memsync
// generates is never written over what the person made of it: Generate merges
// the two, with what memsync last wrote as the base, and where they contradict
// each other it leaves the page and says so.
package pass

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// A History is the part of a repository that a pass needs; *history.Repo is one.
type History interface {
	Commit(ctx context.Context, c history.Change) (history.Result, error)
	// LastBy returns the file at p as the newest commit by the author with the
	// e-mail address left it, under whatever name it had then. The error wraps history.ErrNotFound where that
	// author never committed the file, or deleted it.
	LastBy(ctx context.Context, p vault.Path, email string) ([]byte, history.Version, error)
	// At returns the vault at a revision.
	At(ctx context.Context, rev string) (*history.View, error)
	// State returns where the repository stands, between two commands of git's.
	State(ctx context.Context) (history.State, error)
	// Person says who the vault's owner is to git.
	Person(when time.Time) (history.Signature, bool)
}

// A Pass collects the writes of one change. Its methods may be called from
// several goroutines.
type Pass struct {
	// LeavePersonal says that the person commits their edits themselves
	// (`commit: off` and `manual`): files that hold some are not written to.
	LeavePersonal bool
	// Secret, where given, names the kind of secret that a text holds, "" for
	// none. An edit of the person's that holds one is not committed for them.
	Secret func(text string) string

	v        *vault.Vault
	repo     History
	journal  *journal
	now      func() time.Time
	trailers history.Trailers

	mu    sync.Mutex
	files map[vault.Path]vault.Hash
}

// Begin starts a pass. state is the vault's state folder, where the journal
// lies; the caller holds the vault's lock and has called Recover. repo may be
// nil for a vault that is no repository: nothing is committed then.
func Begin(v *vault.Vault, repo History, state string, now func() time.Time, t history.Trailers) (*Pass, error) {
	j, err := openJournal(state, t)
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	return &Pass{v: v, repo: repo, journal: j, now: now, trailers: t, files: map[vault.Path]vault.Hash{}}, nil
}

// By names a language model that made the change or a part of it, for its trailers.
// It is called before the part's first write.
func (p *Pass) By(model string) error {
	if had := p.trailers.Model; had != "" && had != model {
		model = had + ", " + model
	}
	p.trailers.Model = model
	return p.journal.begin(p.trailers)
}

// Write is vault.Vault's Write, remembered for the commit. Edits of the person's
// that stand in the file and are in no commit yet become one of theirs first, so
// that they never hide in memsync's.
func (p *Pass) Write(ctx context.Context, path vault.Path, old vault.Hash, data []byte) error {
	if old != vault.NoFile {
		if err := p.Preserve(ctx, path); err != nil {
			return err
		}
	}
	hash := vault.HashOf(data)
	undo, err := p.note(path, hash)
	if err != nil {
		return err
	}
	if err := p.v.Write(path, old, data); err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// Remove is vault.Vault's Remove, remembered for the commit.
func (p *Pass) Remove(path vault.Path, old vault.Hash) error {
	undo, err := p.note(path, vault.NoFile)
	if err != nil {
		return err
	}
	if err := p.v.Remove(path, old); err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// ErrUncommitted is wrapped when a file holds edits of the person's that are in
// no commit, and the vault is set to leave committing to them.
var ErrUncommitted = errors.New("it holds edits of yours that are not committed yet")

// ErrSecret is an ErrUncommitted: committing the edits would put a secret into
// the history.
var ErrSecret = fmt.Errorf("%w, and a secret among them, which history would keep", ErrUncommitted)

// ErrTorn is an ErrUncommitted: the edits look like a save that broke off.
var ErrTorn = fmt.Errorf("%w, and looks as if a save of it broke off", ErrUncommitted)

// Preserve commits, as the person, what they edited in the given files, or took away,
// and have not committed. Files that this pass wrote itself are passed over.
func (p *Pass) Preserve(ctx context.Context, paths ...vault.Path) error {
	if p.repo == nil {
		return nil
	}
	edited, held, err := p.edited(ctx, paths)
	if err != nil || len(edited) == 0 {
		return errors.Join(err, held)
	}
	if p.LeavePersonal {
		return fmt.Errorf("%s: %w", edited[0].Path, ErrUncommitted)
	}
	// Again, now that git is known to be doing nothing: while it checks out a
	// branch its files look as if the person had edited them.
	since, err := p.repo.State(ctx)
	if err != nil {
		return fmt.Errorf("commit your edits: %w", err)
	}
	if edited, held, err = p.edited(ctx, paths); err != nil || len(edited) == 0 {
		return errors.Join(err, held)
	}
	c := history.Change{
		Files: edited, Author: p.person(), Subject: editSubject(edited), Since: since,
		Body: "Committed by memsync before it wrote to these notes.",
	}
	c.Committer = c.Author
	if _, err := p.repo.Commit(ctx, c); err != nil {
		return fmt.Errorf("commit your edits: %w", err)
	}
	return held
}

// edited lists what of the given files differs from HEAD and is to be committed
// for the person; held says what is not, and why.
func (p *Pass) edited(ctx context.Context, paths []vault.Path) (files []history.File, held, err error) {
	head, err := p.repo.At(ctx, "HEAD")
	if err != nil && !errors.Is(err, history.ErrNotFound) {
		return nil, nil, err
	}
	for _, path := range paths {
		p.mu.Lock()
		_, own := p.files[path]
		p.mu.Unlock()
		current, err := p.v.Read(path)
		if !own && errors.Is(err, fs.ErrNotExist) && inHead(head, path) {
			files = append(files, history.File{Path: path, Hash: vault.NoFile})
		}
		if own || err != nil {
			continue
		}
		if head != nil {
			was, err := head.Read(path)
			switch {
			case err == nil && string(was) == string(current):
				continue
			case err == nil && vault.Torn(was, current) != "":
				held = errors.Join(held, fmt.Errorf("%s: %w: %s", path, ErrTorn, vault.Torn(was, current)))
				continue
			}
		}
		if p.Secret != nil && p.Secret(string(current)) != "" {
			held = errors.Join(held, fmt.Errorf("%s: %w", path, ErrSecret))
			continue
		}
		files = append(files, history.File{Path: path, Hash: vault.HashOf(current)})
		if !inHead(head, path) { // a rename goes into one commit
			if older, err := p.movedFrom(ctx, head, current); err != nil {
				return nil, nil, err
			} else if older != "" && !slices.Contains(paths, older) {
				files = append(files, history.File{Path: older, Hash: vault.NoFile})
			}
		}
	}
	return files, held, nil
}

func inHead(head *history.View, path vault.Path) bool {
	if head == nil {
		return false
	}
	_, err := head.Read(path)
	return err == nil
}

func (p *Pass) person() history.Signature { return Owner(p.repo, p.now()) }

// Owner is who commits the person's edits and decisions: the person, as git knows
// them, and somebody who is not memsync where it does not.
func Owner(repo History, when time.Time) history.Signature {
	if who, ok := repo.Person(when); ok {
		return who
	}
	return history.Signature{Name: "vault owner", Email: "owner@localhost", When: when}
}

// editSubject names the notes of a commit of the person's.
func editSubject(files []history.File) string {
	subject := "edit: " + files[0].Path.Name()
	if n := len(files) - 1; n > 0 {
		subject += fmt.Sprintf(" and %d more", n)
	}
	return subject
}

// note writes a change down before it is made. The function that it returns takes
// the note back when the change failed.
func (p *Pass) note(path vault.Path, hash vault.Hash) (undo func() error, err error) {
	if err := p.journal.add(path, hash); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	before, own := p.files[path]
	p.files[path] = hash
	return func() error { return p.undo(path, hash, before, own) }, nil
}

// undo takes back the note of a change that failed. One that reached its place
// before it failed, in syncing the folder, stays noted: it is on the disk, and is
// not to look like the person's. One of two changes of the same file by this pass
// leaves the earlier noted. Otherwise the line in the journal stays and is
// harmless: what is not on disk as it says is not committed.
func (p *Pass) undo(path vault.Path, hash, before vault.Hash, own bool) error {
	if stands(p.v, path, hash) {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !own {
		delete(p.files, path)
		return nil
	}
	p.files[path] = before
	return p.journal.add(path, before)
}

// Changed reports whether anything was written.
func (p *Pass) Changed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.files) > 0
}

// Written are the notes that the pass has written and not removed again, in order.
func (p *Pass) Written() []vault.Path {
	p.mu.Lock()
	defer p.mu.Unlock()
	var out []vault.Path
	for path, hash := range p.files {
		if hash != vault.NoFile {
			out = append(out, path)
		}
	}
	slices.Sort(out)
	return out
}

// Commit makes the writes of the pass one commit and ends the pass. A pass that
// wrote nothing makes none. On an error the notes stay as they were written and
// the next Recover commits them.
func (p *Pass) Commit(ctx context.Context, subject, body string) (history.Result, error) {
	p.mu.Lock()
	files := maps.Clone(p.files)
	p.mu.Unlock()
	if p.repo == nil || len(files) == 0 {
		return history.Result{}, p.journal.clear()
	}
	who := history.Machine(p.now())
	c := history.Change{Author: who, Committer: who, Subject: subject, Body: body, Trailers: p.trailers}
	for _, path := range slices.Sorted(maps.Keys(files)) {
		c.Files = append(c.Files, history.File{Path: path, Hash: files[path]})
	}
	res, err := p.repo.Commit(ctx, c)
	if err != nil {
		return res, fmt.Errorf("commit: %w", errors.Join(err, p.journal.close()))
	}
	return res, p.journal.clear()
}

// Abandon ends a pass without a commit; what it wrote stays, and the next
// Recover commits it. A pass whose every write failed leaves nothing to recover.
func (p *Pass) Abandon() error {
	if !p.Changed() {
		return p.journal.clear()
	}
	return p.journal.close()
}
