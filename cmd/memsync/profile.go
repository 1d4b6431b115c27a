package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
	"github.com/memsync/memsync/vault/pass"
)

func newProfileCommand(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "profile",
		GroupID: groupVault,
		Short:   "Print the profile, list its versions, restore one",
		Long: `Print the profile card: who the person is, what they prefer and want. Every
version of it is kept in git's history.`,
		Example: "  memsync profile\n  memsync profile restore 2",
		Args:    words(0, 0, ""),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runProfile(a) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "history", Short: "List the versions of the profile", Args: words(0, 0, ""),
			Long: `List the versions of the profile, the newest first. 1 is the one before today's;
memsync profile restore takes these numbers.`,
			Example: "  memsync profile history\n  memsync profile history --json",
			RunE:    func(cmd *cobra.Command, _ []string) error { return runProfileHistory(cmd.Context(), a) },
		},
		&cobra.Command{
			Use: "restore N", Short: "Bring an older version back", Args: words(1, 1, "the number of a version"),
			Long: `Bring an older version of the profile back, by its number in the history. It is
your edit: what memsync learns later is merged into it, and it stays.`,
			Example: "  memsync profile restore 1\n  memsync profile restore 3 --json",
			RunE:    func(cmd *cobra.Command, args []string) error { return runProfileRestore(cmd.Context(), a, args[0]) },
		},
	)
	return cmd
}

func runProfile(a *app) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	raw, err := s.readOrNothing(s.vault.Layout().Profile())
	if err != nil {
		return err
	}
	return a.print(profileResult{s.vault.Layout().Profile(), string(raw)})
}

type profileResult struct {
	Path vault.Path `json:"path"`
	Page string     `json:"text"`
}

func (r profileResult) Text(p *output.Page) {
	if r.Page == "" {
		p.Println("There is no profile yet.")
		return
	}
	p.Println(output.Plain(string(vault.Parse(r.Path, []byte(r.Page)).Body())))
}

// A version is the profile as a commit left it. N counts back from the present,
// which is 0.
type version struct {
	N       int       `json:"n"`
	Commit  string    `json:"commit"`
	When    time.Time `json:"when"`
	Subject string    `json:"subject"`
}

// profileVersions are the versions of the profile, the present one first.
func profileVersions(ctx context.Context, repo *history.Repo, p vault.Path) ([]version, []history.Version, error) {
	all, err := repo.Versions(ctx, p)
	if err != nil {
		return nil, nil, err
	}
	out := []version{}
	var kept []history.Version
	for _, v := range all {
		if v.ID.IsZero() {
			continue
		}
		out = append(out, version{len(out), v.Commit.ID.String(), v.Commit.Author.When, v.Commit.Subject})
		kept = append(kept, v)
	}
	return out, kept, nil
}

func runProfileHistory(ctx context.Context, a *app) (err error) {
	s, err := a.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	repo, err := s.history()
	if err != nil {
		return err
	}
	list, _, err := profileVersions(ctx, repo, s.vault.Layout().Profile())
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	return a.print(versionsResult{list})
}

type versionsResult struct {
	Versions []version `json:"versions"`
}

func (r versionsResult) Text(p *output.Page) {
	if len(r.Versions) == 0 {
		p.Println("There is no profile yet.")
	}
	for _, v := range r.Versions {
		p.Printf("%3d  %s  %s  %s\n", v.N, v.When.Format("2006-01-02 15:04"), p.Dim(v.Commit[:min(8, len(v.Commit))]), output.Plain(v.Subject))
	}
}

func runProfileRestore(ctx context.Context, a *app, number string) (err error) {
	n, err := strconv.Atoi(number)
	if err != nil || n < 1 {
		return usagef("%q is no version; memsync profile history numbers them from 1", number)
	}
	w, err := a.openToWrite(ctx, "profile")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	p := w.vault.Layout().Profile()
	list, versions, err := profileVersions(ctx, w.repo, p)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	if n >= len(versions) {
		return usagef("there is no version %d; the oldest is %d", n, len(versions)-1)
	}
	data, err := w.repo.ReadBlob(versions[n].ID)
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	change, err := w.begin("profile", nil)
	if err != nil {
		return err
	}
	if err := errors.Join(change.Preserve(ctx, p), change.Abandon()); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	old := vault.NoFile
	if raw, err := w.readOrNothing(p); err != nil {
		return err
	} else if raw != nil {
		old = vault.HashOf(raw)
	}
	if err := w.vault.Write(p, old, data); err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	res, err := w.repo.Commit(ctx, history.Change{
		Author: pass.Owner(w.repo, a.now()), Committer: history.Machine(a.now()),
		Subject:  "profile: restored as of " + list[n].When.Format("2006-01-02 15:04"),
		Trailers: history.Trailers{Run: w.run, Pass: "profile"},
		Files:    []history.File{{Path: p, Hash: vault.HashOf(data)}},
	})
	if err != nil {
		return fmt.Errorf("profile: %w", err)
	}
	if _, err := a.updateIndex(ctx, w.session); err != nil {
		return err
	}
	r := restoredResult{Version: list[n]}
	if res.Made() {
		r.Commit = res.Commit.ID.String()
	}
	return a.print(r)
}

type restoredResult struct {
	Version version `json:"version"`
	// Commit is empty where the profile was like that already.
	Commit string `json:"commit"`
}

func (r restoredResult) Text(p *output.Page) {
	if r.Commit == "" {
		p.Println("The profile is like that already.")
		return
	}
	p.Printf("restored the profile of %s\n", r.Version.When.Format("2006-01-02 15:04"))
}
