package main

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/index"
	"github.com/memsync/memsync/synth"
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
left out and why. Of models it says how they did when they were last asked.
Nothing is changed, and nobody is asked over a network.`,
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
	// Fresh says that the index is in step with the disk; Behind counts notes that
	// it lacks.
	Fresh  bool         `json:"fresh"`
	Behind int          `json:"behind"`
	Index  index.Status `json:"index"`
	// LastReconcile is when vault and index were last compared and brought in
	// step, empty where nothing is known.
	LastReconcile string `json:"last_reconcile"`
	// Head says how the index stands to the last commit, absent without one.
	Head *headState `json:"head,omitempty"`
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
	// EmbeddingHealth and LLMHealth say how the models did when they were asked.
	EmbeddingHealth modelHealth `json:"embedding_health"`
	LLMHealth       modelHealth `json:"llm_health"`
	Review          string      `json:"review"`
	// Backlog is what waits to be distilled.
	Backlog synth.Backlog `json:"backlog"`
	// Daemon is memsync watch, absent where it does not run.
	Daemon  *follower `json:"daemon,omitempty"`
	Notices []string  `json:"notices"`
	// VaultBytes are the vault's files, GitBytes its history. CacheBytes, StateBytes
	// and DataBytes are what lies beside the vault.
	VaultBytes int64 `json:"vault_bytes"`
	GitBytes   int64 `json:"git_bytes"`
	CacheBytes int64 `json:"cache_bytes"`
	StateBytes int64 `json:"state_bytes"`
	DataBytes  int64 `json:"data_bytes"`

	now   time.Time
	paths map[vault.Path]bool // the notes
}

// A headState compares the index with the last commit: it says what that says
// where the index is in step with the disk and no note there differs from it.
type headState struct {
	Commit string `json:"commit"`
	// Branch is empty where none is checked out.
	Branch string `json:"branch"`
	Fresh  bool   `json:"fresh"`
	// Ahead counts notes that differ on disk.
	Ahead int `json:"ahead"`
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
		now:        a.now(), paths: map[vault.Path]bool{},
	}
	for _, step := range []func(context.Context, *app, *session) error{r.walk, r.look, r.wait, r.past, r.lock, r.follow, r.health} {
		if err := step(ctx, a, s); err != nil {
			return fmt.Errorf("status: %w", err)
		}
	}
	r.GitBytes = diskUsed(filepath.Join(s.dir, ".git"))
	r.VaultBytes = diskUsed(s.dir) - r.GitBytes
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
		r.paths[n.Path] = true
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
	x, why, err := a.openAnyhow(ctx, s)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if why != nil {
		r.Notices = append(r.Notices, fmt.Sprintf("the index cannot be written: %v", why))
	}
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
	r.Head = &headState{Commit: c.ID}
	if r.Head.Branch, _, err = repo.Head(); err != nil {
		return err
	}
	for _, d := range r.Uncommitted {
		gone := d.Status == history.Deleted && strings.EqualFold(path.Ext(string(d.Path)), ".md")
		if r.paths[d.Path] || gone {
			r.Head.Ahead++
		}
	}
	r.Head.Fresh = r.Fresh && r.Head.Ahead == 0
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
