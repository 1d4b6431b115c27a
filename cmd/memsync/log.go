package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault/history"
)

type logOptions struct {
	pass, run, since, until string
	machine                 bool
	limit                   int
}

func newLogCommand(a *app) *cobra.Command {
	var opts logOptions
	cmd := &cobra.Command{
		Use:     "log [PATH]",
		GroupID: groupChange,
		Short:   "Show how the memory came about",
		Long: `List the commits of the vault, the newest first: what changed, by whom, from
which sources, and the run that they belong to. With PATH, only what changed
that note or folder.`,
		Example: `  memsync log --limit 5
  memsync log profile.md --json
  memsync log --pass import --since 2025-09-01`,
		Args: words(0, 1, "one note or folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLog(cmd.Context(), a, args, opts)
		},
	}
	f := cmd.Flags()
	f.IntVarP(&opts.limit, "limit", "n", 20, "how many commits; 0 for all")
	f.StringVar(&opts.pass, "pass", "", "only commits of this pass: import, summaries, facts, ...")
	f.StringVar(&opts.run, "run", "", "only commits of this run")
	f.StringVar(&opts.since, "since", "", "only commits made on or after this day")
	f.StringVar(&opts.until, "until", "", "only commits made on or before this day")
	f.BoolVar(&opts.machine, "machine", false, "only what memsync wrote")
	return cmd
}

func runLog(ctx context.Context, a *app, args []string, opts logOptions) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	repo, err := s.history()
	if err != nil {
		return err
	}
	o := history.LogOptions{Run: opts.run, Pass: opts.pass, Limit: opts.limit, Files: true}
	if opts.machine {
		o.Author = history.MachineEmail
	}
	if len(args) == 1 {
		if o.Path, err = a.pathInVault(s, args[0]); err != nil {
			return err
		}
	}
	if o.Since, err = day(opts.since, "--since", 0); err != nil {
		return err
	}
	if o.Until, err = day(opts.until, "--until", 1); err != nil {
		return err
	}
	commits, err := repo.Log(ctx, o)
	if err != nil {
		return err
	}
	var r logResult
	for _, c := range commits {
		r.Commits = append(r.Commits, newCommit(c))
	}
	return a.print(r)
}

type logResult struct {
	Commits []commit `json:"commits"`
}

// A commit is one change of the vault.
type commit struct {
	ID      string `json:"id"`
	Subject string `json:"subject"`
	Author  string `json:"author"`
	Email   string `json:"email"`
	// When is in RFC 3339.
	When string `json:"when"`
	// Machine says that memsync wrote it.
	Machine bool `json:"machine"`
	// Run, Pass, Model and Sources say where it came from; empty where the
	// person made the commit.
	Run     string               `json:"run"`
	Pass    string               `json:"pass"`
	Model   string               `json:"model"`
	Sources []string             `json:"sources"`
	Reverts []string             `json:"reverts"`
	Files   []history.FileChange `json:"files"`
}

func newCommit(c history.Commit) commit {
	return commit{
		ID: c.ID.String(), Subject: c.Subject, Author: c.Author.Name, Email: c.Author.Email,
		When: rfc3339(c.Author.When), Machine: c.ByMachine(),
		Run: c.Trailers.Run, Pass: c.Trailers.Pass, Model: c.Trailers.Model,
		Sources: c.Trailers.Sources, Reverts: c.Trailers.Reverts, Files: c.Files,
	}
}

// shownFiles and shownSources are how many of a commit's are printed; --json has
// them all.
const (
	shownFiles   = 4
	shownSources = 2
)

func (c commit) Text(p *output.Page) {
	p.Printf("%s  %s  %-8s  %s\n", p.Bold(c.ID[:10]), c.When, output.Plain(c.Author), output.Plain(c.Subject))
	if c.Run != "" {
		p.Println("            " + p.Dim("run "+output.Plain(c.Run)))
	}
	for i, s := range c.Sources {
		if i == shownSources {
			p.Println("            " + p.Dim(fmt.Sprintf("and %d more sources", len(c.Sources)-i)))
			break
		}
		p.Println("            " + p.Dim("from "+output.Plain(s)))
	}
	for i, f := range c.Files {
		if i == shownFiles {
			p.Println("            " + p.Dim(fmt.Sprintf("and %d more files", len(c.Files)-i)))
			break
		}
		p.Printf("            %s %s\n", mark(p, f.Status), output.Plain(string(f.Path)))
	}
}

func mark(p *output.Page, s history.Status) string {
	switch s {
	case history.Added:
		return p.Added("+")
	case history.Deleted:
		return p.Removed("-")
	}
	return p.Warn("~")
}

func (r logResult) Text(p *output.Page) {
	for _, c := range r.Commits {
		c.Text(p)
	}
	if len(r.Commits) == 0 {
		p.Println("No commits.")
	}
}
