// Package places says where memsync keeps what is not the vault: the index and
// caches, logs and locks, and the originals of redacted secrets.
//
// People put vaults into Dropbox and iCloud, so nothing of this may live inside
// one. Every place follows the XDG base directories, has one folder per vault
// and is open to its owner alone. The package looks nothing up by itself: the
// environment is an argument, so that a test can say where home is.
package places

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
)

// An Env looks up an environment variable, as os.LookupEnv does.
type Env func(name string) (string, bool)

// Places are memsync's own folders, for all vaults of one person.
type Places struct {
	// Home is the person's home folder.
	Home string
	// Config holds config.yaml and the list of trusted endpoints.
	Config string
	// Cache can be deleted at any moment: indexes, vectors, downloads.
	Cache string
	// State holds what a machine remembers: locks, sockets, logs, import runs.
	State string
	// Data holds what cannot be made again: originals of redacted secrets.
	Data string
}

// A Vault is the part of the places that belongs to one vault.
type Vault struct {
	Cache, State, Data string
}

// Find works out the places from the environment. As the XDG specification
// says, a variable that is not an absolute path is ignored.
func Find(env Env) (Places, error) {
	home := value(env, "HOME")
	if home == "" {
		home = value(env, "USERPROFILE") // Windows
	}
	if !filepath.IsAbs(home) {
		return Places{}, errors.New("no home folder: HOME is not set")
	}
	p := Places{Home: home}
	for _, at := range []struct {
		folder   *string
		variable string
		fallback []string
	}{
		{&p.Config, "XDG_CONFIG_HOME", []string{".config"}},
		{&p.Cache, "XDG_CACHE_HOME", []string{".cache"}},
		{&p.State, "XDG_STATE_HOME", []string{".local", "state"}},
		{&p.Data, "XDG_DATA_HOME", []string{".local", "share"}},
	} {
		base := value(env, at.variable)
		if !filepath.IsAbs(base) {
			base = filepath.Join(append([]string{home}, at.fallback...)...)
		}
		*at.folder = filepath.Join(base, "memsync")
	}
	return p, nil
}

func value(env Env, name string) string {
	v, _ := env(name)
	return v
}

// UserConfig is the file with the person's own settings.
func (p Places) UserConfig() string { return filepath.Join(p.Config, "config.yaml") }

// Vault names the folders of the vault at dir, an absolute path. It makes none.
func (p Places) Vault(dir string) Vault {
	name := FolderName(dir)
	return Vault{
		Cache: filepath.Join(p.Cache, name),
		State: filepath.Join(p.State, name),
		Data:  filepath.Join(p.Data, name),
	}
}

// FolderName is the name of a vault's folder in each place: the vault's base
// name, so that a person recognises it, and 32 bits of its path's hash, so that
// two vaults called "notes" stay apart.
func FolderName(dir string) string {
	sum := sha256.Sum256([]byte(filepath.Clean(dir)))
	base := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("._-", r) {
			return r
		}
		return '-'
	}, filepath.Base(dir))
	return strings.TrimLeft(base, ".-") + "-" + hex.EncodeToString(sum[:4])
}

// Make creates the folders, each readable by its owner alone, and narrows the
// mode of those that were there already. One that cannot be written stays as it
// is: what only reads does without, and what must write there says so.
func (v Vault) Make() error {
	for _, dir := range []string{v.Cache, v.State, v.Data} {
		err := MakePrivate(dir)
		if err != nil && !errors.Is(err, syscall.EROFS) && !errors.Is(err, syscall.ENOSPC) {
			return err
		}
	}
	return nil
}

// MakePrivate creates dir and its parents with mode 0700. A folder that exists
// with a wider mode is narrowed; its parents are left as they are.
func MakePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make %s: %w", dir, err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if info.Mode().Perm()&0o077 == 0 {
		return nil
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("make %s private: %w", dir, err)
	}
	return nil
}
