package setup

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memsync/memsync/cmd/internal/setup/jsonc"
)

// A receipt says what was put into a file.
type receipt struct {
	// Created says that the file was not there before.
	Created bool `json:"created"`
	// After is the hash of the file as it was left.
	After   string         `json:"after"`
	Inserts []jsonc.Insert `json:"inserts"`
	// Vault is whose memory it is.
	Vault string `json:"vault"`
}

// receipts are those of each host, by the files' paths.
type receipts map[string]map[string]receipt

func receiptsFile(state string) string { return filepath.Join(state, "setup.json") }

// readReceipts reads the receipts. Damaged ones are as good as none: our entries
// are then found by what they run.
func readReceipts(state string) (receipts, error) {
	all := receipts{}
	raw, err := os.ReadFile(receiptsFile(state))
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the receipts of memsync setup: %w", err)
	}
	if json.Unmarshal(raw, &all) != nil || all == nil {
		return receipts{}, nil
	}
	return all, nil
}

func (r receipts) set(host, path string, one *receipt) {
	if one == nil {
		delete(r[host], path)
		if len(r[host]) == 0 {
			delete(r, host)
		}
		return
	}
	if r[host] == nil {
		r[host] = map[string]receipt{}
	}
	r[host][path] = *one
}

func (r receipts) write(state string) error {
	name := receiptsFile(state)
	if len(r) == 0 {
		err := os.Remove(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return err
	}
	raw, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return replace(name, append(raw, '\n'), 0o600)
}

// Installed reports whether a host was set up from here.
func Installed(state, host string) bool {
	all, err := readReceipts(state)
	return err == nil && len(all[host]) > 0
}

// Serves reports whether a host was set up from here for a vault.
func Serves(state, host, vault string) bool {
	all, err := readReceipts(state)
	if err != nil {
		return false
	}
	for _, r := range all[host] {
		if r.Vault == vault {
			return true
		}
	}
	return false
}

func sum(text []byte) string {
	h := sha256.Sum256(text)
	return hex.EncodeToString(h[:])
}
