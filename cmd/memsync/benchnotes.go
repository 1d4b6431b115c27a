package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/index/notegen"
	"github.com/memsync/memsync/vault"
)

// noteBytes is the size of a generated note: 6,000 are 32 MB.
const noteBytes = 5333

// generated measures index and search on generated notes.
func (b *bench) generated(ctx context.Context) error {
	return b.onNotes(ctx, func(put func(p, text string) error) error {
		for p, text := range notegen.Vault(b.opts.notes, b.opts.notes*noteBytes) {
			if err := put(p, text); err != nil {
				return err
			}
		}
		return nil
	})
}

// given measures index and search on a copy of the notes in dir.
func (b *bench) given(ctx context.Context, dir string) error {
	v, err := vault.Open(dir, vault.Config{})
	if err != nil {
		return err
	}
	defer v.Close()
	entries, _, err := v.Walk(ctx)
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return fmt.Errorf("%s holds no notes", v.Dir())
	}
	return b.onNotes(ctx, func(put func(p, text string) error) error {
		for _, e := range entries {
			text, err := v.Read(e.Path)
			if err != nil {
				return err
			}
			if err := put(string(e.Path), string(text)); err != nil {
				return err
			}
		}
		return nil
	})
}

// onNotes fills a new vault and measures index and search on it.
func (b *bench) onNotes(ctx context.Context, fill func(put func(p, text string) error) error) error {
	made, err := makeVault(ctx, b.a, filepath.Join(b.base, "notes"), "")
	if err != nil {
		return err
	}
	b.a.vaultFlag = made.Vault
	err = fill(func(p, text string) error {
		at := filepath.Join(made.Vault, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return err
		}
		return os.WriteFile(at, []byte(text), 0o600)
	})
	if err != nil {
		return err
	}
	v, err := vault.Open(made.Vault, vault.Config{})
	if err != nil {
		return err
	}
	return errors.Join(b.indexing(ctx, v), v.Close())
}
