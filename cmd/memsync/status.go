package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

func newStatusCommand(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "status",
		GroupID: groupRead,
		Short:   "Say how the vault, its index and its history stand",
		Long: `Say how things stand: the notes by kind, the index and whether it is in step,
the last commit, what is not committed, who holds the lock, and which files are
left out and why. Nothing is changed.`,
		Example: `  memsync status
  memsync status --json`,
		Args: words(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runStatus(cmd.Context(), a)
		},
	}
}

type statusResult struct {
	Vault string `json:"vault"`
	Root  string `json:"root"`
	// Notes counts the notes that are searched, Kinds by their folder.
	Notes int            `json:"notes"`
	Kinds map[string]int `json:"kinds"`
	// Fresh says that the index is in step; Behind counts notes that it lacks.
	Fresh  bool         `json:"fresh"`
	Behind int          `json:"behind"`
	Index  index.Status `json:"index"`
	// CommitWhen says when edits become commits: quiet, manual or off.
	CommitWhen string `json:"commit"`
	// Uncommitted are files that differ from the last commit.
	Uncommitted []history.DirtyFile `json:"uncommitted"`
	LastCommit  *commit             `json:"last_commit,omitempty"`
	// Busy says what git operation is under way, empty for none.
	Busy string `json:"busy"`
	// Writer is the process that holds the vault's lock, absent for none.
	Writer *vault.Holder `json:"writer,omitempty"`
	// Skipped are files and folders that are not looked at, and why.
	Skipped   []skipped `json:"skipped"`
	Embedding string    `json:"embedding"`
	LLM       string    `json:"llm"`
	// EmbeddingHealth and LLMHealth say whether the models can be asked.
	EmbeddingHealth modelHealth `json:"embedding_health"`
	LLMHealth       modelHealth `json:"llm_health"`
	Review          string      `json:"review"`
	// Backlog is what waits to be distilled.
	Backlog backlog `json:"backlog"`
	// Daemon is memsync watch, absent where it does not run.
	Daemon  *follower `json:"daemon,omitempty"`
	Notices []string  `json:"notices"`
	// CacheBytes, StateBytes and DataBytes are what lies beside the vault.
	CacheBytes int64 `json:"cache_bytes"`
	StateBytes int64 `json:"state_bytes"`
	DataBytes  int64 `json:"data_bytes"`

	now time.Time
}

type skipped struct {
	Path   vault.Path `json:"path"`
	Reason string     `json:"reason"`
}

func runStatus(ctx context.Context, a *app) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	r := statusResult{
		Vault: s.dir, Root: s.settings.Root, Kinds: map[string]int{},
		Embedding: s.settings.Embedding.Provider, LLM: s.settings.LLM.Provider, Review: s.settings.Review,
		CommitWhen: s.settings.Commit,
		now:        a.now(),
	}
	for _, step := range []func(context.Context, *app, *session) error{r.walk, r.look, r.wait, r.past, r.lock, r.follow, r.health} {
		if err := step(ctx, a, s); err != nil {
			return fmt.Errorf("status: %w", err)
		}
	}
	r.CacheBytes, r.StateBytes, r.DataBytes = diskUsed(s.places.Cache), diskUsed(s.places.State), diskUsed(s.places.Data)
	return a.print(r)
}

// walk counts the notes.
func (r *statusResult) walk(ctx context.Context, _ *app, s *session) error {
	notes, left, err := s.vault.Walk(ctx)
	if err != nil {
		return err
	}
	r.Notes = len(notes)
	for _, n := range notes {
		r.Kinds[kindOf(s.vault.Layout(), n.Path)]++
	}
	for _, l := range left {
		r.Skipped = append(r.Skipped, skipped{l.Path, l.Reason})
	}
	return nil
}

// kindOf is the folder of memsync's that a note lies in, or "notes" for the
// person's own.
func kindOf(l vault.Layout, p vault.Path) string {
	for _, own := range l.Own() {
		if p == own {
			return "generated"
		}
		if p.Under(own) {
			return own.Base()
		}
	}
	return "notes"
}

// look asks the index.
func (r *statusResult) look(ctx context.Context, a *app, s *session) (err error) {
	x, err := a.openIndex(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if r.Behind, err = x.Behind(ctx, s.vault); err != nil {
		return err
	}
	r.Fresh = r.Behind == 0
	r.Index, err = x.Status(ctx)
	return err
}

// past asks the history.
func (r *statusResult) past(ctx context.Context, _ *app, s *session) error {
	repo, err := s.history()
	if errors.Is(err, history.ErrNoRepository) {
		r.Notices = append(r.Notices, "the vault is no git repository: nothing can be taken back (memsync init makes one)")
		return nil
	}
	if err != nil {
		return err
	}
	if err := repo.Busy(); err != nil {
		r.Busy = err.Error()
	}
	if r.Uncommitted, err = repo.Dirty(ctx); err != nil {
		return err
	}
	last, err := repo.Log(ctx, history.LogOptions{Limit: 1})
	if err != nil || len(last) == 0 {
		return err
	}
	c := newCommit(last[0])
	r.LastCommit = &c
	return nil
}

// lock says who writes, without taking the lock: a writer that comes now must
// not find it taken by a reader.
func (r *statusResult) lock(_ context.Context, _ *app, s *session) error {
	if h := vault.ReadHolder(s.places.State); h.PID != 0 && alive(h.PID) {
		r.Writer = &h
	}
	return nil
}

// shownDirty is how many uncommitted files are printed; --json has them all.
const shownDirty = 5

func (r statusResult) Text(p *output.Page) {
	row := func(name, format string, args ...any) {
		p.Printf("%-10s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("vault", "%s", p.Bold(r.Vault))
	if r.Root != "." {
		row("root", "%s", r.Root)
	}
	var kinds []string
	for _, k := range slices.Sorted(maps.Keys(r.Kinds)) {
		kinds = append(kinds, fmt.Sprintf("%d %s", r.Kinds[k], k))
	}
	row("notes", "%d: %s", r.Notes, strings.Join(kinds, ", "))
	state := "in step"
	if !r.Fresh {
		state = p.Warn(fmt.Sprintf("%s behind (memsync index)", output.Count(r.Behind, "note", "notes")))
	}
	row("index", "%s; %s, model %s, %s", state, output.Count(r.Index.Chunks, "chunk", "chunks"), orNone(r.Index.Model), size(r.CacheBytes))
	if r.Index.Pending > 0 {
		row("", "%s wait for the embedding model", output.Count(r.Index.Pending, "chunk", "chunks"))
	}
	if n := r.Backlog.Conversations; n > 0 {
		row("backlog", "%s", p.Warn(fmt.Sprintf("%s up to %s wait to be distilled (memsync synth)", output.Count(n, "conversation", "conversations"), r.Backlog.UpTo)))
	}
	row("models", "embedding %s, llm %s", r.Embedding, r.LLM)
	for name, m := range map[string]modelHealth{"embedding": r.EmbeddingHealth, "llm": r.LLMHealth} {
		if !m.OK {
			row("", "%s", p.Warn(name+": "+output.Plain(m.Text)))
		}
	}
	r.Daemon.text(p, r.now, row)
	if r.LastCommit != nil {
		row("last", "%.10s %s %s", r.LastCommit.ID, r.LastCommit.When, output.Plain(r.LastCommit.Subject))
	}
	if r.Busy != "" {
		row("git", "%s", p.Warn(r.Busy))
	}
	for i, d := range r.Uncommitted {
		if i == shownDirty {
			row("", "and %d more files", len(r.Uncommitted)-i)
			break
		}
		name := ""
		if i == 0 {
			name = "edited"
		}
		row(name, "%s %s", mark(p, d.Status), output.Plain(string(d.Path)))
	}
	if r.CommitWhen == "manual" && len(r.Uncommitted) > 0 {
		row("", "they wait for: memsync commit")
	}
	if r.Writer != nil {
		row("writer", "%s", (&vault.LockedError{Holder: *r.Writer}).Error())
	}
	for _, s := range r.Skipped {
		row("skipped", "%s: %s", output.Plain(string(s.Path)), s.Reason)
	}
	for _, q := range r.Index.Problems {
		row("problem", "%s: %s", output.Plain(q.Path), output.Plain(q.Text))
	}
	for _, n := range slices.Concat(r.Notices, r.Index.Remarks) {
		p.Println(p.Dim("(" + n + ")"))
	}
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
