package config

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memsync/memsync/cmd/internal/places"
)

// A Request is something that a vault's .memoryrc asks for and that its owner
// must trust once, since it lets notes leave the machine or opens a port.
type Request struct {
	// Section is llm, embedding, index or http.
	Section string `json:"section"`
	// What says in words what is asked for.
	What string `json:"what"`
	// Keys are the vault's keys that are ignored until it is trusted.
	Keys []string `json:"keys"`
	// Line is where the first of them stands in .memoryrc.
	Line int `json:"line"`
	// Trusted says that the owner has agreed.
	Trusted bool `json:"trusted"`
	// Hash stands for this vault and exactly these values.
	Hash string `json:"hash"`
}

// guarded are the sections that can point elsewhere, the keys with which they
// do, and what that amounts to in words; empty where it stays on this machine.
func guarded(c Config) []Request {
	remote := func(what, provider, base string) string {
		if base == "" {
			base = "the endpoint of " + provider
		}
		return fmt.Sprintf("send text of notes to %s for %s", base, what)
	}
	var llm, embedding, index, http string
	if c.LLM.Provider != "none" {
		llm = remote("summaries and answers", c.LLM.Provider, c.LLM.BaseURL)
	}
	if c.Embedding.Provider != "builtin" {
		embedding = remote("embedding", c.Embedding.Provider, c.Embedding.BaseURL)
	}
	if c.Index.Backend != "sqlite" {
		index = "keep the index in the database that " + c.Index.DSNEnv + " names"
	}
	if !onLoopback(c.HTTP.Addr) {
		http = "answer on the network at " + c.HTTP.Addr
	} else if c.HTTP.TokenFile != "" {
		http = "take the token in " + c.HTTP.TokenFile
	}
	return []Request{
		{Section: "llm", What: llm, Keys: []string{"llm.provider", "llm.base_url", "llm.api_key_env"}},
		{Section: "embedding", What: embedding, Keys: []string{"embedding.provider", "embedding.base_url", "embedding.api_key_env"}},
		{Section: "index", What: index, Keys: []string{"index.backend", "index.dsn_env"}},
		{Section: "http", What: http, Keys: []string{"http.addr", "http.token_file"}},
	}
}

// requests finds what the vault's own file asks for.
func (s *Settings) requests(vault string) []Request {
	var asked []Request
	for _, r := range guarded(s.Config) {
		if r.What == "" {
			continue
		}
		sum := sha256.New()
		fmt.Fprintf(sum, "memsync trust 1\n%q\n%s\n", vault, r.Section)
		var fromVault []string
		for _, name := range r.Keys {
			one, err := s.Get(name)
			if err != nil {
				continue
			}
			fmt.Fprintf(sum, "%s=%q\n", name, fmt.Sprint(one.Value))
			if one.Origin.Layer == LayerVault {
				fromVault = append(fromVault, name)
				if r.Line == 0 {
					r.Line = one.Origin.Line
				}
			}
		}
		if len(fromVault) == 0 {
			continue
		}
		r.Keys = fromVault
		r.Hash = hex.EncodeToString(sum.Sum(nil))
		asked = append(asked, r)
	}
	return asked
}

// A Trust is the owner's list of what vaults may ask for. It is a text file:
// one line a request, its hash first, then the vault and the request for the
// reader.
type Trust struct {
	path   string
	hashes []string
	lines  []string
}

// OpenTrust reads the list in the owner's config folder; it need not exist.
func OpenTrust(configDir string) (*Trust, error) {
	t := &Trust{path: filepath.Join(configDir, "trusted")}
	f, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return t, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of trusted endpoints: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		hash, _, _ := strings.Cut(lines.Text(), " ")
		t.hashes = append(t.hashes, hash)
		t.lines = append(t.lines, lines.Text())
	}
	return t, lines.Err()
}

// Has reports whether the owner trusts r.
func (t *Trust) Has(r Request) bool { return r.Hash != "" && slices.Contains(t.hashes, r.Hash) }

// Add trusts r, which the vault at dir asks for.
func (t *Trust) Add(dir string, r Request) error {
	if t.Has(r) {
		return nil
	}
	t.hashes = append(t.hashes, r.Hash)
	t.lines = append(t.lines, fmt.Sprintf("%s %q %s: %q", r.Hash, dir, r.Section, r.What))
	return t.save()
}

// Remove trusts r no longer.
func (t *Trust) Remove(r Request) error {
	i := slices.Index(t.hashes, r.Hash)
	if i < 0 {
		return nil
	}
	t.hashes = slices.Delete(t.hashes, i, i+1)
	t.lines = slices.Delete(t.lines, i, i+1)
	return t.save()
}

func (t *Trust) save() error {
	if err := places.MakePrivate(filepath.Dir(t.path)); err != nil {
		return err
	}
	var text strings.Builder
	for _, line := range t.lines {
		text.WriteString(line + "\n")
	}
	next := t.path + ".new"
	if err := os.WriteFile(next, []byte(text.String()), 0o600); err != nil {
		return fmt.Errorf("write the list of trusted endpoints: %w", err)
	}
	if err := os.Rename(next, t.path); err != nil {
		return fmt.Errorf("write the list of trusted endpoints: %w", err)
	}
	return nil
}
