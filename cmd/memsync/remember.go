package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	vaultsync "github.com/memsync/memsync/sync"
	"github.com/memsync/memsync/sync/importer"
	"github.com/memsync/memsync/sync/importer/chat"
	"github.com/memsync/memsync/sync/importer/claudecode"
	"github.com/memsync/memsync/sync/importer/codex"
	"github.com/memsync/memsync/synth"
	"github.com/memsync/memsync/synth/ops"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/pass"
)

type rememberOptions struct {
	session, source string
}

func newRememberCommand(a *app) *cobra.Command {
	var opts rememberOptions
	cmd := &cobra.Command{
		Use:     "remember --session FILE",
		GroupID: groupVault,
		Short:   "Remember a session that has ended",
		Long: `Keep a session and what it came to, as one commit: the transcript word for word,
a summary, claims with their quotes, the profile. A summary that says what an
older one says is dropped or becomes one with it; the commit says which.

The file is a session of Claude Code or Codex, or a chat as JSON or markdown, in
which each turn begins with "## User" or "Assistant: ..."; docs/remember.md has
both. The same session again adds what it has grown by.`,
		Example: `  memsync remember --session ~/.claude/projects/-home-ana-oven/4f2a.jsonl
  memsync remember --session - --json < chat.md`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return runRemember(cmd.Context(), a, opts) },
	}
	cmd.Flags().StringVar(&opts.session, "session", "", "the session's file, - for standard input")
	cmd.Flags().StringVar(&opts.source, "source", "", "the format, where it is not to be detected: chat, claude-code, codex")
	_ = cmd.RegisterFlagCompletionFunc("source", cobra.FixedCompletions([]string{"chat", "claude-code", "codex"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func runRemember(ctx context.Context, a *app, opts rememberOptions) (err error) {
	if opts.session == "" {
		return usagef("say which session with --session FILE, - for standard input")
	}
	name, open := "standard input", toImport(nil)
	if opts.session == "-" {
		data, err := io.ReadAll(io.LimitReader(a.stdin, maxSession+1))
		if err != nil {
			return fmt.Errorf("remember: standard input: %w", err)
		}
		if len(data) > maxSession {
			return fmt.Errorf("remember: standard input is longer than %d MiB; name the file instead", maxSession>>20)
		}
		open = func() (*importer.Bundle, error) { return importer.InMemory(name, data, a.now()), nil }
	} else {
		paths, err := a.absolute([]string{opts.session})
		if err != nil {
			return err
		}
		name = opts.session
		open = func() (*importer.Bundle, error) { return importer.Open(paths[0], importer.Limits{}) }
	}
	w, err := a.openToWrite(ctx, "remember")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	a.learnQueued(ctx, w)
	r, rememberErr := a.remember(ctx, w, name, open, opts.source)
	if rememberErr != nil && r.Commit == "" {
		return rememberErr
	}
	if r.Index, err = a.updateIndex(ctx, w.session); err != nil {
		return err
	}
	if err := a.print(r); err != nil {
		return err
	}
	if n := len(r.Rejected); n > 0 && rememberErr == nil {
		rememberErr = fmt.Errorf("remember: %s refused", output.Count(n, "claim was", "claims were"))
	}
	if rememberErr != nil {
		return &partlyError{rememberErr}
	}
	return nil
}

// maxSession bounds a session that comes over standard input, in bytes.
const maxSession = 64 << 20

// remember keeps the sessions of a file and what they came to, as one commit.
func (a *app) remember(ctx context.Context, w *writer, name string, open toImport, source string) (r rememberedResult, err error) {
	runner, err := a.runner(w, synthOptions{})
	if err != nil {
		return r, err
	}
	defer func() { err = errors.Join(err, w.near.Close()) }()
	bar := a.progress()
	done, err := runner.Remember(ctx, []string{filepath.Base(name)}, func(ctx context.Context, change *pass.Pass) (b synth.Brought, err error) {
		r.importResult, b, err = a.bringSession(ctx, w, change, open, source)
		bar.Start("distilling", -1, output.Items)
		return b, err
	})
	bar.Done()
	r.Commit, r.Passes = done.Commit, done.Passes
	r.Transcripts, r.Applied, r.Rejected = done.Transcripts, done.Claims.Applied, done.Claims.Rejected
	if done.Commit != "" {
		a.refreshCopies(ctx, w.session)
	}
	return r, err
}

// bringSession writes the transcripts of a session's file, and reads what it asks
// to be remembered.
func (a *app) bringSession(ctx context.Context, w *writer, change *pass.Pass, open toImport, source string) (r importResult, b synth.Brought, err error) {
	heard := func(f importer.Format) importer.Format { return listener{f, w, &b} }
	asChat := heard(chat.Format{Now: vault.Stamp{Time: a.now().UTC()}})
	opts := importOptions{source: source, formats: []importer.Format{heard(claudecode.Format{}), heard(codex.Format{}), asChat}}
	r, err = a.bring(ctx, w, change, []toImport{open}, opts)
	if err != nil && source == "" && len(r.Runs) == 0 {
		// What no format knows is refused by the one that says where.
		opts.source = asChat.Source()
		if _, refused := a.bring(ctx, w, change, []toImport{open}, opts); refused != nil {
			err = refused
		}
	}
	return r, b, err
}

// A listener notes what a format reads.
type listener struct {
	importer.Format
	w *writer
	b *synth.Brought
}

// Read is importer.Format's.
func (l listener) Read(ctx context.Context, in importer.Input, emit func(importer.Conversation) error, warn func(importer.Warning)) error {
	if _, isChat := l.Format.(chat.Format); isChat {
		claims, err := chat.Claims(in)
		if err != nil {
			return err
		}
		for _, raw := range claims {
			var c ops.Create
			if err := ops.Decode(raw, &c); err != nil {
				return &importer.RefusedError{File: in.Name, Reason: fmt.Sprintf(`has something to "remember" that cannot be read: %v`, err)}
			}
			l.b.Claims = append(l.b.Claims, c)
		}
	}
	return l.Format.Read(ctx, in, func(c importer.Conversation) error {
		l.b.Conversations = append(l.b.Conversations, c.ID)
		if c.Source == (chat.Format{}).Source() {
			fresh, err := l.goesOn(ctx, &c)
			if err != nil || !fresh {
				return err
			}
		}
		return emit(c)
	}, warn)
}

// goesOn reports whether a chat holds messages that the vault has not. A chat
// rarely says when it was added to, by which importers go, so it is dated here.
func (l listener) goesOn(ctx context.Context, c *importer.Conversation) (bool, error) {
	n, err := vaultsync.Transcript(ctx, l.w.vault, c.Source, c.ID)
	if err != nil {
		return false, err
	}
	if n == nil {
		return true, nil
	}
	known := map[string]bool{}
	for _, t := range vault.ParseTranscript(n).Turns {
		known[t.MessageID] = true
	}
	now := vault.Stamp{Time: l.w.now().UTC().Truncate(time.Second)}
	if last, err := vault.ParseStamp(n.Prop("updated")); err == nil && !now.Time.After(last.Time) {
		now.Time = last.Time.Add(time.Second)
	}
	fresh := false
	for i := range c.Turns {
		if t := &c.Turns[i]; !known[t.MessageID] {
			fresh = true
			if t.Time.IsZero() {
				t.Time, c.Updated = now, now
			}
		}
	}
	return fresh, nil
}

// rememberedResult says what a session came to. Commit holds all of it.
type rememberedResult struct {
	importResult
	// Transcripts are those that were written.
	Transcripts []vault.Path `json:"transcripts"`
	// Applied and Rejected are the things that the file asked to be remembered.
	Applied  []ops.Done      `json:"applied"`
	Rejected []ops.Rejection `json:"rejected"`
}

func (r rememberedResult) Text(p *output.Page) {
	if r.Commit == "" && len(r.Rejected) == 0 {
		p.Println("Nothing new: the session is remembered already.")
		return
	}
	for _, run := range r.Runs {
		p.Printf("%s: %s new\n", output.Plain(filepath.Base(run.File)), output.Count(run.MessagesNew, "message", "messages"))
		showWarnings(p, run.Warnings)
	}
	opsResult{Result: ops.Result{Applied: r.Applied, Rejected: r.Rejected}}.lines(p)
	for _, pass := range r.Passes {
		if pass.Pass != "ops" && len(pass.Written)+len(pass.Skipped)+len(pass.Notes) > 0 {
			showPass(p, pass)
		}
	}
	if r.Commit != "" {
		p.Printf("in commit %.10s; memsync revert %.10s takes it back\n", r.Commit, r.Commit)
	}
}

// A nearness tells how much summaries are alike, by the vault's index, which is
// opened when it is first asked.
type nearness struct {
	open  func(ctx context.Context) (*openedIndex, error)
	index *openedIndex
	alike *index.Likeness
}

// Similar is dedup.Embedder's.
func (n *nearness) Similar(ctx context.Context, text string, others []string) (_ []float64, err error) {
	if n.index == nil {
		if n.index, err = n.open(ctx); err != nil {
			return nil, err
		}
		n.alike = n.index.Likeness()
	}
	return n.alike.Similar(ctx, text, others)
}

// Close lets go of the index.
func (n *nearness) Close() error {
	if n == nil || n.index == nil {
		return nil
	}
	x := n.index
	n.index, n.alike = nil, nil
	return x.Close()
}

// near is the nearness of the writer's vault.
func (a *app) near(w *writer) *nearness {
	return &nearness{open: func(ctx context.Context) (*openedIndex, error) { return a.openIndex(ctx, w.session) }}
}
