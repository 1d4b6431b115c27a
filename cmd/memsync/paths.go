package main

import (
	"path/filepath"
	"strings"

	"github.com/memsync/memsync/vault"
)

// pathInVault makes a vault's path of what a person types: an absolute path below
// the vault, a path from the folder they are in where that lies in the vault and
// has such a file, or one from the vault's root.
func (a *app) pathInVault(s *session, text string) (vault.Path, error) {
	p, err := a.typedPath(s, text)
	if err != nil {
		return "", &usageError{err}
	}
	return p, nil
}

func (a *app) typedPath(s *session, text string) (vault.Path, error) {
	if filepath.IsAbs(text) {
		if real, err := filepath.EvalSymlinks(text); err == nil {
			text = real
		}
		if rel, err := filepath.Rel(s.dir, text); err == nil && !strings.HasPrefix(rel, "..") {
			return vault.ParsePath(filepath.ToSlash(rel))
		}
		return vault.ParsePath(text) // which says that it is absolute
	}
	if wd, err := a.getwd(); err == nil {
		if rel, err := filepath.Rel(s.dir, filepath.Join(wd, text)); err == nil && filepath.IsLocal(rel) {
			if p, err := vault.ParsePath(filepath.ToSlash(rel)); err == nil && s.vault.Exists(p) {
				return p, nil
			}
		}
	}
	return vault.ParsePath(filepath.ToSlash(text))
}
