package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	vaultsync "github.com/memsync/memsync/sync"
	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/whatsapp"
	"github.com/memsync/memsync/sync/watch"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/pass"
)

type importOptions struct {
	source    string
	noSynth   bool
	forgotten bool
	// formats are those that may be read; nil means all exports.
	formats []importer.Format
}

// verb is what the person asked for, before an error.
func (o importOptions) verb() string {
	if o.formats != nil {
		return "remember"
	}
	return "import"
}

func newImportCommand(a *app) *cobra.Command {
	var opts importOptions
	cmd := &cobra.Command{
		Use:     "import PATH...",
		GroupID: groupVault,
		Short:   "Bring chat histories into the vault",
		Long: `Import exports of ChatGPT, Claude and WhatsApp, sessions of Claude Code and
Codex, and plain notes: files, folders or zip archives. The format is detected.

Each conversation becomes a transcript, kept word for word. An export that was
imported before adds only what is new; importing the same file again changes
nothing. An import that was interrupted goes on where it was. Afterwards the
vault is distilled and indexed.`,
		Example: `  memsync import ~/Downloads/chatgpt-export.zip
  memsync import ~/.claude/projects --source claude-code --json`,
		Args: words(1, -1, "what to import: a file, a folder or a zip archive"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runImport(cmd.Context(), a, args, opts)
		},
	}
	cmd.Flags().StringVar(&opts.source, "source", "", "the format, where it is not to be detected: "+strings.Join(sources(), ", "))
	cmd.Flags().BoolVar(&opts.noSynth, "no-synth", false, "import and index only; distil later with memsync synth")
	cmd.Flags().BoolVar(&opts.forgotten, "forgotten", false, "import also the conversations that you removed from the vault")
	_ = cmd.RegisterFlagCompletionFunc("source", cobra.FixedCompletions(sources(), cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func sources() []string {
	var names []string
	for _, f := range formats(nil) {
		names = append(names, f.Source())
	}
	return names
}

type importResult struct {
	Runs []vaultsync.Run `json:"runs"`
	// Skipped are files of a folder or an archive that were not read, and why.
	Skipped []importer.Skip `json:"skipped"`
	// Commit is the commit that holds the transcripts, empty where nothing was new.
	Commit string `json:"commit"`
	// Me says who the person is in chats between people; nil where none came in.
	Me *synth.Who `json:"me,omitempty"`
	// Passes say what was distilled afterwards.
	Passes []synth.Report `json:"passes"`
	Index  index.Report   `json:"index"`
}

func (r importResult) Text(p *output.Page) {
	for _, run := range r.Runs {
		p.Printf("%s: %s: %s new, %d updated, %d unchanged; %s new",
			output.Plain(run.File), run.Source,
			output.Count(run.ConversationsNew, "conversation", "conversations"),
			run.ConversationsUpdated, run.ConversationsSkipped,
			output.Count(run.MessagesNew, "message", "messages"))
		if run.BranchMessages > 0 {
			p.Printf(" (%d on other branches)", run.BranchMessages)
		}
		if run.MessagesRevised > 0 {
			p.Printf("; %s: both wordings are kept", output.Count(run.MessagesRevised, "message was reworded", "messages were reworded"))
		}
		if run.MessagesDeleted > 0 {
			p.Printf("; %s: what was said is kept", output.Count(run.MessagesDeleted, "message was deleted by its sender", "messages were deleted by their senders"))
		}
		p.Printf("\n")
		if n := run.ConversationsRemoved; n > 0 {
			p.Printf("  %s that you removed left out (--forgotten brings them back)\n", output.Count(n, "conversation", "conversations"))
		}
		showWarnings(p, run.Warnings)
	}
	for _, s := range r.Skipped {
		p.Printf("%s\n", p.Dim(output.Plain(fmt.Sprintf("not read: %s %s", s.Name, s.Reason))))
	}
	if r.Commit == "" {
		p.Println("Nothing new.")
	}
	showWho(p, r.Me)
	for _, pass := range r.Passes {
		if len(pass.Written) > 0 || len(pass.Skipped) > 0 || pass.Model != nil {
			showPass(p, pass)
		}
	}
}

// shownWarnings is how many warnings of a file are printed; --json has them all.
const shownWarnings = 5

func showWarnings(p *output.Page, all []importer.Warning) {
	for i, w := range all {
		if i == shownWarnings {
			p.Printf("  and %d more, which --json lists\n", len(all)-i)
			return
		}
		p.Printf("  %s %s\n", p.Warn("note:"), output.Plain(w.String()))
	}
}

func runImport(ctx context.Context, a *app, paths []string, opts importOptions) (err error) {
	if paths, err = a.absolute(paths); err != nil {
		return err
	}
	w, err := a.openToWrite(ctx, "import")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	a.learnQueued(ctx, w)
	r, importErr := importPaths(ctx, a, w, paths, opts)
	if len(r.Runs) > 0 && ctx.Err() == nil {
		if err := a.digest(ctx, w, opts, &r); err != nil {
			importErr = errors.Join(importErr, err)
		}
	}
	if len(r.Runs) > 0 || importErr == nil {
		if err := a.print(r); err != nil {
			return err
		}
	}
	return importErr
}

// digest distils and indexes what came in. It does so also after an import that
// found nothing new: an earlier one may have been interrupted before it.
func (a *app) digest(ctx context.Context, w *writer, opts importOptions, r *importResult) (err error) {
	if slices.ContainsFunc(r.Runs, func(run vaultsync.Run) bool { return run.Source == whatsapp.Source }) {
		who, err := w.readingRunner().Who(ctx)
		if err != nil {
			return err
		}
		r.Me = &who
	}
	if opts.noSynth {
		if err := a.sayBacklog(ctx, w); err != nil {
			return err
		}
	} else {
		if r.Passes, err = a.synthesise(ctx, w, synthOptions{}); err != nil {
			return err
		}
	}
	r.Index, err = a.updateIndex(ctx, w.session)
	return err
}

// importPaths imports every path it can, as one commit. What was finished is
// committed, also when an error, or the person, ends it early.
func importPaths(ctx context.Context, a *app, w *writer, paths []string, opts importOptions) (r importResult, err error) {
	change, err := w.begin("import", baseNames(paths))
	if err != nil {
		return r, err
	}
	var files []toImport
	for _, path := range paths {
		files = append(files, func() (*importer.Bundle, error) { return importer.Open(path, importer.Limits{}) })
	}
	r, failed := a.bring(ctx, w, change, files, opts)
	committed := a.working("committing")
	res, err := change.Commit(context.WithoutCancel(ctx), importSubject(r), "")
	committed()
	if err != nil {
		return r, errors.Join(failed, fmt.Errorf("import: %w", err))
	}
	if res.Made() {
		r.Commit = res.Commit.ID.String()
	}
	switch {
	case failed == nil:
		return r, nil
	case ctx.Err() != nil:
		return r, ctx.Err()
	case len(r.Runs) > 0:
		return r, &partlyError{failed}
	default:
		return r, failed
	}
}

// A toImport opens what is to be imported.
type toImport func() (*importer.Bundle, error)

// bring writes what files hold as transcripts, within a change that the caller
// commits.
func (a *app) bring(ctx context.Context, w *writer, change *pass.Pass, files []toImport, opts importOptions) (r importResult, err error) {
	removed, err := w.forgotten()
	if err != nil {
		return r, err
	}
	secrets, err := w.openGuard()
	if err != nil {
		return r, err
	}
	bar := a.progress()
	bar.Start("importing conversations", -1, output.Items)
	defer bar.Done()
	seen := 0
	im := vaultsync.NewImporter(w.vault, change, vaultsync.ImportConfig{
		Now:   a.now,
		State: w.places.State,
		Guard: secrets.redact,
		Clean: secrets.clean,
		Redact: func(text string) string {
			marked, _ := secrets.redactor.Redact(text)
			return marked
		},
		Again: opts.forgotten,
		Forgotten: func(source, id string) bool {
			return removed.Has(watch.ConversationKey(source, id))
		},
		Progress: func(n int) {
			bar.Add(int64(n - seen))
			seen = n
		},
	})
	var failed []error
	for _, open := range files {
		if err := importBundle(ctx, im, open, opts, &r); err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	if err := w.endImport(ctx, im, change, r.Runs); err != nil {
		failed = append(failed, fmt.Errorf("%s: %w", opts.verb(), err))
	}
	return r, errors.Join(failed...)
}

// endImport writes the audit record, and notes in the vault which conversations
// the person has removed, so that no machine imports them again.
func (w *writer) endImport(ctx context.Context, im *vaultsync.Importer, change *pass.Pass, runs []vaultsync.Run) error {
	gone, err := im.Finish()
	if err = errors.Join(err, vaultsync.Audit(w.places.State, w.now(), runs)); err != nil || len(gone) == 0 {
		return err
	}
	r, err := watch.OpenRemoved(w.vault)
	if err != nil {
		return err
	}
	for _, c := range gone {
		r.Add(watch.ConversationKey(c[0], c[1]))
	}
	_, _, err = r.Save(func(p vault.Path, old vault.Hash, data []byte) error {
		return change.Write(context.WithoutCancel(ctx), p, old, data)
	})
	return err
}

func importBundle(ctx context.Context, im *vaultsync.Importer, open toImport, opts importOptions, r *importResult) error {
	b, err := open()
	if err != nil {
		return fmt.Errorf("%s: %w", opts.verb(), err)
	}
	defer b.Close()
	var unread error // the transcripts of chats could not be read
	holder := func(message string) string {
		id, err := im.Holder(ctx, whatsapp.Source, message)
		if err != nil {
			unread = fmt.Errorf("%s: %w", opts.verb(), err)
		}
		return id
	}
	read := opts.formats
	if read == nil {
		read = formats(holder)
	}
	plan, err := importer.Detect(b, read, opts.source)
	if err != nil {
		return fmt.Errorf("%s: %w", opts.verb(), err)
	}
	r.Skipped = append(r.Skipped, plan.Skipped...)
	var failed []error
	for _, m := range plan.Matches {
		run, err := im.Import(ctx, m.Input, m.Format)
		if err == nil || run.Changed() || run.ConversationsSkipped > 0 {
			r.Runs = append(r.Runs, run)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", opts.verb(), err))
		}
	}
	return errors.Join(append(failed, unread)...)
}

// importSubject says in a commit's first line what came in.
func importSubject(r importResult) string {
	added, updated := 0, 0
	for _, run := range r.Runs {
		added += run.ConversationsNew
		updated += run.ConversationsUpdated
	}
	var parts []string
	if added > 0 {
		parts = append(parts, output.Count(added, "new conversation", "new conversations"))
	}
	if updated > 0 {
		parts = append(parts, output.Count(updated, "grown conversation", "grown conversations"))
	}
	if len(parts) == 0 {
		parts = append(parts, "conversations that were removed stay removed")
	}
	return "import: " + strings.Join(parts, ", ")
}

// baseNames are the names of files without the folders they lie in, which are
// nobody's business in a shared history.
func baseNames(paths []string) []string {
	var names []string
	for _, p := range paths {
		names = append(names, filepath.Base(p))
	}
	return names
}
