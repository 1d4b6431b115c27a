package config

import (
	"fmt"
	"os"
	"path/filepath"
)

// A NoVaultError says that no vault was found, and where was looked.
type NoVaultError struct {
	// Dir is the folder that was named, or from which the search went upwards.
	Dir string
	// By is who named it: --vault, MEMSYNC_VAULT, default_vault; empty means
	// that nobody did.
	By string
}

func (e *NoVaultError) Error() string {
	if e.By == "" {
		return fmt.Sprintf("no vault here: neither %s nor a folder above it holds a %s", e.Dir, FileName)
	}
	return fmt.Sprintf("no vault at %s, which %s names: it holds no %s", e.Dir, e.By, FileName)
}

// A Place says where to look for the vault.
type Place struct {
	// Flag is what --vault says, relative to WorkDir; empty where it was not given.
	Flag string
	// Env looks up MEMSYNC_VAULT.
	Env func(name string) (string, bool)
	// WorkDir is where the search upwards begins.
	WorkDir string
	// UserFile is the person's own config.yaml, with default_vault.
	UserFile string
	// Home is what a leading ~/ in default_vault means.
	Home string
}

// Discover finds the vault: the one that is named, else the nearest folder
// upwards that holds a .memoryrc, else the person's default. The path is
// absolute, with symbolic links resolved, so that a vault has one name.
func Discover(s Place) (string, error) {
	if s.Flag != "" {
		return named(s.Flag, s.WorkDir, "--vault")
	}
	if s.Env != nil {
		if dir, ok := s.Env("MEMSYNC_VAULT"); ok && dir != "" {
			return named(dir, s.WorkDir, "MEMSYNC_VAULT")
		}
	}
	for dir := s.WorkDir; ; dir = filepath.Dir(dir) {
		if holdsVault(dir) {
			return resolved(dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	user, err := readFile(s.UserFile, LayerUser)
	if err != nil {
		return "", err
	}
	if v, ok := user["default_vault"]; ok && v.words[0] != "" {
		dir := v.words[0]
		if len(dir) > 1 && dir[0] == '~' && os.IsPathSeparator(dir[1]) {
			dir = filepath.Join(s.Home, dir[2:])
		}
		return named(dir, filepath.Dir(s.UserFile), "default_vault")
	}
	return "", &NoVaultError{Dir: s.WorkDir}
}

func named(dir, from, by string) (string, error) {
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(from, dir)
	}
	if !holdsVault(dir) {
		return "", &NoVaultError{Dir: filepath.Clean(dir), By: by}
	}
	return resolved(dir)
}

func holdsVault(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, FileName))
	return err == nil && info.Mode().IsRegular()
}

func resolved(dir string) (string, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", fmt.Errorf("find the vault: %w", err)
	}
	return real, nil
}
