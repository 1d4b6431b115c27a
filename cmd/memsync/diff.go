package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

type diffOptions struct {
	paths []string
}

func newDiffCommand(a *app) *cobra.Command {
	var opts diffOptions
	cmd := &cobra.Command{
		Use:     "diff [COMMIT|RUN|DATE [DATE]]",
		GroupID: groupChange,
		Short:   "Show what changed in the memory",
		Long: `Show what the last commit changed (with --path, the last that changed it), or
the commit that is named, or every commit of a run. With two revisions or dates,
show how the vault differs between them.`,
		Example: `  memsync diff
  memsync diff HEAD~1 --path profile.md
  memsync diff 2025-08-01 2025-09-01 --json`,
		Args: words(0, 2, "at most two revisions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runDiff(cmd.Context(), a, args, opts)
		},
	}
	cmd.Flags().StringSliceVar(&opts.paths, "path", nil, "only these notes and folders")
	return cmd
}

func runDiff(ctx context.Context, a *app, args []string, opts diffOptions) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	repo, err := s.history()
	if err != nil {
		return err
	}
	var paths []vault.Path
	for _, text := range opts.paths {
		p, err := a.pathInVault(s, text)
		if err != nil {
			return err
		}
		paths = append(paths, p)
	}
	var r diffResult
	switch len(args) {
	case 2:
		files, err := repo.Diff(ctx, args[0], args[1], paths...)
		if err != nil {
			return err
		}
		r.Changes = append(r.Changes, change{From: args[0], To: args[1], Files: files})
	default:
		rev, err := lastChange(ctx, repo, args, paths)
		if err != nil {
			return err
		}
		if r.Changes, err = changes(ctx, repo, rev, paths); err != nil {
			return err
		}
	}
	return a.print(r)
}

// lastChange is the revision that is named, or the last one that changed what is
// looked at.
func lastChange(ctx context.Context, repo *history.Repo, args []string, paths []vault.Path) (string, error) {
	if len(args) == 1 {
		return args[0], nil
	}
	if len(paths) != 1 {
		return "HEAD", nil
	}
	commits, err := repo.Log(ctx, history.LogOptions{Path: paths[0], Limit: 1})
	if err != nil || len(commits) == 0 {
		return "HEAD", err
	}
	return commits[0].ID.String(), nil
}

// changes shows a commit, or, where no revision is called so, the commits of the
// run of that name.
func changes(ctx context.Context, repo *history.Repo, rev string, paths []vault.Path) ([]change, error) {
	c, files, err := repo.Show(ctx, rev, paths...)
	if err == nil {
		one := newCommit(c)
		return []change{{Commit: &one, Files: files}}, nil
	}
	if !errors.Is(err, history.ErrNotFound) {
		return nil, err
	}
	commits, logErr := repo.Log(ctx, history.LogOptions{Run: rev})
	if logErr != nil {
		return nil, logErr
	}
	if len(commits) == 0 {
		return nil, err
	}
	var all []change
	for _, c := range commits {
		c, files, err := repo.Show(ctx, c.ID.String(), paths...)
		if err != nil {
			return nil, err
		}
		one := newCommit(c)
		all = append(all, change{Commit: &one, Files: files})
	}
	return all, nil
}

type diffResult struct {
	Changes []change `json:"changes"`
}

// A change is a commit with what it changed, or what differs between two
// revisions.
type change struct {
	Commit *commit            `json:"commit,omitempty"`
	From   string             `json:"from,omitempty"`
	To     string             `json:"to,omitempty"`
	Files  []history.FileDiff `json:"files"`
}

func (r diffResult) Text(p *output.Page) {
	for _, c := range r.Changes {
		if c.Commit != nil {
			p.Printf("%s  %s  %s  %s\n", p.Bold(c.Commit.ID[:10]), c.Commit.When, output.Plain(c.Commit.Author), output.Plain(c.Commit.Subject))
		}
		for _, f := range c.Files {
			showPatch(p, f.Patch)
		}
	}
}
