package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/vault"
)

func newCommitCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "commit",
		GroupID: groupChange,
		Short:   "Commit what you edited, in your name",
		Long: `Commit what you edited in the vault, in your name, with a subject that says
which notes changed: what memsync watch does by itself with commit: quiet, now.
It is for commit: manual, and for edits that the daemon holds back because you
had taken them back before.

A note that seems to hold a secret is left out and named. Nothing is committed
in the middle of a merge or rebase, or while you have staged changes.`,
		Example: `  memsync commit
  memsync commit --json`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runCommit(cmd.Context(), a) },
	}
}

func runCommit(ctx context.Context, a *app) (err error) {
	w, err := a.openToWrite(ctx, "commit")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	cfg := a.editsConfig(w.session)
	cfg.Asked = true
	out, err := watch.NewEdits(w.vault, w.repo, cfg).Commit(ctx)
	if err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	if out.Waits != "" {
		return fmt.Errorf("commit: %s", out.Waits)
	}
	if out.Files == nil {
		out.Files = []vault.Path{}
	}
	if out.Held == nil {
		out.Held = []watch.Held{}
	}
	if err := a.print(commitResult{out}); err != nil {
		return err
	}
	if len(out.Held) > 0 {
		return &partlyError{fmt.Errorf("commit: %s not committed", output.Count(len(out.Held), "file is", "files are"))}
	}
	return nil
}

// editsConfig says how the edits of a session's vault become commits.
func (a *app) editsConfig(s *session) watch.EditsConfig {
	return watch.EditsConfig{State: s.places.State, Now: a.now, Secret: secretKind(s.settings.Privacy), Run: runID(a.now())}
}

type commitResult struct{ watch.Outcome }

func (r commitResult) Text(p *output.Page) {
	if r.Commit == "" && len(r.Held) == 0 {
		p.Println("Nothing of yours waits to be committed.")
	}
	if r.Commit != "" {
		p.Printf("%s committed, in %.10s\n", output.Count(len(r.Files), "file", "files"), r.Commit)
	}
	if r.Forgotten > 0 {
		p.Printf("%s remembered as removed\n", output.Count(r.Forgotten, "claim or quote", "claims and quotes"))
	}
	if r.Withdrawn > 0 {
		p.Printf("%s remembered again, since you put them back\n", output.Count(r.Withdrawn, "claim or quote", "claims and quotes"))
	}
	for _, h := range r.Held {
		p.Printf("  %s %s: %s\n", p.Warn("held"), output.Plain(string(h.Path)), h.Reason)
	}
}
