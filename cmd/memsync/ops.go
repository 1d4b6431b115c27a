package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/ops"
)

func newOpsCommand(a *app) *cobra.Command {
	schema := false
	cmd := &cobra.Command{
		Use:     "ops",
		GroupID: groupVault,
		Short:   "Change memory by operations that prove themselves",
		Long: `Memory operations create, update, supersede, delete and pin claims. Each names
the turns that prove it, with words that stand in them; what proves nothing is
refused with its reason. docs/ops.md has the format, --schema prints its JSON
schema.`,
		Example: `  memsync ops --schema
  memsync ops apply operations.json --dry-run`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !schema {
				return cmd.Help()
			}
			_, err := a.stdout.Write(ops.Schema())
			return err
		},
	}
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON schema of operations")
	cmd.AddCommand(newOpsApplyCommand(a))
	return cmd
}

func newOpsApplyCommand(a *app) *cobra.Command {
	dryRun := false
	cmd := &cobra.Command{
		Use:   "apply FILE",
		Short: "Apply operations from a file, - for standard input",
		Long: `Apply operations. Those that are refused are listed with their reasons, and the
rest is one commit; the exit status is 3 where some were refused.`,
		Example: `  memsync ops apply operations.json
  memsync ops apply - --dry-run < operations.json`,
		Args: words(1, 1, "a file with operations, - for standard input"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runOpsApply(cmd.Context(), a, args[0], dryRun)
		},
	}
	cmd.Flags().BoolVar(&dryRun, "dry-run", false, "write nothing and print what would change")
	return cmd
}

func runOpsApply(ctx context.Context, a *app, file string, dryRun bool) error {
	o, err := a.readOperations(file)
	if err != nil {
		return err
	}
	var r opsResult
	err = a.amend(ctx, "ops", amendOptions{dryRun: dryRun}, func(runner *synth.Runner) (output.Result, error) {
		res, rep, err := runner.Operate(ctx, o, false)
		r = opsResult{Result: res, Commit: rep.Commit, Skipped: rep.Skipped, Diff: rep.Diff, DryRun: dryRun, Followed: rep.Followed}
		return r, err
	})
	if err == nil && len(r.Rejected)+len(r.Skipped) > 0 {
		return &partlyError{fmt.Errorf("ops: %s refused", output.Count(len(r.Rejected)+len(r.Skipped), "operation was", "operations were"))}
	}
	return err
}

// inDir makes a path that was typed absolute: a daemon runs elsewhere.
func (a *app) inDir(path string) (string, error) {
	if len(path) > 0 && os.IsPathSeparator(path[0]) {
		return path, nil
	}
	wd, err := a.getwd()
	if err != nil {
		return "", err
	}
	return wd + string(os.PathSeparator) + path, nil
}

// openInput opens a file that was named on the command line, - for standard input.
func (a *app) openInput(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(a.stdin), nil
	}
	path, err := a.inDir(name)
	if err != nil {
		return nil, err
	}
	return os.Open(path)
}

func (a *app) readOperations(name string) (ops.Operations, error) {
	f, err := a.openInput(name)
	if err != nil {
		return ops.Operations{}, fmt.Errorf("ops: %w", err)
	}
	defer f.Close()
	o, err := ops.Parse(f)
	if err != nil {
		return o, &usageError{err: fmt.Errorf("%s: %w", name, err)}
	}
	return o, nil
}

type opsResult struct {
	ops.Result
	Commit  string          `json:"commit"`
	Skipped []synth.Skipped `json:"skipped"`
	DryRun  bool            `json:"dry_run"`
	Diff    string          `json:"diff,omitempty"`
	// Followed are the passes that ran in the same commit, as something was taken
	// away or changed.
	Followed []synth.Report `json:"followed,omitempty"`
}

func (r opsResult) Text(p *output.Page) {
	verb := "applied"
	if r.DryRun {
		verb = "would apply"
	}
	p.Printf("%s %s\n", verb, output.Count(len(r.Applied), "operation", "operations"))
	r.lines(p)
	for _, s := range r.Skipped {
		p.Printf("  %s %s: %s\n", p.Warn("note:"), output.Plain(string(s.Path)), output.Plain(s.Reason))
	}
	showFollowed(p, r.Followed)
	showPatch(p, r.Diff)
}

// lines writes what became of each operation.
func (r opsResult) lines(p *output.Page) {
	for _, d := range r.Applied {
		p.Printf("  %s %s %s", d.Op, output.Plain(d.ID), output.Plain(string(d.Path)))
		if d.Note != "" {
			p.Printf(" (%s)", d.Note)
		}
		p.Printf("\n")
	}
	for _, x := range r.Rejected {
		p.Printf("  %s %s[%d]: %s (%s)\n", p.Warn("refused:"), x.Op, x.Index, output.Plain(x.Message), x.Reason)
	}
}
