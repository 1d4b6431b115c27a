package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/merge"
	"github.com/memsync/memsync/vault/pass"
)

type revertOptions struct {
	dryRun bool
}

func newRevertCommand(a *app) *cobra.Command {
	var opts revertOptions
	cmd := &cobra.Command{
		Use:     "revert COMMIT|RUN",
		GroupID: groupChange,
		Short:   "Take back what a commit or a run changed",
		Long: `Take back what a commit, or every commit of a run, changed. It is a new commit
in your name: nothing of the history is lost. What you edited since stays; where
your edits and the change are the same lines, yours stay and are named.

Conversations and claims that go away are remembered as removed, without saying
what they were, so that they are not learned again.`,
		Example: `  memsync revert HEAD
  memsync revert 20250902-061000-3f9c --dry-run`,
		Args: words(1, 1, "one commit or run; memsync log lists them"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runRevert(cmd.Context(), a, args[0], opts)
		},
	}
	cmd.Flags().BoolVar(&opts.dryRun, "dry-run", false, "write nothing and print what would change")
	return cmd
}

func runRevert(ctx context.Context, a *app, rev string, opts revertOptions) (err error) {
	w, err := a.openToWrite(ctx, "revert")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	plan, err := w.repo.Revert(ctx, rev)
	if err != nil {
		return err
	}
	r := revertResult{DryRun: opts.dryRun}
	for _, c := range plan.Commits {
		r.Reverted = append(r.Reverted, newCommit(c))
	}
	if err := a.undo(ctx, w, plan, &r); err != nil {
		return fmt.Errorf("revert: %w", err)
	}
	if r.Commit != "" {
		if _, err := a.updateIndex(ctx, w.session); err != nil {
			return err
		}
	}
	if err := a.print(r); err != nil {
		return err
	}
	if len(r.Kept) > 0 && !opts.dryRun {
		return &partlyError{fmt.Errorf("revert: %s stay as you edited them", output.Count(len(r.Kept), "place", "places"))}
	}
	return nil
}

// undo carries a plan out and makes it one commit of the person's: it is their
// decision, and a pass must not undo it.
func (a *app) undo(ctx context.Context, w *writer, plan history.Reversal, r *revertResult) error {
	change := history.Change{
		Author: pass.Owner(w.repo, a.now()), Committer: history.Machine(a.now()),
		Subject: plan.Subject, Trailers: plan.Trailers,
	}
	change.Trailers.Run = w.run
	removed, err := watch.OpenRemoved(w.vault)
	if err != nil {
		return err
	}
	if err := preserve(ctx, w, plan, r.DryRun); err != nil {
		return err
	}
	if err := undoForgetting(ctx, w, plan, removed); err != nil {
		return err
	}
	for _, f := range plan.Files {
		if f.Path == w.vault.Layout().Forgotten() {
			continue // it is a set, whose lines are no neighbours
		}
		r.keep(f)
		if !f.Changes() {
			continue
		}
		if f.Path == config.FileName && f.Delete {
			return usagef("that commit made the vault; to undo it delete %s yourself", config.FileName)
		}
		before, err := w.readOrNothing(f.Path)
		if err != nil {
			return err
		}
		after := f.Content
		if f.Delete {
			after = nil
		}
		if r.DryRun {
			r.show(f.Path, before, after)
			removed.Change(f.Path, before, after)
			continue
		}
		hash := vault.HashOf(f.Content)
		if f.Delete {
			hash, err = vault.NoFile, w.vault.Remove(f.Path, f.Old)
		} else {
			err = w.vault.Write(f.Path, f.Old, f.Content)
		}
		if errors.Is(err, vault.ErrChanged) {
			r.Kept = append(r.Kept, kept{Path: f.Path, Reason: "it was saved meanwhile; it stays"})
			continue
		}
		if err != nil {
			return err
		}
		removed.Change(f.Path, before, after)
		r.Files = append(r.Files, f.Path)
		change.Files = append(change.Files, history.File{Path: f.Path, Hash: hash})
	}
	file, _, err := removed.Save(func(p vault.Path, old vault.Hash, data []byte) error {
		if !r.DryRun {
			return w.vault.Write(p, old, data)
		}
		before, err := w.readOrNothing(p)
		r.show(p, before, data)
		return err
	})
	if err != nil || r.DryRun {
		return err
	}
	if file.Path != "" {
		r.Files, change.Files = append(r.Files, file.Path), append(change.Files, file)
	}
	if len(change.Files) == 0 {
		return nil
	}
	res, err := w.repo.Commit(context.WithoutCancel(ctx), change)
	if err != nil {
		return err
	}
	if res.Made() {
		r.Commit = res.Commit.ID.String()
	}
	return nil
}

// undoForgetting takes back what commits did to the file of what was removed.
func undoForgetting(ctx context.Context, w *writer, plan history.Reversal, removed *watch.Removed) error {
	p := w.vault.Layout().Forgotten()
	if !slices.ContainsFunc(plan.Files, func(f history.Rewrite) bool { return f.Path == p }) {
		return nil
	}
	for _, c := range plan.Commits {
		versions := [2][]byte{}
		for i, id := range []history.ID{firstParent(c), c.ID} {
			if id.IsZero() {
				continue
			}
			view, err := w.repo.At(ctx, id.String())
			if err != nil {
				return err
			}
			if versions[i], err = view.Read(p); err != nil && !errors.Is(err, history.ErrNotFound) {
				return err
			}
		}
		removed.Undo(versions[0], versions[1])
	}
	return nil
}

func firstParent(c history.Commit) history.ID {
	if len(c.Parents) == 0 {
		return history.ID{}
	}
	return c.Parents[0]
}

// preserve commits what the person edited in the files of a plan and has not
// committed, so that it stands apart from what is taken back.
func preserve(ctx context.Context, w *writer, plan history.Reversal, dryRun bool) error {
	if dryRun {
		return nil
	}
	change, err := w.begin("revert", nil)
	if err != nil {
		return err
	}
	var paths []vault.Path
	for _, f := range plan.Files {
		if f.Changes() && f.Old != vault.NoFile {
			paths = append(paths, f.Path)
		}
	}
	return errors.Join(change.Preserve(ctx, paths...), change.Abandon())
}

func (s *session) readOrNothing(p vault.Path) ([]byte, error) {
	if !s.vault.Exists(p) {
		return nil, nil
	}
	return s.vault.Read(p)
}

type revertResult struct {
	// Commit is the commit that takes the others back, empty where there was
	// nothing to take back.
	Commit   string       `json:"commit"`
	Reverted []commit     `json:"reverted"`
	Files    []vault.Path `json:"files"`
	// Kept are files, or stretches of them, that stay as they are.
	Kept   []kept `json:"kept"`
	DryRun bool   `json:"dry_run"`
	Diff   string `json:"diff,omitempty"`
}

// kept is what a revert leaves, and why.
type kept struct {
	Path vault.Path `json:"path"`
	// Line is where the stretch begins on disk; 0 for a whole file.
	Line   int    `json:"line,omitempty"`
	Reason string `json:"reason"`
}

// show notes what would become of a file.
func (r *revertResult) show(p vault.Path, before, after []byte) {
	r.Diff += string(merge.Unified(before, after, "a/"+string(p), "b/"+string(p)))
	r.Files = append(r.Files, p)
}

// keep notes what a plan leaves of one file.
func (r *revertResult) keep(f history.Rewrite) {
	if f.Kept != "" {
		r.Kept = append(r.Kept, kept{Path: f.Path, Reason: f.Kept})
	}
	for _, c := range f.Conflicts {
		r.Kept = append(r.Kept, kept{Path: f.Path, Line: c.Ours.Start + 1, Reason: "these lines were edited since; they stay"})
	}
}

func (r revertResult) Text(p *output.Page) {
	verb := "took back"
	if r.DryRun {
		verb = "would take back"
	}
	for _, c := range r.Reverted {
		p.Printf("%s %s  %s\n", verb, p.Bold(c.ID[:10]), output.Plain(c.Subject))
	}
	showPatch(p, r.Diff)
	for _, k := range r.Kept {
		place := output.Plain(string(k.Path))
		if k.Line > 0 {
			place = fmt.Sprintf("%s:%d", place, k.Line)
		}
		p.Printf("  %s %s: %s\n", p.Warn("note:"), place, k.Reason)
	}
	switch {
	case r.Commit != "":
		p.Printf("%s changed, in commit %.10s; memsync revert %.10s brings it back\n", output.Count(len(r.Files), "file", "files"), r.Commit, r.Commit)
	case !r.DryRun:
		p.Println("Nothing to take back: the notes are so already.")
	}
}
