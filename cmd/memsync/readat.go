package main

import (
	"context"

	"github.com/memsync/memsync/vault"
	"github.com/memsync/memsync/vault/history"
)

// goBack puts the index of an earlier vault in the place of r's.
func (a *app) goBack(ctx context.Context, s *session, r *reader, at string) error {
	view, err := s.viewAt(ctx, at)
	if err != nil {
		return err
	}
	then, err := r.At(ctx, view.Commit.ID.String(), past{view, s.vault})
	if err != nil {
		return err
	}
	now := r.openedIndex
	r.openedIndex, r.read = &openedIndex{Index: then, dir: now.dir}, view.Read
	now.dir = "" // it is still in use
	r.notes = append(r.notes, "as of "+view.Commit.Committer.When.UTC().Format("2006-01-02 15:04Z")+", commit "+view.Commit.ID.Short())
	return now.Close()
}

func (s *session) viewAt(ctx context.Context, at string) (*history.View, error) {
	repo, err := s.history()
	if err != nil {
		return nil, err
	}
	return repo.At(ctx, at)
}

// past is the vault at a commit as the index wants to see it.
type past struct {
	view *history.View
	now  *vault.Vault
}

// Walk lists the notes that were there then and that are looked at today.
func (p past) Walk(ctx context.Context) ([]vault.Entry, []vault.Skipped, error) {
	files, err := p.view.Files(ctx)
	if err != nil {
		return nil, nil, err
	}
	var notes []vault.Entry
	for _, f := range files {
		if f.Path.IsNote() && !p.now.Ignored(f.Path, false) {
			notes = append(notes, vault.Entry{Path: f.Path, Size: f.Size, ModTime: p.view.Commit.Committer.When, Mode: 0o644})
		}
	}
	return notes, nil, nil
}

// Read returns a note as it was.
func (p past) Read(path vault.Path) ([]byte, error) { return p.view.Read(path) }
