package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/memsync/memsync/cmd/internal/config"
	"github.com/memsync/memsync/cmd/internal/output"
	"github.com/memsync/memsync/cmd/internal/places"
	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

type initOptions struct {
	root string
}

func newInitCommand(a *app) *cobra.Command {
	var opts initOptions
	cmd := &cobra.Command{
		Use:     "init [DIR]",
		GroupID: groupVault,
		Short:   "Make a vault, or adopt a folder of notes",
		Long: `Make a vault in DIR, by default in the current folder: a folder of markdown with
a .memoryrc and a git repository.

A folder that is an Obsidian vault or a git repository already is adopted as it
is: none of its files is touched. With --root, memsync writes only into that
folder of it; the other notes are searched and never written.`,
		Example: `  memsync init ~/memory
  memsync init ~/Documents/Obsidian --root memsync`,
		Args: words(0, 1, "one folder"),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			} else if a.vaultFlag != "" {
				dir = a.vaultFlag
			}
			return runInit(cmd.Context(), a, dir, opts)
		},
	}
	cmd.Flags().StringVar(&opts.root, "root", "", "the folder in DIR that memsync writes (default: DIR itself)")
	return cmd
}

type initResult struct {
	Vault string `json:"vault"`
	// Root is memsync's folder in the vault, "." for all of it.
	Root string `json:"root"`
	// Made says that there was no vault before.
	Made bool `json:"made"`
	// Adopted says that the folder held notes or a repository.
	Adopted bool `json:"adopted"`
	// Repository is the root of the git repository.
	Repository string `json:"repository"`
	// Files are those that were written, relative to the vault.
	Files   []vault.Path `json:"files"`
	Notices []string     `json:"notices"`
}

func (r initResult) Text(p *output.Page) {
	switch {
	case !r.Made:
		p.Printf("%s is a vault already; none of its files was touched.\n", p.Bold(r.Vault))
	case r.Adopted:
		p.Printf("Adopted %s as a vault; none of its files was touched.\n", p.Bold(r.Vault))
	default:
		p.Printf("Made the vault %s.\n", p.Bold(r.Vault))
	}
	if r.Root != "." {
		p.Printf("memsync writes only into %s/.\n", r.Root)
	}
	for _, n := range r.Notices {
		p.Println(p.Warn("note: ") + n)
	}
	if r.Made {
		p.Printf("\nNext: memsync import FILE --vault %s\n", quoted(r.Vault))
		p.Printf("In Obsidian: Open folder as vault, %s\n", r.Vault)
	}
}

func runInit(ctx context.Context, a *app, dir string, opts initOptions) error {
	r, err := makeVault(ctx, a, dir, opts.root)
	if err != nil {
		return fmt.Errorf("init: %w", err)
	}
	return a.print(r)
}

// makeVault makes dir a vault, or finds that it is one.
func makeVault(ctx context.Context, a *app, dir, root string) (initResult, error) {
	dir, err := a.madeFolder(dir)
	r := initResult{Vault: dir, Root: "."}
	if err != nil {
		return r, err
	}
	if root != "" && root != "." {
		p, err := vault.ParsePath(root)
		if err != nil {
			return r, &usageError{fmt.Errorf("--root: %w", err)}
		}
		r.Root = string(p)
	}
	r.Notices = a.neighbours(dir)
	v, err := vault.Open(dir, vault.Config{Root: r.Root})
	if err != nil {
		return r, err
	}
	defer v.Close()
	if v.Exists(config.FileName) {
		return existingVault(r, root)
	}
	notes, _, err := v.Walk(ctx)
	if err != nil {
		return r, err
	}
	if len(notes) > 0 {
		if err := notOccupied(v); err != nil {
			return r, err
		}
	}
	if err := a.forgetPlaces(dir); err != nil {
		return r, err
	}
	repo, madeRepo, err := openOrMakeRepository(dir)
	if err != nil {
		return r, err
	}
	r.Made, r.Adopted, r.Repository = true, len(notes) > 0 || !madeRepo, repo.Root()
	change := history.Change{
		Author:   history.Machine(a.now()),
		Subject:  "init: a vault for memsync",
		Trailers: history.Trailers{Pass: "init"},
	}
	for _, f := range starters(v.Layout(), len(notes) > 0, madeRepo) {
		if v.Exists(f.path) {
			continue
		}
		if err := v.Write(f.path, vault.NoFile, []byte(f.text)); err != nil {
			return r, err
		}
		r.Files = append(r.Files, f.path)
		change.Files = append(change.Files, history.File{Path: f.path, Hash: vault.HashOf([]byte(f.text))})
	}
	if _, err := repo.Commit(ctx, change); err != nil {
		var busy *history.BusyError
		if !errors.As(err, &busy) {
			return r, err
		}
		r.Notices = append(r.Notices, busy.Error())
	}
	return r, nil
}

// forgetPlaces clears what this machine remembers of an earlier vault in the same
// folder, so that it is not taken for the new one's: the index, and which
// conversations were imported. Originals of secrets are kept.
func (a *app) forgetPlaces(dir string) error {
	at, err := places.Find(a.env)
	if err != nil {
		return err
	}
	own := at.Vault(dir)
	lock, err := vault.Acquire(own.State, vault.Holder{PID: os.Getpid(), What: "init", Since: a.now()})
	if err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(own.Cache), os.RemoveAll(own.State), lock.Release())
}

// madeFolder makes the folder dir where it is missing, and returns its one name:
// absolute, with symbolic links resolved.
func (a *app) madeFolder(dir string) (string, error) {
	wd, err := a.getwd()
	if err != nil {
		return dir, err
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(wd, dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return dir, err
	}
	return filepath.EvalSymlinks(dir)
}

// existingVault is init of what is a vault: it makes the repository where it is
// missing and changes nothing else.
func existingVault(r initResult, root string) (initResult, error) {
	s, err := config.Resolve(config.Sources{Vault: r.Vault})
	if err != nil {
		return r, err
	}
	if root != "" && s.Root != r.Root {
		return r, usagef("%s is a vault whose root is %s; to move it, change root: in its %s and move the folders", r.Vault, s.Root, config.FileName)
	}
	r.Root = s.Root
	repo, made, err := openOrMakeRepository(r.Vault)
	if err != nil {
		return r, err
	}
	if made {
		r.Notices = append(r.Notices, "made the git repository that was missing")
	}
	r.Repository = repo.Root()
	return r, nil
}

func openOrMakeRepository(dir string) (repo *history.Repo, made bool, err error) {
	repo, err = history.Open(dir, history.Config{})
	if errors.Is(err, history.ErrNoRepository) {
		repo, err = history.Init(dir, history.Config{})
		return repo, true, err
	}
	return repo, false, err
}

// notOccupied refuses a folder whose notes stand where memsync would write its
// own: they would look as if they were generated.
func notOccupied(v *vault.Vault) error {
	for _, p := range v.Layout().Own() {
		if v.Exists(p) {
			return usagef("%s is there already; give memsync a folder of its own with --root memsync", filepath.Join(v.Dir(), string(p)))
		}
	}
	return nil
}
